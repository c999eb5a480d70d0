#include "twofold/report/run_command.h"

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/eval/grid.h"

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

// What must be said besides the preset to get the run's grid; nothing if that cannot be said by options.
eval::Overrides find_overrides(const RunView& run, const std::vector<Json>& grid) {
  eval::GridRequest request;
  request.model = run.record.model;
  request.dataset = run.record.dataset;
  request.preset = run.record.preset;
  try {
    const eval::Grid preset = eval::make_grid(request);
    if (preset == grid) return {};
    for (const auto& item : grid[0].items())
      if (values_of(grid, item.key()) != values_of(preset, item.key()))
        request.overrides.emplace_back(item.key(), values_of(grid, item.key()));
    if (eval::make_grid(request) == grid) return request.overrides;
  } catch (const UsageError&) {
    // A model, a preset or an option of another version.
  }
  return {};
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

std::string evaluate_command(const RunView& run) {
  const record::RunRecord& record = run.record;
  std::string command =
      fmt::format("twofold evaluate {} --model {}", shell_word(record.dataset), shell_word(record.model));
  if (!record.preset.empty()) command += " --preset " + shell_word(record.preset);
  const std::vector<Json> grid = grid_of(run);
  if (!grid.empty())
    for (const auto& [option, values] : find_overrides(run, grid)) {
      std::string list;
      for (const Json& value : values) list += (list.empty() ? "" : ",") + plain(value);
      command += fmt::format(" --{} {}", option, shell_word(list));
    }
  if (run.repeats > 0 && run.repeats != 3) command += fmt::format(" --repeats {}", run.repeats);
  if (record.metric != "accuracy") command += " --metric " + shell_word(record.metric);
  if (record.run.is_object() && record.run.contains("seed") && record.run["seed"].is_number_integer() &&
      record.run["seed"] != 1)
    command += " --seed " + record.run["seed"].dump();
  return command +
         fmt::format(" --splits {} -o {}", shell_word(run.name + "/splits.json"), shell_word(run.name));
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
