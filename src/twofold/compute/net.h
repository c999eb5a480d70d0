#pragma once

#include <cstddef>
#include <memory>

#include "twofold/base/span.h"
#include "twofold/compute/graph_loss.h"
#include "twofold/compute/net_batch.h"
#include "twofold/compute/net_shape.h"
#include "twofold/compute/shards.h"

namespace twofold::compute {

/// Runs networks of one shape, T float or double. Not for several threads at once, each needs one of its own.
///
/// Each part of a batch goes forward through all layers and back again while it is in the cache, all in one
/// parallel region, and the parts' gradients are added in their order. Where layers are normalized over the
/// batch, all parts go from one normalization to the next, and statistics are merged in their order. The number
/// of threads changes no bit.
///
/// All throw Error naming the layer if a value becomes infinite or no number.
template <typename T>
class Net {
 public:
  /// Throws CheckError for a shape that makes no sense.
  explicit Net(const NetShape& shape);
  ~Net();
  Net(Net&&) noexcept;

  const NetShape& shape() const { return shape_; }
  /// Whether in training a batch is normalized over all of its graphs, so that its shards need each other.
  bool normalizes_batches() const;

  struct Result {
    // num_outputs, and vector_width() values per graph: what the heads read, readout by readout; null if not
    // wanted.
    T* outputs = nullptr;
    T* vectors = nullptr;
    // Of a batch of a single part: the rows of the last layer, and the scores that the last readout weighted
    // them with, if it did (one, or one per channel).
    T* rows = nullptr;
    T* scores = nullptr;
  };

  /// In evaluation: normalized by the running statistics, without dropout.
  void outputs(const NetBatch<T>& batch, const T* parameters, const Result& result, int threads = 1);

  /// The loss, and its gradient in `gradient` (num_parameters values, overwritten), in training: with dropout,
  /// normalized by the batch, whose mean and variance move the running ones among the parameters.
  double loss_and_gradient(const NetBatch<T>& batch, const Targets<T>& targets, T* parameters, T* gradient,
                           const Result& result = {}, int threads = 1);

  /// One shard of a batch: its graphs, what they are to give, and where the gradient goes.
  struct Shard {
    const NetBatch<T>* batch = nullptr;
    Targets<T> targets;
    T* gradient = nullptr;  // as above
    Result result;
    double loss = 0;  // set
  };
  /// The same for the own shards of a batch, one after the other. Layers are normalized by all of the batch,
  /// wherever its shards are. Their losses and gradients are to be added up by sum_shards.
  void losses_and_gradients(const Shards& shards, Span<Shard> own, T* parameters, int threads = 1);

  /// In evaluation, from the gradient of the outputs: that of the parameters (null: not wanted), and that of
  /// every row's initial features (stack.in values per row, overwritten; rows of graphs in one part only; null:
  /// not wanted).
  void gradient(const NetBatch<T>& batch, const T* parameters, const T* doutputs, T* gradient, T* input,
                int threads = 1);

 private:
  struct Workspace;
  struct Task;
  struct PartOf;
  void run(const Task& task, Span<Shard> own, int threads);
  void merge_norms(const Task& task, std::size_t norm, bool is_backward, std::size_t num_shards);

  NetShape shape_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace twofold::compute
