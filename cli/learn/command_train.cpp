#include "cli/learn/command_train.h"

#include <fmt/ostream.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/config_file.h"
#include "cli/learn/learn_data.h"
#include "cli/learn/train_display.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
#include "twofold/eval/seen_data.h"
#include "twofold/io/dataset_file.h"
#include "twofold/svm/kernel_model.h"
#include "twofold/train/model_file.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

constexpr double kCheckpointInterval = 30;  // seconds

std::atomic<bool> g_stop{false};
extern "C" void ask_to_stop(int) { g_stop = true; }

// The first interrupt only asks training to stop after the epoch; a second one ends the program as usual.
class StopOnInterrupt {
 public:
  StopOnInterrupt() {
    g_stop = false;
    struct sigaction action {};
    action.sa_handler = ask_to_stop;
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, &old_interrupt_);
    sigaction(SIGTERM, &action, &old_terminate_);
  }
  ~StopOnInterrupt() { restore(); }
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

  bool is_asked() {
    if (g_stop) restore();
    return g_stop;
  }

 private:
  void restore() {
    if (is_restored_) return;
    is_restored_ = true;
    sigaction(SIGINT, &old_interrupt_, nullptr);
    sigaction(SIGTERM, &old_terminate_, nullptr);
  }
  struct sigaction old_interrupt_ {};
  struct sigaction old_terminate_ {};
  bool is_restored_ = false;
};

void write_whole_file(const std::string& path, const std::string& bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

// What differs between two configurations, as `lr 0.01 instead of 0.001`.
std::string differences(const ordered_json& then, const ordered_json& now) {
  std::vector<std::string> found;
  const auto show = [](const ordered_json& json, const std::string& key) {
    return json.contains(key) ? json[key].dump() : std::string("none");
  };
  for (const auto& [key, value] : now.items())
    if (!then.contains(key) || then[key] != value)
      found.push_back(fmt::format("{} {} instead of {}", key, value.dump(), show(then, key)));
  return fmt::format("{}", fmt::join(found, ", "));
}

ordered_json scores_json(const train::Task& task, const train::Scores& scores) {
  if (task.kind == nn::Task::kRegression)
    return {
        {"loss", scores.loss}, {"mae", scores.mean_absolute_error}, {"rmse", scores.root_mean_squared_error}};
  ordered_json json = {{"loss", scores.loss},
                       {"accuracy", 100 * scores.accuracy},
                       {"balanced_accuracy", 100 * scores.balanced_accuracy}};
  if (task.kind == nn::Task::kBinary) json["auc"] = scores.auc;
  const std::size_t classes = train::num_classes(task);
  ordered_json rows = ordered_json::array();
  for (std::size_t c = 0; c < classes; ++c)
    rows.push_back(
        std::vector<std::uint64_t>(scores.confusion.begin() + static_cast<std::ptrdiff_t>(c * classes),
                                   scores.confusion.begin() + static_cast<std::ptrdiff_t>((c + 1) * classes)));
  json["confusion"] = rows;
  return json;
}

std::string scores_text(const train::Task& task, const train::Scores& scores) {
  if (task.kind == nn::Task::kRegression)
    return fmt::format("mean absolute error {:.4g}, root mean square {:.4g}, loss {:.4f}",
                       scores.mean_absolute_error, scores.root_mean_squared_error, scores.loss);
  std::string text = fmt::format("accuracy {:.2f} %, balanced {:.2f} %", 100 * scores.accuracy,
                                 100 * scores.balanced_accuracy);
  if (task.kind == nn::Task::kBinary)
    text +=
        std::isnan(scores.auc) ? ", AUC not defined (one class only)" : fmt::format(", AUC {:.4f}", scores.auc);
  return text + fmt::format(", loss {:.4f}", scores.loss);
}

double metric_value(const train::Task& task, const train::Scores& scores) {
  return task.kind == nn::Task::kRegression ? scores.mean_absolute_error : 100 * scores.accuracy;
}

// Everything between the data and the result.
class NetworkTraining {
 public:
  NetworkTraining(const TrainCommandOptions& options, LearnSettings settings, const Dataset& dataset,
                  const LearnTargets& targets, const LearnSplit& split)
      : options_(options), settings_(std::move(settings)), dataset_(dataset), split_(split) {
    settings_.train.seed = options.seed;
    settings_.model.task = targets.task;
    settings_.model.outputs = targets.outputs;
    settings_.engine.threads = options.threads;
    settings_.engine.batch_graphs = settings_.train.batch.graphs;
    nn::check_options(settings_.model);
    network_.options = settings_.model;
    network_.layout = train::input_layout(dataset.graphs, settings_.model);
    network_.class_names =
        targets.task == nn::Task::kRegression ? std::vector<std::string>() : dataset.class_names;
    network_.target_column = targets.column;
    make_task(targets);

    const std::uint64_t limit = resolve_memory_limit(options.max_memory);
    data_.emplace(dataset.graphs, settings_.model, network_.layout,
                  train::EncodeLimits{limit, options.threads, options.cache});
    data_->targets = targets.targets;
    if (settings_.train.batch.rows == 0)
      settings_.train.batch.rows =
          train::rows_for_memory(settings_.model, data_->columns(), whole_memory_limit(options.max_memory) / 4);
    layout_ = nn::parameter_layout(settings_.model, data_->columns());
    engine_ = train::make_engine(*data_, settings_.model, network_.task, settings_.engine);
    config_ = ordered_json::parse(settings_json(settings_));
    config_["seed"] = options.seed;
    config_["dataset"] = {
        {"name", dataset.name}, {"graphs", dataset.graphs.size()}, {"rows", data_->num_rows()}};
    config_["train_graphs"] = split.train.size();
    config_["validation_graphs"] = split.validation.size();
    if (!options.splits.empty()) config_["fold"] = options.fold;
  }

  int run(std::ostream& out, std::ostream& err) {
    std::ofstream log;
    if (!options_.log.empty()) {
      log.open(options_.log, options_.resume ? std::ios::app : std::ios::trunc);
      if (!log) throw Error(fmt::format("cannot write {}: {}", options_.log, system_error_text(errno)));
    }
    start();
    const std::string trouble = data_->cache_trouble();
    if (!trouble.empty()) fmt::print(err, "twofold train: warning: the cache was not used: {}\n", trouble);
    StopOnInterrupt interrupt;
    double seconds = 0;
    {
      TrainDisplay display(err, {options_.quiet, settings_.train.epochs, split_.train.size(), is_regression()});
      double next_checkpoint = kCheckpointInterval;
      train::train(*engine_, *data_, split_.train, split_.validation, layout_, network_.task, settings_.train,
                   state_, [&](const train::EpochRecord& record) {
                     if (log.is_open()) log << log_line(record) << '\n' << std::flush;
                     display.show(record);
                     if (interrupt.is_asked()) return false;
                     if (!options_.output.empty() && display.seconds() > next_checkpoint) {
                       save_checkpoint();
                       next_checkpoint = display.seconds() + kCheckpointInterval;
                     }
                     return true;
                   });
      seconds = display.seconds();
    }
    if (log.is_open() && !log) throw Error(fmt::format("cannot write {}", options_.log));
    if (g_stop && !is_done()) {
      if (options_.output.empty()) {
        fmt::print(err, "interrupted after epoch {}; without -o nothing is kept\n", state_.epoch());
        return 130;
      }
      save_checkpoint();
      fmt::print(err, "interrupted after epoch {}; go on with --resume ({})\n", state_.epoch(),
                 checkpoint_path());
      return 130;
    }
    finish(out, seconds);
    return 0;
  }

 private:
  bool is_regression() const { return network_.task.kind == nn::Task::kRegression; }
  bool is_done() const { return state_.is_finished || state_.epoch() >= settings_.train.epochs; }
  std::string checkpoint_path() const { return options_.output + ".checkpoint"; }

  void make_task(const LearnTargets& targets) {
    train::Task& task = network_.task;
    task.kind = targets.task;
    task.outputs = static_cast<std::size_t>(targets.outputs);
    if (is_regression()) task.loss = settings_.loss;
    std::vector<double> training;
    for (const std::uint32_t g : split_.train) training.push_back(targets.targets[g]);
    train::fit_targets(task, training, settings_.class_weights);
    if (settings_.standardize) task.features = train::attribute_scaling(dataset_.graphs, split_.train);
    if (network_.layout.features.node_attributes == 0) task.features.node_mean = task.features.node_scale = {};
    if (network_.layout.features.edge_attributes == 0) task.features.edge_mean = task.features.edge_scale = {};
  }

  void start() {
    state_ = train::initial_state(layout_, options_.seed);
    if (!options_.resume) return;
    if (options_.output.empty()) throw UsageError("--resume goes on with what -o FILE left: give -o");
    std::string bytes;
    try {
      bytes = read_file(checkpoint_path());
    } catch (const Error& error) {
      throw Error(fmt::format("nothing to resume: {}", error.what()));
    }
    const train::Checkpoint checkpoint = train::decode_checkpoint(bytes, checkpoint_path());
    ordered_json then = ordered_json::parse(checkpoint.config);
    // How many epochs there are to be changes none of those that were.
    then["epochs"] = config_["epochs"];
    if (then != config_)
      throw UsageError(fmt::format("--resume: {} was begun with other options: now {}", checkpoint_path(),
                                   differences(then, config_)));
    if (checkpoint.state.epoch() > settings_.train.epochs)
      throw UsageError(fmt::format("--resume: needed {} epochs or more, found --epochs {}",
                                   checkpoint.state.epoch(), settings_.train.epochs));
    if (checkpoint.state.parameters.size() != layout_.size)
      throw InputError(fmt::format("{}: needed {} parameters, found {}", checkpoint_path(), layout_.size,
                                   checkpoint.state.parameters.size()));
    state_ = checkpoint.state;
  }

  void save_checkpoint() const {
    train::Checkpoint checkpoint;
    checkpoint.config = config_.dump();
    checkpoint.state = state_;
    write_whole_file(checkpoint_path(), train::encode_checkpoint(checkpoint));
  }

  std::string log_line(const train::EpochRecord& r) const {
    const double scale = is_regression() ? 1 : 100;
    ordered_json json = {{"epoch", r.epoch},
                         {"lr", r.learning_rate},
                         {"train_loss", r.train_loss},
                         {"train", scale * r.train_metric}};
    if (r.has_validation) {
      json["validation_loss"] = r.validation_loss;
      json["validation"] = scale * r.validation_metric;
    }
    return json.dump();
  }

  train::Scores scores_of(const std::vector<std::uint32_t>& graphs) {
    return train::evaluate(*engine_, *data_, graphs, network_.task, settings_.train.batch, network_.parameters);
  }

  void finish(std::ostream& out, double seconds) {
    network_.parameters = train::chosen_parameters(state_, settings_.train);
    const bool is_best = settings_.train.restore_best && state_.best_epoch > 0;
    const int kept = is_best ? state_.best_epoch : state_.epoch();
    const train::Scores train_scores = scores_of(split_.train);
    ordered_json result = {{"epochs", state_.epoch()},
                           {"metric", is_regression() ? "mae" : "accuracy"},
                           {"train_loss", train_scores.loss},
                           {"validation", nullptr},
                           {"seconds", seconds},
                           {"model", nn::to_string(settings_.model.model)},
                           {"kept_epoch", kept},
                           {"parameters", layout_.num_trained()},
                           {"graphs", split_.train.size()},
                           {"train_scores", scores_json(network_.task, train_scores)}};
    std::string text = fmt::format("{}: {} parameters, {} epoch{} on {} graphs, kept epoch {}\n",
                                   nn::to_string(settings_.model.model), layout_.num_trained(), state_.epoch(),
                                   state_.epoch() == 1 ? "" : "s", split_.train.size(), kept);
    text += fmt::format("training    {}\n", scores_text(network_.task, train_scores));
    const auto add = [&](const char* name, const std::vector<std::uint32_t>& graphs) {
      if (graphs.empty()) return;
      const train::Scores scores = scores_of(graphs);
      result[name] = metric_value(network_.task, scores);
      result[std::string(name) + "_scores"] = scores_json(network_.task, scores);
      text += fmt::format("{:<11} {} ({} graphs)\n", name, scores_text(network_.task, scores), graphs.size());
    };
    add("validation", split_.validation);
    add("test", split_.test);
    if (!options_.output.empty()) {
      ordered_json training = config_;
      training["epochs_done"] = state_.epoch();
      training["kept_epoch"] = kept;
      network_.training = training.dump();
      write_whole_file(options_.output, train::encode_network(network_));
      unlink(checkpoint_path().c_str());
    }
    if (options_.json)
      out << result.dump() << '\n';
    else
      out << text;
  }

  const TrainCommandOptions& options_;
  LearnSettings settings_;
  const Dataset& dataset_;
  const LearnSplit& split_;
  train::Network network_;
  std::optional<train::EncodedDataset> data_;
  nn::ParameterLayout layout_;
  std::unique_ptr<train::Engine> engine_;
  train::TrainState state_;
  ordered_json config_;
};

int train_kernel(const TrainCommandOptions& options, const LearnSettings& settings, const Dataset& dataset,
                 const LearnTargets& targets, const LearnSplit& split, std::ostream& out) {
  if (targets.task == nn::Task::kRegression)
    throw UsageError("kernels learn classes only; these targets are real numbers");
  const auto start = std::chrono::steady_clock::now();
  // Kernels need no validation: nothing is stopped early. With splits the given training graphs are kept to.
  std::vector<Graph> graphs;
  std::vector<std::uint32_t> class_of;
  for (const std::uint32_t g : split.train) {
    graphs.push_back(dataset.graphs[g]);
    class_of.push_back(dataset.class_of[g]);
  }
  svm::FitOptions fit;
  fit.kernel = settings.kernel;
  fit.normalize = settings.normalize;
  fit.svc.penalty = settings.penalty;
  fit.max_memory = options.max_memory;
  fit.threads = options.threads;
  const svm::KernelModel model = svm::KernelModel::fit(graphs, class_of, dataset.class_names, fit);
  const auto accuracy = [&](const std::vector<std::uint32_t>& part) {
    std::size_t right = 0;
    for (const std::uint32_t g : part)
      right += model.predict(dataset.graphs[g]).class_index == dataset.class_of[g];
    return 100.0 * static_cast<double>(right) / static_cast<double>(part.size());
  };
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  ordered_json result = {
      {"epochs", 0},        {"metric", "accuracy"},   {"train_loss", nullptr},         {"validation", nullptr},
      {"seconds", seconds}, {"model", options.model}, {"train", accuracy(split.train)}};
  std::string text = fmt::format("{}: trained on {} graphs\ntraining    accuracy {:.2f} %\n",
                                 describe(settings.kernel), split.train.size(), accuracy(split.train));
  const auto add = [&](const char* name, const std::vector<std::uint32_t>& part) {
    if (part.empty()) return;
    result[name] = accuracy(part);
    text += fmt::format("{:<11} accuracy {:.2f} % ({} graphs)\n", name, accuracy(part), part.size());
  };
  add("validation", split.validation);
  add("test", split.test);
  if (!options.output.empty()) write_whole_file(options.output, model.encode());
  if (options.json)
    out << result.dump() << '\n';
  else
    out << text;
  return 0;
}

// A learner that does not see all the data has is no error, but nobody should find out by its scores.
void say_what_is_ignored(const TrainCommandOptions& options, const LearnSettings& settings,
                         const Dataset& dataset, std::ostream& err) {
  const eval::Config config = {{"edge-labels", settings.kernel.edge_labels},
                               {"node-attributes", settings.model.node_attributes}};
  const eval::GraphData ignored =
      eval::ignored_data(eval::data_of(dataset.graphs), eval::seen_data(options.model, {config}));
  if (!options.quiet && !ignored.none())
    fmt::print(err, "twofold train: {}\n", eval::describe_ignored(options.model, dataset.name, ignored));
}

}  // namespace

void declare_train(Options& flags, TrainCommandOptions& options) {
  flags.add("DATASET", options.dataset, "TU folder or zip, JSON-lines file, - or TRIANGLE")
      .required()
      .type_name("");
  declare_learning(flags, options.model, options.given);
  flags
      .add("--target", options.target, "Learn this real target, counted from 1 [the classes, if there are any]")
      .range(1, 1'000'000)
      .type_name("K");
  flags.add("--validation", options.validation, "Part of the graphs held out to stop early by; 0: none")
      .range(0.0, 0.9)
      .show_default()
      .type_name("X");
  flags.add("--splits", options.splits, "Take training, validation and test graphs from here")
      .type_name("FILE.json");
  flags.add("--fold", options.fold, "Which fold of the splits, counted from 1")
      .range(1, 1'000'000)
      .type_name("K");
  declare_output(flags, options.output, "Write the model here");
  flags.add_flag("--resume", options.resume, "Go on with an interrupted training of the same output");
  flags.add("--log", options.log, "Write one line of JSON per epoch").type_name("FILE.jsonl");
  flags
      .add("--cache", options.cache,
           "Keep the colors of the dataset's pairs in this folder, for the next training")
      .type_name("FOLDER");
  declare_seed(flags, options.seed);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  declare_config(flags, options.config);
  flags.footer(R"(
Defaults in brackets are those of 2-wl-gnn; other models have some of their own. An interrupt (Ctrl-C) saves the
training beside the output, and --resume goes on to the very result it would have had.

Examples:
  twofold train TRIANGLE --model 2-wl-gnn -o triangle.model
  twofold train data/NCI1 --model gin --splits data/NCI1/NCI1_splits.json --fold 1 --json
  twofold train mine.jsonl --model wl-st --penalty 0.1 -o mine.model)");
}

int run_train(const TrainCommandOptions& options, std::ostream& out, std::ostream& err) {
  const LearnSettings settings = resolve_learning(options.model, options.given);
  if ((options.fold != 0) != !options.splits.empty())
    throw UsageError("--splits and --fold go together: give both");
  for (const std::string& written : {options.output, options.log})
    require_output_apart(written, {input_of_dataset(options.dataset), options.splits, options.config});
  if (!options.log.empty() && !options.output.empty() && is_same_file(options.log, options.output))
    throw UsageError(fmt::format("-o and --log name one file, {}: give two", options.output));
  // Found to be unwritable before the long work starts; nothing is kept of the try.
  if (!options.output.empty()) AtomicFile tried(options.output);
  const Dataset dataset = io::read_dataset(options.dataset, options.threads);
  const LearnTargets targets = choose_targets(dataset, options.target, options.dataset);
  const double held_out = settings.is_kernel ? 0 : options.validation;
  const LearnSplit split = options.splits.empty()
                               ? hold_out(dataset, targets, held_out, options.seed)
                               : read_fold(options.splits, options.fold, dataset.graphs.size());
  if (split.train.empty())
    throw InputError(fmt::format("{}: needed graphs to train on, found none", options.dataset));
  say_what_is_ignored(options, settings, dataset, err);
  if (settings.is_kernel) return train_kernel(options, settings, dataset, targets, split, out);
  if (!options.cache.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(options.cache, failed);
    if (failed) throw Error(fmt::format("cannot make the folder {}: {}", options.cache, failed.message()));
  }
  NetworkTraining training(options, settings, dataset, targets, split);
  return training.run(out, err);
}

}  // namespace twofold::cli
