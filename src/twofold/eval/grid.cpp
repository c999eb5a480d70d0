#include "twofold/eval/grid.h"

#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <set>

#include "twofold/base/error.h"

namespace twofold::eval {
namespace {

constexpr std::size_t kMostConfigs = 10000;

using Values = std::map<std::string, std::vector<Config>>;
using Rows = std::vector<Config>;  // of `together`: objects

// What of a file concerns one model.
struct Rule {
  std::vector<std::string> datasets;  // empty: any
  Values is;
  Values set;
};
struct Section {
  Values values;
  Rows together;
  std::vector<Rule> rules;
};

class Reader {
 public:
  Reader(std::string source, const Model& model) : source_(std::move(source)), model_(model) {}

  Section read(const std::string& text) {
    toml::table table;
    try {
      table = toml::parse(text);
    } catch (const toml::parse_error& error) {
      throw UsageError(
          fmt::format("{}:{}: {}", source_, error.source().begin.line, std::string(error.description())));
    }
    Section section;
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      bool is_known = false;
      std::string names;
      for (const Model& model : models()) {
        is_known = is_known || model.name == name;
        names += (names.empty() ? "" : ", ") + model.name;
      }
      if (!is_known)
        fail(key.source(), fmt::format("unknown key {}; the tables are {}", in_quotes(name), names));
      if (!node.is_table()) fail(node.source(), fmt::format("needed a table [{}]", name));
      // The other models' tables are checked too: a slip should not wait for the day they are used.
      Section read = Reader(source_, find_model(name)).read_model(*node.as_table());
      if (name == model_.name) section = std::move(read);
    }
    return section;
  }

 private:
  Section read_model(const toml::table& table) const {
    Section section;
    for (const auto& [key, node] : table) {
      if (key.str() == "together") {
        section.together = read_rows(node);
      } else if (key.str() == "when") {
        if (!node.is_array()) fail(node.source(), fmt::format("needed [[{}.when]]", model_.name));
        for (const toml::node& rule : *node.as_array()) section.rules.push_back(read_rule(rule));
      } else {
        section.values.emplace(option(key).name, read_values(option(key), node));
      }
    }
    return section;
  }

  const ModelOption& option(const toml::key& key) const {
    const ModelOption* found = model_.find(std::string(key.str()));
    if (found == nullptr)
      fail(key.source(), fmt::format("unknown key {}; {} has {}", in_quotes(std::string(key.str())),
                                     model_.name, model_.option_names()));
    return *found;
  }

  Config read_value(const ModelOption& option, const toml::node& node) const {
    Config value;
    if (const auto* text = node.as_string()) value = text->get();
    if (const auto* number = node.as_integer()) value = number->get();
    if (const auto* number = node.as_floating_point()) value = number->get();
    if (const auto* truth = node.as_boolean()) value = truth->get();
    const std::string found = value.is_null() ? "a list or table" : value.dump();
    if (!fits(option, value))
      fail(node.source(), fmt::format("{}: needed {}, found {}", option.name, allowed_values(option), found));
    return value;
  }

  std::vector<Config> read_values(const ModelOption& option, const toml::node& node) const {
    std::vector<Config> values;
    if (const toml::array* list = node.as_array()) {
      for (const toml::node& item : *list) values.push_back(read_value(option, item));
      if (values.empty())
        fail(node.source(), fmt::format("{}: needed a value, found an empty list", option.name));
    } else {
      values.push_back(read_value(option, node));
    }
    return values;
  }

  Values read_table(const toml::node& node, const char* name) const {
    if (!node.is_table()) fail(node.source(), fmt::format("{}: needed a table of options", name));
    Values values;
    for (const auto& [key, value] : *node.as_table())
      values.emplace(option(key).name, read_values(option(key), value));
    return values;
  }

  Rows read_rows(const toml::node& node) const {
    Rows rows;
    if (const toml::array* list = node.as_array())
      for (const toml::node& item : *list) {
        Config row = Config::object();
        for (const auto& [name, values] : read_table(item, "together")) {
          if (values.size() != 1) fail(item.source(), fmt::format("together: {}: needed one value", name));
          row[name] = values[0];
        }
        if (!rows.empty() && !same_keys(rows[0], row))
          fail(item.source(), "together: needed the same options in every table");
        rows.push_back(std::move(row));
      }
    if (rows.empty()) fail(node.source(), "together: needed a list of tables");
    return rows;
  }

  static bool same_keys(const Config& a, const Config& b) {
    if (a.size() != b.size()) return false;
    for (const auto& item : a.items())
      if (!b.contains(item.key())) return false;
    return true;
  }

  Rule read_rule(const toml::node& node) const {
    if (!node.is_table()) fail(node.source(), "when: needed a table");
    Rule rule;
    for (const auto& [key, value] : *node.as_table()) {
      if (key.str() == "dataset") {
        const toml::array* list = value.as_array();
        if (list == nullptr) fail(value.source(), "dataset: needed a list of names");
        for (const toml::node& name : *list) {
          if (!name.is_string()) fail(name.source(), "dataset: needed a name");
          rule.datasets.push_back(name.as_string()->get());
        }
      } else if (key.str() == "is") {
        rule.is = read_table(value, "is");
      } else if (key.str() == "set") {
        rule.set = read_table(value, "set");
      } else {
        fail(key.source(),
             fmt::format("unknown key {}; a rule has dataset, is, set", in_quotes(std::string(key.str()))));
      }
    }
    return rule;
  }

  [[noreturn]] void fail(const toml::source_region& place, const std::string& what) const {
    throw UsageError(fmt::format("{}:{}: {}", source_, place.begin.line, what));
  }

  std::string source_;
  const Model& model_;
};

bool holds(const Rule& rule, const Values& values, const std::string& dataset) {
  if (!rule.datasets.empty() &&
      std::find(rule.datasets.begin(), rule.datasets.end(), dataset) == rule.datasets.end())
    return false;
  for (const auto& [name, wanted] : rule.is) {
    // An option with several values is not yet decided: the rule cannot hold for it.
    const std::vector<Config>& now = values.at(name);
    if (now.size() != 1 || std::find(wanted.begin(), wanted.end(), now[0]) == wanted.end()) return false;
  }
  return true;
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
    for (Config row : together) {
      row.erase(name);
      if (!row.empty() && std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    }
    together = std::move(rows);
  }

  void apply(const Section& section, const std::string& dataset, bool fix) {
    for (const auto& [name, list] : section.values)
      if (fix || !is_fixed(name)) put(name, list, fix);
    if (!section.together.empty()) {
      together = section.together;
      for (const std::string& name : fixed) release(name);
    }
    for (const Rule& rule : section.rules)
      if (holds(rule, values, dataset))
        for (const auto& [name, list] : rule.set)
          if (fix || !is_fixed(name)) put(name, list, fix);
  }

  void put(const std::string& name, const std::vector<Config>& list, bool fix) {
    values[name] = list;
    release(name);
    if (fix && !is_fixed(name)) fixed.push_back(name);
  }
};

void add_option(Grid& grid, const std::string& name, const std::vector<Config>& list) {
  if (grid.size() * list.size() > kMostConfigs)
    throw UsageError(fmt::format("the grid has more than {} configurations", kMostConfigs));
  Grid longer;
  for (const Config& config : grid)
    for (const Config& value : list) {
      longer.push_back(config);
      longer.back()[name] = value;
    }
  grid = std::move(longer);
}

}  // namespace

Grid make_grid(const GridRequest& request) {
  const Model& model = find_model(request.model);
  const Section preset = Reader("preset " + request.preset, model).read(preset_text(request.preset));
  Section file;
  if (!request.file_name.empty()) file = Reader(request.file_name, model).read(request.file_text);

  // The command line first, so that the rules of file and preset can look at it; then the file, then the
  // preset.
  Draft draft;
  for (const ModelOption& option : model.options) draft.values[option.name] = {option.fallback};
  for (const auto& [name, list] : preset.values) draft.values[name] = list;
  for (const auto& [name, list] : file.values) draft.values[name] = list;
  for (const auto& [name, list] : request.overrides) {
    if (model.find(name) == nullptr)
      throw UsageError(
          fmt::format("--{} is no option of {}, which has {}", name, model.name, model.option_names()));
    draft.put(name, list, true);
  }
  Section file_unfixed = file;
  for (const std::string& name : draft.fixed) {
    file_unfixed.values.erase(name);
    for (Rule& rule : file_unfixed.rules) rule.set.erase(name);
  }
  const Rows file_rows = std::move(file_unfixed.together);
  file_unfixed.together.clear();
  draft.apply(file_unfixed, request.dataset, true);
  draft.apply(preset, request.dataset, false);
  if (!file_rows.empty()) {
    draft.together = file_rows;
    for (const auto& [name, list] : request.overrides) draft.release(name);
  }

  Grid grid = {Config::object()};
  if (!draft.together.empty()) grid = draft.together;
  for (const ModelOption& option : model.options)
    if (draft.together.empty() || !draft.together[0].contains(option.name))
      add_option(grid, option.name, draft.values[option.name]);
  Grid ordered;
  std::set<std::string> texts;
  for (const Config& config : grid) {
    Config resolved = Config::object();
    for (const ModelOption& option : model.options) resolved[option.name] = config.at(option.name);
    if (texts.insert(resolved.dump()).second) ordered.push_back(std::move(resolved));
  }
  return ordered;
}

}  // namespace twofold::eval
