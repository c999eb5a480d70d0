#include "cli/command_train.h"

#include <fmt/ostream.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/dataset_input.h"
#include "cli/machine_folder.h"
#include "cli/network_training.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "cli/split_choice.h"
#include "cli/train_result.h"
#include "cli/version.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/mpi_group.h"
#include "twofold/eval/chosen_config.h"
#include "twofold/eval/grid.h"
#include "twofold/eval/group_splits.h"
#include "twofold/eval/link_data.h"
#include "twofold/eval/ranks.h"
#include "twofold/eval/run_folder.h"
#include "twofold/graph/checksum.h"
#include "twofold/io/dataset_file.h"
#include "twofold/model/seen_data.h"
#include "twofold/svm/kernel_model.h"
#include "twofold/train/tensor_engine.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

int train_kernel(const TrainCommandOptions& options, const model::LearnSettings& settings,
                 const Dataset& dataset, const model::Targets& all, const eval::Fold& split, std::ostream& out,
                 std::ostream& err) {
  const model::Task& what = all.task();
  if (what.about != TargetOf::kGraphs)
    throw UsageError(
        fmt::format("kernels compare graphs: needed a network to learn {}", model::to_string(what.about)));
  if (!what.is_classification())
    throw UsageError(
        "kernels learn one class per graph; these targets are real numbers or several (--task classes "
        "--target T takes whole ones as classes)");
  if (!options.quiet) say_what_is_kept(options.output, err);
  const auto start = std::chrono::steady_clock::now();
  // Kernels need no validation: nothing is stopped early. With splits the given training graphs are kept to.
  std::vector<Graph> graphs;
  for (const std::uint32_t g : split.train) graphs.push_back(dataset.graphs[g]);
  svm::FitOptions fit;
  fit.kernel = settings.kernel;
  fit.normalize = settings.normalize;
  fit.gamma = settings.gamma;
  fit.svc.penalty = settings.penalty;
  fit.svc.tolerance = settings.tolerance;
  fit.solver = settings.solver;
  fit.max_memory = options.max_memory;
  fit.threads = options.threads;
  svm::KernelModel model = svm::KernelModel::fit(graphs, all.of(split.train).class_of, what.class_names, fit);
  model.names = {dataset.node_label_names, dataset.edge_label_names, dataset.molecule_features};
  const auto accuracy = [&](const std::vector<std::uint32_t>& part) {
    const model::LabeledGraphs truth = all.of(part);
    std::size_t right = 0;
    for (std::size_t i = 0; i < part.size(); ++i)
      right += model.predict(dataset.graphs[part[i]]).class_index == truth.class_of[i];
    return 100.0 * static_cast<double>(right) / static_cast<double>(part.size());
  };
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double on_training = accuracy(split.train);
  ordered_json result = {{"epochs", 0},           {"metric", "accuracy"},
                         {"train_loss", nullptr}, {"validation", nullptr},
                         {"seconds", seconds},    {"model", gram::kernel_name(settings.kernel.kind)},
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
  train::Objective task;
  task.kind = what.kind;
  const Baseline baseline = baseline_of(task, what.class_names, all.numbers(split.train),
                                        all.numbers(has_validation ? split.validation : split.train));
  result["baseline"] = baseline.json;
  text +=
      fmt::format("baseline    {} ({} graphs)\n", baseline.text, has_validation ? "validation" : "training");
  if (!options.output.empty()) {
    AtomicFile file(options.output);
    file.write(model.encode());
    file.commit();
  }
  text += trained_text(
      {options.output, options.dataset, true, !options.quiet,
       fmt::format("--graph {}", (has_validation ? split.validation : split.train)[0] + std::size_t{1}),
       seconds});
  out << (options.json ? result.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + '\n' : text);
  return 0;
}

// A learner that does not see all the data has is no error, but nobody should find out by its scores.
void say_what_is_ignored(const TrainCommandOptions& options, const model::LearnSettings& settings,
                         const std::string& dataset, Span<const Graph> graphs, std::ostream& err) {
  const model::Model& model = model::model_of(settings);
  const model::GraphData ignored = model::ignored_data(
      model::data_of(graphs), model::seen_data(model.name, {model::config_of(model, settings)}));
  if (!options.quiet && !ignored.none())
    fmt::print(err, "twofold train: {}\n", model::describe_ignored(model.name, dataset, ignored));
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

// What to learn with, and where that came from.
struct Wanted {
  model::LearnSettings settings;
  model::TargetChoice targets;
  std::string said;  // of an evaluation: what it chose
};

// The model's defaults, with the tables of a configuration file and with what the command line says.
model::Config one_configuration(const TrainCommandOptions& options, const model::Model& model,
                                const Dataset& dataset, const std::string& preset) {
  eval::GridRequest request;
  request.model = model.name;
  request.dataset = dataset.name;
  request.growth = [&] { return eval::growth_of(dataset.graphs); };
  request.preset = preset;
  request.file_name = options.config.tables.empty() ? "" : options.config.path;
  request.file_text = options.config.tables;
  request.overrides = parse_given(model, options.given);
  for (const auto& [name, values] : request.overrides)
    if (values.size() != 1)
      throw UsageError(fmt::format("--{}: needed one value, found {}", name, values.size()));
  const eval::Grid grid = eval::make_grid(request);
  if (grid.size() == 1) return grid[0];
  std::string several;
  for (const auto& item : grid[0].items())
    for (const model::Config& config : grid)
      if (config.at(item.key()) != item.value()) {
        several += (several.empty() ? "" : ", ") + item.key();
        break;
      }
  throw UsageError(
      fmt::format("{}: needed one value for every option of {}, found several for {}: evaluate chooses",
                  options.config.path, model.name, several));
}

// The configuration of an evaluation, with what the command line says.
Wanted from_run(const TrainCommandOptions& options, const Dataset& dataset) {
  const std::string& path = options.from_run;
  if (!std::filesystem::exists(path + "/run.json"))
    throw Error(fmt::format("--from-run: needed the folder of an evaluation, found no run.json in {}", path));
  eval::RunFolder folder(path);
  const eval::Plan plan =
      eval::parse_plan(read_file(folder.file("run.json")), read_file(folder.file("splits.json")),
                       folder.file("run.json"), version_number());
  if (plan.about == TargetOf::kLinks && dataset.pair_targets.empty())
    throw UsageError(fmt::format(
        "--from-run: {} held out edges of its graphs: train with --task links and its options", path));
  if (plan.checksum != checksum(dataset))
    throw Error(fmt::format("--from-run: {} is of other data: needed {} with the checksum {}, found {} with {}",
                            path, in_quotes(plan.dataset), plan.checksum, in_quotes(dataset.name),
                            checksum(dataset)));
  if (plan.blind && !folder.has("revealed.json"))
    throw Error(fmt::format("--from-run: {} is sealed: needed a revealed one (twofold reveal {})", path, path));
  if (!options.model.empty() && options.model != plan.model)
    throw UsageError(
        fmt::format("--from-run: needed no --model, or --model {}, found {}", plan.model, options.model));
  const model::Model& model = model::find_model(plan.model);
  if (options.fold > static_cast<int>(plan.splits.size()))
    throw UsageError(fmt::format("--fold: needed 1..{}, found {}", plan.splits.size(), options.fold));
  std::optional<std::size_t> fold;
  if (options.fold > 0) fold = static_cast<std::size_t>(options.fold) - 1;
  const eval::ChosenConfig chosen = eval::chosen_config(plan, folder, fold);
  model::Config config = chosen.config;
  // Without validation graphs nothing stops a training early: it takes as many epochs as the evaluation's did.
  std::string epochs;
  if (model.is_network && options.validation == 0 && !chosen.kept_epochs.empty()) {
    config["epochs"] = chosen.kept_epochs[chosen.kept_epochs.size() / 2];
    epochs = fmt::format("; --epochs {}, the median of what its final runs kept", config["epochs"].dump());
  }
  for (const auto& [name, values] : parse_given(model, options.given)) {
    if (values.size() != 1)
      throw UsageError(fmt::format("--{}: needed one value, found {}", name, values.size()));
    config[name] = values[0];
  }
  Wanted wanted;
  wanted.settings = model::settings_of(model, config);
  wanted.targets = plan.targets;
  wanted.said = fmt::format("{}: {}, configuration {} of {}, chosen by {}{}", path, plan.model,
                            chosen.index + 1, plan.grid.size(),
                            fold ? fmt::format("fold {}", options.fold)
                                 : fmt::format("{} of {} folds", chosen.num_folds, plan.splits.size()),
                            epochs);
  return wanted;
}

// `usual`: the preset that is taken by itself; empty: none.
Wanted from_options(const TrainCommandOptions& options, const Dataset& dataset, const std::string& usual = "") {
  const model::Model& model = model::find_model(options.model.empty() ? "2-wl-gnn" : options.model);
  const std::string preset = options.preset == "none" ? "" : !options.preset.empty() ? options.preset : usual;
  return {model::settings_of(model, one_configuration(options, model, dataset, preset)), options.target, ""};
}

// Graphs have the options' own defaults; molecules, nodes and links those of a preset.
Wanted for_data(const TrainCommandOptions& options, const Dataset& dataset, const model::Targets& targets,
                bool holds_out_edges) {
  const bool is_of_graphs = targets.task().about == TargetOf::kGraphs;
  TrainCommandOptions how = options;
  if (!is_of_graphs) how.preset = eval::preset_for(how.preset, eval::learnt_from(targets, holds_out_edges));
  const std::string usual = !dataset.molecule_features.empty() ? "molecules"
                            : is_of_graphs
                                ? ""
                                : eval::preset_for("quick", eval::learnt_from(targets, holds_out_edges));
  Wanted wanted = from_options(how, dataset, usual);
  if (is_of_graphs || wanted.settings.is_kernel || options.preset == "none") return wanted;
  const model::Model& model = model::model_of(wanted.settings);
  wanted.said =
      fmt::format("{} of {}: preset {} ({}); --preset none takes the defaults of graphs",
                  model::to_string(targets.task().about), dataset.name, how.preset.empty() ? usual : how.preset,
                  eval::options_text(model, model::config_of(model, wanted.settings)));
  return wanted;
}

// The file, by either option; empty: there is none.
std::string splits_path(const TrainCommandOptions& options) {
  const std::string& word = options.split;
  return word.empty() || word == "random" || word == "scaffold" || word == "column" ? options.splits : word;
}

void check_together(const TrainCommandOptions& options) {
  if (!options.from_run.empty()) {
    if (!options.splits.empty() || !options.split.empty())
      throw UsageError("--from-run trains on all graphs, --splits on some: give one of them");
    if (!options.config.tables.empty())
      throw UsageError("--from-run and --config with tables both give a configuration: give one of them");
    if (!options.target.targets.empty() || !options.target.task.empty())
      throw UsageError("--from-run learns the targets of the evaluation: needed no --target and no --task");
    return;
  }
  if ((options.fold != 0) != !splits_path(options).empty())
    throw UsageError("--splits and --fold go together: give both");
}

// `own_split`: the file that the data brings with it; empty: none.
eval::Fold take_fold(const TrainCommandOptions& options, bool is_kernel, const Dataset& dataset,
                     const model::Targets& targets, const std::string& own_split) {
  // Kernels need no validation: nothing is stopped early.
  const double share = is_kernel ? 0 : options.validation;
  const std::string& given = own_split.empty() ? options.splits : own_split;
  switch (split_kind(options.split, given, dataset)) {
    case SplitKind::kRandom:
      return eval::hold_out(targets, share, options.split_seed);
    case SplitKind::kScaffold:
      return eval::hold_out_groups(scaffold_groups(dataset, options.threads), share, options.split_seed);
    case SplitKind::kColumn:
      return eval::fold_of_parts(dataset.parts);
    case SplitKind::kFile:
      break;
  }
  const std::string path = own_split.empty() ? splits_path(options) : own_split;
  const eval::Splits splits = eval::parse_splits(read_file(path), targets, path);
  const int fold = std::max(options.fold, 1);
  if (static_cast<std::size_t>(fold) > splits.size())
    throw UsageError(fmt::format("--fold: needed 1..{}, found {}", splits.size(), fold));
  return splits[static_cast<std::size_t>(fold) - 1];
}

// Whether the dataset is larger than the memory, and what is learnt can do with its colors.
bool trains_in_blocks(const TrainCommandOptions& options, const Wanted& wanted) {
  return options.from_run.empty() && !wanted.settings.is_kernel && options.target.task != "nodes" &&
         options.target.task != "links" && options.split != "scaffold" &&
         io::DatasetBlocks::suits(options.dataset, options.max_memory);
}

// What one process does, alone or as one of several ranks.
int train_here(const TrainCommandOptions& options, RanksOfTraining ranks, std::ostream& out,
               std::ostream& err) {
  check_together(options);
  // Mistakes are found before the data is read; a configuration file may look at the dataset.
  Wanted wanted;
  if (options.from_run.empty()) wanted = from_options(options, Dataset());
  const auto is_kernel = [&] { return wanted.settings.is_kernel; };
  const auto check_learner = [&] {
    if (is_kernel() && (options.shards > 0 || ranks.group != nullptr))
      throw UsageError(fmt::format("{} is fitted at once, in one process: needed {}",
                                   gram::kernel_name(wanted.settings.kernel.kind),
                                   ranks.group != nullptr ? "no mpirun or srun" : "no --shards"));
    if (!is_kernel()) train::check_device(wanted.settings.engine);
    if (is_kernel() && (options.resume || options.restart || !options.log.empty()))
      throw UsageError(fmt::format("{} is fitted at once: it has no epochs, so no {}",
                                   gram::kernel_name(wanted.settings.kernel.kind),
                                   options.resume    ? "--resume"
                                   : options.restart ? "--restart"
                                                     : "--log"));
  };
  check_learner();
  if (!is_kernel()) check_checkpoint(options);
  if (!options.log.empty()) require_writable(options.log);
  for (const std::string& written : {options.output, options.log})
    require_output_apart(written,
                         {input_of_dataset(options.dataset), splits_path(options), options.config.path});
  if (!options.log.empty() && !options.output.empty() && is_same_file(options.log, options.output))
    throw UsageError(fmt::format("-o and --log name one file, {}: give two", options.output));
  // Found to be unwritable before the long work starts; nothing is kept of the try.
  if (!options.output.empty()) AtomicFile tried(options.output);
  io::MoleculeOptions molecules = options.molecules;
  molecules.targets = options.target.targets;
  molecules.skip_unlabeled = true;
  std::optional<TrainingBlocks> blocks;
  train::BlockSummary summary;
  Dataset read;
  if (trains_in_blocks(options, wanted)) {
    blocks.emplace(options.dataset, options.threads, options.max_memory);
    summary = train::summarize(*blocks, blocks->empty_dataset());
    read = summary.targets;
  } else {
    read = read_input(options.dataset, molecules, options.threads, options.quiet, err);
  }
  const eval::LinkData data = eval::with_links_held_out(std::move(read), options.target, 1, options.split_seed);
  const Dataset& dataset = data.dataset;
  if (!options.from_run.empty()) {
    wanted = from_run(options, dataset);
    check_learner();
  }
  forget_chosen_column(dataset, wanted.targets);
  const model::Targets targets(dataset, wanted.targets);
  if (options.from_run.empty()) {
    model::TargetChoice chosen = wanted.targets;
    wanted = for_data(options, dataset, targets, !data.splits.empty());
    wanted.targets = std::move(chosen);
    check_learner();
  }
  if (targets.task().is_classification() && targets.task().class_names.size() < 2)
    throw InputError(fmt::format("{}: needed {} of two classes or more, found one class {}", options.dataset,
                                 model::to_string(targets.task().about),
                                 in_quotes(targets.task().class_names[0])));
  if (!data.splits.empty() && !(options.splits.empty() && options.split.empty()))
    throw UsageError("--task links holds out edges of the graphs itself: needed no --splits, found some");
  std::string own_split;
  if (options.split.empty() && options.splits.empty() && options.from_run.empty())
    own_split = split_of_folder(options.dataset, targets);
  const eval::Fold split =
      data.splits.empty() ? take_fold(options, is_kernel(), dataset, targets, own_split) : data.splits[0];
  if (split.train.empty())
    throw InputError(fmt::format("{}: needed {} to train on, found none", options.dataset,
                                 model::to_string(targets.task().about)));
  if (!options.quiet) {
    if (!wanted.said.empty()) fmt::print(err, "twofold train: {}\n", wanted.said);
    if (!own_split.empty())
      fmt::print(err, "twofold train: held out as in {}; --split random draws nodes\n", own_split);
    const std::string hint = model::hint_at_values(dataset, targets.task());
    if (!hint.empty()) fmt::print(err, "twofold train: {}: {}\n", dataset.name, hint);
  }
  say_what_is_ignored(options, wanted.settings, dataset.name, blocks ? summary.known : dataset.graphs, err);
  if (is_kernel()) return train_kernel(options, wanted.settings, dataset, targets, split, out, err);
  if (!options.cache.empty()) {
    std::error_code failed;
    std::filesystem::create_directories(options.cache, failed);
    if (failed) throw Error(fmt::format("cannot make the folder {}: {}", options.cache, failed.message()));
  }
  // One rank alone has shards only to give what several give; nodes and links know of none.
  if (ranks.group == nullptr && options.shards == 0 && targets.task().about != TargetOf::kGraphs)
    ranks.shards = 0;
  if (blocks) {
    ranks.machine = nullptr;  // colors are found block by block, and not kept
    NetworkTraining training(options, wanted.settings, *blocks, summary, targets, split, ranks, err);
    return training.run(out, err);
  }
  NetworkTraining training(options, wanted.settings, dataset, targets, split, ranks, err);
  return training.run(out, err);
}

// Under mpirun, unless --shards says otherwise: more than most machines have cores, and few enough for batches
// of 32 graphs.
constexpr int kUsualShards = 8;

// Only the first rank reads checkpoints, writes and prints.
TrainCommandOptions options_of_other(const TrainCommandOptions& options) {
  TrainCommandOptions own = options;
  own.output.clear();
  own.log.clear();
  own.resume = own.restart = own.json = false;
  own.quiet = true;
  return own;
}

int train_with_ranks(const TrainCommandOptions& options, int started, std::ostream& out, std::ostream& err) {
  // mpirun ends the others when one has failed, so that none but the first, which says why, may end with a
  // code.
  const bool leads = eval::detect_rank()->leads;
  std::unique_ptr<Group> group;
  try {
    if (options.dataset == "-")
      throw UsageError("needed a file that all ranks can read, found -, which only the first one can");
    const int shards = options.shards > 0 ? options.shards : kUsualShards;
    if (shards < started)
      throw UsageError(fmt::format("needed --shards {} or more for as many ranks, found {}", started, shards));
    group = start_mpi("training on several ranks", started);
  } catch (const Error&) {
    if (leads) throw;
    return 0;
  }
  RanksOfTraining ranks;
  ranks.group = group.get();
  ranks.shards = static_cast<std::size_t>(options.shards > 0 ? options.shards : kUsualShards);
  if (group->rank() == 1) ranks.rescue = options.output;
  ranks.words = &err;
  std::ostream nowhere(nullptr);
  try {
    MachineFolder machine(*group);
    ranks.machine = &machine;
    const int code = leads ? train_here(options, ranks, out, err)
                           : train_here(options_of_other(options), ranks, nowhere, nowhere);
    if (group->has_stopped()) return code;
    // All come to their end together: the first one may still fail to write.
    group->share("");
    return leads ? code : 0;
  } catch (const GroupStop& stop) {
    if (!leads) return stop.kind == GroupStop::Kind::kLost ? 1 : 0;
    throw Error(stop.kind == GroupStop::Kind::kFailed ? fmt::format("rank {}: {}", stop.rank, stop.what())
                                                      : std::string(stop.what()));
  } catch (const std::exception& error) {
    group->fail(error.what());
    if (leads) throw;
    return 0;
  }
}

}  // namespace

int run_train(const TrainCommandOptions& options, std::ostream& out, std::ostream& err) {
  const int started = eval::started_together();
  if (started > 1) return train_with_ranks(options, started, out, err);
  RanksOfTraining ranks;
  ranks.shards = static_cast<std::size_t>(options.shards > 0 ? options.shards
                                          : started == 1     ? kUsualShards
                                                             : 0);
  return train_here(options, ranks, out, err);
}

}  // namespace twofold::cli
