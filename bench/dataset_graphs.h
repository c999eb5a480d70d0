#pragma once

#include <string>
#include <vector>

#include "twofold/graph/graph.h"

namespace twofold::bench {

/// The graphs of a dataset in the folder TWOFOLD_DATA, read once. Without that folder, random graphs of about
/// the same shape stand in, and standard error says so.
const std::vector<Graph>& graphs_of(const std::string& dataset);

/// Cycles of the core's own clock a nanosecond, from a chain of additions that takes one cycle each.
double cycles_a_ns();

}  // namespace twofold::bench
