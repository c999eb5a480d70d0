#pragma once

#include <cstddef>
#include <vector>

#include "twofold/compute/net_end.h"
#include "twofold/compute/net_shape.h"

namespace twofold::compute {

/// What all parts of a batch share of a readout.
template <typename T>
struct ReadoutShared {
  // The head's weights turned around, for backward alone.
  std::vector<T> hidden_transposed;
  std::vector<T> output_transposed;
  // What dropout leaves of each graph of the batch: 0 or 1 / (1 - dropout) per output or value of its vector.
  // Empty: everything.
  std::vector<T> mask;

  void prepare(const NetShape& net, std::size_t readout, const T* parameters, bool goes_back, bool trains,
               std::size_t num_graphs, std::uint64_t seed);
};

/// One readout of one part of a batch.
template <typename T>
class ReadoutPass {
 public:
  ReadoutPass(const NetShape& net, const ReadoutShape& shape, const ReadoutShared<T>& shared,
              const PassContext<T>& context)
      : net_(net), shape_(shape), shared_(shared), context_(context) {}

  struct Rows {
    std::size_t count = 0;
    const T* values = nullptr;
    // Of the network's attention, as many columns as values; null if it has none.
    const T* scores = nullptr;
    // num_kinds per graph.
    const PoolSegment* segments = nullptr;
    std::size_t first_graph = 0;
    std::size_t num_graphs = 0;
  };
  /// Not null: what is pooled is normalized over the batch; go on with finish() once the statistics are those
  /// of all parts (EndPass).
  EndPass<T>* forward(const Rows& rows);
  void finish();
  /// What the head reads, and what it gives: vector_width and num_outputs values per graph.
  const T* vectors() const { return vectors_; }
  const T* outputs() const { return outputs_; }
  /// The scores that rows were weighted with, if they were, and how many per row.
  const T* scores() const { return scores_; }
  std::size_t score_columns() const { return score_columns_; }

  /// Where backward adds to: the gradients of rows, of the attention's scores, and of the parameters.
  struct Gradients {
    T* rows = nullptr;
    T* scores = nullptr;
    T* parameters = nullptr;
  };
  /// As forward; go on with finish_backward().
  EndPass<T>* backward(const T* doutputs, const Gradients& to);
  void finish_backward(const Gradients& to);

 private:
  std::size_t width() const { return net_.stack.layers[shape_.layer].out(); }
  // Values per graph of one pooling.
  std::size_t pooled() const { return width() * shape_.num_kinds; }
  std::size_t vector_width() const { return net_.vector_width(shape_); }
  bool is_normalized() const { return shape_.pooled_end.norm != Norm::kNone; }
  void head_forward();
  void pool_backward(const T* dvectors, const Gradients& to);
  void take_logits();
  const T* take_logits_backward(const T* doutputs);
  const T* head_backward(const T* doutputs, T* gradient);
  const T* mask() const;

  const NetShape& net_;
  const ReadoutShape& shape_;
  const ReadoutShared<T>& shared_;
  PassContext<T> context_;
  Rows rows_;
  std::vector<PoolArgs<T>> pools_;
  const T* scores_ = nullptr;
  std::size_t score_columns_ = 0;
  T* vectors_ = nullptr;
  EndPass<T> pooled_end_;
  // The vectors as the head reads them, behind dropout.
  T* dropped_ = nullptr;
  // Behind the hidden activation, and what its slopes follow from.
  T* hidden_ = nullptr;
  T* hidden_input_ = nullptr;
  T* outputs_ = nullptr;
};

}  // namespace twofold::compute
