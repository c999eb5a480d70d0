#pragma once

#include <string>
#include <vector>

#include "twofold/graph/item_targets.h"
#include "twofold/model/twins.h"

namespace twofold::model {

/// Which nodes or pairs get equal answers from a network with any configuration of the grid, as network_twins
/// tells it of graphs: nodes of one stable color of the test that bounds the model, all graphs refined
/// together; pairs whose ends have the same two colors and, for 2-wl-gnn and 2-gnn, whose rows have the same
/// color (none, where a pair has no row). mlp sees a node's features alone. Exact.
TwinClasses item_twins(const std::string& model, const std::vector<Config>& grid, Span<const Graph> graphs,
                       Span<const Item> items, const wl::ClassifyOptions& options = {});

/// The same for a test in place of a model.
TwinClasses item_twins(const wl::WlTest& test, Span<const Graph> graphs, Span<const Item> items,
                       const wl::ClassifyOptions& options = {});

}  // namespace twofold::model
