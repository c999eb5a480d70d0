#include "twofold/compute/pair_stack.h"

#include <algorithm>

#include "twofold/compute/pair_combine.h"
#include "twofold/compute/pair_scatter.h"

namespace twofold::compute {

template <typename T>
void PairStackShared<T>::prepare(const PairStackShape& shape, const SparseRows<T>& table, const T* parameters,
                                 bool for_backward) {
  table_products.resize(shape.layers.size());
  transposed.resize(shape.layers.size());
  for (std::size_t k = 0; k < shape.layers.size(); ++k) {
    const std::size_t columns = 3 * shape.layers[k].width;
    const T* weight = parameters + shape.layers[k].weight;
    if (shape.sees_input(k)) {
      table_products[k].resize(table.num_rows * columns);
      sparse_product<T>(table, columns, {weight + shape.input_row(k) * columns, columns},
                        {table_products[k].data(), columns});
    }
    if (k > 0 && for_backward) {
      const std::size_t before = shape.layers[k - 1].width;
      transposed[k].resize(columns * before);
      transpose<T>(before, columns, {weight, columns}, {transposed[k].data(), before});
    }
  }
}

template <typename T>
void add_label_gradients(const PairStackShape& shape, const SparseRows<T>& table,
                         const PairStackGradient<T>& gradient) {
  for (std::size_t k = 0; k < shape.layers.size(); ++k) {
    if (!shape.sees_input(k)) continue;
    const std::size_t columns = 3 * shape.layers[k].width;
    T* weight = gradient.parameters + shape.layers[k].weight + shape.input_row(k) * columns;
    add_sparse_transposed_product<T>(table, columns, {gradient.labels[k], columns}, {weight, columns});
  }
}

template <typename T>
PairStackPass<T>::PairStackPass(const PairStackShape& shape, const std::vector<const PairPlan*>& plans,
                                const PairStackInput<T>& input, const PairStackShared<T>& shared,
                                const T* parameters, Arena& arena, int threads)
    : shape_(shape),
      plans_(plans),
      input_(input),
      shared_(shared),
      parameters_(parameters),
      arena_(arena),
      threads_(threads) {}

template <typename T>
PairSumArgs<T> PairStackPass<T>::sum_args(std::size_t k) const {
  const PairStackShape::Layer& layer = shape_.layers[k];
  PairSumArgs<T> args;
  args.plan = plans_[k];
  args.activation = layer.inner_activation;
  args.d = layer.width;
  args.z = kept_[k].products + 2 * layer.width;
  args.z_stride = 3 * layer.width;
  args.bias = layer.inner_bias == PairStackShape::kNone ? nullptr : parameters_ + layer.inner_bias;
  args.prepared = kept_[k].prepared;
  args.is_exact = kept_[k].is_exact;
  args.threads = threads_;
  return args;
}

// products = features of the sources times W_L | W_F | W_Gamma.
template <typename T>
void PairStackPass<T>::make_products(std::size_t k) {
  const std::size_t columns = 3 * shape_.layers[k].width;
  const std::size_t sources = plans_[k]->num_sources;
  T* products = kept_[k].products;
  const T* weight = parameters_ + shape_.layers[k].weight;
  if (k > 0)
    matrix_product<T>(sources, shape_.layers[k - 1].width, columns,
                      {kept_[k - 1].y, shape_.layers[k - 1].width}, {weight, columns}, {products, columns});
  if (!shape_.sees_input(k)) return;
  look_up_rows<T>(sources, input_.labels[k], columns, {shared_.table_products[k].data(), columns},
                  {products, columns}, k > 0);
  for (const auto& part : input_.attributes) {
    const MatrixView<const T> values{part.values, part.columns};
    const MatrixView<const T> rows{weight + (shape_.input_row(k) + part.column) * columns, columns};
    if (part.rows == nullptr) {
      matrix_product<T>(part.count, part.columns, columns, values, rows,
                        {products + part.first * columns, columns}, true);
    } else {
      T* some = arena_.take<T>(part.count * columns);
      matrix_product<T>(part.count, part.columns, columns, values, rows, {some, columns});
      add_rows_by_label<T>(part.count, part.rows, columns, {some, columns}, {products, columns});
    }
  }
}

template <typename T>
bool PairStackPass<T>::forward() {
  kept_.clear();
  for (std::size_t k = 0; k < shape_.layers.size(); ++k) {
    const PairStackShape::Layer& layer = shape_.layers[k];
    const PairPlan& plan = *plans_[k];
    const std::size_t d = layer.width;
    const std::size_t padded = padded_width<T>(d);
    kept_.push_back({arena_.take<T>(plan.num_sources * 3 * d), arena_.take<T>(plan.num_sources * padded),
                     arena_.take<T>(plan.num_rows * padded), arena_.take<T>(plan.num_rows * d),
                     arena_.take<std::uint8_t>(plan.blocks.size())});
    make_products(k);

    PairSumArgs<T> sum = sum_args(k);
    sum.sums = kept_[k].sums;
    sum.sums_stride = padded;
    PairCombineArgs<T> combine;
    combine.plan = &plan;
    combine.activation = layer.activation;
    combine.d = d;
    combine.products = kept_[k].products;
    combine.bias = layer.bias == PairStackShape::kNone ? nullptr : parameters_ + layer.bias;
    combine.sums = kept_[k].sums;
    combine.sums_stride = padded;
    combine.y = kept_[k].y;
    combine.threads = threads_;
    if (pair_sum_fused(sum) && pair_combine(combine)) continue;
    failed_ = k;
    return false;
  }
  return true;
}

template <typename T>
void PairStackPass<T>::add_weight_gradients(std::size_t k, const T* dproducts,
                                            const PairStackGradient<T>& gradient) {
  const std::size_t columns = 3 * shape_.layers[k].width;
  const std::size_t sources = plans_[k]->num_sources;
  T* dweight = gradient.parameters + shape_.layers[k].weight;
  const MatrixView<const T> g{dproducts, columns};
  if (k > 0)
    add_transposed_product<T>(sources, shape_.layers[k - 1].width, columns,
                              {kept_[k - 1].y, shape_.layers[k - 1].width}, g, {dweight, columns});
  if (!shape_.sees_input(k)) return;
  add_rows_by_label<T>(sources, input_.labels[k], columns, g, {gradient.labels[k], columns});
  for (const auto& part : input_.attributes) {
    const MatrixView<T> to{dweight + (shape_.input_row(k) + part.column) * columns, columns};
    const T* from = dproducts + part.first * columns;
    if (part.rows != nullptr) {
      T* some = arena_.take<T>(part.count * columns);
      look_up_rows<T>(part.count, part.rows, columns, g, {some, columns}, false);
      from = some;
    }
    add_transposed_product<T>(part.count, part.columns, columns, {part.values, part.columns}, {from, columns},
                              to);
  }
}

template <typename T>
void PairStackPass<T>::backward(const T* doutput, const PairStackGradient<T>& gradient) {
  const T one = 1;
  const T* dy = doutput;
  // The same buffers for every layer, so that they stay in the cache.
  std::size_t most_products = 0, most_sums = 0, most_before = 0, most_width = 0;
  for (std::size_t k = 0; k < shape_.layers.size(); ++k) {
    const std::size_t d = shape_.layers[k].width;
    most_products = std::max<std::size_t>(most_products, plans_[k]->num_sources * 3 * d);
    most_sums = std::max<std::size_t>(most_sums, plans_[k]->num_rows * padded_width<T>(d));
    most_width = std::max(most_width, d);
    if (k > 0)
      most_before = std::max<std::size_t>(most_before, plans_[k]->num_sources * shape_.layers[k - 1].width);
  }
  T* dproducts = arena_.take<T>(most_products);
  T* dsums = arena_.take<T>(most_sums);
  T* dx = arena_.take<T>(most_before);
  T* dbuffer = arena_.take<T>(most_width);
  for (std::size_t k = shape_.layers.size(); k-- > 0;) {
    const PairStackShape::Layer& layer = shape_.layers[k];
    const PairPlan& plan = *plans_[k];
    const std::size_t d = layer.width;
    const std::size_t padded = padded_width<T>(d);
    // Padding is read by whole vectors, so it must not hold what happens to lie in memory.
    if (padded != d) std::fill(dsums, dsums + plan.num_rows * padded, T{0});
    T* dbias = layer.bias == PairStackShape::kNone ? nullptr : dbuffer;

    PairCombineArgs<T> combine;
    combine.plan = &plan;
    combine.activation = layer.activation;
    combine.d = d;
    combine.products = kept_[k].products;
    combine.sums = kept_[k].sums;
    combine.sums_stride = padded;
    combine.y = kept_[k].y;
    combine.dy = dy;
    combine.dproducts = dproducts;
    combine.dsums = dsums;
    combine.dsums_stride = padded;
    combine.dbias = dbias;
    combine.threads = threads_;
    pair_combine_backward(combine);

    PairSumArgs<T> sum = sum_args(k);
    sum.g = dsums;
    sum.g_stride = padded;
    sum.dz = dproducts + 2 * d;
    sum.dz_stride = 3 * d;
    if (plan.blocks.empty() || plan.blocks[0].level == nullptr)
      pair_sum_backward_fused(sum);
    else
      pair_sum_backward_scatter(sum);

    if (dbias != nullptr)
      for (std::size_t c = 0; c < d; ++c) gradient.parameters[layer.bias + c] += dbias[c];
    if (layer.inner_bias != PairStackShape::kNone) {
      // Each triple has its bias once and two rows: half the sum of all.
      std::fill(dbuffer, dbuffer + d, T{0});
      add_transposed_product<T>(plan.num_sources, 1, d, {&one, 0}, {dproducts + 2 * d, 3 * d}, {dbuffer, d});
      for (std::size_t c = 0; c < d; ++c) gradient.parameters[layer.inner_bias + c] += dbuffer[c] / 2;
    }
    add_weight_gradients(k, dproducts, gradient);
    if (k == 0) break;
    const std::size_t before = shape_.layers[k - 1].width;
    matrix_product<T>(plan.num_sources, 3 * d, before, {dproducts, 3 * d},
                      {shared_.transposed[k].data(), before}, {dx, before});
    dy = dx;
  }
}

template struct PairStackShared<float>;
template struct PairStackShared<double>;
template class PairStackPass<float>;
template class PairStackPass<double>;
template void add_label_gradients(const PairStackShape&, const SparseRows<float>&,
                                  const PairStackGradient<float>&);
template void add_label_gradients(const PairStackShape&, const SparseRows<double>&,
                                  const PairStackGradient<double>&);

}  // namespace twofold::compute
