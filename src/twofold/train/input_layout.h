#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/model/model_options.h"
#include "twofold/pairs/feature_layout.h"
#include "twofold/train/neighbor_weights.h"

namespace twofold::train {

/// Which columns of features a model reads; part of the model file. For models on nodes the layout has no
/// indicators and no columns of edges.
struct InputLayout {
  pairs::FeatureLayout features;
  /// Node labels are degrees: a node has the label that is its degree, or the largest below it that there is a
  /// column for (else the smallest).
  bool degrees = false;
  /// Node attributes that the graphs may have are not looked at.
  bool ignores_node_attributes = false;
  /// Graphs are read once per node with that node marked (graph/marked_union.h). The node labels of `features`
  /// then are 0, 1, …, two for each label (or degree) of the data, which are `own_labels`; none: 0 and 1.
  bool is_marked = false;
  std::vector<Label> own_labels = {};
  /// Columns behind all others, for a simulated network (train/simulate.h); it looks at no edge labels or
  /// attributes.
  NeighborWeights weights = NeighborWeights::kNone;

  /// Those that nodes of the data may have.
  const std::vector<Label>& known_labels() const { return is_marked ? own_labels : features.node_labels; }
  /// At least 1: nodes without labels and attributes have one constant column.
  std::size_t columns() const {
    return features.columns() == 0 ? 1 : features.columns() + num_columns(weights);
  }
};

/// The layout that a model reads of these graphs. Throws InputError if some have labels or attributes that
/// others lack, UsageError for degree features of graphs with node labels, and for pairs without any feature.
InputLayout input_layout(Span<const Graph> graphs, const model::ModelOptions& options);

/// Throws InputError starting with `source` and telling all differences, unless the graphs have just the labels
/// and attributes that the layout has columns for.
void require_fitting(Span<const Graph> graphs, const InputLayout& layout, model::ModelKind model,
                     const std::string& source);

/// Throws InputError, naming graph `index` (counted from 0), if an attribute that the layout has a column for
/// is not finite or too large for a float.
void require_floats(const Graph& g, const InputLayout& layout, std::size_t index);

/// The graph as the layout sees it: with its degrees as labels, without data that is not looked at.
Graph seen_graph(const Graph& g, const InputLayout& layout);

}  // namespace twofold::train
