#include "cli/command_reproduce_ladder.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/trained_separation.h"
#include "cli/version.h"
#include "cli/wl_options.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/io/dataset_file.h"
#include "twofold/report/ladder_page.h"
#include "twofold/report/run_command.h"
#include "twofold/wl/ladder.h"
#include "twofold/wl/ladder_families.h"
#include "twofold/wl/random_net.h"

namespace twofold::cli {
namespace {

using wl::Ladder;
using wl::LadderCell;
using wl::LadderFamily;
using wl::LadderRows;

// The pairs of each class, in the order of class names.
std::vector<LadderFamily> split_by_class(const Dataset& dataset, const std::string& source) {
  if (!dataset.has_classes())
    throw InputError(fmt::format("{}: --by-class needed a class for every graph, found none", source));
  std::vector<LadderFamily> families;
  for (const std::string& name : dataset.class_names) families.push_back({name, {}});
  for (std::size_t g = 0; g + 1 < dataset.graphs.size(); g += 2) {
    const std::uint32_t first = dataset.class_of[g];
    const std::uint32_t second = dataset.class_of[g + 1];
    if (first != second)
      throw InputError(fmt::format(
          "{}: --by-class needed both graphs of a pair in one class, found graph {} in {} "
          "and graph {} in {}",
          source, g + 1, in_quotes(dataset.class_names[first]), g + 2, in_quotes(dataset.class_names[second])));
    families[first].graphs.push_back(dataset.graphs[g]);
    families[first].graphs.push_back(dataset.graphs[g + 1]);
  }
  return families;
}

std::vector<LadderFamily> read_families(const ReproduceLadderOptions& options) {
  if (options.datasets.empty()) return wl::ladder_families(options.seed);
  std::vector<LadderFamily> families;
  for (const std::string& path : options.datasets) {
    Dataset dataset = io::read_dataset(path, options.threads);
    const std::string source = path == "-" ? "standard input" : path;
    if (dataset.graphs.size() % 2 != 0)
      throw InputError(fmt::format("{}: needed an even number of graphs to pair them, found {}", source,
                                   dataset.graphs.size()));
    if (options.by_class)
      for (LadderFamily& family : split_by_class(dataset, source)) families.push_back(std::move(family));
    else
      families.push_back({path == "-" ? "-" : dataset.name, std::move(dataset.graphs)});
  }
  return families;
}

// What the tests say, and what networks do if they were asked.
struct Judged {
  PairJudge judge;
  const LadderRows& rows;
};

std::vector<Judged> judgements(const Ladder& ladder) {
  std::vector<Judged> all = {{PairJudge::kExact, ladder.rows}};
  if (!ladder.networks.empty()) all.push_back({PairJudge::kNet, ladder.networks});
  if (!ladder.trained.empty()) all.push_back({PairJudge::kTrained, ladder.trained});
  return all;
}

std::string row_name(const wl::WlTest& test, PairJudge judge) {
  PairTest of_row;
  of_row.judge = judge;
  of_row.test = test;
  if (judge != PairJudge::kExact) of_row.model = wl::net_name(test);
  return describe(of_row);
}

void print_rows(const Ladder& ladder, const Judged& judged, bool is_seconds, std::ostream& out) {
  std::vector<std::string> headers = {is_seconds ? "<seconds" : "<test"};
  std::vector<std::string> pairs = {"(pairs)"};
  for (std::size_t f = 0; f < ladder.families.size(); ++f) {
    headers.push_back(ladder.families[f]);
    pairs.push_back(fmt::format("({})", ladder.num_pairs[f]));
  }
  Table table(headers);
  if (!is_seconds) table.add_row(pairs);
  for (std::size_t t = 0; t < ladder.tests.size(); ++t) {
    if (judged.rows[t].empty()) continue;
    std::vector<std::string> cells = {row_name(ladder.tests[t], judged.judge)};
    for (const LadderCell& cell : judged.rows[t])
      cells.push_back(!cell.failure.empty() ? "-"
                      : is_seconds          ? fmt::format("{:.3f}", cell.seconds)
                                            : std::to_string(cell.distinguished()));
    table.add_row(std::move(cells));
  }
  table.print(out);
  if (is_seconds) return;
  for (const auto& row : judged.rows)
    for (std::size_t f = 0; f < row.size(); ++f)
      if (!row[f].failure.empty()) fmt::print(out, "- {}: {}\n", ladder.families[f], row[f].failure);
}

// How many pairs each test distinguishes, then how long it took: apart, because only the former is the same
// each time.
void print_ladder(const Ladder& ladder, std::ostream& out) {
  const std::vector<Judged> all = judgements(ladder);
  for (const bool is_seconds : {false, true})
    for (const Judged& judged : all) {
      if (is_seconds || &judged != &all.front()) out << '\n';
      print_rows(ladder, judged, is_seconds, out);
    }
}

nlohmann::ordered_json cell_json(const LadderCell& cell) {
  if (!cell.failure.empty()) return {{"distinguished", nullptr}, {"failure", cell.failure}};
  return {{"distinguished", cell.distinguished()}, {"verdicts", cell.verdicts}, {"seconds", cell.seconds}};
}

nlohmann::ordered_json ladder_json(const Ladder& ladder) {
  using nlohmann::ordered_json;
  ordered_json result;
  result["families"] = ordered_json::array();
  for (std::size_t f = 0; f < ladder.families.size(); ++f)
    result["families"].push_back({{"family", ladder.families[f]}, {"pairs", ladder.num_pairs[f]}});
  result["tests"] = ordered_json::array();
  for (std::size_t t = 0; t < ladder.tests.size(); ++t) {
    ordered_json row = to_json(ladder.tests[t]);
    row["families"] = ordered_json::array();
    for (std::size_t f = 0; f < ladder.families.size(); ++f) {
      ordered_json one = {{"family", ladder.families[f]}};
      for (const Judged& judged : judgements(ladder)) {
        if (judged.rows[t].empty()) continue;
        ordered_json cell = cell_json(judged.rows[t][f]);
        if (judged.judge == PairJudge::kExact)
          one.update(cell);
        else
          one[judged.judge == PairJudge::kNet ? "networks" : "trained"] = std::move(cell);
      }
      row["families"].push_back(std::move(one));
    }
    result["tests"].push_back(std::move(row));
  }
  return result;
}

std::string command_line(const ReproduceLadderOptions& options) {
  std::string command = "twofold reproduce ladder";
  for (const std::string& path : options.datasets) command += " " + shown_path(path);
  if (options.by_class) command += " --by-class";
  if (options.networks) command += " --networks";
  if (options.trained) command += " --trained";
  if (options.seed != 1) command += fmt::format(" --seed {}", options.seed);
  return command + " -o " + shown_path(options.output);
}

void require_page(const std::string& path) {
  for (const std::string end : {".html", ".htm"})
    if (path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0) {
      AtomicFile file(path);  // whether there can be one, before the long work
      return;
    }
  throw UsageError(fmt::format("needed an output file .html, found {}", in_quotes(path)));
}

}  // namespace

void declare_reproduce_ladder(Options& flags, ReproduceLadderOptions& options) {
  flags
      .add("DATASET", options.datasets,
           "Files of pairs (graphs 1 and 2, 3 and 4, …), each a family; none: generated families")
      .type_name("");
  flags.add_flag("--by-class", options.by_class,
                 "A family for each class of a file; both graphs of a pair have one");
  flags.add_flag("--networks", options.networks,
                 "Ask networks with random weights too (wl pairs --test net:MODEL)");
  flags.add_flag("--trained", options.trained,
                 "Ask networks trained on each pair too (wl pairs --test trained:MODEL); takes minutes");
  declare_output(flags, options.output, "Write a page .html; its tables come beside it");
  declare_seed(flags, options.seed);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  flags.footer(R"(
Rungs: 1-wl, 2-gnn, 2-wl with radius 1 to 8 and all, 2-fwl, 3-fwl, and 2-wl with radius 1 and 2 and one mark. A number
says how many pairs of the family the test distinguishes, exactly. Below stand the seconds it took. --networks and
--trained add tables of what gin, 2-gnn and 2-wl-gnn tell apart; the tests of the same rows bound them.

Generated families (--seed concerns the random ones):
  rings      one ring of 2m nodes against two of m, m = 3 to 26
  fused      two rings of m that share an edge against two of m-1 joined by one, m = 4 to 13
  csl        circular skip links, all pairs
  rook       the rook's graph and Shrikhande's
  srg        other strongly regular pairs: Chang, Paley, Latin squares
  cfi        Cai, Fürer and Immerman's pairs over small base graphs
  regular-3  random cubic pairs of 20 nodes
  regular-4  random 4-regular pairs of 24 nodes
  siamese    two edge-labeled graphs that need ordered pairs

Examples:
  twofold reproduce ladder
  twofold reproduce ladder --networks -o ladder.html
  twofold reproduce ladder mine.g6 others.g6 --json)");
}

int run_reproduce_ladder(const ReproduceLadderOptions& options, std::ostream& out, std::ostream& err) {
  if (options.by_class && options.datasets.empty()) throw UsageError("--by-class needed a DATASET, found none");
  for (const std::string& path : options.datasets)
    require_output_apart(options.output, {input_of_dataset(path)});
  if (!options.output.empty()) require_page(options.output);
  const std::vector<LadderFamily> families = read_families(options);
  const auto with_progress = [&](const char* label, const auto& climb) {
    ProgressOptions shown;
    shown.label = label;
    shown.unit = "pairs";
    shown.quiet = options.quiet;
    ProgressLine line(err, shown);
    wl::ClassifyOptions how;
    how.threads = options.threads;
    how.max_memory = options.max_memory;
    how.progress = line.progress();
    return climb(how);
  };
  const std::vector<wl::WlTest> tests = wl::ladder_tests();
  Ladder ladder = with_progress(
      "ladder", [&](const wl::ClassifyOptions& how) { return wl::climb_ladder(families, tests, how); });
  const auto ask = [&](const char* label, const wl::Separate& separate) {
    return with_progress(label, [&](const wl::ClassifyOptions& how) {
      return wl::climb_by_networks(families, tests, separate, how);
    });
  };
  if (options.networks)
    ladder.networks =
        ask("networks", [&](Span<const Graph> graphs, const wl::WlTest& test, const wl::ClassifyOptions& how) {
          wl::NetOptions net;
          net.seed = options.seed;
          return wl::distinguish_pairs_by_nets(graphs, test, net, how);
        });
  if (options.trained)
    ladder.trained = ask("trained networks",
                         [&](Span<const Graph> graphs, const wl::WlTest& test, const wl::ClassifyOptions& how) {
                           return separate_by_training(graphs, wl::net_name(test), test, options.seed, how);
                         });
  if (!options.output.empty()) {
    report::Page page = report::ladder_page(ladder, command_line(options));
    page.made_by("twofold " + version_number());
    report::write_page(page, options.output);
    if (!options.quiet)
      for (const std::string& program : page.missing())
        fmt::print(err, "twofold reproduce ladder: {} is not installed: pictures are left out\n", program);
    if (!options.json)
      fmt::print(out, "{}: {} tests, {} famil{}; {} tables as CSV and JSON in {}\n", options.output,
                 ladder.tests.size(), ladder.families.size(), ladder.families.size() == 1 ? "y" : "ies",
                 page.tables().size(), report::tables_folder(options.output));
  }
  if (options.json)
    out << ladder_json(ladder).dump() << '\n';
  else if (options.output.empty())
    print_ladder(ladder, out);
  return 0;
}

}  // namespace twofold::cli
