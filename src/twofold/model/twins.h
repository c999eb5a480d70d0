#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/model/config.h"
#include "twofold/model/seen_data.h"
#include "twofold/model/targets.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/wl_test.h"

namespace twofold::model {

/// Which graphs look the same to a learner. Twins get equal predictions, whatever was learnt.
struct TwinClasses {
  // What they were compared by: `1-wl`, `2-wl, radius 2`, `node features`, `wl-sp, 3 iterations`; from
  // Learner::twins with the data that it was given: `1-wl (node labels; not edge labels)`.
  std::string seen_by;
  // One per graph, numbered by their first graph.
  std::vector<std::uint32_t> class_of;
};

/// As twins.json has it.
Config to_json(const TwinClasses& twins);
/// The reverse. Throws InputError naming `source` for what are no twins of so many graphs.
TwinClasses twins_from_json(const Config& json, std::size_t num_graphs, const std::string& source);

/// Twins of a learner that sees a graph as the test does, and of its nodes and edges what `seen` says. Exact,
/// and costs what wl::classify costs.
TwinClasses wl_twins(Span<const Graph> graphs, const wl::WlTest& test, const GraphData& seen = {},
                     const wl::ClassifyOptions& options = {});

/// Twins of a learner that sees the multiset of node labels (and attributes) and no edge.
TwinClasses node_feature_twins(Span<const Graph> graphs, const GraphData& seen = {});

/// The graphs with what is seen turned into labels: nodes (edges) have one label iff what is seen of them is
/// the same, attributes bit by bit. What is not seen is gone. Cost: a sort of all nodes.
std::vector<Graph> data_as_labels(Span<const Graph> graphs, const GraphData& seen);

/// What twins mean for a dataset with classes.
struct Duplicates {
  std::size_t num_graphs = 0;
  std::size_t num_classes = 0;  // of twins
  std::size_t sharing = 0;      // graphs that are not alone in their class
  std::size_t mixed = 0;        // of those, graphs in a class whose graphs carry different targets
  // Percent of the graphs that a learner can get right at most: in each class those with its commonest target.
  double ceiling = 100;
};
Duplicates count_duplicates(const TwinClasses& twins, const LabeledGraphs& graphs);

/// The same for learning: what training graphs tell about the graphs tested.
struct TestTwins {
  std::size_t num_graphs = 0;  // tested
  std::size_t twins = 0;       // of which a training graph is a twin
  std::size_t mislead = 0;     // of those, with a training twin that carries another target
  double ceiling = 100;        // percent of the graphs tested that can be right at most
};
TestTwins count_test_twins(const TwinClasses& twins, const LabeledGraphs& train, const LabeledGraphs& test);

}  // namespace twofold::model
