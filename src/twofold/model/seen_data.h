#pragma once

#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/model/config.h"

namespace twofold::model {

/// What nodes and edges carry: in a dataset, or as far as a learner sees it.
struct GraphData {
  bool node_labels = true;
  bool node_attributes = true;
  bool edge_labels = true;
  bool edge_attributes = true;

  bool none() const { return !node_labels && !node_attributes && !edge_labels && !edge_attributes; }
};

/// What any of the graphs carries.
GraphData data_of(Span<const Graph> graphs);

/// What a model sees in at least one configuration of the grid. Kernels see node labels, and edge labels with
/// "edge-labels"; gin, gcn, sage and mlp node labels and attributes; 2-gnn and 2-wl-gnn everything. No network
/// sees node attributes with "node-attributes": false. Needs a known model.
GraphData seen_data(const std::string& model, const std::vector<Config>& grid);

GraphData both(const GraphData& a, const GraphData& b);
/// What is in `found` and not in `seen`.
GraphData ignored_data(const GraphData& found, const GraphData& seen);

/// `node labels`, `node attributes`, `edge labels`, `edge attributes`: those that are there, in this order.
std::vector<std::string> data_names(const GraphData& data);

/// ` (node labels; not edge labels)`, to stand behind the name of a test: which of the dataset's data it was
/// given. Empty for graphs without any.
std::string describe_seen(const GraphData& found, const GraphData& seen);

/// `wl-st does not see the node attributes of Letter-med`; empty if the model sees all there is.
std::string describe_ignored(const std::string& model, const std::string& dataset, const GraphData& ignored);

}  // namespace twofold::model
