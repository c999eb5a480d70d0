#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/cycle_counts.h"
#include "twofold/graph/graph.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/wl_test.h"

namespace twofold::wl {

/// Two graphs that a test does not tell apart although they differ in some number.
struct Counterexample {
  // Positions among the graphs, first < second.
  std::size_t first = 0;
  std::size_t second = 0;
};

/// Is a number a function of the class? Nothing if it is, on these graphs: graphs of one class have one value.
/// Else the smallest pair that shows it is not: of the fewest nodes, then the fewest edges, then the earliest
/// graphs. Needs one class and one value per graph. O(graphs).
std::optional<Counterexample> find_counterexample(Span<const Graph> graphs, const Classes& classes,
                                                  Span<const std::uint64_t> values);

/// What a test knows of one kind of subgraphs, on the graphs that were looked at.
struct CountPower {
  // Nothing if their number is a function of the class: the test counts them.
  std::optional<Counterexample> against_counting;
  // Nothing if whether there is one is a function of the class: the test detects them (paper, Def. 2.8).
  std::optional<Counterexample> against_detecting;

  bool counts() const { return !against_counting; }
  bool detects() const { return !against_detecting; }
};

/// `numbers` has one per graph.
CountPower count_power(Span<const Graph> graphs, const Classes& classes, std::vector<std::uint64_t> numbers);

/// What it knows of the cycles of one length.
struct CyclePower : CountPower {
  int length = 0;
};

struct CycleKnowledge {
  // How many classes the test sees. As many as graphs: it tells all apart, and so knows everything of these.
  std::size_t num_classes = 0;
  // One a length.
  std::vector<CyclePower> lengths;
};

/// `counts` are those of the graphs, all of the same lengths. What holds on some graphs need not
/// hold on more; a counterexample stands. Costs and throws what classify does.
CycleKnowledge cycle_knowledge(Span<const Graph> graphs, Span<const graph::CycleCounts> counts,
                               const WlTest& test, const ClassifyOptions& options = {});

}  // namespace twofold::wl
