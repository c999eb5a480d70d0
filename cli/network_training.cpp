#include "cli/network_training.h"

#include <fmt/ostream.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>

#include "cli/epoch_log.h"
#include "cli/progress.h"
#include "cli/train_result.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
#include "twofold/eval/splits.h"
#include "twofold/graph/checksum.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

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

// Names of files and classes may be no UTF-8.
std::string json_text(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

// What differs between two configurations, as `lr 0.01 instead of 0.001`.
std::string differences(const ordered_json& then, const ordered_json& now) {
  std::vector<std::string> found;
  const auto show = [](const ordered_json& json, const std::string& key) {
    return json.contains(key) ? json_text(json[key]) : std::string("none");
  };
  for (const auto& [key, value] : now.items())
    if (!then.contains(key) || then[key] != value)
      found.push_back(fmt::format("{} {} instead of {}", key, json_text(value), show(then, key)));
  for (const auto& [key, value] : then.items())
    if (!now.contains(key)) found.push_back(fmt::format("no {} instead of {}", key, json_text(value)));
  return fmt::format("{}", fmt::join(found, ", "));
}

std::string epochs_text(int epochs) { return fmt::format("{} epoch{}", epochs, epochs == 1 ? "" : "s"); }

std::vector<double> targets_of(const train::EncodedDataset& data, const train::Objective& task,
                               const std::vector<std::uint32_t>& graphs) {
  const std::size_t width = task.num_targets();
  std::vector<double> targets;
  for (const std::uint32_t g : graphs)
    for (std::size_t c = 0; c < width; ++c) targets.push_back(data.targets[g * width + c]);
  return targets;
}

}  // namespace

std::string checkpoint_path(const std::string& output) {
  std::error_code failed;
  const auto status = std::filesystem::status(output, failed);
  if (output.empty() || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)))
    return "";
  return output + ".checkpoint";
}

void check_checkpoint(const TrainCommandOptions& options) {
  if (options.resume && options.restart)
    throw UsageError("--resume goes on with the interrupted training, --restart drops it: give one of them");
  if (options.output.empty()) {
    if (options.resume) throw UsageError("--resume goes on with what -o FILE left: give -o");
    return;
  }
  const std::string path = checkpoint_path(options.output);
  std::error_code failed;
  const bool is_there = !path.empty() && std::filesystem::exists(path, failed);
  if (options.resume && !is_there)
    throw Error(fmt::format(
        "nothing to resume: there is no {} (a training that was interrupted leaves one, one that ended none)",
        path.empty() ? "checkpoint" : path));
  if (!is_there || options.resume || options.restart) return;
  int epochs = 0;
  try {
    epochs = train::decode_checkpoint(read_file(path), path).state.epoch();
  } catch (const Error&) {
    throw UsageError(fmt::format("{} is there and cannot be read: --restart drops it and begins anew", path));
  }
  throw UsageError(fmt::format(
      "{} holds an interrupted training of {}: --resume goes on with it, --restart drops it and begins anew",
      path, epochs_text(epochs)));
}

NetworkTraining::NetworkTraining(const TrainCommandOptions& options, model::LearnSettings settings,
                                 const Dataset& dataset, const model::Targets& targets, const eval::Fold& split,
                                 std::ostream& err)
    : options_(options),
      settings_(std::move(settings)),
      dataset_(dataset),
      split_(split),
      checkpoint_path_(checkpoint_path(options.output)) {
  settings_.train.seed = options.seed;
  train::EncodeLimits limits{resolve_memory_limit(options.max_memory), options.threads, options.cache};
  // The dataset keeps what it tells longer than the line lives.
  const auto show = std::make_shared<Progress>();
  limits.progress = [show](std::uint64_t done, std::uint64_t total) {
    if (*show) (*show)(done, total);
  };
  train::Training training;
  {
    ProgressOptions words;
    words.label = "encoding";
    words.unit = "graphs";
    words.quiet = options.quiet;
    ProgressLine line(err, words);
    *show = line.progress();
    training = train::prepare_training(settings_, dataset, targets, split.train, limits);
    *show = nullptr;
  }
  network_ = std::move(training.network);
  data_ = std::move(training.data);
  layout_ = std::move(training.layout);
  engine_ = std::move(training.engine);
  settings_ = network_.settings;
  train::require_memory_for_largest(*engine_, *data_, settings_.model, split.train, options.max_memory);
  make_config();
  // What memory allows is no option: it differs between machines.
  if (settings_.train.batch.rows == 0)
    settings_.train.batch.rows =
        train::rows_for_memory(settings_.model, data_->columns(), whole_memory_limit(options.max_memory) / 4);
}

NetworkTraining::~NetworkTraining() = default;

// All that shapes the result: what a resumed training must agree with.
void NetworkTraining::make_config() {
  config_ = {{"model", model::model_of(settings_).name}};
  config_.update(model::config_of(model::model_of(settings_), settings_));
  config_["seed"] = options_.seed;
  if (options_.splits.empty()) config_["split_seed"] = options_.split_seed;
  if (!options_.from_run.empty()) config_["from_run"] = true;
  config_["dataset"] = {{"name", dataset_.name},
                        {"graphs", dataset_.graphs.size()},
                        {"rows", data_->num_rows()},
                        {"checksum", checksum(dataset_)}};
  if (is_regression()) config_["targets"] = network_.target_names;
  config_["train_graphs"] = split_.train.size();
  config_["validation_graphs"] = split_.validation.size();
  if (options_.splits.empty()) {
    config_["validation"] = options_.validation;
    return;
  }
  config_["fold"] = options_.fold;
  config_["splits"] = {
      {"checksum", checksum(eval::format_splits({{split_.train, split_.validation, split_.test}}))}};
}

void NetworkTraining::resume() {
  const train::Checkpoint checkpoint = train::decode_checkpoint(read_file(checkpoint_path_), checkpoint_path_);
  ordered_json then = ordered_json::parse(checkpoint.config);
  model::add_newer_options(model::model_of(settings_), then);
  // How many epochs there are to be changes none of those that were, unless the learning rate goes by it. Nor
  // does the name of the data.
  if (settings_.train.schedule != model::Schedule::kCosine) then["epochs"] = config_["epochs"];
  const ordered_json data_then = then.value("dataset", ordered_json());
  if (!data_then.is_object() || data_then.value("checksum", ordered_json()) != config_["dataset"]["checksum"])
    throw InputError(fmt::format(
        "{}: needed the data that {} was begun with, found other data (checksum {} "
        "instead of {}); --restart begins anew",
        options_.dataset, checkpoint_path_, json_text(config_["dataset"]["checksum"]),
        data_then.is_object() ? json_text(data_then.value("checksum", ordered_json("none"))) : "none"));
  then["dataset"] = config_["dataset"];
  // Not then != config_, which minds the order of keys: options of later versions stand elsewhere.
  if (const std::string found = differences(then, config_); !found.empty())
    throw UsageError(fmt::format("--resume: {} was begun with other options: now {}", checkpoint_path_, found));
  if (checkpoint.state.epoch() > settings_.train.epochs)
    throw UsageError(fmt::format("--resume: needed {} or more, found --epochs {}",
                                 epochs_text(checkpoint.state.epoch()), settings_.train.epochs));
  if (checkpoint.state.parameters.size() != layout_.size)
    throw InputError(fmt::format("{}: needed {} parameters, found {}", checkpoint_path_, layout_.size,
                                 checkpoint.state.parameters.size()));
  const bool averages = settings_.train.average > 0 && checkpoint.state.adam.steps > 0;
  if (averages == checkpoint.state.average.empty())
    throw InputError(fmt::format("{}: needed {} averaged parameters, found {}", checkpoint_path_,
                                 averages ? layout_.size : 0, checkpoint.state.average.size()));
  state_ = checkpoint.state;
}

void NetworkTraining::warn(TrainDisplay* display, std::ostream& err, const std::string& trouble) {
  has_trouble_ = true;
  if (display != nullptr) display->clear();
  fmt::print(err, "twofold train: warning: {}; training goes on\n", trouble);
}

// False if it cannot be written, which is said once.
bool NetworkTraining::save_checkpoint(TrainDisplay* display, std::ostream& err) {
  train::Checkpoint checkpoint;
  checkpoint.config = json_text(config_);
  checkpoint.state = state_;
  try {
    write_whole_file(checkpoint_path_, train::encode_checkpoint(checkpoint));
    return true;
  } catch (const Error& error) {
    if (!checkpoint_failed_) warn(display, err, error.what());
    checkpoint_failed_ = true;
    return false;
  }
}

int NetworkTraining::run(std::ostream& out, std::ostream& err) {
  state_ = train::initial_state(layout_, options_.seed);
  if (options_.resume) resume();
  std::optional<EpochLog> log;
  if (!options_.log.empty()) log.emplace(options_.log, is_regression(), state_.history);
  if (options_.restart && !checkpoint_path_.empty()) unlink(checkpoint_path_.c_str());
  const std::string trouble = data_->cache_trouble();
  if (!trouble.empty()) fmt::print(err, "twofold train: warning: the cache was not used: {}\n", trouble);
  if (!options_.quiet) say_what_is_kept(options_.output, err);
  StopOnInterrupt interrupt;
  double seconds = 0;
  {
    TrainDisplay display(
        err, {options_.quiet, settings_.train.epochs, state_.epoch(), split_.train.size(), is_regression()});
    double next_checkpoint = options_.checkpoint_every;
    const auto after_epoch = [&](const train::EpochRecord& record) {
      if (log && log->trouble().empty()) {
        log->add(record);
        if (!log->trouble().empty()) warn(&display, err, log->trouble());
      }
      display.show(record);
      if (interrupt.is_asked()) return false;
      if (!checkpoint_path_.empty() && display.seconds() >= next_checkpoint) {
        save_checkpoint(&display, err);
        next_checkpoint = display.seconds() + options_.checkpoint_every;
      }
      return true;
    };
    train::train(*engine_, *data_, split_.train, split_.validation, layout_, network_.task, settings_.train,
                 state_, after_epoch,
                 [&](int epoch, std::size_t done, std::size_t) { display.show_batch(epoch, done); });
    seconds = display.seconds();
  }
  if (log && log->trouble().empty()) {
    log->close();
    if (!log->trouble().empty()) {
      has_trouble_ = true;
      fmt::print(err, "twofold train: warning: {}\n", log->trouble());
    }
  }
  if (g_stop && !is_done()) {
    if (checkpoint_path_.empty()) {
      fmt::print(err, "interrupted after epoch {}; without -o FILE nothing is kept\n", state_.epoch());
      return 130;
    }
    checkpoint_failed_ = false;  // it is worth a word again: what was done is lost
    if (!save_checkpoint(nullptr, err)) {
      fmt::print(err, "interrupted after epoch {}; the training is lost\n", state_.epoch());
      return 1;
    }
    fmt::print(err, "interrupted after epoch {}; go on with --resume ({})\n", state_.epoch(), checkpoint_path_);
    return 130;
  }
  finish(out, seconds);
  return has_trouble_ ? 1 : 0;
}

train::Scores NetworkTraining::scores_of(const std::vector<std::uint32_t>& graphs) {
  return train::evaluate(*engine_, *data_, graphs, network_.task, settings_.train.batch, network_.parameters);
}

std::string NetworkTraining::why_it_ended() const {
  if (!state_.is_finished) return fmt::format("after the last epoch (--epochs {})", settings_.train.epochs);
  if (settings_.train.patience > 0 && state_.epoch() - state_.best_epoch >= settings_.train.patience)
    return fmt::format("{} without a better validation (--patience)", epochs_text(settings_.train.patience));
  return fmt::format("every training and validation graph is right, losses below {} (--stop-below)",
                     settings_.train.stop_below);
}

// The graph that the network is right about and most sure of; of real values the first.
std::uint32_t NetworkTraining::worth_explaining(const std::vector<std::uint32_t>& graphs) {
  if (is_regression()) return graphs[0];
  const std::size_t width = network_.task.outputs;
  const std::vector<float> outputs =
      train::all_outputs(*engine_, *data_, graphs, width, settings_.train.batch, network_.parameters);
  std::uint32_t best = graphs[0];
  double most = 0;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const Span<const float> row(outputs.data() + i * width, width);
    const std::uint32_t predicted = train::predicted_class(network_.task, row);
    const double score = train::predicted_scores(network_.task, row)[predicted];
    if (predicted != data_->targets[graphs[i]] || score <= most) continue;
    most = score;
    best = graphs[i];
  }
  return best;
}

void NetworkTraining::finish(std::ostream& out, double seconds) {
  network_.parameters = train::chosen_parameters(state_, settings_.train);
  const bool is_best = settings_.train.restore_best && state_.best_epoch > 0;
  const int kept = is_best ? state_.best_epoch : state_.epoch();
  const train::Scores train_scores = scores_of(split_.train);
  ordered_json result = {{"epochs", state_.epoch()},
                         {"metric", is_regression() ? "mae" : "accuracy"},
                         {"train_loss", train_scores.loss},
                         {"validation", nullptr},
                         {"seconds", seconds},
                         {"model", model::to_string(settings_.model.model)},
                         {"kept_epoch", kept},
                         {"parameters", layout_.num_trained()},
                         {"graphs", split_.train.size()},
                         {"train_scores", scores_json(network_.task, train_scores)}};
  std::string text = fmt::format("{}: {} parameters, {} on {} graphs, kept epoch {}\n",
                                 model::to_string(settings_.model.model), layout_.num_trained(),
                                 epochs_text(state_.epoch()), split_.train.size(), kept);
  text += fmt::format("training    {}\n", scores_text(network_.task, train_scores));
  const auto add = [&](const char* name, const std::vector<std::uint32_t>& graphs) {
    if (graphs.empty()) return;
    const train::Scores scores = scores_of(graphs);
    result[name] = is_regression() ? scores.mean_absolute_error : 100 * scores.accuracy;
    result[std::string(name) + "_scores"] = scores_json(network_.task, scores);
    text += fmt::format("{:<11} {} ({} graphs)\n", name, scores_text(network_.task, scores), graphs.size());
  };
  add("validation", split_.validation);
  add("test", split_.test);
  const bool has_validation = !split_.validation.empty();
  const std::vector<double> training = targets_of(*data_, network_.task, split_.train);
  const Baseline baseline =
      baseline_of(network_.task, network_.class_names, training,
                  has_validation ? targets_of(*data_, network_.task, split_.validation) : training);
  result["baseline"] = baseline.json;
  text +=
      fmt::format("baseline    {} ({} graphs)\n", baseline.text, has_validation ? "validation" : "training");
  text += fmt::format("ended       {}\n", why_it_ended());

  std::string failed;
  if (!options_.output.empty()) {
    ordered_json training_record = config_;
    training_record["epochs_done"] = state_.epoch();
    training_record["kept_epoch"] = kept;
    network_.training = json_text(training_record);
    try {
      write_whole_file(options_.output, train::encode_network(network_));
      if (!checkpoint_path_.empty()) unlink(checkpoint_path_.c_str());
    } catch (const Error& error) {
      failed = error.what();
    }
  }
  const std::size_t shown = worth_explaining(has_validation ? split_.validation : split_.train) + 1;
  text += trained_text({options_.output, options_.dataset, failed.empty(), !options_.quiet, shown, seconds});
  out << (options_.json ? json_text(result) + '\n' : text);
  if (!failed.empty()) throw Error(failed);
}

}  // namespace twofold::cli
