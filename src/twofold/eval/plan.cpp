#include "twofold/eval/plan.h"

#include <algorithm>
#include <cstdio>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/graph/checksum.h"
#include "twofold/record/run_record.h"

namespace twofold::eval {
namespace {

// 1.12.3 as a number that compares.
std::uint64_t version_number(const std::string& version) {
  unsigned parts[3] = {0, 0, 0};
  std::sscanf(version.c_str(), "%u.%u.%u", &parts[0], &parts[1], &parts[2]);
  return (std::uint64_t{parts[0]} << 40) + (std::uint64_t{parts[1]} << 20) + parts[2];
}

std::string short_text(const Config& value) {
  const std::string text = value.dump();
  return text.size() <= 40 ? text : text.substr(0, 37) + "...";
}

}  // namespace

Config to_json(const Plan& plan) {
  Config json = {
      {"format", record::kRunFormat},
      {"twofold", plan.version},
      {"commit", plan.commit},
      {"dataset", {{"name", plan.dataset}, {"checksum", plan.checksum}, {"graphs", plan.num_graphs}}},
      {"model", plan.model},
      {"preset", plan.preset},
      {"metric", metric_name(plan.metric)},
      {"seed", plan.seed},
      {"repeats", plan.repeats},
      {"folds", plan.splits.size()},
      {"splits", {{"checksum", checksum(format_splits(plan.splits))}}},
      {"grid", plan.grid}};
  if (!plan.given.empty()) json["given"] = plan.given;
  return json;
}

Plan parse_plan(const std::string& run_text, const std::string& splits_text, const std::string& source,
                const std::string& version) {
  Config json;
  try {
    json = Config::parse(run_text);
    const int format = json.at("format").get<int>();
    const auto maker = json.at("twofold").get<std::string>();
    if (format > record::kRunFormat || version_number(maker) > version_number(version))
      throw InputError(
          fmt::format("{}: this run was made by twofold {}, this is twofold {}: a newer one is needed", source,
                      in_quotes(maker), version));
    Plan plan;
    plan.dataset = json.at("dataset").at("name").get<std::string>();
    plan.checksum = json.at("dataset").at("checksum").get<std::string>();
    plan.num_graphs = json.at("dataset").at("graphs").get<std::size_t>();
    plan.model = json.at("model").get<std::string>();
    plan.preset = json.at("preset").get<std::string>();
    plan.metric = parse_metric(json.at("metric").get<std::string>());
    plan.seed = json.at("seed").get<std::uint64_t>();
    plan.repeats = json.at("repeats").get<int>();
    for (const Config& config : json.at("grid")) plan.grid.push_back(config);
    plan.splits = parse_splits(splits_text, plan.num_graphs, source);
    if (json.contains("given")) plan.given = json.at("given");
    plan.version = maker;
    plan.commit = json.at("commit").get<std::string>();
    if (plan.grid.empty() || plan.repeats < 1) throw InputError("");
    if (checksum(format_splits(plan.splits)) != json.at("splits").at("checksum").get<std::string>())
      throw InputError(fmt::format("{}: splits.json is not the one this run was started with", source));
    return plan;
  } catch (const InputError& error) {
    if (std::string(error.what()).empty()) throw InputError(fmt::format("{}: no run.json of twofold", source));
    throw;
  } catch (const std::exception& error) {
    throw InputError(
        fmt::format("{}: needed a run.json of twofold, found something else ({})", source, error.what()));
  }
}

std::string describe_difference(const Plan& there, const Plan& now) {
  const auto without_maker = [](const Plan& plan) {
    Config json = to_json(plan);
    json.erase("twofold");
    json.erase("commit");
    json.erase("given");
    return json.flatten();
  };
  const Config a = without_maker(there), b = without_maker(now);
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

std::string task_name(const TaskId& task) {
  if (task.is_final) return fmt::format("final-f{:02}-r{}", task.fold, task.run);
  return fmt::format("select-f{:02}-c{:03}", task.fold, task.config);
}

std::vector<TaskId> list_tasks(const Plan& plan) {
  std::vector<TaskId> tasks;
  for (std::size_t f = 0; f < plan.splits.size(); ++f) {
    if (plan.grid.size() > 1)
      for (std::size_t c = 0; c < plan.grid.size(); ++c) tasks.push_back({false, f, c, 0});
    for (std::size_t r = 1; r <= static_cast<std::size_t>(plan.repeats); ++r) tasks.push_back({true, f, 0, r});
  }
  return tasks;
}

std::uint64_t task_seed(const Plan& plan, const TaskId& task) {
  // A selection is run 0 of its configuration; final runs do not depend on which configuration won.
  const Random fold = Random(plan.seed).stream(task.fold);
  return (task.is_final ? fold.stream(1000000 + task.run) : fold.stream(task.config)).bits();
}

}  // namespace twofold::eval
