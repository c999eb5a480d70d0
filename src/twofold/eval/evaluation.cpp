#include "twofold/eval/evaluation.h"

#include <algorithm>
#include <filesystem>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/base/simd.h"
#include "twofold/eval/link_data.h"
#include "twofold/eval/result.h"
#include "twofold/eval/run_folder.h"
#include "twofold/eval/seal.h"
#include "twofold/eval/status.h"
#include "twofold/eval/work.h"
#include "twofold/graph/checksum.h"
#include "twofold/model/seen_data.h"

namespace twofold::eval {
namespace {

constexpr int kDefaultFolds = 10;

Splits take_splits(const EvaluationRequest& request, const model::Targets& targets) {
  if (!request.drawn.empty()) return request.drawn;
  if (request.splits_name.empty())
    return make_splits(targets, request.folds == 0 ? kDefaultFolds : request.folds, request.split_seed);
  Splits splits = parse_splits(request.splits_text, targets, request.splits_name);
  const auto wanted = static_cast<std::size_t>(request.folds);
  if (wanted > splits.size())
    throw UsageError(fmt::format("--folds {}: {} has {} folds", wanted, request.splits_name, splits.size()));
  if (wanted > 0) splits.resize(wanted);
  return splits;
}

bool resolve_refit(const EvaluationRequest& request, const Plan& plan) {
  const bool has_parts = request.inner_folds > 1;
  if (!request.refit && !has_parts) return refits_by_itself(plan.preset, plan.grid);
  const bool wanted = request.refit.value_or(true);
  if (has_parts && !wanted)
    throw UsageError(
        "--inner-folds chooses by training and validation graphs alike: needed --refit true, found false");
  const auto found = std::find_if(plan.grid.begin(), plan.grid.end(), uses_validation);
  if (wanted && found != plan.grid.end())
    throw UsageError(
        fmt::format("{} learns from the validation graphs: needed --patience 0, --keep last and no schedule "
                    "plateau, which else go by them, found patience {}, keep {}, schedule {}",
                    has_parts ? "--inner-folds" : "--refit", found->at("patience").dump(),
                    found->at("keep").get<std::string>(), found->at("schedule").get<std::string>()));
  return wanted;
}

}  // namespace

Plan make_plan(const EvaluationRequest& request, const Dataset& dataset, const model::Targets& targets,
               bool is_deterministic) {
  Plan plan;
  plan.dataset = record::valid_utf8(dataset.name);
  plan.checksum = checksum(dataset);
  plan.num_graphs = dataset.graphs.size();
  plan.about = targets.task().about;
  if (plan.about != TargetOf::kGraphs) plan.num_items = targets.num_items();
  plan.model = request.model;
  // Edges that are held out come with their folds.
  plan.preset = preset_for(request.preset,
                           learnt_from(targets, plan.about == TargetOf::kLinks && !request.drawn.empty()));
  plan.metric =
      request.metric.empty() ? model::default_metric(targets.task()) : model::parse_metric(request.metric);
  model::require_fit(plan.metric, targets.task());
  plan.seed = request.seed;
  plan.split_seed = request.split_seed;
  plan.targets = request.targets;
  plan.repeats = is_deterministic ? 1 : request.repeats;
  plan.blind = request.blind;
  // Without epochs there are no rungs.
  const bool has_epochs = model::find_model(request.model).is_network;
  plan.search = request.search == Search::kHalving && !has_epochs ? Search::kGrid : request.search;
  GridRequest grid;
  grid.model = request.model;
  grid.dataset = dataset.name;
  grid.preset = plan.preset;
  grid.file_name = request.file_name;
  grid.file_text = request.file_text;
  grid.overrides = request.overrides;
  grid.growth = [&] { return growth_of(dataset.graphs); };
  plan.grid = make_grid(grid);
  plan.inner_folds = request.inner_folds;
  if (plan.inner_folds > 1 && plan.about != TargetOf::kGraphs)
    throw UsageError("--inner-folds parts graphs: needed targets of graphs, found those of " +
                     std::string(model::to_string(plan.about)));
  plan.refit = resolve_refit(request, plan);
  plan.splits = take_splits(request, targets);
  // Folds that cannot be parted are refused here, before anything is written.
  if (plan.inner_folds > 1)
    for (const Fold& fold : plan.splits) inner_folds(fold, targets, plan.inner_folds, plan.split_seed);
  plan.simd = simd_level();
  plan.version = request.version;
  plan.commit = request.commit;
  plan.given = request.given;
  return plan;
}

model::Config evaluate(const EvaluationRequest& given, const Dataset& whole,
                       const model::LearnerFactory& factory, const std::string& path,
                       const EvaluationWork& how) {
  EvaluationRequest request = given;
  LinkData links;
  if (given.targets.task == "links" || !whole.pair_targets.empty())
    links = with_links_held_out(whole, given.targets, given.folds, given.split_seed);
  const Dataset& dataset = links.splits.empty() ? whole : links.dataset;
  if (!links.splits.empty()) request.drawn = links.splits;
  const model::Targets targets(dataset, request.targets);
  const int threads = resolve_threads(how.threads);
  const auto make = [&] {
    return factory.make({dataset.graphs, targets.task(), targets.items(), threads, how.max_memory, nullptr});
  };
  const std::unique_ptr<model::Learner> learner = make();
  Plan plan = make_plan(request, dataset, targets, learner->is_deterministic());
  for (const model::Config& config : plan.grid) learner->check(config);
  plan.libraries = factory.libraries;
  const model::GraphData ignored =
      model::ignored_data(model::data_of(dataset.graphs), model::seen_data(plan.model, plan.grid));
  require_run_folder(path);
  RunFolder folder(path);
  folder.create();
  const RunLock lock = folder.lock({});
  if (folder.has("run.json")) {
    // Who made it decides nothing, so this one's version will do.
    const Plan there = read_plan(folder, request.version.empty() ? "999999.0.0" : request.version);
    if (const std::string difference = describe_difference(there, plan); !difference.empty())
      throw UsageError(fmt::format("{} holds another evaluation:\n{}", path, difference));
    plan.format = there.format;
  } else {
    folder.write_text("splits.json", format_splits(plan.splits));
    folder.write("run.json", to_json(plan), 1);
  }
  if (plan.blind) make_seal(folder);
  folder.remove_leftovers();
  folder.remove("failed");
  folder.create();
  work(plan, folder, targets, make, {{}, threads, how.on_event});
  const WorkState state = work_state(plan, folder);
  if (!state.failed.empty()) {
    const std::string file = "failed/" + task_name(list_tasks(plan)[state.failed[0]]) + ".json";
    throw Error(fmt::format("{}: {} of {} tasks failed: {}", path, state.failed.size(), state.total,
                            folder.read(file).value("reason", std::string("unknown"))));
  }
  Result result = summarize(plan, folder, targets, find_twins(folder, *learner, plan));
  if (!ignored.none()) result.json["ignores"] = model::data_names(ignored);
  return write_result(folder, plan, result);
}

model::Config evaluate(const EvaluationRequest& request, const Dataset& dataset,
                       const model::LearnerFactory& factory, const std::string& path, int threads) {
  EvaluationWork work;
  work.threads = threads;
  return evaluate(request, dataset, factory, path, work);
}

void require_run_folder(const std::string& path) {
  namespace fs = std::filesystem;
  if (!fs::exists(path) || fs::exists(path + "/run.json")) return;
  if (!fs::is_directory(path)) throw Error(fmt::format("cannot write {}: it is a file, needed a folder", path));
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, ignored)) {
    const std::string name = entry.path().filename().string();
    // What an evaluation leaves that was killed before it had written its run.json.
    // Or another one that works in it and has just written it.
    if (name[0] == '.' || name == "tasks" || name == "failed" || name == "timing" || name == "seal" ||
        name == "splits.json" || name == "run.json")
      continue;
    throw Error(fmt::format("cannot write {}: there is a {} in it, needed a new folder or one of an evaluation",
                            path, in_quotes(name)));
  }
}

model::TwinClasses find_twins(RunFolder& folder, model::Learner& learner, const Plan& plan) {
  if (folder.has("twins.json")) {
    const model::Config known = folder.read("twins.json", record::checksum_rule(plan.format));
    return model::twins_from_json(known, plan.about == TargetOf::kGraphs ? plan.num_graphs : plan.num_items,
                                  folder.file("twins.json"));
  }
  model::TwinClasses twins = learner.twins(plan.grid);
  folder.write("twins.json", model::to_json(twins));
  return twins;
}

}  // namespace twofold::eval
