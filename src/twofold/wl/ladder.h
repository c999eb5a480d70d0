#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/wl_test.h"

namespace twofold::wl {

/// Pairs of graphs of one kind: 0 and 1, 2 and 3, ….
struct LadderFamily {
  std::string name;
  std::vector<Graph> graphs;

  std::size_t num_pairs() const { return graphs.size() / 2; }
};

/// What one test says of one family.
struct LadderCell {
  // One a pair: whether it is distinguished. Of graphs one a graph: whether it is the first of its class, so
  // that there are as many as classes. Empty if there is a failure.
  std::vector<bool> verdicts;
  double seconds = 0;
  // Why there are no verdicts, as memory that does not suffice; else empty.
  std::string failure;

  std::size_t distinguished() const;
};

/// A row per test, a cell per family. A row without cells: nothing there to ask.
using LadderRows = std::vector<std::vector<LadderCell>>;

/// Tests against families of pairs.
struct Ladder {
  std::vector<WlTest> tests;
  std::vector<std::string> families;
  // One a family; of graphs how many there are.
  std::vector<std::size_t> num_pairs;
  // Families are graphs, not pairs.
  bool of_graphs = false;
  LadderRows rows;
  // The same by networks: with random weights, and trained on each pair. No rows where they were not asked.
  LadderRows networks;
  LadderRows trained;
};

/// Who says which pairs are told apart, as distinguish_pairs does.
using Separate =
    std::function<std::vector<bool>(Span<const Graph> graphs, const WlTest&, const ClassifyOptions&)>;

/// The rungs, weak to strong in each part: 1-wl, 2-gnn, 2-wl with radius 1 to 8 and all, 2-fwl, 3-fwl; then one
/// mark with 2-wl of radius 1 and 2.
std::vector<WlTest> ladder_tests();

/// Whether it is a law that `strong` distinguishes every pair that `weak` does: 1-wl and 2-gnn are equal, a
/// larger radius, a larger k and a mark only add, 2-fwl is above every 2-wl and above 1-wl with one mark more,
/// and one mark more with it is below 3-fwl. False where there is no such law: 2-fwl also tells pairs apart
/// that 2-wl with radius all does not
/// (`siamese`).
bool is_at_most(const WlTest& weak, const WlTest& strong);

/// Runs every test on every family. Verdicts are exact and the same for any number of threads; a cell whose
/// memory does not suffice says so and the others go on. options.progress is told pairs over all cells.
/// Throws InputError, with the family's name in front, for an odd number of graphs and as classify does.
Ladder climb_ladder(Span<const LadderFamily> families, Span<const WlTest> tests,
                    const ClassifyOptions& options = {});

/// The same for families of graphs that are no pairs: into how many classes each test sorts them (classify).
Ladder climb_by_classes(Span<const LadderFamily> families, Span<const WlTest> tests,
                        const ClassifyOptions& options = {});

/// Seconds of a row's cells together.
double seconds_of(const std::vector<LadderCell>& row);
/// Which test tells all pairs (all graphs) of all families apart, by the clock of this run the fastest of those
/// that do.
std::optional<std::size_t> cheapest_that_suffices(const Ladder& ladder);

/// The same rows by networks in place of the tests themselves; tests without one (has_network of random_net.h)
/// have no cells, and without `with_marks` those with marks neither.
LadderRows climb_by_networks(Span<const LadderFamily> families, Span<const WlTest> tests,
                             const Separate& separate, const ClassifyOptions& options = {},
                             bool with_marks = true);

}  // namespace twofold::wl
