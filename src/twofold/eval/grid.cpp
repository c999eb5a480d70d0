#include "twofold/eval/grid.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "twofold/base/error.h"
#include "twofold/pairs/pair_counts.h"
#include "twofold/record/toml_reader.h"

namespace twofold::eval {
namespace {

constexpr std::size_t kMostConfigs = 10000;

using record::TomlValue;
using Values = std::map<std::string, std::vector<model::Config>>;
using Rows = std::vector<model::Config>;  // of `together`: objects

// What of a file concerns one model.
struct Rule {
  std::vector<std::string> datasets;  // empty: any
  Values is;
  std::optional<double> growth_above;
  Values set;
};
struct Section {
  Values values;
  Rows together;
  std::vector<Rule> rules;
};

class Reader {
 public:
  Reader(std::string source, const model::Model& model) : source_(std::move(source)), model_(model) {}

  Section read(const std::string& text) {
    Section section;
    for (const TomlValue& node : record::parse_toml(text, source_).items) {
      bool is_known = false;
      std::string names;
      for (const model::Model& model : model::models()) {
        is_known = is_known || model.name == node.key;
        names += (names.empty() ? "" : ", ") + model.name;
      }
      if (!is_known)
        fail(node.key_line, fmt::format("unknown key {}; the tables are {}", in_quotes(node.key), names));
      if (!node.is_table()) fail(node.line, fmt::format("needed a table [{}]", node.key));
      // The other models' tables are checked too: a slip should not wait for the day they are used.
      Section read = Reader(source_, model::find_model(node.key)).read_model(node);
      if (node.key == model_.name) section = std::move(read);
    }
    return section;
  }

 private:
  Section read_model(const TomlValue& table) const {
    Section section;
    for (const TomlValue& node : table.items) {
      if (node.key == "together") {
        section.together = read_rows(node);
      } else if (node.key == "when") {
        if (!node.is_list()) fail(node.line, fmt::format("needed [[{}.when]]", model_.name));
        for (const TomlValue& rule : node.items) section.rules.push_back(read_rule(rule));
      } else {
        section.values.emplace(option(node).name, read_values(option(node), node));
      }
    }
    return section;
  }

  const model::ModelOption& option(const TomlValue& node) const {
    const model::ModelOption* found = model_.find(node.key);
    if (found == nullptr)
      fail(node.key_line,
           fmt::format("unknown key {}; {} has {}", in_quotes(node.key), model_.name, model_.option_names()));
    return *found;
  }

  model::Config read_value(const model::ModelOption& option, const TomlValue& node) const {
    model::Config value = node.scalar;
    const std::string found = node.kind != TomlValue::Kind::kScalar ? "a list or table" : found_text(value);
    if (!fits(option, value))
      fail(node.line, fmt::format("{}: needed {}, found {}", option.name, allowed_values(option), found));
    return value;
  }

  // JSON has no words for dates, nor for nan and inf.
  static std::string found_text(const model::Config& value) {
    if (value.is_null()) return "a date or time";
    if (value.is_number_float()) return fmt::format("{}", value.get<double>());
    if (value.is_string() && value.get_ref<const std::string&>().size() > 40)
      return in_quotes(value.get_ref<const std::string&>());
    return value.dump(-1, ' ', true, model::Config::error_handler_t::replace);
  }

  std::vector<model::Config> read_values(const model::ModelOption& option, const TomlValue& node) const {
    std::vector<model::Config> values;
    if (node.is_list()) {
      for (const TomlValue& item : node.items) values.push_back(read_value(option, item));
      if (values.empty()) fail(node.line, fmt::format("{}: needed a value, found an empty list", option.name));
    } else {
      values.push_back(read_value(option, node));
    }
    return values;
  }

  Values read_table(const TomlValue& node, const char* name) const {
    if (!node.is_table()) fail(node.line, fmt::format("{}: needed a table of options", name));
    Values values;
    for (const TomlValue& item : node.items) values.emplace(option(item).name, read_values(option(item), item));
    return values;
  }

  Rows read_rows(const TomlValue& node) const {
    Rows rows;
    if (node.is_list())
      for (const TomlValue& item : node.items) {
        model::Config row = model::Config::object();
        for (const auto& [name, values] : read_table(item, "together")) {
          if (values.size() != 1) fail(item.line, fmt::format("together: {}: needed one value", name));
          row[name] = values[0];
        }
        if (!rows.empty() && !same_keys(rows[0], row))
          fail(item.line, "together: needed the same options in every table");
        rows.push_back(std::move(row));
      }
    if (rows.empty()) fail(node.line, "together: needed a list of tables");
    return rows;
  }

  static bool same_keys(const model::Config& a, const model::Config& b) {
    if (a.size() != b.size()) return false;
    for (const auto& item : a.items())
      if (!b.contains(item.key())) return false;
    return true;
  }

  Rule read_rule(const TomlValue& node) const {
    if (!node.is_table()) fail(node.line, "when: needed a table");
    Rule rule;
    for (const TomlValue& value : node.items) {
      if (value.key == "dataset") {
        if (!value.is_list()) fail(value.line, "dataset: needed a list of names");
        for (const TomlValue& name : value.items) {
          if (!name.scalar.is_string()) fail(name.line, "dataset: needed a name");
          rule.datasets.push_back(name.scalar.get<std::string>());
        }
      } else if (value.key == "is") {
        rule.is = read_table(value, "is");
      } else if (value.key == "growth-above") {
        if (!value.scalar.is_number()) fail(value.line, "growth-above: needed a number");
        rule.growth_above = value.scalar.get<double>();
      } else if (value.key == "set") {
        rule.set = read_table(value, "set");
      } else {
        fail(value.key_line,
             fmt::format("unknown key {}; a rule has dataset, is, growth-above, set", in_quotes(value.key)));
      }
    }
    return rule;
  }

  [[noreturn]] void fail(std::size_t line, const std::string& what) const {
    throw UsageError(fmt::format("{}:{}: {}", source_, line, what));
  }

  std::string source_;
  const model::Model& model_;
};

bool holds(const Rule& rule, const Values& values, const GridRequest& request) {
  if (!rule.datasets.empty() &&
      std::find(rule.datasets.begin(), rule.datasets.end(), request.dataset) == rule.datasets.end())
    return false;
  for (const auto& [name, wanted] : rule.is) {
    // An option with several values is not yet decided: the rule cannot hold for it.
    const std::vector<model::Config>& now = values.at(name);
    if (now.size() != 1 || std::find(wanted.begin(), wanted.end(), now[0]) == wanted.end()) return false;
  }
  return !rule.growth_above || !request.growth || request.growth() > *rule.growth_above;
}

// What was fixed by a file or the command line stays fixed, whatever the preset's rules say.
struct Draft {
  Values values;
  Rows together;
  std::vector<std::string> fixed;

  bool is_fixed(const std::string& name) const {
    return std::find(fixed.begin(), fixed.end(), name) != fixed.end();
  }

  // Options that are given values of their own no longer vary together.
  void release(const std::string& name) {
    Rows rows;
    for (model::Config row : together) {
      row.erase(name);
      if (!row.empty() && std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    }
    together = std::move(rows);
  }

  void apply(const Section& section, const GridRequest& request, bool fix) {
    for (const auto& [name, list] : section.values)
      if (fix || !is_fixed(name)) put(name, list, fix);
    if (!section.together.empty()) {
      together = section.together;
      for (const std::string& name : fixed) release(name);
    }
    for (const Rule& rule : section.rules) {
      const bool sets_something = std::any_of(rule.set.begin(), rule.set.end(),
                                              [&](const auto& entry) { return fix || !is_fixed(entry.first); });
      if (!sets_something || !holds(rule, values, request)) continue;
      for (const auto& [name, list] : rule.set)
        if (fix || !is_fixed(name)) put(name, list, fix);
    }
  }

  void put(const std::string& name, const std::vector<model::Config>& list, bool fix) {
    values[name] = list;
    release(name);
    if (fix && !is_fixed(name)) fixed.push_back(name);
  }
};

void add_option(Grid& grid, const std::string& name, const std::vector<model::Config>& list) {
  if (grid.size() * list.size() > kMostConfigs)
    throw UsageError(fmt::format("the grid has more than {} configurations", kMostConfigs));
  Grid longer;
  for (const model::Config& config : grid)
    for (const model::Config& value : list) {
      longer.push_back(config);
      longer.back()[name] = value;
    }
  grid = std::move(longer);
}

}  // namespace

std::string options_text(const model::Model& model, const model::Config& config) {
  std::string text;
  for (const model::ModelOption& option : model.options) {
    const model::Config& value = config.at(option.name);
    if (value == option.fallback) continue;
    text += fmt::format("{}--{} {}", text.empty() ? "" : " ", option.name,
                        value.is_string()         ? value.get<std::string>()
                        : value.is_number_float() ? fmt::format("{:g}", value.get<double>())
                                                  : value.dump());
  }
  return text;
}

double growth_of(Span<const Graph> graphs) {
  try {
    const auto near = static_cast<double>(pairs::count_pairs(graphs, pairs::Radius(1)).triples);
    const auto far = static_cast<double>(pairs::count_pairs(graphs, pairs::Radius(2)).triples);
    return near == 0 ? 1 : far / near;
  } catch (const Error&) {
    return std::numeric_limits<double>::infinity();
  }
}

Grid make_grid(const GridRequest& request) {
  const model::Model& model = model::find_model(request.model);
  Section preset;
  if (!request.preset.empty())
    preset = Reader("preset " + request.preset, model).read(preset_text(request.preset));
  Section file;
  if (!request.file_name.empty()) file = Reader(request.file_name, model).read(request.file_text);

  // The command line first, so that the rules of file and preset can look at it; then the file, then the
  // preset.
  Draft draft;
  model::Config asked = model::Config::object();
  for (const auto& [name, list] : request.overrides)
    if (list.size() == 1) asked[name] = list[0];
  const model::Config fallbacks = model::full_config(model, asked);
  for (const model::ModelOption& option : model.options)
    draft.values[option.name] = {fallbacks.at(option.name)};
  for (const auto& [name, list] : preset.values) draft.values[name] = list;
  for (const auto& [name, list] : file.values) draft.values[name] = list;
  for (const auto& [name, list] : request.overrides) {
    require_option(model, name);
    draft.put(name, list, true);
  }
  Section file_unfixed = file;
  for (const std::string& name : draft.fixed) {
    file_unfixed.values.erase(name);
    for (Rule& rule : file_unfixed.rules) rule.set.erase(name);
  }
  const Rows file_rows = std::move(file_unfixed.together);
  file_unfixed.together.clear();
  draft.apply(file_unfixed, request, true);
  draft.apply(preset, request, false);
  if (!file_rows.empty()) {
    draft.together = file_rows;
    for (const auto& [name, list] : request.overrides) draft.release(name);
  }

  Grid grid = {model::Config::object()};
  if (!draft.together.empty()) grid = draft.together;
  for (const model::ModelOption& option : model.options)
    if (draft.together.empty() || !draft.together[0].contains(option.name))
      add_option(grid, option.name, draft.values[option.name]);
  Grid ordered;
  std::set<std::string> texts;
  for (const model::Config& config : grid) {
    model::Config resolved = model::Config::object();
    for (const model::ModelOption& option : model.options) resolved[option.name] = config.at(option.name);
    if (!texts.insert(resolved.dump()).second) continue;
    model::settings_of(model, resolved);  // throws for what the model cannot be
    ordered.push_back(std::move(resolved));
  }
  return ordered;
}

}  // namespace twofold::eval
