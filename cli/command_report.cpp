#include "cli/command_report.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>
#include <utility>

#include "cli/options.h"
#include "cli/output_path.h"
#include "cli/version.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/report/run_command.h"
#include "twofold/report/run_report.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

std::string command_line(const ReportOptions& options) {
  std::string command = "twofold report";
  for (const std::string& run : options.runs) command += " " + shown_path(run);
  command += " -o " + shown_path(options.output);
  if (!options.title.empty()) command += " --title " + report::shell_word(options.title);
  return command;
}

void require_page(const ReportOptions& options) {
  if (!ends_with(options.output, ".html") && !ends_with(options.output, ".htm"))
    throw UsageError(fmt::format("needed an output file .html, found {}", in_quotes(options.output)));
  for (const std::string& run : options.runs)
    require_output_apart(options.output, {run + "/run.json", run + "/splits.json"});
}

report::Page make_page(const report::RunViews& views, const ReportOptions& options, int reload) {
  return report::make_run_report(views,
                                 {options.title, command_line(options),
                                  "Made by twofold " + version_number() + " from the records alone.", reload});
}

// Whether nobody works on these runs any more: each has failed tasks and none that runs, and nothing has
// changed since the look before. `before` gets what is seen now.
bool stand_still(const std::vector<report::GoingRun>& going, std::map<std::string, std::size_t>& before) {
  bool all = true;
  std::map<std::string, std::size_t> now;
  for (const report::GoingRun& run : going) {
    const eval::TaskCounts& tasks = run.status.tasks;
    now[run.name] = tasks.finished;
    const auto seen = before.find(run.name);
    all =
        all && tasks.failed > 0 && tasks.running == 0 && seen != before.end() && seen->second == tasks.finished;
  }
  before = std::move(now);
  return all;
}

}  // namespace

void declare_report(Options& flags, ReportOptions& options) {
  flags.add("RUN", options.runs, "Run folders of twofold evaluate, or folders that hold several")
      .required()
      .type_name("");
  declare_output(flags, options.output, "The page: a file .html; its tables and plots come beside it")
      .required();
  flags.add("--title", options.title, "The page's title; made from the runs if not given").type_name("TEXT");
  flags
      .add("--watch", options.watch,
           "Keep the page up to date until all runs are finished, looking every so many seconds")
      .range(1, 86400)
      .optional_value("10")
      .type_name("SECONDS");
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  flags.footer(R"(
One page that can be sent to a colleague: which learner is best and how certain that is, then every fold, the differences
by the 2σ rule, training curves, what was chosen, time and memory, and the commands. It needs no network and runs no
script. Beside PAGE.html the folder PAGE.tables has each table as CSV and JSON, and PAGE.plots each plot as SVG and
PDF with its gnuplot source.

Runs are compared where their folds pair up (same data, splits and metric); others get a part of their own. A run that is
damaged or not finished is named on the page and left out. Plots need gnuplot; without it the page says so.
With --watch the page also shows how far unfinished runs are, and loads itself again until they are finished. If all
that are left have failed tasks and nobody works on them, it ends with exit code 1 and says what failed.

Examples:
  twofold report runs/triangle-wl runs/triangle-gin -o triangle.html
  twofold report runs -o all.html --title "Our evaluations"
  twofold report runs -o all.html --watch 30)");
}

int run_report(const ReportOptions& options, std::ostream& out, std::ostream& err) {
  bool is_first = true;
  std::map<std::string, std::size_t> before;
  while (options.watch > 0) {
    require_page(options);
    report::RunViews views = report::read_run_views(options.runs);
    report::take_going(views, version_number());
    if (views.going.empty()) break;
    const bool is_over = stand_still(views.going, before);
    report::write_page(make_page(views, options, is_over ? 0 : options.watch), options.output);
    if (is_over) {
      for (const report::GoingRun& run : views.going)
        fmt::print(err, "twofold report: {}: {} of {} tasks failed and nobody works on it; {}: {}\n", run.name,
                   run.status.tasks.failed, run.status.tasks.total, run.status.failures.at(0).task,
                   run.status.failures.at(0).reason);
      return 1;
    }
    if (std::exchange(is_first, false) && !options.quiet)
      fmt::print(err, "twofold report: {} is kept up to date until all runs are finished\n", options.output);
    err.flush();
    std::this_thread::sleep_for(std::chrono::seconds(options.watch));
  }
  require_page(options);
  const report::RunViews views = report::read_run_views(options.runs);
  if (views.runs.empty()) {
    std::string reasons;
    for (const report::SkippedRun& run : views.skipped)
      reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", run.name, run.reason);
    throw InputError("no run can be shown: " + reasons);
  }
  if (!options.quiet)
    for (const report::SkippedRun& run : views.skipped)
      fmt::print(err, "twofold report: {} is left out: {}\n", run.name, run.reason);
  const report::Page page = make_page(views, options, 0);
  const report::PageFiles files = report::write_page(page, options.output);
  if (!options.quiet)
    for (const std::string& program : page.missing())
      fmt::print(err, "twofold report: {} is not installed: pictures are left out\n", program);
  if (options.json) {
    ordered_json skipped = ordered_json::array();
    for (const report::SkippedRun& run : views.skipped)
      skipped.push_back({{"run", run.name}, {"reason", run.reason}});
    const ordered_json result = {{"page", options.output}, {"runs", views.runs.size()},
                                 {"skipped", skipped},     {"tables", files.tables},
                                 {"plots", files.plots},   {"missing_programs", page.missing()}};
    out << result.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
    return 0;
  }
  fmt::print(out, "{}: {} run{}{}\n", options.output, views.runs.size(), views.runs.size() == 1 ? "" : "s",
             views.skipped.empty() ? "" : fmt::format(", {} left out", views.skipped.size()));
  fmt::print(out, "{}: {} tables as CSV and JSON\n", report::tables_folder(options.output),
             page.tables().size());
  if (!page.plots().empty()) {
    const auto has = [&](const std::string& ending) {
      return std::any_of(files.plots.begin(), files.plots.end(),
                         [&](const std::string& file) { return ends_with(file, ending); });
    };
    fmt::print(out, "{}: {} plot{} as {}{}gnuplot source\n", report::plots_folder(options.output),
               page.plots().size(), page.plots().size() == 1 ? "" : "s", has(".svg") ? "SVG" : "",
               has(".pdf")   ? ", PDF and "
               : has(".svg") ? " and "
                             : "");
  }
  return 0;
}

}  // namespace twofold::cli
