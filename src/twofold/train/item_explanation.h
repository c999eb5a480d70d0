#pragma once

#include "twofold/base/progress.h"
#include "twofold/train/explanation.h"
#include "twofold/train/item_field.h"

namespace twofold::train {

/// Why a network says what it says about one node or pair.
struct ItemExplanation {
  /// Rows are of `field.graph`.
  Explanation explanation;
  /// All that the answer can depend on.
  Neighborhood field;
  /// What is asked about, as `field.graph` calls it.
  Item asked;
};

/// By gradient or removal, whichever is given; null: removal, unless there is so much to take away that it
/// would take long. Removal leaves out the nodes that are asked about: without them there is no answer.
///
/// Needs a network about nodes or links and nodes of the graph. Throws as explain() and explain_by_removal().
ItemExplanation explain_item(const Network& network, const Graph& graph, Item item, const ExplainBy* by,
                             std::size_t target, const EncodeLimits& limits, const Progress& progress);

}  // namespace twofold::train
