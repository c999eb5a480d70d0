#include "cli/pattern_table.h"

#include <fmt/ostream.h>

#include <string>

#include "cli/table.h"
#include "cli/wl_options.h"
#include "twofold/base/error.h"
#include "twofold/io/graph6.h"
#include "twofold/wl/counterexample.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

std::vector<std::uint64_t> column_of(const PatternTable& table, std::size_t pattern) {
  std::vector<std::uint64_t> column;
  for (const auto& row : table.counts) column.push_back(row[pattern]);
  return column;
}

std::uint64_t total_of(const PatternTable& table, std::size_t pattern) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : column_of(table, pattern))
    if (__builtin_add_overflow(sum, count, &sum))
      throw Error(fmt::format("{} of all graphs together comes more often than 64 bits can count",
                              graph::pattern_name(table.patterns[pattern])));
  return sum;
}

// `12 (EhEG)`; graph6 texts of large graphs would only fill the screen.
std::string short_name(const Dataset& dataset, std::size_t g) {
  const std::string text = io::to_graph6(dataset.graphs[g]);
  return text.size() <= 40 ? fmt::format("{} ({})", g + 1, text) : std::to_string(g + 1);
}

void print_numbers(const Dataset& dataset, const PatternTable& table, std::ostream& out) {
  std::vector<std::string> headers = {"graph", "nodes", "edges"};
  for (const graph::Pattern& pattern : table.patterns) headers.push_back(graph::pattern_name(pattern));
  Table shown(headers);
  std::size_t nodes = 0, edges = 0;
  for (std::size_t g = 0; g < table.counts.size(); ++g) {
    const Graph& graph = dataset.graphs[g];
    nodes += graph.num_nodes();
    edges += graph.num_edges();
    std::vector<std::string> cells = {std::to_string(g + 1), std::to_string(graph.num_nodes()),
                                      std::to_string(graph.num_edges())};
    for (const std::uint64_t count : table.counts[g]) cells.push_back(std::to_string(count));
    shown.add_row(std::move(cells));
  }
  if (table.counts.size() > 1) {
    std::vector<std::string> cells = {"all", std::to_string(nodes), std::to_string(edges)};
    for (std::size_t i = 0; i < table.patterns.size(); ++i) cells.push_back(std::to_string(total_of(table, i)));
    shown.add_row(std::move(cells));
  }
  shown.print(out);
}

// A row per pattern, a column per test: there are more patterns than tests.
void print_knowledge(const Dataset& dataset, const PatternTable& table, std::ostream& out) {
  fmt::print(out, "patterns of {} graph{}, and what tests know of them\n", table.counts.size(),
             table.counts.size() == 1 ? "" : "s");
  std::vector<std::string> headers = {"<pattern"};
  std::vector<std::string> classes = {"(classes)"};
  for (std::size_t t = 0; t < table.tests.size(); ++t) {
    headers.push_back(wl::describe(table.tests[t]));
    classes.push_back(fmt::format("({})", table.classes[t].num_classes));
  }
  Table shown(headers);
  shown.add_row(classes);
  std::vector<std::string> sentences;
  for (std::size_t i = 0; i < table.patterns.size(); ++i) {
    const std::string name = graph::pattern_name(table.patterns[i]);
    const std::vector<std::uint64_t> numbers = column_of(table, i);
    std::vector<std::string> cells = {name};
    for (std::size_t t = 0; t < table.tests.size(); ++t) {
      const wl::CountPower power = wl::count_power(dataset.graphs, table.classes[t], numbers);
      cells.push_back(power.counts() ? "counts" : power.detects() ? "detects" : "no");
      if (power.counts()) continue;
      const wl::Counterexample pair = power.detects() ? *power.against_counting : *power.against_detecting;
      sentences.push_back(fmt::format("{}: graphs {} and {}, not told apart, have {} and {} of {}",
                                      wl::describe(table.tests[t]), short_name(dataset, pair.first),
                                      short_name(dataset, pair.second), numbers[pair.first],
                                      numbers[pair.second], name));
    }
    shown.add_row(std::move(cells));
  }
  shown.print(out);
  for (const std::string& sentence : sentences) fmt::print(out, "{}\n", sentence);
}

ordered_json pair_json(const Dataset& dataset, const std::optional<wl::Counterexample>& pair,
                       const std::vector<std::uint64_t>& numbers) {
  if (!pair) return nullptr;
  return {{"graphs", {pair->first + 1, pair->second + 1}},
          {"graph6", {io::to_graph6(dataset.graphs[pair->first]), io::to_graph6(dataset.graphs[pair->second])}},
          {"counts", {numbers[pair->first], numbers[pair->second]}}};
}

}  // namespace

void print_patterns(const Dataset& dataset, const PatternTable& table, std::ostream& out) {
  if (table.tests.empty())
    print_numbers(dataset, table, out);
  else
    print_knowledge(dataset, table, out);
}

ordered_json patterns_json(const Dataset& dataset, const PatternTable& table) {
  ordered_json result = {{"graphs", table.counts.size()}, {"patterns", ordered_json::array()}};
  for (const graph::Pattern& pattern : table.patterns)
    result["patterns"].push_back(graph::pattern_name(pattern));
  if (table.tests.empty()) {
    result["total"] = ordered_json::array();
    for (std::size_t i = 0; i < table.patterns.size(); ++i) result["total"].push_back(total_of(table, i));
    result["counts"] = table.counts;
    return result;
  }
  result["tests"] = ordered_json::array();
  for (std::size_t t = 0; t < table.tests.size(); ++t) {
    ordered_json of_test = to_json(table.tests[t]);
    of_test["classes"] = table.classes[t].num_classes;
    of_test["patterns"] = ordered_json::array();
    for (std::size_t i = 0; i < table.patterns.size(); ++i) {
      const std::vector<std::uint64_t> numbers = column_of(table, i);
      const wl::CountPower power = wl::count_power(dataset.graphs, table.classes[t], numbers);
      of_test["patterns"].push_back(
          {{"pattern", graph::pattern_name(table.patterns[i])},
           {"counts", power.counts()},
           {"detects", power.detects()},
           {"against_counting", pair_json(dataset, power.against_counting, numbers)},
           {"against_detecting", pair_json(dataset, power.against_detecting, numbers)}});
    }
    result["tests"].push_back(std::move(of_test));
  }
  return result;
}

}  // namespace twofold::cli
