#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "twofold/graph/dataset.h"
#include "twofold/graph/pattern_counts.h"
#include "twofold/wl/classify.h"

namespace twofold::cli {

/// What `wl count --patterns` found.
struct PatternTable {
  std::vector<graph::Pattern> patterns;
  std::vector<std::vector<std::uint64_t>> counts;  // a row per graph, one number per pattern
  std::vector<wl::WlTest> tests;                   // of --against
  std::vector<wl::Classes> classes;                // one per test
};

/// The numbers; with tests what each knows of them.
void print_patterns(const Dataset& dataset, const PatternTable& table, std::ostream& out);
/// The same as docs/commands/wl_count.md says.
nlohmann::ordered_json patterns_json(const Dataset& dataset, const PatternTable& table);

}  // namespace twofold::cli
