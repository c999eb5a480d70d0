#pragma once

#include <cstdint>
#include <string>

#include "twofold/graph/power_radius.h"

namespace twofold::wl {

/// What a test colors in a graph, and how a color is refined. Definitions: docs/wl.md.
enum class Kind {
  kVertices,  // 1-wl: nodes; the multiset of the neighbors' colors
  kTuples,    // k-fwl: all ordered k-tuples of nodes; over all w the k colors with w put in each place
  kRows,      // 2-wl: unordered pairs {i,j} at distance <= radius, loops included; over all common l the
              //       unordered pair of the colors of {i,l} and {l,j}
  kEdges,     // 2-gnn: loops and edges; the multiset of the colors in the edge neighborhood graph
};

/// A WL test. Every variant is a value; which fields matter depends on `kind`.
struct WlTest {
  Kind kind = Kind::kVertices;
  /// kTuples only: the length of a tuple, 2 to 100.
  int k = 2;
  /// kRows only.
  graph::PowerRadius radius = 1;
  /// The test is run once for every ordered tuple of that many distinct nodes, the m-th of which carries the
  /// mark m; what it gives is the multiset of the results.
  int marks = 0;
  /// Whether edge labels enter the colors. The WL subtree kernel leaves them out.
  bool edge_labels = true;
};
bool operator==(const WlTest& a, const WlTest& b);

/// `1-wl`, `2-wl`, `2-gnn`, `2-fwl`, `3-fwl`, … Radius 1 and no marks. Throws UsageError for another word.
WlTest parse_test(const std::string& word);

/// The word parse_test takes.
std::string test_name(const WlTest& test);
/// `3`, `all`, or nothing for a test without a radius.
std::string radius_name(const WlTest& test);
/// All of it, for messages: `2-wl, radius all, 1 mark`.
std::string describe(const WlTest& test);

}  // namespace twofold::wl
