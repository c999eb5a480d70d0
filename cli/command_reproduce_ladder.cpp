#include "cli/command_reproduce_ladder.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "cli/wl_options.h"
#include "twofold/base/error.h"
#include "twofold/io/dataset_file.h"
#include "twofold/wl/ladder.h"
#include "twofold/wl/ladder_families.h"

namespace twofold::cli {
namespace {

using wl::Ladder;
using wl::LadderCell;
using wl::LadderFamily;

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

// How many pairs each test distinguishes, then how long it took: apart, because only the former is the same
// each time.
void print_ladder(const Ladder& ladder, std::ostream& out) {
  std::vector<std::string> headers = {"<test"};
  std::vector<std::string> pairs = {"(pairs)"};
  for (std::size_t f = 0; f < ladder.families.size(); ++f) {
    headers.push_back(ladder.families[f]);
    pairs.push_back(fmt::format("({})", ladder.num_pairs[f]));
  }
  Table counts(headers);
  counts.add_row(pairs);
  headers.front() = "<seconds";
  Table times(headers);
  for (std::size_t t = 0; t < ladder.tests.size(); ++t) {
    std::vector<std::string> count_cells = {wl::describe(ladder.tests[t])};
    std::vector<std::string> time_cells = count_cells;
    for (const LadderCell& cell : ladder.rows[t]) {
      count_cells.push_back(cell.failure.empty() ? std::to_string(cell.distinguished()) : "-");
      time_cells.push_back(cell.failure.empty() ? fmt::format("{:.3f}", cell.seconds) : "-");
    }
    counts.add_row(std::move(count_cells));
    times.add_row(std::move(time_cells));
  }
  counts.print(out);
  for (std::size_t t = 0; t < ladder.tests.size(); ++t)
    for (std::size_t f = 0; f < ladder.families.size(); ++f)
      if (!ladder.rows[t][f].failure.empty())
        fmt::print(out, "- {}: {}\n", ladder.families[f], ladder.rows[t][f].failure);
  out << '\n';
  times.print(out);
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
      const LadderCell& cell = ladder.rows[t][f];
      ordered_json one = {{"family", ladder.families[f]}};
      if (cell.failure.empty()) {
        one["distinguished"] = cell.distinguished();
        one["verdicts"] = cell.verdicts;
        one["seconds"] = cell.seconds;
      } else {
        one["distinguished"] = nullptr;
        one["failure"] = cell.failure;
      }
      row["families"].push_back(std::move(one));
    }
    result["tests"].push_back(std::move(row));
  }
  return result;
}

}  // namespace

void declare_reproduce_ladder(CLI::App& app, ReproduceLadderOptions& options) {
  app.add_option("DATASET", options.datasets,
                 "Files of pairs (graphs 1 and 2, 3 and 4, …), each a family; none: generated families")
      ->type_name("");
  app.add_flag("--by-class", options.by_class,
               "A family for each class of a file; both graphs of a pair have one");
  declare_seed(app, options.seed);
  declare_json(app, options.json);
  declare_quiet(app, options.quiet);
  declare_threads(app, options.threads);
  declare_max_memory(app, options.max_memory);
  app.footer(R"(
Rungs: 1-wl, 2-gnn, 2-wl with radius 1 to 8 and all, 2-fwl, 3-fwl, and 2-wl with radius 1 and 2 and one mark. A number
says how many pairs of the family the test distinguishes, exactly. Below stand the seconds it took.

Generated families (--seed concerns the random ones):
  rings      one ring of 2m nodes against two of m, m = 3 to 26
  fused      two rings of m that share an edge against two of m-1 joined by one, m = 4 to 13
  csl        circular skip links, all pairs
  rook       the rook's graph and Shrikhande's
  srg        other strongly regular pairs: Chang, Paley, Latin squares
  cfi        Cai, Fürer and Immerman's pairs over small base graphs
  regular-3  random cubic pairs of 20 nodes
  regular-4  random 4-regular pairs of 24 nodes
  siamese    two edge-labelled graphs that need ordered pairs

Examples:
  twofold reproduce ladder
  twofold reproduce ladder mine.g6 others.g6 --json)");
}

int run_reproduce_ladder(const ReproduceLadderOptions& options, std::ostream& out, std::ostream& err) {
  if (options.by_class && options.datasets.empty()) throw UsageError("--by-class needed a DATASET, found none");
  const std::vector<LadderFamily> families = read_families(options);
  Ladder ladder;
  {
    ProgressOptions shown;
    shown.label = "ladder";
    shown.unit = "pairs";
    shown.quiet = options.quiet;
    ProgressLine line(err, shown);
    wl::ClassifyOptions how;
    how.threads = options.threads;
    how.max_memory = options.max_memory;
    how.progress = line.progress();
    ladder = wl::climb_ladder(families, wl::ladder_tests(), how);
  }
  if (options.json)
    out << ladder_json(ladder).dump() << '\n';
  else
    print_ladder(ladder, out);
  return 0;
}

}  // namespace twofold::cli
