#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "twofold/graph/item_targets.h"
#include "twofold/graph/neighborhood.h"
#include "twofold/model/model_options.h"

namespace twofold::train {

/// How many edges away from a node, or from either end of a pair, the graph has to be known for what a trained
/// network says about it: all else changes nothing. Nothing: the whole graph (radius all).
///
/// A layer of gin, sage and 2-gnn looks one edge further; gcn divides by degrees, so it needs one more. Of the
/// 2-WL-GNN every second layer looks a radius further, and half a radius is needed to know how far apart nodes
/// at the rim are.
std::optional<std::size_t> steps_seen(const model::ModelOptions& model);

/// The nodes of that part, ascending.
std::vector<Node> nodes_needed(const Graph& graph, Span<const Item> items, const model::ModelOptions& model);

/// That part of the graph: the network says of the item's nodes in it what it says of them in the whole, up to
/// rounding (batch norm by running statistics, as in evaluation).
Neighborhood field_of(const Graph& graph, Span<const Item> items, const model::ModelOptions& model);

}  // namespace twofold::train
