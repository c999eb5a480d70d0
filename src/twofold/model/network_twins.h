#pragma once

#include <string>
#include <vector>

#include "twofold/model/config.h"
#include "twofold/model/twins.h"

namespace twofold::model {

/// What Learner::twins is for a network: the graphs that none of the grid's configurations tells apart, by the
/// test that bounds the model, given what the model sees (seen_data.h): 2-wl at each radius of the grid for
/// 2-wl-gnn, 2-gnn for 2-gnn, 1-wl for gin, gcn and sage, the node features for mlp. Needs one of these models.
TwinClasses network_twins(const std::string& model, const std::vector<Config>& grid, Span<const Graph> graphs,
                          const wl::ClassifyOptions& options = {});

}  // namespace twofold::model
