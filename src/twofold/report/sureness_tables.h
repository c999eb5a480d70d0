#pragma once

#include <string>

#include "twofold/report/run_view.h"
#include "twofold/report/table.h"

namespace twofold::report {

/// How often intervals (sets of classes) of each level hold for test graphs. Needs run.coverage.
Table coverage_table(const RunView& run, const std::string& name);
std::string coverage_caption(const RunView& run);

/// Calibrated probabilities beside what came true of them. Needs run.reliability.
Table reliability_table(const RunView& run, const std::string& name);
std::string reliability_caption(const RunView& run);

}  // namespace twofold::report
