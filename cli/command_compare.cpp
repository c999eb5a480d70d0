#include "cli/command_compare.h"

#include <fmt/ostream.h>

#include <cmath>
#include <set>

#include "cli/evaluate_print.h"
#include "cli/options.h"
#include "cli/table.h"
#include "twofold/base/file.h"
#include "twofold/eval/comparison.h"
#include "twofold/eval/protocol.h"

namespace twofold::cli {
namespace {

using eval::Config;
using eval::Delta;
using record::RunRecord;

// Folder names where they differ, whole paths otherwise.
std::vector<std::string> run_names(const std::vector<RunRecord>& runs) {
  std::vector<std::string> names;
  for (const RunRecord& run : runs) names.push_back(file_name(run.folder));
  if (std::set<std::string>(names.begin(), names.end()).size() == names.size()) return names;
  names.clear();
  for (const RunRecord& run : runs) names.push_back(run.folder);
  return names;
}

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

Config to_json(const std::vector<RunRecord>& runs) {
  Config list = Config::array(), deltas = Config::array();
  for (const RunRecord& run : runs)
    list.push_back({{"run", run.folder},
                    {"dataset", run.dataset},
                    {"model", run.model},
                    {"preset", run.preset},
                    {"test_mean", eval::number(run.test_mean)},
                    {"test_std", eval::number(run.test_std)},
                    {"train_mean", eval::number(run.train_mean)},
                    {"train_std", eval::number(run.train_std)}});
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
  return {{"metric", runs[0].metric}, {"folds", runs[0].folds.size()}, {"runs", list}, {"deltas", deltas}};
}

}  // namespace

void declare_compare(Options& flags, CompareOptions& options) {
  flags.add("RUN", options.runs, "Run folders of twofold evaluate").required().type_name("");
  flags.add_flag(
      "--any-splits", options.any_splits,
      "Also runs on different folds or data; their differences then pair what does not belong together");
  declare_json(flags, options.json);
  flags.footer(R"(
Differences are taken fold by fold, row minus column: mean ± standard deviation over the folds. The paper's rule marks
a row that is better (>) or worse (<) than the column where the mean is more than two standard deviations from 0.
p is that of the corrected resampled t-test; none of it is corrected for making many comparisons.

Examples:
  twofold compare runs/triangle-wl runs/triangle-gin
  twofold compare runs/* --json)");
}

int run_compare(const CompareOptions& options, std::ostream& out, std::ostream& /*err*/) {
  std::vector<RunRecord> runs;
  for (const std::string& folder : options.runs) runs.push_back(record::read_run(folder));
  eval::require_comparable(runs, options.any_splits);
  if (options.json) {
    out << to_json(runs).dump(-1, ' ', false, Config::error_handler_t::replace) << '\n';
    return 0;
  }
  const std::vector<std::string> names = run_names(runs);
  const std::string& metric = runs[0].metric;
  Table table({"<run", "<dataset", "<model", "<preset", "test " + metric, "train"});
  for (std::size_t i = 0; i < runs.size(); ++i)
    table.add_row({names[i], runs[i].dataset, runs[i].model, runs[i].preset,
                   format_mean_std(metric, runs[i].test_mean, runs[i].test_std),
                   format_mean_std(metric, runs[i].train_mean, runs[i].train_std)});
  table.print(out);
  if (runs.size() < 2) return 0;
  std::vector<std::vector<Delta>> deltas(runs.size(), std::vector<Delta>(runs.size()));
  for (std::size_t a = 0; a < runs.size(); ++a)
    for (std::size_t b = 0; b < runs.size(); ++b)
      if (a != b) deltas[a][b] = eval::compare_runs(runs[a], runs[b]);
  fmt::print(out, "\nrow minus column over {} folds; > better, < worse by more than 2σ\n",
             runs[0].folds.size());
  print_matrix(names, out, [&](std::size_t a, std::size_t b) { return delta_cell(metric, deltas[a][b]); });
  fmt::print(out, "\np of the corrected resampled t-test\n");
  print_matrix(names, out, [&](std::size_t a, std::size_t b) { return p_cell(deltas[a][b].p); });
  return 0;
}

}  // namespace twofold::cli
