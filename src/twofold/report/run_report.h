#pragma once

#include <string>

#include "twofold/report/page.h"
#include "twofold/report/run_view.h"

namespace twofold::report {

struct RunReportOptions {
  std::string title;    // empty: made from the runs
  std::string command;  // that made the page, shown with its figures
  std::string maker;    // the last line
  int reload = 0;       // seconds after which the page loads itself again; 0: never
};

/// The page of `twofold report`: the answer, what was left out, results, folds, differences by the 2σ rule,
/// training curves, chosen configurations, time and memory, commands. Runs of different data, splits or metrics
/// are compared within their own group only. Needs at least one run, finished or going on.
Page make_run_report(const RunViews& views, const RunReportOptions& options);

}  // namespace twofold::report
