#include "twofold/compute/net_stack.h"

#include <fmt/format.h>

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/compute/dense_layer.h"
#include "twofold/compute/dropout.h"

namespace twofold::compute {

template <typename T>
void StackShared<T>::prepare(const StackShape& shape, const SparseRows<T>& table, const T* parameters,
                             bool goes_back) {
  const std::size_t count = shape.layers.size();
  table_products.resize(count);
  transposed.resize(count);
  second_transposed.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const LayerShape& layer = shape.layers[k];
    const std::size_t columns = layer.columns();
    if (layer.weight == kNowhere) {
      table_products[k].assign(table.num_rows * columns, T{0});
      for (std::size_t row = 0; row < table.num_rows; ++row)
        for (std::size_t at = table.offsets[row]; at < table.offsets[row + 1]; ++at)
          table_products[k][row * columns + table.columns[at]] = table.values[at];
      continue;
    }
    const T* const weight = parameters + layer.weight;
    if (shape.sees_input(k)) {
      table_products[k].resize(table.num_rows * columns);
      sparse_product<T>(table, columns, {weight + shape.input_row(k) * columns, columns},
                        {table_products[k].data(), columns});
    }
    if (!goes_back) continue;
    if (k > 0) {
      const std::size_t before = shape.layers[k - 1].out();
      transposed[k].resize(columns * before);
      transpose<T>(before, columns, {weight, columns}, {transposed[k].data(), before});
    }
    if (layer.has_second()) {
      second_transposed[k].resize(layer.width * layer.second_width);
      transpose<T>(layer.width, layer.second_width, {parameters + layer.second_weight, layer.second_width},
                   {second_transposed[k].data(), layer.width});
    }
  }
}

std::size_t num_label_sums(const StackShape& shape, std::size_t num_labels) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < shape.layers.size(); ++k)
    if (shape.sees_input(k)) count += num_labels * shape.layers[k].columns();
  return count;
}

template <typename T>
void add_label_gradients(const StackShape& shape, const SparseRows<T>& table,
                         const StackGradient<T>& gradient) {
  for (std::size_t k = 0; k < shape.layers.size(); ++k) {
    const LayerShape& layer = shape.layers[k];
    if (!shape.sees_input(k) || layer.weight == kNowhere || gradient.labels[k] == nullptr) continue;
    const std::size_t columns = layer.columns();
    T* weight = gradient.parameters + layer.weight + shape.input_row(k) * columns;
    add_sparse_transposed_product<T>(table, columns, {gradient.labels[k], columns}, {weight, columns});
  }
}

template <typename T>
StackPass<T>::StackPass(const StackShape& shape, const NetPart<T>& part, const SparseRows<T>& table,
                        const StackShared<T>& shared, const PassContext<T>& context, StackRange range,
                        const T* front)
    : shape_(shape),
      part_(part),
      table_(table),
      shared_(shared),
      context_(context),
      range_(range),
      front_(front),
      kept_(shape.layers.size()),
      layer_(range.begin) {}

// The paper's layer, for which there are loops that do all behind the products in one go.
template <typename T>
bool StackPass<T>::is_fused(const LayerShape& layer) const {
  return layer.sum == LayerShape::Sum::kPairs && layer.own && layer.gate == Gate::kLinear &&
         layer.sum_end.norm == Norm::kNone && layer.end.norm == Norm::kNone && layer.end.groups.empty() &&
         !slope_needs_input(layer.end.activation);
}

// Whether the sources of layer k are the rows of the table, one by one.
template <typename T>
bool StackPass<T>::is_table(std::size_t k) const {
  return k == 0 && part_.steps[0].labels == nullptr && part_.attributes.empty() &&
         num_sources(0) == table_.num_rows;
}

template <typename T>
void StackPass<T>::check(bool is_finite, std::size_t k) const {
  if (is_finite) return;
  std::size_t number = 0;
  for (std::size_t i = 0; i <= k; ++i) number += shape_.layers[i].sum != LayerShape::Sum::kNone;
  const char* const name = shape_.is_attention ? "the attention's convolution" : "convolution";
  throw Error(number == 0 ? "the first MLP: a value is infinite or no number"
                          : fmt::format("{} {}: a value is infinite or no number", name, number));
}

template <typename T>
void StackPass<T>::drop_rows(std::size_t k) {
  if (k == 0 || !context_.trains || context_.layer_dropout <= 0) return;
  Kept& kept = kept_[k];
  const std::size_t count = num_sources(k) * shape_.layers[k - 1].out();
  kept.mask = context_.arena->template take<T>(count);
  kept.dropped = context_.arena->template take<T>(count);
  fill_dropout_mask(context_.layer_dropout, dropout_key(context_.seed, k), count, kept.mask);
  for (std::size_t i = 0; i < count; ++i) kept.dropped[i] = kept.mask[i] * kept_[k - 1].y[i];
}

// products = features of the sources times W_L | W_F | W_G.
template <typename T>
void StackPass<T>::make_products(std::size_t k) {
  const LayerShape& layer = shape_.layers[k];
  const std::size_t columns = layer.columns();
  const std::size_t sources = num_sources(k);
  if (is_table(k)) {
    // Of the whole batch, whose only part this is.
    kept_[k].products = const_cast<T*>(shared_.table_products[k].data());
    return;
  }
  T* const products = kept_[k].products = context_.arena->template take<T>(sources * columns);
  if (follows_front(k)) {
    // Those of the part first, which then are near.
    T* const some = context_.arena->template take<T>(part_.num_front_rows * columns);
    look_up_rows<T>(part_.num_front_rows, part_.front_rows, columns, {front_, columns}, {some, columns}, false);
    look_up_rows<T>(sources, part_.front_places, columns, {some, columns}, {products, columns}, false);
    return;
  }
  if (k > 0) {
    const std::size_t before = shape_.layers[k - 1].out();
    drop_rows(k);
    matrix_product<T>(sources, before, columns, {rows_before(k), before},
                      {context_.parameters + layer.weight, columns}, {products, columns});
  }
  if (!shape_.sees_input(k)) return;
  look_up_rows<T>(sources, part_.steps[k].labels, columns, {shared_.table_products[k].data(), columns},
                  {products, columns}, k > 0);
  for (const RowAttributes<T>& part : part_.attributes) {
    const MatrixView<const T> values{part.values, part.columns};
    T* some = products + part.first * columns;
    if (layer.weight == kNowhere) {
      for (std::size_t i = 0; i < part.count; ++i) {
        const std::size_t row = part.rows == nullptr ? part.first + i : part.rows[i];
        std::copy_n(part.values + i * part.columns, part.columns, products + row * columns + part.column);
      }
      continue;
    }
    const MatrixView<const T> rows{
        context_.parameters + layer.weight + (shape_.input_row(k) + part.column) * columns, columns};
    if (part.rows == nullptr) {
      matrix_product<T>(part.count, part.columns, columns, values, rows, {some, columns}, true);
    } else {
      some = context_.arena->template take<T>(part.count * columns);
      matrix_product<T>(part.count, part.columns, columns, values, rows, {some, columns});
      add_rows_by_label<T>(part.count, part.rows, columns, {some, columns}, {products, columns});
    }
  }
}

template <typename T>
PairSumArgs<T> StackPass<T>::pair_args(std::size_t k) const {
  const LayerShape& layer = shape_.layers[k];
  PairSumArgs<T> args;
  args.plan = part_.steps[k].pairs;
  args.activation = layer.inner_activation;
  args.d = layer.width;
  args.z = kept_[k].products + layer.sum_column();
  args.z_stride = layer.columns();
  args.bias = layer.inner_bias == kNowhere ? nullptr : context_.parameters + layer.inner_bias;
  args.prepared = kept_[k].prepared;
  args.is_exact = kept_[k].is_exact;
  args.threads = context_.threads;
  return args;
}

// The sums of layer k's rows, with the padding of pair sums.
template <typename T>
T* StackPass<T>::sum_rows(std::size_t k) {
  const LayerShape& layer = shape_.layers[k];
  const NetStep<T>& step = part_.steps[k];
  const std::size_t w = layer.width;
  Kept& kept = kept_[k];
  if (layer.sum == LayerShape::Sum::kPairs) {
    const std::size_t padded = padded_width<T>(w);
    kept.prepared = context_.arena->template take<T>(step.num_sources * padded);
    kept.is_exact = context_.arena->template take<std::uint8_t>(step.pairs->blocks.size());
    T* const sums = context_.arena->template take<T>(step.num_rows * padded);
    PairSumArgs<T> args = pair_args(k);
    args.sums = sums;
    args.sums_stride = padded;
    check(pair_sum_fused(args), k);
    return sums;
  }
  T* const sums = context_.arena->template take<T>(step.num_rows * w);
  const MatrixView<const T> from{kept.products + layer.sum_column(), layer.columns()};
  if (step.ends.offsets == nullptr) {
    sparse_product<T>(step.neighbors, w, from, {sums, w});
  } else {
    T* const nodes = context_.arena->template take<T>(step.neighbors.num_rows * w);
    sparse_product<T>(step.neighbors, w, from, {nodes, w});
    sparse_product<T>(step.ends, w, {nodes, w}, {sums, w});
    look_up_rows<T>(step.num_rows, step.own, w, from, {sums, w}, true, step.own_times);
  }
  if (layer.eps == kNowhere) return sums;
  const T eps = context_.parameters[layer.eps];
  for (std::size_t row = 0; row < step.num_rows; ++row)
    add_times(w, eps, from.data + own(k, row) * from.stride, sums + row * w);
  return sums;
}

// What goes into the layer's end: sums in place where there is no gate.
template <typename T>
T* StackPass<T>::combine(std::size_t k, T* sums) {
  const LayerShape& layer = shape_.layers[k];
  const std::size_t w = layer.width, rows = num_rows(k), columns = layer.columns();
  const T* const products = kept_[k].products;
  if (!layer.own) return sums;
  if (layer.sum == LayerShape::Sum::kNone) {
    if (part_.steps[k].own == nullptr) return kept_[k].products;
    T* const a = context_.arena->template take<T>(rows * w);
    look_up_rows<T>(rows, part_.steps[k].own, w, {products, columns}, {a, w}, false);
    return a;
  }
  if (layer.gate == Gate::kNone) {
    look_up_rows<T>(rows, part_.steps[k].own, w, {products, columns}, {sums, w}, true);
    return sums;
  }
  T* const gates = kept_[k].gates = context_.arena->template take<T>(rows * w);
  look_up_rows<T>(rows, part_.steps[k].own, w, {products + layer.gate_column(), columns}, {gates, w}, false);
  if (layer.gate == Gate::kBounded)
    activate_rows<T>(Activation::kTanh, rows, w, static_cast<const T*>(nullptr), gates);
  T* const a = context_.arena->template take<T>(rows * w);
  look_up_rows<T>(rows, part_.steps[k].own, w, {products, columns}, {a, w}, false);
  for (std::size_t i = 0; i < rows * w; ++i) a[i] += gates[i] * sums[i];
  return a;
}

template <typename T>
EndPass<T>* StackPass<T>::forward() {
  for (; layer_ < range_.end; ++layer_, stage_ = 0) {
    const std::size_t k = layer_;
    const LayerShape& layer = shape_.layers[k];
    const NetStep<T>& step = part_.steps[k];
    Kept& kept = kept_[k];
    const std::size_t w = layer.width, rows = step.num_rows;
    if (stage_ == 0) {
      make_products(k);
      if (layer.sum != LayerShape::Sum::kNone) kept.sums = sum_rows(k);
      stage_ = 1;
      if (is_fused(layer)) {
        PairCombineArgs<T> args = combine_args(k);
        args.y = kept.a = context_.arena->template take<T>(rows * w);
        check(pair_combine(args), k);
        stage_ = 3;
      } else if (layer.sum == LayerShape::Sum::kPairs && padded_width<T>(w) != w) {
        // From here on rows lie one after the other.
        for (std::size_t row = 1; row < rows; ++row)
          std::copy_n(kept.sums + row * padded_width<T>(w), w, kept.sums + row * w);
      }
      if (stage_ == 1 && layer.sum_end.norm != Norm::kNone) {
        const bool waits = kept.sum_end.begin(layer.sum_end, context_, rows, w, kept.sums, step.counts);
        check(kept.sum_end.is_finite(), k);
        if (waits) return &kept.sum_end;
      }
    }
    if (stage_ == 1) {
      if (layer.sum_end.norm != Norm::kNone) {
        kept.sum_end.finish();
        kept.sums = kept.sum_end.x();
      }
      stage_ = 2;
      const bool waits = kept.end.begin(layer.end, context_, rows, w, combine(k, kept.sums), step.counts);
      check(kept.end.is_finite(), k);
      if (waits) return &kept.end;
    }
    if (stage_ == 2) {
      kept.end.finish();
      kept.a = kept.end.x();
      stage_ = 3;
    }
    if (stage_ == 3) {
      kept.y = kept.a;
      stage_ = 5;
      if (layer.has_second()) {
        stage_ = 4;
        T* const to = context_.arena->template take<T>(rows * layer.second_width);
        matrix_product<T>(rows, w, layer.second_width, {kept.a, w},
                          {context_.parameters + layer.second_weight, layer.second_width},
                          {to, layer.second_width});
        const bool waits =
            kept.second_end.begin(layer.second_end, context_, rows, layer.second_width, to, step.counts);
        check(kept.second_end.is_finite(), k);
        if (waits) return &kept.second_end;
      }
    }
    if (stage_ == 4) {
      kept.second_end.finish();
      kept.y = kept.second_end.x();
    }
    if (layer.residual) {
      const std::size_t out = layer.out();
      T* const y = context_.arena->template take<T>(rows * out);
      std::copy_n(kept.y, rows * out, y);
      look_up_rows<T>(rows, step.own, out, {kept_[k - 1].y, out}, {y, out}, true);
      kept.y = y;
    }
  }
  if (is_front() && kept_[range_.end].products == nullptr) make_products(range_.end);
  return nullptr;
}

template <typename T>
PairCombineArgs<T> StackPass<T>::combine_args(std::size_t k) const {
  const LayerShape& layer = shape_.layers[k];
  PairCombineArgs<T> args;
  args.plan = part_.steps[k].pairs;
  args.activation = layer.end.activation;
  args.d = layer.width;
  args.products = kept_[k].products;
  args.bias = layer.end.bias == kNowhere ? nullptr : context_.parameters + layer.end.bias;
  args.sums = kept_[k].sums;
  args.sums_stride = padded_width<T>(layer.width);
  args.y = kept_[k].a;
  args.threads = context_.threads;
  return args;
}

template class StackPass<float>;
template class StackPass<double>;
template struct StackShared<float>;
template struct StackShared<double>;
template void add_label_gradients(const StackShape&, const SparseRows<float>&, const StackGradient<float>&);
template void add_label_gradients(const StackShape&, const SparseRows<double>&, const StackGradient<double>&);

}  // namespace twofold::compute
