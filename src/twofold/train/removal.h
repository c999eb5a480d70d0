#pragma once

#include <cstddef>
#include <optional>

#include "twofold/base/progress.h"
#include "twofold/train/explanation.h"

namespace twofold::train {

/// What is explained.
struct RemovalAsked {
  /// Of several real values the one of this number.
  std::size_t target = 0;
  /// The node or pair, for a network about these.
  std::optional<Item> item = {};
};

/// What the network says about a graph, explained by taking things away: the contribution of a node or an edge
/// is the answer minus the answer for the graph without it. The answer is the log-odds of the predicted class
/// (for two classes the logit), or the value in terms of the targets as given. Works for every network, and
/// sees what a slope does not: what an answer rests on.
///
/// Of a node or pair that is asked about, the answer is about it, and it cannot be taken away.
///
/// Rows: nodes, then edges by their numbers; self-loops and indirect pairs have none. Costs a forward pass for
/// every node and edge. Throws Error for outputs that are not finite, or where memory does not suffice.
Explanation explain_by_removal(const Network& network, const Graph& graph, const RemovalAsked& asked = {},
                               const EncodeLimits& limits = {}, const Progress& progress = {});

}  // namespace twofold::train
