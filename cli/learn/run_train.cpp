#include "cli/command_train.h"

#include <fmt/ostream.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/config_file.h"
#include "cli/learn/learn_data.h"
#include "cli/learn/network_training.h"
#include "cli/learn/train_result.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/io/dataset_file.h"
#include "twofold/model/seen_data.h"
#include "twofold/svm/kernel_model.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

int train_kernel(const TrainCommandOptions& options, const model::LearnSettings& settings,
                 const Dataset& dataset, const LearnTargets& targets, const LearnSplit& split,
                 std::ostream& out, std::ostream& err) {
  if (targets.task == model::TaskKind::kRegression)
    throw UsageError("kernels learn classes only; these targets are real numbers");
  if (!options.quiet) say_what_is_kept(options.output, err);
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
  fit.svc.tolerance = settings.tolerance;
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
  const double on_training = accuracy(split.train);
  ordered_json result = {{"epochs", 0},           {"metric", "accuracy"}, {"train_loss", nullptr},
                         {"validation", nullptr}, {"seconds", seconds},   {"model", options.model},
                         {"train", on_training}};
  std::string text = fmt::format("{}: trained on {} graphs\ntraining    accuracy {:.2f} %\n",
                                 describe(settings.kernel), split.train.size(), on_training);
  const auto add = [&](const char* name, const std::vector<std::uint32_t>& part) {
    if (part.empty()) return;
    const double value = accuracy(part);
    result[name] = value;
    text += fmt::format("{:<11} accuracy {:.2f} % ({} graphs)\n", name, value, part.size());
  };
  add("validation", split.validation);
  add("test", split.test);
  const bool has_validation = !split.validation.empty();
  const auto targets_of = [&](const std::vector<std::uint32_t>& part) {
    std::vector<double> values;
    for (const std::uint32_t g : part) values.push_back(targets.targets[g]);
    return values;
  };
  train::Objective task;
  task.kind = targets.task;
  const Baseline baseline = baseline_of(task, dataset.class_names, targets_of(split.train),
                                        targets_of(has_validation ? split.validation : split.train));
  result["baseline"] = baseline.json;
  text +=
      fmt::format("baseline    {} ({} graphs)\n", baseline.text, has_validation ? "validation" : "training");
  if (!options.output.empty()) {
    AtomicFile file(options.output);
    file.write(model.encode());
    file.commit();
  }
  text += trained_text({options.output, options.dataset, true, !options.quiet,
                        (has_validation ? split.validation : split.train)[0] + std::size_t{1}, seconds});
  out << (options.json ? result.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n' : text);
  return 0;
}

// A learner that does not see all the data has is no error, but nobody should find out by its scores.
void say_what_is_ignored(const TrainCommandOptions& options, const model::LearnSettings& settings,
                         const Dataset& dataset, std::ostream& err) {
  const model::Config config = {{"edge-labels", settings.kernel.edge_labels},
                                {"node-attributes", settings.model.node_attributes}};
  const model::GraphData ignored =
      model::ignored_data(model::data_of(dataset.graphs), model::seen_data(options.model, {config}));
  if (!options.quiet && !ignored.none())
    fmt::print(err, "twofold train: {}\n", model::describe_ignored(options.model, dataset.name, ignored));
}

// Found before the long work starts. What is no regular file is not tried: opening a pipe twice disturbs it.
void require_writable(const std::string& log) {
  std::error_code failed;
  const auto status = std::filesystem::status(log, failed);
  std::string tried = log;
  if (!std::filesystem::exists(status)) {
    tried = std::filesystem::path(log).parent_path().string();
    if (tried.empty()) tried = ".";
  } else if (std::filesystem::is_directory(status)) {
    throw Error(fmt::format("cannot write {}: {}", log, system_error_text(EISDIR)));
  }
  if (access(tried.c_str(), W_OK) != 0)
    throw Error(fmt::format("cannot write {}: {}", log, system_error_text(errno)));
}

}  // namespace

int run_train(const TrainCommandOptions& options, std::ostream& out, std::ostream& err) {
  const model::LearnSettings settings = resolve_learning(options.model, options.given);
  if ((options.fold != 0) != !options.splits.empty())
    throw UsageError("--splits and --fold go together: give both");
  if (settings.is_kernel && (options.resume || options.restart || !options.log.empty()))
    throw UsageError(fmt::format("{} is fitted at once: it has no epochs, so no {}", options.model,
                                 options.resume    ? "--resume"
                                 : options.restart ? "--restart"
                                                   : "--log"));
  if (!settings.is_kernel) check_checkpoint(options);
  if (!options.log.empty()) require_writable(options.log);
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
  if (settings.is_kernel) return train_kernel(options, settings, dataset, targets, split, out, err);
  if (!options.cache.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(options.cache, failed);
    if (failed) throw Error(fmt::format("cannot make the folder {}: {}", options.cache, failed.message()));
  }
  NetworkTraining training(options, settings, dataset, targets, split);
  return training.run(out, err);
}

}  // namespace twofold::cli
