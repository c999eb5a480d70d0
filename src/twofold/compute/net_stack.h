#pragma once

#include <cstddef>
#include <vector>

#include "twofold/compute/net_batch.h"
#include "twofold/compute/net_end.h"
#include "twofold/compute/net_shape.h"
#include "twofold/compute/pair_combine.h"
#include "twofold/compute/pair_sum.h"

namespace twofold::compute {

/// What all parts of a batch share: products of the table with the weights, and the weights turned around.
template <typename T>
struct StackShared {
  // Per layer that sees the input (empty for others): table times its rows of the weight.
  std::vector<std::vector<T>> table_products;
  // Per layer but the first: a row per column of the layer's products, as many columns as the layer before has
  // channels; and per layer that has one, its second weight.
  std::vector<std::vector<T>> transposed;
  std::vector<std::vector<T>> second_transposed;

  /// The last two are needed by backward alone.
  void prepare(const StackShape& shape, const SparseRows<T>& table, const T* parameters, bool goes_back);
};

/// A gradient under way: parameters as in the flat buffer, and for each layer that sees the input the sums by
/// label, which become the gradient of its weight when all parts are added up.
template <typename T>
struct StackGradient {
  T* parameters = nullptr;
  std::vector<T*> labels;
  // By the initial features of each row: rows of StackShape::in values. Null if not wanted.
  T* input = nullptr;
  // Of a part that goes on from a front: by the products of the front's rows, NetPart::num_front_rows rows.
  T* front = nullptr;
};
/// Values of the sums by label.
std::size_t num_label_sums(const StackShape& shape, std::size_t num_labels);
/// Adds the sums by label to the parameters' gradient.
template <typename T>
void add_label_gradients(const StackShape& shape, const SparseRows<T>& table, const StackGradient<T>& gradient);

/// Which layers a pass goes through: all; those of a front, which ends with the products of the layer behind;
/// or those behind a front, which begin with its products.
struct StackRange {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// One pass of a stack over one part of a batch. Buffers come from the context's arena, which must not be reset
/// before backward is done.
template <typename T>
class StackPass {
 public:
  /// `front`: the products that a range which does not begin with layer 0 goes on from, a row per row of the
  /// front.
  StackPass(const StackShape& shape, const NetPart<T>& part, const SparseRows<T>& table,
            const StackShared<T>& shared, const PassContext<T>& context, StackRange range,
            const T* front = nullptr);

  /// Goes on until all is computed (null), or until the statistics of a batch's normalization are needed: then
  /// those of all parts are merged, and it is called again. Throws Error naming the layer if a value becomes
  /// infinite or no number.
  EndPass<T>* forward();

  std::size_t num_rows(std::size_t k) const { return part_.steps[k].num_rows; }
  /// num_rows(k) rows of layers[k].out() values.
  const T* rows(std::size_t k) const { return kept_[k].y; }
  /// The gradient of these, for readouts to add to before backward; zeros at first.
  T* rows_gradient(std::size_t k);

  /// Of a front: the products of the layer behind it, and their gradient, to be added to before backward; zeros
  /// at first. A row of its columns() values per source.
  const T* products_behind() const { return kept_[range_.end].products; }
  T* products_gradient();

  /// As forward. Adds to the gradient.
  EndPass<T>* backward(const StackGradient<T>& gradient);

 private:
  // What backward needs of a layer.
  struct Kept {
    // The rows before, behind dropout; and what they were multiplied by. Null without dropout.
    T* dropped = nullptr;
    T* mask = nullptr;
    T* products = nullptr;
    // Of the pair sum.
    T* prepared = nullptr;
    std::uint8_t* is_exact = nullptr;
    // As combined, and the gates they were multiplied with; rows of fused layers are padded.
    T* sums = nullptr;
    T* gates = nullptr;
    // Behind the first end, and in all.
    T* a = nullptr;
    T* y = nullptr;
    T* dy = nullptr;
    EndPass<T> sum_end;
    EndPass<T> end;
    EndPass<T> second_end;
  };

  std::size_t num_sources(std::size_t k) const { return part_.steps[k].num_sources; }
  // to += factor * from, which share nothing. Rounded twice on every SIMD level: this file is compiled for all.
  static void add_times(std::size_t width, T factor, const T* __restrict__ from, T* __restrict__ to) {
    for (std::size_t c = 0; c < width; ++c) to[c] += factor * from[c];
  }
  std::size_t own(std::size_t k, std::size_t row) const {
    return part_.steps[k].own == nullptr ? row : part_.steps[k].own[row];
  }
  bool is_fused(const LayerShape& layer) const;
  bool is_table(std::size_t k) const;
  // Whether the range is a front, or layer k goes on from one.
  bool is_front() const { return range_.end < shape_.layers.size(); }
  bool follows_front(std::size_t k) const { return k > 0 && k == range_.begin; }
  void check(bool is_finite, std::size_t k) const;
  PairSumArgs<T> pair_args(std::size_t k) const;
  PairCombineArgs<T> combine_args(std::size_t k) const;
  void drop_rows(std::size_t k);
  const T* rows_before(std::size_t k) const {
    return kept_[k].dropped != nullptr ? kept_[k].dropped : kept_[k - 1].y;
  }
  void make_products(std::size_t k);
  T* sum_rows(std::size_t k);
  T* combine(std::size_t k, T* sums);

  void take_buffers();
  void fused_backward(std::size_t k, T* dy, T* gradient);
  T* combine_backward(std::size_t k, T* da);
  void sum_backward(std::size_t k, T* dsums, T* gradient);
  void pair_sum_backward(std::size_t k, T* dsums, T* gradient);
  void finish_layer(std::size_t k, const StackGradient<T>& gradient);
  void add_weight_gradients(std::size_t k, const StackGradient<T>& gradient);
  void add_input_gradient(std::size_t k, T* input) const;

  const StackShape& shape_;
  const NetPart<T>& part_;
  const SparseRows<T>& table_;
  const StackShared<T>& shared_;
  PassContext<T> context_;
  StackRange range_;
  const T* front_ = nullptr;
  T* dbehind_ = nullptr;
  std::vector<Kept> kept_;
  // Where forward or backward goes on.
  std::size_t layer_ = 0;
  int stage_ = 0;
  bool goes_back_ = false;
  // Gradients of the products (which may be where another one was found), of sums, of a and of the rows before:
  // the same buffers for every layer, so that they stay in the cache.
  T* dproducts_ = nullptr;
  T* dproducts_room_ = nullptr;
  T* dsums_room_ = nullptr;
  T* da_room_ = nullptr;
  T* dx_room_ = nullptr;
  T* dbias_room_ = nullptr;
  T* da_ = nullptr;
};

}  // namespace twofold::compute
