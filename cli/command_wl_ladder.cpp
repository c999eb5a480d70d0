#include "cli/command_wl_ladder.h"

#include <fmt/ostream.h>

#include <nlohmann/json.hpp>
#include <optional>

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
#include "twofold/report/table_markup.h"
#include "twofold/wl/hard_families.h"
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

// The categories of BREC (Wang and Zhang 2024), in the order of its file. Its paper counts regular, srg,
// 4-vertex and distance as one, regular (140).
struct BrecCategory {
  const char* name;
  std::size_t num_pairs;
};
constexpr BrecCategory kBrecCategories[] = {{"basic", 60},      {"regular", 50}, {"srg", 50},
                                            {"extension", 100}, {"cfi", 100},    {"4-vertex", 20},
                                            {"distance", 20}};
constexpr std::size_t kBrecPairs = 400;
// brec_v3.npy has 32 relabeled copies of each pair, one pair after the other, then as many copies of one graph
// of each against others of it; brec_nonGNN.npy has one of each. The first copy of each pair is enough for an
// exact test.
constexpr std::size_t kBrecCopies = 32;

std::vector<LadderFamily> split_brec(Dataset& dataset, const std::string& source) {
  const std::size_t found = dataset.graphs.size();
  const std::size_t one = 2 * kBrecPairs, all = one * kBrecCopies;
  if (found != one && found != 2 * one && found != all && found != 2 * all)
    throw InputError(
        fmt::format("{}: --brec needed {} graphs ({} with controls), or {} ({}) with relabeled copies, "
                    "found {}",
                    source, one, 2 * one, all, 2 * all, found));
  const std::size_t step = found <= 2 * one ? 2 : 2 * kBrecCopies;
  std::vector<LadderFamily> families;
  std::size_t next = 0;
  for (const BrecCategory& category : kBrecCategories) {
    families.push_back({category.name, {}});
    for (std::size_t p = 0; p < category.num_pairs; ++p, next += step) {
      families.back().graphs.push_back(std::move(dataset.graphs[next]));
      families.back().graphs.push_back(std::move(dataset.graphs[next + 1]));
    }
  }
  return families;
}

std::vector<LadderFamily> read_families(const WlLadderOptions& options) {
  if (options.datasets.empty())
    return options.hard ? wl::hard_families(options.seed) : wl::ladder_families(options.seed);
  std::vector<LadderFamily> families;
  for (const std::string& path : options.datasets) {
    Dataset dataset = io::read_dataset(path, options.threads);
    const std::string source = path == "-" ? "standard input" : path;
    if (!options.graphs && dataset.graphs.size() % 2 != 0)
      throw InputError(fmt::format("{}: needed an even number of graphs to pair them, found {}", source,
                                   dataset.graphs.size()));
    if (options.brec)
      for (LadderFamily& family : split_brec(dataset, source)) families.push_back(std::move(family));
    else if (options.by_class)
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
  std::vector<std::string> pairs = {ladder.of_graphs ? "(graphs)" : "(pairs)"};
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

// What the cheapest test that tells all apart is called; nothing is printed where none does.
void print_cheapest(const Ladder& ladder, std::ostream& out) {
  const std::optional<std::size_t> cheapest = wl::cheapest_that_suffices(ladder);
  if (cheapest)
    fmt::print(out, "\ncheapest that tells all apart: {} ({:.3f} s)\n", wl::describe(ladder.tests[*cheapest]),
               wl::seconds_of(ladder.rows[*cheapest]));
}

// How many pairs each test distinguishes, then how long it took: apart, because only the former is the same
// each time.
void print_ladder(const Ladder& ladder, const Controls& controls, std::ostream& out) {
  const std::vector<Judged> all = judgements(ladder);
  for (const bool is_seconds : {false, true})
    for (const Judged& judged : all) {
      if (is_seconds || &judged != &all.front()) out << '\n';
      print_rows(ladder, judged, is_seconds, out);
      if (!is_seconds && judged.judge == PairJudge::kTrained)
        fmt::print(out, "controls of trained networks told apart: {} of {}\n", controls.told_apart,
                   controls.number);
    }
  print_cheapest(ladder, out);
}

nlohmann::ordered_json cell_json(const LadderCell& cell) {
  if (!cell.failure.empty()) return {{"distinguished", nullptr}, {"failure", cell.failure}};
  return {{"distinguished", cell.distinguished()}, {"verdicts", cell.verdicts}, {"seconds", cell.seconds}};
}

nlohmann::ordered_json ladder_json(const Ladder& ladder, const Controls& controls) {
  using nlohmann::ordered_json;
  ordered_json result;
  result["families"] = ordered_json::array();
  for (std::size_t f = 0; f < ladder.families.size(); ++f)
    result["families"].push_back(
        {{"family", ladder.families[f]}, {ladder.of_graphs ? "graphs" : "pairs", ladder.num_pairs[f]}});
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
  result["cheapest"] = nullptr;
  if (const std::optional<std::size_t> cheapest = wl::cheapest_that_suffices(ladder))
    result["cheapest"] = to_json(ladder.tests[*cheapest]);
  if (!ladder.trained.empty())
    result["controls"] = {{"number", controls.number}, {"told_apart", controls.told_apart}};
  return result;
}

std::string command_line(const WlLadderOptions& options) {
  std::string command = "twofold wl ladder";
  for (const std::string& path : options.datasets) command += " " + shown_path(path);
  if (options.by_class) command += " --by-class";
  if (options.graphs) command += " --graphs";
  if (options.brec) command += " --brec";
  if (options.hard) command += " --hard";
  if (!options.tests.empty()) command += " --test " + report::shell_word(options.tests);
  if (!options.radii.empty()) command += " --radius " + report::shell_word(options.radii);
  if (!options.marks.empty()) command += " --marks " + report::shell_word(options.marks);
  if (options.networks) command += " --networks";
  if (options.trained) command += " --trained";
  if (options.seed != 1) command += fmt::format(" --seed {}", options.seed);
  return command + " -o " + shown_path(options.output);
}

bool ends_with(const std::string& path, const std::string& end) {
  return path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0;
}

bool is_page(const std::string& path) { return ends_with(path, ".html") || ends_with(path, ".htm"); }

void require_writable(const std::string& path) {
  if (!is_page(path) && !ends_with(path, ".csv") && !ends_with(path, ".tex") && !ends_with(path, ".md"))
    throw UsageError(fmt::format("needed an output file .html, .csv, .tex or .md, found {}", in_quotes(path)));
  AtomicFile file(path);  // whether there can be one, before the long work
}

void write_table(const Ladder& ladder, const WlLadderOptions& options) {
  const report::Table table = report::ladder_table(ladder);
  AtomicFile file(options.output);
  if (ends_with(options.output, ".csv"))
    file.write(table.csv());
  else if (ends_with(options.output, ".tex"))
    file.write(report::to_latex(table, command_line(options)));
  else
    file.write(report::to_markdown(table, command_line(options)));
  file.commit();
}

std::vector<wl::WlTest> chosen_tests(const WlLadderOptions& options) {
  if (options.tests.empty() && options.radii.empty() && options.marks.empty()) return wl::ladder_tests();
  const auto given = [](const std::string& text, const char* otherwise) {
    return text.empty() ? std::string(otherwise) : text;
  };
  return tests_of(given(options.tests, "1-wl,2-wl,2-fwl"), given(options.radii, "1"),
                  given(options.marks, "0"));
}

}  // namespace

void declare_wl_ladder(Options& flags, WlLadderOptions& options) {
  flags
      .add("DATASET", options.datasets,
           "Files of pairs (graphs 1 and 2, 3 and 4, …), each a family; none: generated families")
      .type_name("");
  flags
      .add("--test", options.tests, "Tests with commas between them: 1-wl, 2-wl, 2-gnn, k-fwl; none: all rungs")
      .type_name("T,…");
  flags.add("--radius", options.radii, "Of 2-wl: distances with commas between them, or all").type_name("R,…");
  flags.add("--marks", options.marks, "Numbers of marks with commas between them").type_name("M,…");
  flags.add_flag("--graphs", options.graphs, "Files are graphs, not pairs: count the classes of each");
  flags.add_flag("--brec", options.brec,
                 "The file is the benchmark BREC (brec_v3.npy, or its 400 pairs): a family for each category");
  flags.add_flag("--hard", options.hard,
                 "400 hard pairs in seven families, in place of the generated families");
  flags.add_flag("--by-class", options.by_class,
                 "A family for each class of a file; both graphs of a pair have one");
  flags.add_flag("--networks", options.networks,
                 "Ask networks with random weights too (wl pairs --test net:MODEL)");
  flags.add_flag("--trained", options.trained,
                 "Ask networks trained on each pair too (wl pairs --test trained:MODEL); takes minutes");
  declare_output(flags, options.output,
                 "Write a page .html, with its tables beside it, or a table .csv, .tex, .md");
  declare_seed(flags, options.seed);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  flags.footer(R"(
Every test is run on every family, and the cheapest test that tells all apart is named. --test, --radius and --marks
choose the tests: each with each radius and number of marks. Without them, all rungs: 1-wl, 2-gnn, 2-wl with radius 1
to 8 and all, 2-fwl, 3-fwl, and 2-wl with radius 1 and 2 and one mark. A number says how many pairs of the family the
test distinguishes, exactly. Below stand the seconds it took. --networks and --trained add tables of what gin, 2-gnn
and 2-wl-gnn tell apart; the tests of the same rows bound them.

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
  twofold wl ladder
  twofold wl ladder mine.g6 basic.npy --test 1-wl,2-wl,2-fwl --radius 1,2,all --marks 0,1
  twofold wl ladder --hard --test 2-wl,2-fwl,3-fwl --marks 0,1 -o ladder.html
  twofold wl ladder brec_v3.npy --brec --test 2-fwl,3-fwl --marks 0,1,2
  twofold wl ladder srg25.g6 srg26.g6 --graphs --test 2-fwl --marks 1 -o classes.tex)");
}

int run_wl_ladder(const WlLadderOptions& options, std::ostream& out, std::ostream& err) {
  if (options.by_class && options.datasets.empty()) throw UsageError("--by-class needed a DATASET, found none");
  if (options.brec && options.datasets.empty()) throw UsageError("--brec needed a DATASET, found none");
  if (options.brec && (options.graphs || options.by_class))
    throw UsageError("--brec needed no --graphs or --by-class, found one");
  if (options.graphs && options.datasets.empty()) throw UsageError("--graphs needed a DATASET, found none");
  if (options.hard && !options.datasets.empty())
    throw UsageError(fmt::format("--hard needed no DATASET, found {}", in_quotes(options.datasets.front())));
  if (options.graphs && (options.by_class || options.networks || options.trained))
    throw UsageError("--graphs needed no --by-class, --networks or --trained, found one");
  const std::vector<wl::WlTest> tests = chosen_tests(options);
  for (const std::string& path : options.datasets)
    require_output_apart(options.output, {input_of_dataset(path)});
  if (!options.output.empty()) require_writable(options.output);
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
  Ladder ladder = with_progress("ladder", [&](const wl::ClassifyOptions& how) {
    return options.graphs ? wl::climb_by_classes(families, tests, how) : wl::climb_ladder(families, tests, how);
  });
  const auto ask = [&](const char* label, const wl::Separate& separate) {
    return with_progress(label, [&](const wl::ClassifyOptions& how) {
      // Those with marks take long, and are asked where marks were.
      return wl::climb_by_networks(families, tests, separate, how, !options.marks.empty());
    });
  };
  if (options.networks)
    ladder.networks =
        ask("networks", [&](Span<const Graph> graphs, const wl::WlTest& test, const wl::ClassifyOptions& how) {
          wl::NetOptions net;
          net.seed = options.seed;
          return wl::distinguish_pairs_by_nets(graphs, test, net, how);
        });
  Controls controls;
  if (options.trained)
    ladder.trained = ask("trained networks", [&](Span<const Graph> graphs, const wl::WlTest& test,
                                                 const wl::ClassifyOptions& how) {
      return separate_by_training(graphs, wl::net_name(test), test, options.seed, controls, how);
    });
  if (!options.output.empty() && !is_page(options.output)) {
    write_table(ladder, options);
    if (!options.json)
      fmt::print(out, "{}: {} tests, {} famil{}\n", options.output, ladder.tests.size(), ladder.families.size(),
                 ladder.families.size() == 1 ? "y" : "ies");
  } else if (!options.output.empty()) {
    report::Page page = report::ladder_page(ladder, command_line(options));
    page.made_by("twofold " + version_number());
    report::write_page(page, options.output);
    if (!options.quiet)
      for (const std::string& program : page.missing())
        fmt::print(err, "twofold wl ladder: {} is not installed: pictures are left out\n", program);
    if (!options.json)
      fmt::print(out, "{}: {} tests, {} famil{}; {} tables as CSV and JSON in {}\n", options.output,
                 ladder.tests.size(), ladder.families.size(), ladder.families.size() == 1 ? "y" : "ies",
                 page.tables().size(), report::tables_folder(options.output));
  }
  if (options.json)
    out << ladder_json(ladder, controls).dump() << '\n';
  else if (options.output.empty())
    print_ladder(ladder, controls, out);
  return 0;
}

}  // namespace twofold::cli
