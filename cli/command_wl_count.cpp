#include "cli/command_wl_count.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "cli/pattern_table.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/wl_options.h"
#include "twofold/base/error.h"
#include "twofold/graph/cycle_counts.h"
#include "twofold/io/dataset_file.h"
#include "twofold/io/graph6.h"
#include "twofold/wl/counterexample.h"

namespace twofold::cli {
namespace {

using graph::CycleCounts;
using graph::CycleLengths;
using nlohmann::ordered_json;

// What a test knows of each length.
struct CountVerdict {
  wl::WlTest test;
  wl::CycleKnowledge known;
};

// The tests of --against, in its order; 2-wl once for every radius.
std::vector<wl::WlTest> counted_tests(const WlCountOptions& options) {
  std::vector<wl::WlTest> tests;
  for (const std::string& word : options.against) {
    wl::WlTest test = wl::parse_test(word);
    test.marks = options.marks;
    for (const std::string& radius : options.radii) {
      test.radius = graph::parse_radius(radius);
      tests.push_back(test);
      if (test.kind != wl::Kind::kRows) break;
    }
  }
  return tests;
}

std::vector<int> list_lengths(CycleLengths lengths) {
  std::vector<int> list;
  for (int length = lengths.shortest; length <= lengths.longest; ++length) list.push_back(length);
  return list;
}

// Two columns of names in front, then one a length.
std::vector<std::string> headers(std::vector<std::string> first, CycleLengths lengths) {
  for (const int length : list_lengths(lengths)) first.push_back(std::to_string(length));
  return first;
}

void add_row(Table& table, std::vector<std::string> first, Span<const std::uint64_t> numbers) {
  for (const std::uint64_t number : numbers) first.push_back(std::to_string(number));
  table.add_row(std::move(first));
}

std::vector<std::uint64_t> totals(const std::vector<CycleCounts>& counts, CycleLengths lengths) {
  std::vector<std::uint64_t> sums(lengths.count(), 0);
  for (const CycleCounts& of_graph : counts)
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (__builtin_add_overflow(sums[i], of_graph.in_graph[i], &sums[i]))
        throw Error("the cycles of all graphs together are more than 64 bits can count");
  return sums;
}

void print_counts(const WlCountOptions& options, const Dataset& dataset, const std::vector<CycleCounts>& counts,
                  CycleLengths lengths, std::ostream& out) {
  const bool per_node = options.per == "node";
  const bool per_edge = options.per == "edge";
  Table table(per_node   ? headers({"graph", "node"}, lengths)
              : per_edge ? headers({"graph", "u", "v"}, lengths)
                         : headers({"graph", "nodes", "edges"}, lengths));
  std::size_t nodes = 0;
  std::size_t edges = 0;
  for (std::size_t g = 0; g < counts.size(); ++g) {
    const Graph& graph = dataset.graphs[g];
    const std::string number = std::to_string(g + 1);
    nodes += graph.num_nodes();
    edges += graph.num_edges();
    if (per_node) {
      for (Node v = 0; v < graph.num_nodes(); ++v)
        add_row(table, {number, std::to_string(v)}, counts[g].of_node(v));
    } else if (per_edge) {
      std::size_t edge = 0;
      for (const Edge e : graph.edges())
        add_row(table, {number, std::to_string(e.u), std::to_string(e.v)}, counts[g].of_edge(edge++));
    } else {
      add_row(table, {number, std::to_string(graph.num_nodes()), std::to_string(graph.num_edges())},
              counts[g].in_graph);
    }
  }
  if (!per_node && !per_edge && counts.size() > 1)
    add_row(table, {"all", std::to_string(nodes), std::to_string(edges)}, totals(counts, lengths));
  table.print(out);
}

// A row of numbers per node or edge.
template <typename Of>
ordered_json rows_json(std::size_t count, Of of) {
  ordered_json rows = ordered_json::array();
  for (std::size_t i = 0; i < count; ++i) {
    const auto numbers = of(i);
    rows.push_back(std::vector<std::uint64_t>(numbers.begin(), numbers.end()));
  }
  return rows;
}

ordered_json counts_json(const WlCountOptions& options, const Dataset& dataset,
                         const std::vector<CycleCounts>& counts, CycleLengths lengths) {
  ordered_json result = {{"graphs", counts.size()}, {"cycles", list_lengths(lengths)}};
  result["total"] = totals(counts, lengths);
  result["counts"] = ordered_json::array();
  for (const CycleCounts& of_graph : counts) result["counts"].push_back(of_graph.in_graph);
  if (options.per == "node") {
    result["node_counts"] = ordered_json::array();
    for (std::size_t g = 0; g < counts.size(); ++g)
      result["node_counts"].push_back(rows_json(dataset.graphs[g].num_nodes(), [&](std::size_t v) {
        return counts[g].of_node(static_cast<Node>(v));
      }));
  }
  if (options.per == "edge") {
    result["edges"] = ordered_json::array();
    result["edge_counts"] = ordered_json::array();
    for (std::size_t g = 0; g < counts.size(); ++g) {
      ordered_json edges = ordered_json::array();
      for (const Edge e : dataset.graphs[g].edges()) edges.push_back({e.u, e.v});
      result["edges"].push_back(std::move(edges));
      result["edge_counts"].push_back(
          rows_json(dataset.graphs[g].num_edges(), [&](std::size_t e) { return counts[g].of_edge(e); }));
    }
  }
  return result;
}

const char* word_of(const wl::CyclePower& power) {
  return power.counts() ? "counts" : power.detects() ? "detects" : "no";
}

// `12 (EhEG)`; graph6 texts of large graphs would only fill the screen.
std::string name_of(const Dataset& dataset, std::size_t g) {
  const std::string text = io::to_graph6(dataset.graphs[g]);
  return text.size() <= 40 ? fmt::format("{} ({})", g + 1, text) : std::to_string(g + 1);
}

void print_verdicts(const Dataset& dataset, const std::vector<CycleCounts>& counts,
                    const std::vector<CountVerdict>& verdicts, CycleLengths lengths, std::ostream& out) {
  fmt::print(out, "cycles of {} graph{}, by length\n", counts.size(), counts.size() == 1 ? "" : "s");
  Table table(headers({"<test", "classes"}, lengths));
  for (const CountVerdict& verdict : verdicts) {
    std::vector<std::string> cells = {wl::describe(verdict.test), std::to_string(verdict.known.num_classes)};
    for (const wl::CyclePower& power : verdict.known.lengths) cells.emplace_back(word_of(power));
    table.add_row(std::move(cells));
  }
  table.print(out);
  for (const CountVerdict& verdict : verdicts)
    for (std::size_t i = 0; i < verdict.known.lengths.size(); ++i) {
      const wl::CyclePower& power = verdict.known.lengths[i];
      const auto say = [&](const wl::Counterexample& pair) {
        fmt::print(out, "{}: graphs {} and {}, not told apart, have {} and {} cycles of length {}\n",
                   wl::describe(verdict.test), name_of(dataset, pair.first), name_of(dataset, pair.second),
                   counts[pair.first].in_graph[i], counts[pair.second].in_graph[i], power.length);
      };
      if (!power.counts()) say(*power.against_counting);
      if (!power.detects() && (power.against_detecting->first != power.against_counting->first ||
                               power.against_detecting->second != power.against_counting->second))
        say(*power.against_detecting);
    }
}

ordered_json verdicts_json(const Dataset& dataset, const std::vector<CycleCounts>& counts,
                           const std::vector<CountVerdict>& verdicts, CycleLengths lengths) {
  ordered_json result = {{"graphs", counts.size()}, {"cycles", list_lengths(lengths)}};
  result["tests"] = ordered_json::array();
  for (const CountVerdict& verdict : verdicts) {
    ordered_json of_test = to_json(verdict.test);
    of_test["classes"] = verdict.known.num_classes;
    of_test["lengths"] = ordered_json::array();
    for (std::size_t i = 0; i < verdict.known.lengths.size(); ++i) {
      const wl::CyclePower& power = verdict.known.lengths[i];
      const auto pair_json = [&](const std::optional<wl::Counterexample>& pair) -> ordered_json {
        if (!pair) return nullptr;
        return {{"graphs", {pair->first + 1, pair->second + 1}},
                {"graph6",
                 {io::to_graph6(dataset.graphs[pair->first]), io::to_graph6(dataset.graphs[pair->second])}},
                {"cycles", {counts[pair->first].in_graph[i], counts[pair->second].in_graph[i]}}};
      };
      of_test["lengths"].push_back({{"length", power.length},
                                    {"counts", power.counts()},
                                    {"detects", power.detects()},
                                    {"against_counting", pair_json(power.against_counting)},
                                    {"against_detecting", pair_json(power.against_detecting)}});
    }
    result["tests"].push_back(std::move(of_test));
  }
  return result;
}

ProgressOptions shown_as(const WlCountOptions& options, const std::string& label, const char* unit) {
  ProgressOptions shown;
  shown.label = label;
  shown.unit = unit;
  shown.quiet = options.quiet;
  return shown;
}

}  // namespace

void declare_wl_count(Options& flags, WlCountOptions& options) {
  flags
      .add("DATASET", options.dataset,
           "graph6 or sparse6 file, TU folder, JSON-lines file, - for standard input, or TRIANGLE")
      .required()
      .type_name("");
  flags.add("--cycles", options.cycles, "One length, or a range such as 3-7").show_default().type_name("L-L");
  Option& patterns =
      flags.add("--patterns", options.patterns, "Count these in place of cycles: words below, or all")
          .type_name("P,…");
  Option& per = flags.add("--per", options.per, "Count for each graph, node or edge")
                    .one_of({"graph", "node", "edge"})
                    .excludes(patterns)
                    .show_default()
                    .type_name("WORD");
  Option& against = flags
                        .add("--against", options.against,
                             "Ask instead what these tests know of the cycles: 1-wl, 2-wl, 2-gnn, k-fwl")
                        .comma_separated()
                        .excludes(per)
                        .type_name("T,…");
  flags.add("--radius", options.radii, "--against 2-wl: pairs up to these distances, or all")
      .comma_separated()
      .needs(against)
      .show_default()
      .type_name("R,…");
  flags.add("--marks", options.marks, "--against: run the tests for every choice of that many marked nodes")
      .range(0, 1000)
      .needs(against)
      .show_default()
      .type_name("M");
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  flags.footer(R"(
Simple cycles, chords or not, each counted once. The numbers are exact and need no Weisfeiler-Leman test.

Patterns: cycle-L (3 to 16 nodes), chordal-4 and chordal-5 (a cycle with one chord), tailed-triangle, clique-K (3 to 16
nodes), star-K (1 to 16 leaves), path-K (1 to 12 edges); cycle-3-8 is a range. They need not be induced.

With --against each length gets a word for each test: `counts` if graphs in one class of the test always have
equally many cycles of that length; `detects` if they only all have one or all have none; else `no`. The smallest pair
of graphs that shows why not is printed. What holds on these graphs need not hold on others: a test that has as many
classes as there are graphs tells all of them apart, and then its line says nothing else.

Examples:
  twofold wl count molecules.g6 --cycles 5-6
  twofold wl count TRIANGLE --cycles 3 --per edge --json
  twofold wl count molecules.g6 --patterns cycle-3-8,clique-4,star-3
  nauty-geng -q 7 | twofold wl count - --patterns all --against 1-wl,2-wl,2-fwl
  nauty-geng -q 8 | twofold wl count - --against 1-wl,2-gnn,2-wl,2-fwl --radius 1,2,all)");
}

int run_wl_count(const WlCountOptions& options, std::ostream& out, std::ostream& err) {
  const CycleLengths lengths = graph::parse_cycle_lengths(options.cycles);
  const std::vector<wl::WlTest> tests = counted_tests(options);
  const Dataset dataset = io::read_dataset(options.dataset, options.threads);
  const std::string source = options.dataset == "-" ? "standard input" : options.dataset;
  require_undirected(dataset.graphs, "wl count");
  // What a test finds of the graphs, with a line of its own.
  const auto ask = [&](const wl::WlTest& test, const auto& find) {
    ProgressLine line(err, shown_as(options, wl::describe(test), "graphs"));
    wl::ClassifyOptions how;
    how.threads = options.threads;
    how.max_memory = options.max_memory;
    how.progress = line.progress();
    try {
      find(how);
    } catch (const InputError& error) {
      throw InputError(source + ": " + error.what());
    }
  };
  if (!options.patterns.empty()) {
    PatternTable table = {graph::parse_patterns(options.patterns), {}, {}, {}};
    {
      ProgressLine line(err, shown_as(options, source, "graphs"));
      table.counts = graph::count_patterns(dataset.graphs, table.patterns, {options.threads, line.progress()});
    }
    for (const wl::WlTest& test : tests) {
      ask(test, [&](const wl::ClassifyOptions& how) {
        table.classes.push_back(wl::classify(dataset.graphs, test, how));
      });
    }
    table.tests = tests;
    if (options.json)
      out << patterns_json(dataset, table).dump() << '\n';
    else
      print_patterns(dataset, table, out);
    return 0;
  }
  std::vector<CycleCounts> counts;
  {
    ProgressLine line(err, shown_as(options, source, "edges"));
    counts = graph::count_cycles(dataset.graphs, lengths, {options.threads, line.progress()});
  }
  if (tests.empty()) {
    if (options.json)
      out << counts_json(options, dataset, counts, lengths).dump() << '\n';
    else
      print_counts(options, dataset, counts, lengths, out);
    return 0;
  }
  std::vector<CountVerdict> verdicts;
  for (const wl::WlTest& test : tests) {
    ask(test, [&](const wl::ClassifyOptions& how) {
      verdicts.push_back({test, wl::cycle_knowledge(dataset.graphs, counts, test, how)});
    });
  }
  if (options.json)
    out << verdicts_json(dataset, counts, verdicts, lengths).dump() << '\n';
  else
    print_verdicts(dataset, counts, verdicts, lengths, out);
  return 0;
}

}  // namespace twofold::cli
