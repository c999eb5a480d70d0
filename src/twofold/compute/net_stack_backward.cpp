#include <algorithm>
#include <numeric>

#include "twofold/compute/dense_layer.h"
#include "twofold/compute/net_stack.h"

namespace twofold::compute {

template <typename T>
T* StackPass<T>::rows_gradient(std::size_t k) {
  if (kept_[k].dy == nullptr)
    kept_[k].dy = context_.arena->template take_zeros<T>(num_rows(k) * shape_.layers[k].out());
  return kept_[k].dy;
}

template <typename T>
T* StackPass<T>::products_gradient() {
  if (dbehind_ == nullptr)
    dbehind_ =
        context_.arena->template take_zeros<T>(num_sources(range_.end) * shape_.layers[range_.end].columns());
  return dbehind_;
}

template <typename T>
void StackPass<T>::take_buffers() {
  std::size_t products = 0, sums = 0, rows = 0, before = 0, width = 0;
  if (is_front()) before = num_sources(range_.end) * shape_.layers[range_.end - 1].out();
  for (std::size_t k = range_.begin; k < range_.end; ++k) {
    const LayerShape& layer = shape_.layers[k];
    products = std::max(products, num_sources(k) * layer.columns());
    if (layer.sum == LayerShape::Sum::kPairs) sums = std::max(sums, num_rows(k) * padded_width<T>(layer.width));
    if (layer.has_second()) rows = std::max(rows, num_rows(k) * layer.width);
    width = std::max(width, layer.width);
    if (k > range_.begin) before = std::max(before, num_sources(k) * shape_.layers[k - 1].out());
  }
  dproducts_room_ = context_.arena->template take<T>(products);
  dsums_room_ = context_.arena->template take<T>(sums);
  da_room_ = context_.arena->template take<T>(rows);
  dx_room_ = context_.arena->template take<T>(before);
  dbias_room_ = context_.arena->template take<T>(width);
}

// Gradients of all three products, from that of the layer's rows.
template <typename T>
void StackPass<T>::fused_backward(std::size_t k, T* dy, T* gradient) {
  const LayerShape& layer = shape_.layers[k];
  const std::size_t w = layer.width, padded = padded_width<T>(w);
  // Padding is read by whole vectors, so it must not hold what happens to lie in memory.
  if (padded != w) std::fill_n(dsums_room_, num_rows(k) * padded, T{0});
  T* const dbias = layer.end.bias == kNowhere ? nullptr : dbias_room_;
  PairCombineArgs<T> args = combine_args(k);
  args.dy = dy;
  args.dproducts = dproducts_ = dproducts_room_;
  args.dsums = dsums_room_;
  args.dsums_stride = padded;
  args.dbias = dbias;
  pair_combine_backward(args);
  pair_sum_backward(k, dsums_room_, gradient);
  if (dbias != nullptr)
    for (std::size_t c = 0; c < w; ++c) gradient[layer.end.bias + c] += dbias[c];
}

// `dsums`: padded rows.
template <typename T>
void StackPass<T>::pair_sum_backward(std::size_t k, T* dsums, T* gradient) {
  const LayerShape& layer = shape_.layers[k];
  const std::size_t w = layer.width, columns = layer.columns();
  PairSumArgs<T> args = pair_args(k);
  args.g = dsums;
  args.g_stride = padded_width<T>(w);
  args.dz = dproducts_ + layer.sum_column();
  args.dz_stride = columns;
  pair_sum_backward_fused(args);
  if (layer.inner_bias == kNowhere) return;
  // Each triple has its bias once and two rows: half the sum of all. (The buffer of the other bias may be in
  // use.)
  T* const sum = context_.arena->template take_zeros<T>(w);
  const T one = 1;
  add_transposed_product<T>(num_sources(k), 1, w, {&one, 0}, {args.dz, columns}, {sum, w});
  for (std::size_t c = 0; c < w; ++c) gradient[layer.inner_bias + c] += sum[c] / 2;
}

// From the gradient of what went into the end: those of W_L's and W_F's products; gives that of the sums.
template <typename T>
T* StackPass<T>::combine_backward(std::size_t k, T* da) {
  const LayerShape& layer = shape_.layers[k];
  const NetStep<T>& step = part_.steps[k];
  const std::size_t w = layer.width, rows = step.num_rows, columns = layer.columns();
  dproducts_ = dproducts_room_;
  if (!layer.own) return da;
  if (k == 0 && step.own == nullptr && layer.num_blocks() == 1) {
    dproducts_ = da;
    return nullptr;
  }
  std::fill_n(dproducts_, step.num_sources * columns, T{0});
  add_rows_by_label<T>(rows, step.own, w, {da, w}, {dproducts_, columns});
  if (layer.gate == Gate::kNone) return da;
  const T* const gates = kept_[k].gates;
  const T* const sums = kept_[k].sums;
  const bool is_bounded = layer.gate == Gate::kBounded;
  for (std::size_t row = 0; row < rows; ++row) {
    T* const to = dproducts_ + own(k, row) * columns + layer.gate_column();
    for (std::size_t c = 0; c < w; ++c) {
      const std::size_t i = row * w + c;
      const T g = da[i] * sums[i];
      to[c] += is_bounded ? g * (1 - gates[i] * gates[i]) : g;
      da[i] *= gates[i];
    }
  }
  return da;
}

// From the gradient of the sums, rows one after the other: that of W_G's products.
template <typename T>
void StackPass<T>::sum_backward(std::size_t k, T* dsums, T* gradient) {
  const LayerShape& layer = shape_.layers[k];
  const NetStep<T>& step = part_.steps[k];
  const std::size_t w = layer.width, rows = step.num_rows, columns = layer.columns();
  if (layer.sum == LayerShape::Sum::kPairs) {
    const std::size_t padded = padded_width<T>(w);
    T* g = dsums;
    if (padded != w || reinterpret_cast<std::uintptr_t>(dsums) % 64 != 0) {
      g = dsums_room_;
      for (std::size_t row = 0; row < rows; ++row) {
        std::copy_n(dsums + row * w, w, g + row * padded);
        std::fill_n(g + row * padded + w, padded - w, T{0});
      }
    }
    pair_sum_backward(k, g, gradient);
    return;
  }
  if (!layer.own) std::fill_n(dproducts_, step.num_sources * columns, T{0});
  const MatrixView<T> to{dproducts_ + layer.sum_column(), columns};
  if (step.ends.offsets == nullptr) {
    add_sparse_transposed_product<T>(step.neighbors, w, {dsums, w}, to);
  } else {
    T* const dnodes = context_.arena->template take_zeros<T>(step.neighbors.num_rows * w);
    add_sparse_transposed_product<T>(step.ends, w, {dsums, w}, {dnodes, w});
    add_sparse_transposed_product<T>(step.neighbors, w, {dnodes, w}, to);
    add_rows_by_label<T>(rows, step.own, w, {dsums, w}, to, step.own_times);
  }
  if (layer.eps == kNowhere) return;
  const T eps = context_.parameters[layer.eps];
  const T* const products = kept_[k].products + layer.sum_column();
  // Column by column: one sum of all would wait for every single addition.
  double* const slopes = context_.arena->template take_zeros<double>(w);
  for (std::size_t row = 0; row < rows; ++row) {
    const T* const from = dsums + row * w;
    const T* const x = products + own(k, row) * columns;
    for (std::size_t c = 0; c < w; ++c) slopes[c] += static_cast<double>(from[c]) * static_cast<double>(x[c]);
    add_times(w, eps, from, to.data + own(k, row) * columns);
  }
  const double slope = std::accumulate(slopes, slopes + w, 0.0);
  gradient[layer.eps] += static_cast<T>(slope);
}

template <typename T>
void StackPass<T>::add_weight_gradients(std::size_t k, const StackGradient<T>& gradient) {
  const LayerShape& layer = shape_.layers[k];
  if (layer.weight == kNowhere) return;
  const std::size_t columns = layer.columns(), sources = num_sources(k);
  T* const dweight = gradient.parameters + layer.weight;
  const MatrixView<const T> g{dproducts_, columns};
  if (is_table(k)) {
    add_sparse_transposed_product<T>(table_, columns, g, {dweight, columns});
    return;
  }
  if (k > 0) {
    const std::size_t before = shape_.layers[k - 1].out();
    add_transposed_product<T>(sources, before, columns, {rows_before(k), before}, g, {dweight, columns});
  }
  if (!shape_.sees_input(k)) return;
  add_rows_by_label<T>(sources, part_.steps[k].labels, columns, g, {gradient.labels[k], columns});
  for (const RowAttributes<T>& part : part_.attributes) {
    const MatrixView<T> to{dweight + (shape_.input_row(k) + part.column) * columns, columns};
    const T* from = dproducts_ + part.first * columns;
    if (part.rows != nullptr) {
      T* const some = context_.arena->template take<T>(part.count * columns);
      look_up_rows<T>(part.count, part.rows, columns, g, {some, columns}, false);
      from = some;
    }
    add_transposed_product<T>(part.count, part.columns, columns, {part.values, part.columns}, {from, columns},
                              to);
  }
}

template <typename T>
void StackPass<T>::add_input_gradient(std::size_t k, T* input) const {
  const LayerShape& layer = shape_.layers[k];
  const std::size_t columns = layer.columns(), in = shape_.in;
  if (layer.weight == kNowhere) {
    for (std::size_t i = 0; i < num_sources(k) * in; ++i) input[i] += dproducts_[i];
    return;
  }
  T* const turned = context_.arena->template take<T>(columns * in);
  transpose<T>(in, columns, {context_.parameters + layer.weight + shape_.input_row(k) * columns, columns},
               {turned, in});
  matrix_product<T>(num_sources(k), columns, in, {dproducts_, columns}, {turned, in}, {input, in}, true);
}

template <typename T>
void StackPass<T>::finish_layer(std::size_t k, const StackGradient<T>& gradient) {
  if (follows_front(k)) {
    const std::size_t columns = shape_.layers[k].columns();
    add_rows_by_label<T>(num_sources(k), part_.front_places, columns, {dproducts_, columns},
                         {gradient.front, columns});
    return;
  }
  add_weight_gradients(k, gradient);
  if (gradient.input != nullptr && shape_.sees_input(k)) add_input_gradient(k, gradient.input);
  if (k == 0) return;
  const std::size_t columns = shape_.layers[k].columns(), before = shape_.layers[k - 1].out();
  const bool adds = kept_[k - 1].dy != nullptr;
  if (!adds) kept_[k - 1].dy = dx_room_;
  if (kept_[k].mask != nullptr) {
    const std::size_t count = num_sources(k) * before;
    T* const dx = adds ? context_.arena->template take<T>(count) : dx_room_;
    matrix_product<T>(num_sources(k), columns, before, {dproducts_, columns},
                      {shared_.transposed[k].data(), before}, {dx, before}, false);
    for (std::size_t i = 0; i < count; ++i) dx[i] *= kept_[k].mask[i];
    for (std::size_t i = 0; adds && i < count; ++i) kept_[k - 1].dy[i] += dx[i];
    return;
  }
  matrix_product<T>(num_sources(k), columns, before, {dproducts_, columns},
                    {shared_.transposed[k].data(), before}, {kept_[k - 1].dy, before}, adds);
}

template <typename T>
EndPass<T>* StackPass<T>::backward(const StackGradient<T>& gradient) {
  if (!goes_back_) {
    goes_back_ = true;
    take_buffers();
    layer_ = range_.end;
    stage_ = 0;
    if (is_front()) {
      dproducts_ = products_gradient();
      finish_layer(range_.end, gradient);
    }
  }
  // The layer at hand is layer_ - 1.
  for (; layer_ > range_.begin; --layer_, stage_ = 0) {
    const std::size_t k = layer_ - 1;
    const LayerShape& layer = shape_.layers[k];
    Kept& kept = kept_[k];
    const std::size_t w = layer.width, rows = num_rows(k);
    if (stage_ == 0) {
      T* const dy = rows_gradient(k);
      if (layer.residual)
        add_rows_by_label<T>(rows, part_.steps[k].own, layer.out(), {dy, layer.out()},
                             {rows_gradient(k - 1), layer.out()});
      da_ = dy;
      stage_ = layer.has_second() ? 1 : 2;
      if (layer.has_second() && kept.second_end.begin_backward(dy)) return &kept.second_end;
    }
    if (stage_ == 1) {
      const std::size_t out = layer.second_width;
      T* const g = kept.second_end.finish_backward(gradient.parameters);
      add_transposed_product<T>(rows, w, out, {kept.a, w}, {g, out},
                                {gradient.parameters + layer.second_weight, out});
      matrix_product<T>(rows, out, w, {g, out}, {shared_.second_transposed[k].data(), w}, {da_room_, w});
      da_ = da_room_;
      stage_ = 2;
    }
    if (stage_ == 2 && is_fused(layer)) {
      fused_backward(k, da_, gradient.parameters);
      finish_layer(k, gradient);
      continue;
    }
    if (stage_ == 2) {
      stage_ = 3;
      if (kept.end.begin_backward(da_)) return &kept.end;
    }
    if (stage_ == 3) {
      da_ = combine_backward(k, kept.end.finish_backward(gradient.parameters));
      stage_ = 4;
      if (layer.sum_end.norm != Norm::kNone && kept.sum_end.begin_backward(da_)) return &kept.sum_end;
    }
    if (layer.sum_end.norm != Norm::kNone) da_ = kept.sum_end.finish_backward(gradient.parameters);
    if (layer.sum != LayerShape::Sum::kNone) sum_backward(k, da_, gradient.parameters);
    finish_layer(k, gradient);
  }
  return nullptr;
}

template class StackPass<float>;
template class StackPass<double>;

}  // namespace twofold::compute
