#include "twofold/report/run_command.h"

#include <algorithm>
#include <optional>

#include "twofold/base/error.h"
#include "twofold/eval/grid.h"
#include "twofold/model/model_table.h"

namespace twofold::report {
namespace {

using record::Json;

std::string plain(const Json& value) {
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<Json> grid_of(const RunView& run) {
  std::vector<Json> grid;
  const auto found = run.record.run.find("grid");
  if (run.record.run.is_object() && found != run.record.run.end() && found->is_array())
    for (const Json& config : *found)
      if (config.is_object()) grid.push_back(config);
  // Records of before an option was there mean what the program did then.
  try {
    const model::Model& model = model::find_model(run.record.model);
    for (Json& config : grid) {
      model::add_newer_options(model, config);
      Json in_order = Json::object();  // as make_grid has them, since they are compared
      for (const model::ModelOption& option : model.options)
        if (config.contains(option.name)) in_order[option.name] = config.at(option.name);
      if (in_order.size() == config.size()) config = std::move(in_order);
    }
  } catch (const UsageError&) {
    // A model of another version.
  }
  return grid;
}

// An option's values in the order of the grid.
std::vector<Json> values_of(const std::vector<Json>& grid, const std::string& option) {
  std::vector<Json> values;
  for (const Json& config : grid) {
    const auto found = config.find(option);
    if (found != config.end() && std::find(values.begin(), values.end(), *found) == values.end())
      values.push_back(*found);
  }
  return values;
}

Json object_at(const Json& json, const char* key) {
  if (!json.is_object() || !json.contains(key) || !json.at(key).is_object()) return Json::object();
  return json.at(key);
}

std::string given_text(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json.at(key).is_string() ? json.at(key).get<std::string>()
                                                                            : "";
}

// A dataset's path as an argument that is no option; `-` is standard input.
std::string data_word(const std::string& path) {
  if (path == "-") return path;
  return shell_word(path[0] == '-' ? "./" + path : path);
}

// Where the folds come from: the seed, or a file. Records of old do not tell; then the run folder has them.
std::string folds_of(const RunView& run, const Json& given) {
  constexpr std::size_t kDefaultFolds = 10;
  const std::size_t folds = run.record.folds.size();
  const std::string splits = given_text(given, "splits");
  if (given_text(given, "dataset").empty()) {
    const std::string& folder = run.record.folder;
    const bool is_elsewhere = folder.empty() || folder[0] == '/';  // absolute ones tell of this machine only
    return " --splits " + shell_word((is_elsewhere ? run.name : folder) + "/splits.json");
  }
  if (!splits.empty()) return fmt::format(" --splits {} --folds {}", shell_word(splits), folds);
  if (const std::string word = given_text(given, "split"); !word.empty())
    return fmt::format(" --split {}{}", word, word == "column" ? "" : fmt::format(" --folds {}", folds));
  return folds == kDefaultFolds ? "" : fmt::format(" --folds {}", folds);
}

// What must be said besides a preset's request to get the grid; nothing if that cannot be said by options.
std::optional<eval::Overrides> overrides_to(const std::vector<Json>& grid, eval::GridRequest request) {
  const eval::Grid preset = eval::make_grid(request);
  if (preset == grid) return eval::Overrides();
  for (const auto& item : grid[0].items())
    if (values_of(grid, item.key()) != values_of(preset, item.key()))
      request.overrides.emplace_back(item.key(), values_of(grid, item.key()));
  return eval::make_grid(request) == grid ? std::make_optional(request.overrides) : std::nullopt;
}

// The same for a run.
std::optional<eval::Overrides> find_overrides(const RunView& run, const std::vector<Json>& grid) {
  if (grid.empty()) return eval::Overrides();
  eval::GridRequest request;
  request.model = run.record.model;
  request.dataset = run.record.dataset;
  request.preset = run.record.preset;
  try {
    if (auto found = overrides_to(grid, request)) return found;
    // The graphs are not here to ask: presets may mean more where they have few triples.
    request.growth = [] { return 1.0; };
    return overrides_to(grid, request);
  } catch (const UsageError&) {
    // A model, a preset or an option of another version.
  }
  return std::nullopt;
}

bool refits_by_itself(const RunView& run, const std::vector<Json>& grid) {
  try {
    return eval::refits_by_itself(run.record.preset, grid);
  } catch (const Json::exception&) {
    return false;  // configurations of another version
  }
}

}  // namespace

std::string shell_word(const std::string& text) {
  const bool is_plain =
      !text.empty() && text[0] != '-' &&
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:,=+") ==
          std::string::npos;
  if (is_plain) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

std::string evaluate_command(const RunView& run, const std::string& output) {
  const record::RunRecord& record = run.record;
  const Json given = object_at(record.run, "given");
  const std::string dataset = given_text(given, "dataset");
  std::string remark;
  if (dataset.empty() && record.dataset != "TRIANGLE")
    remark = "the record has the name of the data only: give its path instead";
  else if (dataset == "-")
    remark = "the data came from standard input";
  std::string molecules;
  if (given.contains("molecules") && given.at("molecules").is_array())
    for (const Json& word : given.at("molecules"))
      if (word.is_string()) {
        const std::string text = word.get<std::string>();
        molecules += " " + (text.rfind("--", 0) == 0 ? text : shell_word(text));
      }
  std::string command =
      fmt::format("twofold evaluate {} --model {}", data_word(dataset.empty() ? record.dataset : dataset),
                  shell_word(record.model));
  command += molecules;
  // What is learnt, where it was said.
  if (const std::string task = given_text(record.run, "task"); !task.empty())
    command += " --task " + shell_word(task);
  if (record.run.is_object() && record.run.contains("target") && record.run["target"].is_array()) {
    std::string names;
    for (const Json& name : record.run["target"]) names += (names.empty() ? "" : ",") + plain(name);
    command += " --target " + shell_word(names);
  }
  if (!record.preset.empty()) command += " --preset " + shell_word(record.preset);
  const std::vector<Json> grid = grid_of(run);
  const std::optional<eval::Overrides> overrides = find_overrides(run, grid);
  const auto add = [&](const std::string& option, const std::string& text) {
    command += fmt::format(" --{} {}", option, shell_word(text));
  };
  if (overrides) {
    for (const auto& [option, values] : *overrides) {
      std::string list;
      for (const Json& value : values) list += (list.empty() ? "" : ",") + plain(value);
      add(option, list);
    }
  } else {
    // A grid that a file made: the file, and what was typed besides.
    if (!given_text(given, "config").empty())
      add("config", given_text(given, "config"));
    else
      remark += (remark.empty() ? "" : "; ") + std::string("and the grid of its run.json");
    const Json typed = object_at(given, "options");
    for (const auto& item : typed.items())
      if (item.value().is_string()) add(item.key(), item.value().get<std::string>());
  }
  if (const std::string search = given_text(run.record.run, "search"); !search.empty() && search != "grid")
    add("search", search);
  if (const int inner = run.inner_folds(); inner > 1) command += fmt::format(" --inner-folds {}", inner);
  const bool refits = run.record.run.is_object() && run.record.run.value("refit", false);
  if (!grid.empty() && run.inner_folds() == 1 && refits != refits_by_itself(run, grid))
    add("refit", refits ? "true" : "false");
  if (run.repeats > 0 && run.repeats != 3) command += fmt::format(" --repeats {}", run.repeats);
  if (record.metric != "accuracy" && record.metric != "mae") add("metric", record.metric);
  if (record.run.is_object() && record.run.contains("blind") && record.run["blind"] == true)
    command += " --blind";
  const auto add_seed = [&](const char* key, const char* option) {
    if (record.run.is_object() && record.run.contains(key) && record.run[key].is_number_integer() &&
        record.run[key] != 1)
      command += fmt::format(" {} {}", option, record.run[key].dump());
  };
  add_seed("seed", "--seed");
  if (given_text(given, "splits").empty() && !given_text(given, "dataset").empty())
    add_seed("split_seed", "--split-seed");
  command += folds_of(run, given);
  command += " -o " + shell_word(output.empty() ? "again/" + run.name : output);
  return remark.empty() ? command : command + "  # " + remark;
}

std::string describe_options(const RunView& run, const Json& config, bool common) {
  std::string text;
  if (!config.is_object()) return text;
  const std::vector<Json> grid = grid_of(run);
  for (const auto& item : config.items()) {
    const bool differs = values_of(grid, item.key()).size() > 1;
    if (differs != common)
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", item.key(), plain(item.value()));
  }
  return text;
}

}  // namespace twofold::report
