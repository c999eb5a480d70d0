#include "twofold/eval/plan.h"

#include <algorithm>
#include <cstdio>
#include <limits>

#include "twofold/base/digest.h"
#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/graph/checksum.h"

namespace twofold::eval {
namespace {

// 1.12.3 as a number that compares.
std::uint64_t version_number(const std::string& version) {
  unsigned parts[3] = {0, 0, 0};
  std::sscanf(version.c_str(), "%u.%u.%u", &parts[0], &parts[1], &parts[2]);
  return (std::uint64_t{parts[0]} << 40) + (std::uint64_t{parts[1]} << 20) + parts[2];
}

std::string short_text(const model::Config& value) {
  const std::string text = value.dump();
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

bool is_network(const std::string& model) {
  return std::any_of(model::models().begin(), model::models().end(),
                     [&](const model::Model& known) { return known.name == model && known.is_network; });
}

// Records of before an option was in the table lack it. What is newer than the table says what it was then; all
// else had the value that it has by default. Other models than ours are left as they are.
model::Config with_all_options(const std::string& name, const model::Config& config) {
  for (const model::Model& model : model::models()) {
    const auto is_there = [&](const model::ModelOption& option) { return config.contains(option.name); };
    if (model.name != name || std::none_of(model.options.begin(), model.options.end(), is_there)) continue;
    model::Config full = model::Config::object();
    for (const model::ModelOption& option : model.options)
      full[option.name] = config.contains(option.name) ? config.at(option.name)
                          : option.before.is_null()    ? option.fallback
                                                       : option.before;
    for (const auto& item : config.items())
      if (!full.contains(item.key())) full[item.key()] = item.value();
    return full;
  }
  return config;
}

// splits.json lies beside run.json.
std::string splits_name(const std::string& run_source) {
  const std::size_t folder = run_source.rfind('/');
  return folder == std::string::npos ? "splits.json" : run_source.substr(0, folder + 1) + "splits.json";
}

}  // namespace

model::Config to_json(const Plan& plan) {
  model::Config libraries = model::Config::object();
  for (const auto& [name, version] : plan.libraries) libraries[name] = version;
  model::Config json = {
      {"format", plan.format},
      {"twofold", plan.version},
      {"commit", plan.commit},
      {"simd", plan.simd},
      {"libraries", libraries},
      {"dataset", {{"name", plan.dataset}, {"checksum", plan.checksum}, {"graphs", plan.num_graphs}}},
      {"model", plan.model},
      {"preset", plan.preset},
      {"metric", model::metric_name(plan.metric)},
      {"seed", plan.seed},
      {"split_seed", plan.split_seed},
      {"repeats", plan.repeats},
      {"folds", plan.splits.size()},
      {"splits", {{"checksum", checksum(format_splits(plan.splits))}}},
      {"grid", plan.grid}};
  if (plan.about != TargetOf::kGraphs)
    json["items"] = {{"about", model::to_string(plan.about)}, {"count", plan.num_items}};
  if (!plan.targets.targets.empty()) json["target"] = plan.targets.targets;
  if (!plan.targets.task.empty()) json["task"] = plan.targets.task;
  if (plan.search != Search::kGrid) json["search"] = to_string(plan.search);
  if (plan.blind) json["blind"] = true;
  if (plan.refit) json["refit"] = true;
  if (plan.inner_folds > 1) json["inner_folds"] = plan.inner_folds;
  if (!plan.given.empty()) json["given"] = plan.given;
  return json;
}

Plan parse_plan(const std::string& run_text, const std::string& splits_text, const std::string& source,
                const std::string& version) {
  const record::RunFile file = record::decode_run(run_text, source);
  const record::JsonView run(file.content, source);
  Plan plan;
  plan.format = file.format;
  plan.version = run.at("twofold").text();
  if (version_number(plan.version) > version_number(version))
    throw InputError(
        fmt::format("{}: this run was made by twofold {}, this is twofold {}: a newer one is needed", source,
                    in_quotes(plan.version), version));
  plan.commit = run.at("commit").text();
  if (const record::JsonView libraries = run.at("libraries"); libraries.is_there())
    for (const auto& item : libraries.object().items())
      plan.libraries.emplace_back(item.key(), libraries.at(item.key().c_str()).text());
  if (const record::JsonView simd = run.at("simd"); simd.is_there()) plan.simd = simd.text();
  if (const record::JsonView given = run.at("given"); given.is_there()) plan.given = given.object();
  const record::JsonView dataset = run.at("dataset");
  plan.dataset = dataset.at("name").text();
  plan.checksum = dataset.at("checksum").text();
  plan.num_graphs = dataset.at("graphs").count(std::numeric_limits<std::uint32_t>::max());
  if (const record::JsonView items = run.at("items"); items.is_there()) {
    try {
      plan.about = model::parse_target_of(items.at("about").text());
    } catch (const UsageError& error) {
      throw InputError(fmt::format("{}: items: {}", source, error.what()));
    }
    plan.num_items = items.at("count").count(std::numeric_limits<std::uint32_t>::max());
  }
  plan.model = run.at("model").text();
  plan.preset = run.at("preset").text();
  try {
    plan.metric = model::parse_metric(run.at("metric").text());
  } catch (const UsageError& error) {
    throw InputError(fmt::format("{}: metric: {}", source, error.what()));
  }
  plan.seed = run.at("seed").count(std::numeric_limits<std::uint64_t>::max());
  // Once one seed was for both.
  const record::JsonView split_seed = run.at("split_seed");
  plan.split_seed =
      split_seed.is_there() ? split_seed.count(std::numeric_limits<std::uint64_t>::max()) : plan.seed;
  if (run.at("target").is_there()) plan.targets.targets = run.at("target").texts();
  if (run.at("task").is_there()) plan.targets.task = run.at("task").text();
  plan.repeats = static_cast<int>(run.at("repeats").count_in(1, 1000));
  if (const record::JsonView search = run.at("search"); search.is_there()) {
    try {
      plan.search = parse_search(search.text());
    } catch (const UsageError& error) {
      throw InputError(fmt::format("{}: search: {}", source, error.what()));
    }
  }
  if (const record::JsonView blind = run.at("blind"); blind.is_there()) plan.blind = blind.flag();
  if (const record::JsonView refit = run.at("refit"); refit.is_there()) plan.refit = refit.flag();
  if (const record::JsonView inner = run.at("inner_folds"); inner.is_there())
    plan.inner_folds = static_cast<int>(inner.count_in(1, kMostInnerFolds));
  const record::JsonView grid = run.at("grid");
  for (std::size_t c = 0; c < grid.size(); ++c)
    plan.grid.push_back(with_all_options(plan.model, grid.item(c).object()));
  if (plan.grid.empty()) grid.refuse("configurations");
  const std::string splits_source = splits_name(source);
  plan.splits = plan.about == TargetOf::kGraphs ? parse_splits(splits_text, plan.num_graphs, splits_source)
                                                : parse_item_splits(splits_text, plan.num_items, splits_source,
                                                                    model::to_string(plan.about));
  const std::string needed = run.at("splits").at("checksum").text();
  if (const std::string found = checksum(format_splits(plan.splits)); found != needed && kChecksumsCount)
    throw InputError(
        fmt::format("{}: needed the folds this run was started with (checksum {}), found others ({})",
                    splits_source, in_quotes(needed), found));
  return plan;
}

std::string describe_difference(const Plan& there, const Plan& now) {
  const bool depends_on_simd = !there.simd.empty() && !now.simd.empty() && is_network(there.model);
  const auto without_maker = [&](const Plan& plan) {
    model::Config json = to_json(plan);
    for (const char* key : {"format", "twofold", "commit", "libraries", "given"}) json.erase(key);
    if (!depends_on_simd) json.erase("simd");
    return json.flatten();
  };
  const model::Config a = without_maker(there), b = without_maker(now);
  std::vector<std::string> lines;
  const auto add = [&](std::string key, const std::string& before, const std::string& after) {
    key.erase(0, 1);
    std::replace(key.begin(), key.end(), '/', '.');
    lines.push_back(fmt::format("  {}: {} there, {} now", key, before, after));
  };
  for (const auto& item : a.items()) {
    const auto other = b.find(item.key());
    if (other == b.end())
      add(item.key(), short_text(item.value()), "nothing");
    else if (*other != item.value())
      add(item.key(), short_text(item.value()), short_text(*other));
  }
  for (const auto& item : b.items())
    if (!a.contains(item.key())) add(item.key(), "nothing", short_text(item.value()));
  std::string text;
  constexpr std::size_t kMost = 10;
  for (std::size_t i = 0; i < std::min(lines.size(), kMost); ++i) text += (i == 0 ? "" : "\n") + lines[i];
  if (lines.size() > kMost) text += fmt::format("\n  and {} more", lines.size() - kMost);
  return text;
}

std::string describe_libraries(const Plan& there, const Plan& now) {
  std::string text;
  for (const auto& [name, version] : there.libraries)
    for (const auto& [other, current] : now.libraries)
      if (name == other && version != current)
        text += fmt::format("{}{} {}, this is {}", text.empty() ? "" : "; ", name, in_quotes(version), current);
  return text;
}

Search parse_search(const std::string& word) {
  for (const Search search : {Search::kGrid, Search::kHalving, Search::kUntilPerfect})
    if (word == to_string(search)) return search;
  throw UsageError(fmt::format("needed a search grid, halving or until-perfect, found {}", in_quotes(word)));
}

std::string to_string(Search search) {
  switch (search) {
    case Search::kGrid:
      return "grid";
    case Search::kHalving:
      return "halving";
    case Search::kUntilPerfect:
      return "until-perfect";
  }
  return "";
}

std::vector<Rung> rungs_of(const Plan& plan) {
  constexpr std::size_t kFactor = 3;
  std::vector<Rung> rungs;
  if (plan.grid.size() == 1 && !plan.refit) return rungs;
  rungs.push_back({plan.grid.size(), 1});
  if (plan.search != Search::kHalving) return rungs;
  while (rungs.back().configs > kFactor) {
    for (Rung& rung : rungs) rung.share *= kFactor;
    rungs.push_back({(rungs.back().configs + kFactor - 1) / kFactor, 1});
  }
  return rungs;
}

bool waits_for(const Plan& plan, const TaskId& task, const TaskId& before) {
  return task.rung != before.rung || task.is_final != before.is_final ||
         (plan.search == Search::kUntilPerfect && !task.is_final);
}

std::optional<int> most_epochs(const model::Config& config, std::size_t share) {
  if (!config.contains("epochs")) return std::nullopt;
  const int parts = static_cast<int>(share);
  return (config.at("epochs").get<int>() + parts - 1) / parts;
}

bool uses_validation(const model::Config& config) {
  if (!config.contains("epochs")) return false;
  return config.at("patience") != 0 || config.at("keep") != "last" || config.at("schedule") == "plateau";
}

bool refits_by_itself(const std::string& preset, const Grid& grid) {
  return preset == "default" && std::none_of(grid.begin(), grid.end(), uses_validation);
}

std::string task_name(const TaskId& task) {
  if (task.is_final) return fmt::format("final-f{:02}-r{}", task.fold, task.run);
  if (task.rung > 0) return fmt::format("select-f{:02}-h{}-p{:03}", task.fold, task.rung, task.config);
  return fmt::format("select-f{:02}-c{:03}", task.fold, task.config);
}

std::vector<TaskId> list_tasks(const Plan& plan) {
  std::vector<TaskId> tasks;
  const std::vector<Rung> rungs = rungs_of(plan);
  for (std::size_t f = 0; f < plan.splits.size(); ++f) {
    for (std::size_t k = 0; k < rungs.size(); ++k)
      for (std::size_t c = 0; c < rungs[k].configs; ++c) tasks.push_back({false, f, c, 0, k});
    for (std::size_t r = 1; r <= static_cast<std::size_t>(plan.repeats); ++r) tasks.push_back({true, f, 0, r});
  }
  return tasks;
}

std::uint64_t task_seed(const Plan& plan, const TaskId& task, std::size_t config) {
  // A selection is run 0 of its configuration, in every rung; final runs do not depend on which configuration
  // won.
  const Random fold = Random(plan.seed).stream(task.fold);
  return (task.is_final ? fold.stream(1000000 + task.run) : fold.stream(config)).bits();
}

}  // namespace twofold::eval
