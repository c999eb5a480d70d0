#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/compute/graph_loss.h"
#include "twofold/compute/label_rows.h"
#include "twofold/compute/pooling.h"

namespace twofold::compute {

/// A whole GIN (Xu et al. 2019): layers 0…T, and where all parameters lie in one flat buffer. With X the rows
/// of the layer before, each layer takes
///   S = initial features (layer 0), or neighbor sum of X + (1 + eps) own row of X
///   X' = relu(norm(relu(norm(S W_0 + b_0)) W_1 + b_1))
/// and adds (pooled X') R + r to the outputs.
struct GinNetShape {
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  // Positions of in x width and width values; then, unless kNone, of width values each for batch normalization,
  // of which mean and variance are the running ones, moved on by training.
  struct Map {
    std::size_t weight = 0;
    std::size_t bias = 0;
    std::size_t scale = kNone;
    std::size_t shift = kNone;
    std::size_t mean = kNone;
    std::size_t variance = kNone;

    bool has_norm() const { return scale != kNone; }
  };
  struct Layer {
    Map maps[2];
    // Of one value; kNone: 0.
    std::size_t eps = kNone;
    // Of width x num_outputs and num_outputs values.
    std::size_t readout_weight = 0;
    std::size_t readout_bias = 0;
  };
  std::vector<Layer> layers;
  std::size_t width = 0;
  // Not kWeightedMean.
  Pooling pooling = Pooling::kSum;
  double norm_epsilon = 1e-5;
  double norm_momentum = 0.1;
  // In training, this part of every layer's outputs is left out, the others are scaled up to make up for it.
  double dropout = 0;
  std::size_t num_outputs = 1;

  Loss loss = Loss::kBinary;
  std::size_t num_parameters = 0;
};

/// Graphs as a network takes them: the different rows of each layer, how often they are there, and how they
/// come from the rows before. Nothing is owned.
template <typename T>
struct GinNetBatch {
  struct Level {
    // Level 0: the initial features. Others: sums over rows of the level before, each row's own among them.
    SparseRows<T> rows;
    // One a row: its own row on the level before. For eps; not of level 0.
    const std::uint32_t* own = nullptr;
    // One a row: how many equal rows of the batch it stands for, at least 1.
    const T* counts = nullptr;
    // One a graph.
    const PoolSegment* segments = nullptr;
  };
  // One a layer.
  std::vector<Level> levels;
  std::size_t num_graphs = 0;
  // From which dropout follows: layer t draws from Random(seed).stream(t), graph by graph.
  std::uint64_t seed = 0;
};

/// Runs networks of one shape, T float or double. Not for several threads at once, each needs one of its own.
///
/// One thread: batches on colors are small, and what they cost is memory touched and calls made. A product
/// with W_0 is taken before the sum over neighbors, because a level has fewer rows than the next.
template <typename T>
class GinNet {
 public:
  explicit GinNet(const GinNetShape& shape);
  ~GinNet();
  GinNet(GinNet&&) noexcept;

  const GinNetShape& shape() const { return shape_; }
  std::size_t vector_width() const { return shape_.layers.size() * shape_.width; }

  struct Result {
    // A row of num_outputs values a graph; null if not wanted.
    T* outputs = nullptr;
    // The pooled rows of all layers side by side: a row of vector_width() values a graph; null if not wanted.
    T* vectors = nullptr;
  };

  /// In evaluation: normalized by the running statistics, without dropout. Throws Error naming the layer if a
  /// value becomes infinite or no number.
  void outputs(const GinNetBatch<T>& batch, const T* parameters, const Result& result);

  /// The loss, and its gradient in `gradient` (num_parameters values, overwritten), in training: normalized by
  /// the batch, whose mean and variance move the running ones among the parameters. A bias that normalization
  /// takes out again gets 0. Errors as outputs.
  double loss_and_gradient(const GinNetBatch<T>& batch, const Targets<T>& targets, T* parameters, T* gradient,
                           const Result& result = {});

 private:
  struct Workspace;
  GinNetShape shape_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace twofold::compute
