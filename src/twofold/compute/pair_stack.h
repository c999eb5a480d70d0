#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/compute/arena.h"
#include "twofold/compute/label_rows.h"
#include "twofold/compute/pair_sum.h"

namespace twofold::compute {

/// 2-WL convolutions one after the other (paper Def. 4.3), and where their parameters lie in a flat buffer.
struct PairStackShape {
  // Columns of the initial features.
  std::size_t in = 0;
  bool jumping_knowledge = false;
  struct Layer {
    std::size_t width = 0;
    Activation activation = Activation::kLogistic;
    Activation inner_activation = Activation::kLogistic;
    // Positions in the parameters: W_L | W_F | W_Gamma, a row an input column (with jumping knowledge those of
    // the initial features come last), and the biases.
    std::size_t weight = 0;
    std::size_t bias = kNone;
    std::size_t inner_bias = kNone;
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<Layer> layers;

  /// Whether layer k reads the initial features.
  bool sees_input(std::size_t k) const { return k == 0 || jumping_knowledge; }
  /// The first row of layer k's weight that belongs to them.
  std::size_t input_row(std::size_t k) const { return k == 0 ? 0 : layers[k - 1].width; }
};

/// What rows begin with. Row f of the level that layer k reads has the features table[label], and where it has
/// attributes, those besides.
template <typename T>
struct PairStackInput {
  SparseRows<T> table;
  // One a layer: a label for each of its sources. Null: source f has label f.
  std::vector<const std::uint32_t*> labels;
  // Dense columns that some rows have: rows `first`… or those listed, `count` rows of `columns` values, in the
  // columns from `column` on. Not for levels of colors, whose rows have all they have in the table.
  struct Attributes {
    const std::uint32_t* rows = nullptr;
    std::size_t first = 0;
    std::size_t count = 0;
    const T* values = nullptr;
    std::size_t column = 0;
    std::size_t columns = 0;
  };
  std::vector<Attributes> attributes;
};

/// What all chunks of a batch share: products of the table with the weights, and the weights turned around.
template <typename T>
struct PairStackShared {
  // One a layer that sees the input (empty for others): table times its rows of the weight, 3 width columns.
  std::vector<std::vector<T>> table_products;
  // One a layer but the first: 3 width rows, as many columns as the layer before has.
  std::vector<std::vector<T>> transposed;

  /// The second part is needed by backward alone.
  void prepare(const PairStackShape& shape, const SparseRows<T>& table, const T* parameters, bool for_backward);
};

/// A gradient under way: parameters as in the flat buffer, and for each layer that sees the input the sums by
/// label, which become the gradient of its weight when all chunks are added up.
template <typename T>
struct PairStackGradient {
  T* parameters = nullptr;
  std::vector<T*> labels;
};
/// Adds the sums by label to the parameters' gradient.
template <typename T>
void add_label_gradients(const PairStackShape& shape, const SparseRows<T>& table,
                         const PairStackGradient<T>& gradient);

/// One pass over one chunk of a batch: some graphs with all their rows, or the levels of a batch.
///
/// plans[k] is how the rows of layer k come from those of the layer before; a chunk of graphs has one for all.
/// Buffers come from the arena, which must not be reset before backward is done. `threads` is for use within
/// the chunk and changes no bit.
template <typename T>
class PairStackPass {
 public:
  PairStackPass(const PairStackShape& shape, const std::vector<const PairPlan*>& plans,
                const PairStackInput<T>& input, const PairStackShared<T>& shared, const T* parameters,
                Arena& arena, int threads = 1);

  /// Returns false if a value is not finite; failed_layer() says where.
  bool forward();
  std::size_t failed_layer() const { return failed_; }

  std::size_t num_rows() const { return plans_.back()->num_rows; }
  std::size_t width() const { return shape_.layers.back().width; }
  /// num_rows() rows of width() values.
  const T* output() const { return kept_.back().y; }

  /// Adds to the gradient. `doutput` is laid out as the output.
  void backward(const T* doutput, const PairStackGradient<T>& gradient);

 private:
  // What backward needs of a layer.
  struct Kept {
    T* products;
    T* prepared;
    T* sums;
    T* y;
    std::uint8_t* is_exact;
  };
  PairSumArgs<T> sum_args(std::size_t k) const;
  void make_products(std::size_t k);
  void add_weight_gradients(std::size_t k, const T* dproducts, const PairStackGradient<T>& gradient);

  const PairStackShape& shape_;
  const std::vector<const PairPlan*>& plans_;
  const PairStackInput<T>& input_;
  const PairStackShared<T>& shared_;
  const T* parameters_;
  Arena& arena_;
  int threads_;
  std::vector<Kept> kept_;
  std::size_t failed_ = 0;
};

}  // namespace twofold::compute
