#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/compute/graph_loss.h"
#include "twofold/compute/pair_stack.h"
#include "twofold/compute/pooling.h"

namespace twofold::compute {

/// A whole 2-WL-GNN: convolutions, pooling, head, and where all parameters lie in one flat buffer.
struct PairNetShape {
  PairStackShape stack;
  Pooling pooling = Pooling::kMean;
  // Pool the rows of single nodes only.
  bool loops_only = false;
  // The weighted mean's scores: a second stack (no layers: none) of as many channels at its end, …
  PairStackShape attention;
  // … or a linear map of a row's last features: position of one value a channel.
  std::size_t score_weight = PairStackShape::kNone;

  // Without a hidden layer the pooled values are the outputs: as they are, or, where they are the chance of
  // class 1, its logit (chances below 1e-7 and above 1 - 1e-7 count as those). Positions of w x hidden, hidden,
  // hidden x outputs, outputs values.
  std::size_t hidden = 0;
  bool pools_chances = false;
  Activation hidden_activation = Activation::kLogistic;
  std::size_t hidden_weight = 0;
  std::size_t hidden_bias = 0;
  std::size_t output_weight = 0;
  std::size_t output_bias = 0;
  std::size_t num_outputs = 1;

  Loss loss = Loss::kBinary;
  std::size_t num_parameters = 0;
};

/// Graphs as a network takes them. Nothing is owned.
template <typename T>
struct PairNetBatch {
  // The features that go with labels.
  SparseRows<T> table;
  // Columns that nodes and edges have besides: where they begin, and how many.
  std::size_t node_attribute_column = 0;
  std::size_t node_attributes = 0;
  std::size_t edge_attribute_column = 0;
  std::size_t edge_attributes = 0;

  // Either row by row, …
  struct Graph {
    const pairs::PairSet* set = nullptr;
    // One a row.
    const std::uint32_t* labels = nullptr;
    // A row of node_attributes values a node.
    const T* node_attributes = nullptr;
    // The rows that are edges, and a row of edge_attributes values for each.
    const std::uint32_t* edge_rows = nullptr;
    std::size_t num_edge_rows = 0;
    const T* edge_attributes = nullptr;
  };
  std::vector<Graph> graphs;

  // … or on levels: one a layer, without need of reverse lists; labels of each one's sources (null: 0, 1, 2,
  // …); and the rows of the last that each graph has, loops only if the shape says so.
  std::vector<const pairs::Level*> levels;
  std::vector<const std::uint32_t*> level_labels;
  std::vector<PoolSegment> segments;

  std::size_t num_graphs() const { return levels.empty() ? graphs.size() : segments.size(); }
};

/// Runs networks of one shape. Not for several threads at once, each needs one of its own.
///
/// A batch is cut into chunks of graphs by their sizes alone; each goes forward through all layers and back
/// again while it is in the cache, all in one parallel region, and the chunks' gradients are added in their
/// order. Levels are one chunk. The number of threads changes no bit.
template <typename T>
class PairNet {
 public:
  explicit PairNet(const PairNetShape& shape);
  ~PairNet();
  PairNet(PairNet&&) noexcept;

  const PairNetShape& shape() const { return shape_; }

  struct Result {
    // A row of num_outputs values a graph; null if not wanted.
    T* outputs = nullptr;
    // What pooling gave: a row of as many values as the last convolution's channels a graph; null if not
    // wanted.
    T* vectors = nullptr;
  };

  /// The outputs of every graph. Throws Error naming the layer if a value becomes infinite or no number.
  void outputs(const PairNetBatch<T>& batch, const T* parameters, const Result& result, int threads = 1);

  /// The loss, and its gradient in `gradient` (num_parameters values, overwritten). Errors as outputs.
  double loss_and_gradient(const PairNetBatch<T>& batch, const Targets<T>& targets, const T* parameters,
                           T* gradient, const Result& result = {}, int threads = 1);

 private:
  struct Workspace;
  double run(const PairNetBatch<T>& batch, const Targets<T>* targets, const T* parameters, T* gradient,
             const Result& result, int threads);

  PairNetShape shape_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace twofold::compute
