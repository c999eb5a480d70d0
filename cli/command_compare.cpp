#include "cli/command_compare.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>

#include "cli/evaluate_print.h"
#include "cli/options.h"
#include "cli/table.h"
#include "twofold/base/error.h"
#include "twofold/eval/best_runs.h"
#include "twofold/eval/comparison.h"
#include "twofold/eval/task_file.h"
#include "twofold/report/delta_matrix.h"
#include "twofold/report/results_table.h"
#include "twofold/report/run_groups.h"
#include "twofold/report/table_markup.h"

namespace twofold::cli {
namespace {

using eval::Delta;
using model::Config;
using record::RunRecord;

std::string with_sign(const std::string& metric, double value) {
  return (value > 0 ? "+" : "") + format_score(metric, value);
}

std::string delta_cell(const std::string& metric, const Delta& delta) {
  const char* mark = delta.verdict > 0 ? " >" : delta.verdict < 0 ? " <" : "  ";
  return fmt::format("{} ± {}{}", with_sign(metric, delta.mean), format_score(metric, delta.std), mark);
}

std::string p_cell(double p) {
  if (std::isnan(p)) return "-";
  return p < 0.001 ? "<0.001" : fmt::format("{:.3f}", p);
}

void print_matrix(const std::vector<std::string>& names, std::ostream& out,
                  const std::function<std::string(std::size_t, std::size_t)>& cell) {
  std::vector<std::string> headers = {"<"};
  headers.insert(headers.end(), names.begin(), names.end());
  Table table(headers);
  for (std::size_t a = 0; a < names.size(); ++a) {
    std::vector<std::string> row = {names[a]};
    for (std::size_t b = 0; b < names.size(); ++b) row.push_back(a == b ? "" : cell(a, b));
    table.add_row(std::move(row));
  }
  table.print(out);
}

// Runs that were read, in the order in which they were named or found.
struct Found {
  std::vector<report::RunView> runs;
  bool are_all_named = true;  // each is a run folder of the command line
};

report::RunView read_view(const std::string& folder, const CompareOptions& options) {
  report::RunView view;
  view.record = record::read_run(folder);
  if (view.record.folds.empty())
    throw InputError(fmt::format("{}/result.json: needed the scores of the folds, found none", folder));
  if (options.best_runs > 0) eval::keep_best_runs(view.record, static_cast<std::size_t>(options.best_runs));
  return view;
}

// A run that was named must be whole; of a folder of runs, those that are not are said and left out.
Found read_runs(const CompareOptions& options, std::ostream& err) {
  Found found;
  std::vector<std::string> folders;
  for (const std::string& place : options.runs) {
    const std::vector<std::string> within = report::find_run_folders(place);
    if (report::is_run_folder(place) || within.empty()) {
      found.runs.push_back(read_view(place, options));
      folders.push_back(place);
      continue;
    }
    found.are_all_named = false;
    for (const std::string& folder : within) {
      try {
        found.runs.push_back(read_view(folder, options));
        folders.push_back(folder);
      } catch (const Error& error) {
        if (!options.quiet)
          fmt::print(err, "twofold compare: {} is left out: {}\n", folder,
                     report::without_place(error.what(), folder));
      }
    }
  }
  if (found.runs.empty()) throw InputError("no run can be compared: none is finished");
  const std::vector<std::string> names = report::name_runs(folders);
  for (std::size_t i = 0; i < names.size(); ++i) found.runs[i].name = names[i];
  return found;
}

std::vector<RunRecord> records_of(const std::vector<const report::RunView*>& runs) {
  std::vector<RunRecord> records;
  for (const report::RunView* run : runs) records.push_back(run->record);
  return records;
}

// What pairs up, in the order of the runs.
std::vector<report::RunGroup> group(const Found& found, const CompareOptions& options) {
  std::vector<report::RunGroup> groups = report::group_runs(found.runs);
  for (report::RunGroup& group : groups) std::sort(group.runs.begin(), group.runs.end());
  if (options.format != "text") return groups;
  std::vector<const report::RunView*> all;
  for (const report::RunView& run : found.runs) all.push_back(&run);
  const bool pairs_none = std::all_of(groups.begin(), groups.end(),
                                      [](const report::RunGroup& group) { return group.runs.size() == 1; });
  // Nothing of what was named can be compared: why is worth more than a table of each.
  if (options.any_splits || (found.are_all_named && pairs_none)) {
    eval::require_comparable(records_of(all), options.any_splits);
    groups.resize(1);
    groups[0].runs = all;
  }
  return groups;
}

// What --best-runs does to the figures; nothing without it.
std::string describe_best_runs(const CompareOptions& options) {
  if (options.best_runs == 0) return "";
  if (options.best_runs == 1) return "of each fold's final runs, the one with the best validation score counts";
  return fmt::format("of each fold's final runs, the {} with the best validation scores count",
                     options.best_runs);
}

std::string describe_table(const std::vector<report::RunGroup>& groups, const CompareOptions& options) {
  std::string words = describe_best_runs(options);
  if (!words.empty()) words = " O" + words.substr(1) + ".";
  return report::describe_results(groups) + words;
}

Config to_json(const std::vector<RunRecord>& runs, const CompareOptions& options) {
  Config list = Config::array(), deltas = Config::array();
  for (const RunRecord& run : runs) {
    const std::string part = run.scored_part();
    list.push_back({{"run", run.folder},
                    {"dataset", run.dataset},
                    {"model", run.model},
                    {"preset", run.preset},
                    {part + "_mean", eval::number(run.score_mean())},
                    {part + "_std", eval::number(run.score_std())},
                    {"train_mean", eval::number(run.train_mean)},
                    {"train_std", eval::number(run.train_std)}});
  }
  for (std::size_t a = 0; a < runs.size(); ++a)
    for (std::size_t b = 0; b < runs.size(); ++b) {
      if (a == b) continue;
      const Delta delta = eval::compare_runs(runs[a], runs[b]);
      const char* verdict = delta.verdict > 0 ? "better" : delta.verdict < 0 ? "worse" : "neither";
      deltas.push_back({{"run", runs[a].folder},
                        {"against", runs[b].folder},
                        {"mean", eval::number(delta.mean)},
                        {"std", eval::number(delta.std)},
                        {"two_sigma", verdict},
                        {"t", eval::number(delta.t)},
                        {"p", eval::number(delta.p)}});
    }
  Config json = {{"metric", runs[0].metric}, {"folds", runs[0].folds.size()}};
  if (runs[0].is_sealed) json["sealed"] = true;
  if (options.best_runs > 0) json["best_runs"] = options.best_runs;
  json["runs"] = std::move(list);
  json["deltas"] = std::move(deltas);
  return json;
}

void print_group(const report::RunGroup& group, const CompareOptions& options, std::ostream& out) {
  const std::vector<RunRecord> runs = records_of(group.runs);
  std::vector<std::string> names;
  for (const report::RunView* run : group.runs) names.push_back(run->name);
  const std::string& metric = runs[0].metric;
  Table table({"<run", "<dataset", "<model", "<preset", fmt::format("{} {}", group.part(), metric), "train"});
  for (std::size_t i = 0; i < runs.size(); ++i)
    table.add_row({names[i], runs[i].dataset, runs[i].model, runs[i].preset,
                   format_mean_std(metric, runs[i].score_mean(), runs[i].score_std()),
                   format_mean_std(metric, runs[i].train_mean, runs[i].train_std)});
  table.print(out);
  if (group.is_sealed()) fmt::print(out, "test scores are {}\n", record::kSealedWords);
  if (const std::string refit = report::describe_refit(group); !refit.empty()) fmt::print(out, "{}\n", refit);
  if (options.best_runs > 0) fmt::print(out, "{}\n", describe_best_runs(options));
  if (runs.size() < 2) return;
  const std::vector<std::vector<Delta>> deltas = report::all_deltas(runs);
  fmt::print(out, "\nrow minus column over {} folds; > better, < worse by more than 2σ\n",
             runs[0].folds.size());
  print_matrix(names, out, [&](std::size_t a, std::size_t b) { return delta_cell(metric, deltas[a][b]); });
  fmt::print(out, "\np of the corrected resampled t-test\n");
  print_matrix(names, out, [&](std::size_t a, std::size_t b) { return p_cell(deltas[a][b].p); });
}

}  // namespace

void declare_compare(Options& flags, CompareOptions& options) {
  flags.add("RUN", options.runs, "Run folders of twofold evaluate, or folders that hold several")
      .required()
      .type_name("");
  flags.add_flag(
      "--any-splits", options.any_splits,
      "Also runs on different folds or data; their differences then pair what does not belong together");
  flags
      .add("--best-runs", options.best_runs,
           "Count of each fold's final runs only the K with the best validation scores, as the paper's program "
           "does on TRIANGLE [all]")
      .range(1, 1000)
      .type_name("K");
  flags
      .add("--format", options.format,
           "text, or a table of datasets and models for a paper: latex, markdown, csv")
      .one_of({"text", "latex", "markdown", "csv"})
      .show_default()
      .type_name("FORMAT");
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  flags.footer(R"(
Differences are taken fold by fold, row minus column: mean ± standard deviation over the folds. The paper's rule marks
a row that is better (>) or worse (<) than the column where the mean is more than two standard deviations from 0.
p is that of the corrected resampled t-test; none of it is corrected for making many comparisons.
Runs of different data, splits or metrics are compared within their own group only.

Examples:
  twofold compare runs/triangle-wl runs/triangle-gin
  twofold compare runs --format latex > results.tex
  twofold compare runs/triangle-gin --best-runs 2
  twofold compare runs/* --json)");
}

int run_compare(const CompareOptions& options, std::ostream& out, std::ostream& err) {
  if (options.json && options.format != "text")
    throw UsageError("--json and --format exclude each other: take one");
  const Found found = read_runs(options, err);
  const std::vector<report::RunGroup> groups = group(found, options);
  if (options.json) {
    Config result;
    if (groups.size() == 1) {
      result = to_json(records_of(groups[0].runs), options);
    } else {
      result["groups"] = Config::array();
      for (const report::RunGroup& one : groups)
        result["groups"].push_back(to_json(records_of(one.runs), options));
    }
    out << result.dump(-1, ' ', false, Config::error_handler_t::replace) << '\n';
  } else if (options.format == "csv") {
    // On a terminal and in pipes lines end as everywhere; only files of CSV end them with CR LF.
    std::string lines = report::results_table(groups, true).csv();
    lines.erase(std::remove(lines.begin(), lines.end(), '\r'), lines.end());
    out << lines;
  } else if (options.format == "latex") {
    out << report::to_latex(report::results_table(groups, false), describe_table(groups, options));
  } else if (options.format == "markdown") {
    out << report::to_markdown(report::results_table(groups, false), describe_table(groups, options));
  } else {
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (groups.size() > 1) fmt::print(out, "{}{}\n", g == 0 ? "" : "\n", groups[g].title);
      print_group(groups[g], options, out);
    }
  }
  return 0;
}

}  // namespace twofold::cli
