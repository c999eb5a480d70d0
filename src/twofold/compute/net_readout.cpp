#include "twofold/compute/net_readout.h"

#include <algorithm>
#include <cmath>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/compute/dense_layer.h"
#include "twofold/compute/matrix_product.h"

namespace twofold::compute {
namespace {

// Keras clips so before it takes logarithms.
constexpr double kLeastChance = 1e-7;

}  // namespace

template <typename T>
void ReadoutShared<T>::prepare(const NetShape& net, std::size_t readout, const T* parameters, bool goes_back,
                               bool trains, std::size_t num_graphs, std::uint64_t seed) {
  const ReadoutShape& shape = net.readouts[readout];
  const std::size_t v = net.vector_width(shape), h = shape.hidden, o = net.num_outputs;
  if (goes_back && h > 0) {
    hidden_transposed.resize(v * h);
    transpose<T>(v, h, {parameters + shape.hidden_weight, h}, {hidden_transposed.data(), v});
  }
  if (goes_back && shape.output_weight != kNowhere) {
    const std::size_t in = h > 0 ? h : v;
    output_transposed.resize(in * o);
    transpose<T>(in, o, {parameters + shape.output_weight, o}, {output_transposed.data(), in});
  }
  mask.clear();
  if (!trains || net.dropout <= 0) return;
  Random random = Random(seed).stream(readout);
  mask.resize(num_graphs * (net.drops_outputs ? o : v));
  for (T& value : mask) value = random.chance(net.dropout) ? T{0} : static_cast<T>(1 / (1 - net.dropout));
}

template <typename T>
const T* ReadoutPass<T>::mask() const {
  if (shared_.mask.empty()) return nullptr;
  return shared_.mask.data() + rows_.first_graph * (net_.drops_outputs ? net_.num_outputs : vector_width());
}

template <typename T>
EndPass<T>* ReadoutPass<T>::forward(const Rows& rows) {
  rows_ = rows;
  Arena& arena = *context_.arena;
  const std::size_t w = width(), graphs = rows.num_graphs, v = vector_width();
  const std::size_t count = shape_.poolings.size();
  vectors_ = arena.take<T>(graphs * v);
  // Maxima are looked at again backward, when a normalization has changed the vectors.
  const bool is_shared = count == 1 && !is_normalized();
  pools_.assign(count, {});
  for (std::size_t p = 0; p < count; ++p) {
    PoolArgs<T>& pool = pools_[p];
    pool.pooling = shape_.poolings[p];
    pool.d = w;
    pool.segments = rows.segments;
    pool.num_segments = graphs * shape_.num_kinds;
    pool.y = {rows.values, w};
    pool.out = is_shared ? vectors_ : arena.take<T>(graphs * pooled());
    if (pool.pooling == Pooling::kWeightedMean) {
      scores_ = rows.scores;
      score_columns_ = w;
      if (scores_ == nullptr) {
        T* const scores = arena.take<T>(rows.count);
        matrix_product<T>(rows.count, w, 1, {rows.values, w}, {context_.parameters + shape_.score_weight, 1},
                          {scores, 1});
        scores_ = scores;
        score_columns_ = 1;
      }
      pool.scores = {scores_, score_columns_};
      pool.score_columns = score_columns_;
      std::size_t entries = 0;
      for (std::size_t s = 0; s < pool.num_segments; ++s) entries += rows.segments[s].size;
      pool.weights = arena.take<T>(entries * score_columns_);
    }
    pool_rows(pool);
    for (std::size_t g = 0; !is_shared && g < graphs; ++g)
      std::copy_n(pool.out + g * pooled(), pooled(), vectors_ + g * v + p * pooled());
  }
  if (!is_normalized()) {
    head_forward();
    return nullptr;
  }
  const bool waits =
      pooled_end_.begin(shape_.pooled_end, context_, graphs, v, vectors_, static_cast<const T*>(nullptr));
  if (!pooled_end_.is_finite()) throw Error("what is pooled: a value is infinite or no number");
  if (waits) return &pooled_end_;
  finish();
  return nullptr;
}

template <typename T>
void ReadoutPass<T>::finish() {
  pooled_end_.finish();
  vectors_ = pooled_end_.x();
  head_forward();
}

template <typename T>
void ReadoutPass<T>::head_forward() {
  Arena& arena = *context_.arena;
  const std::size_t graphs = rows_.num_graphs, v = vector_width();
  dropped_ = vectors_;
  const T* const keeps = mask();
  if (keeps != nullptr && !net_.drops_outputs) {
    dropped_ = arena.take<T>(graphs * v);
    for (std::size_t i = 0; i < graphs * v; ++i) dropped_[i] = vectors_[i] * keeps[i];
  }
  outputs_ = dropped_;
  if (shape_.output_weight == kNowhere) {
    if (shape_.pools_chances) take_logits();
    return;
  }
  const std::size_t h = shape_.hidden, o = net_.num_outputs;
  const T* from = dropped_;
  if (h > 0) {
    hidden_ = arena.take<T>(graphs * h);
    matrix_product<T>(graphs, v, h, {dropped_, v}, {context_.parameters + shape_.hidden_weight, h},
                      {hidden_, h});
    if (context_.goes_back && slope_needs_input(shape_.hidden_activation)) {
      activate_rows(Activation::kIdentity, graphs, h, context_.parameters + shape_.hidden_bias, hidden_);
      hidden_input_ = hidden_;
      hidden_ = arena.take<T>(graphs * h);
      std::copy_n(hidden_input_, graphs * h, hidden_);
      activate_rows(shape_.hidden_activation, graphs, h, static_cast<const T*>(nullptr), hidden_);
    } else {
      hidden_input_ = hidden_;
      activate_rows(shape_.hidden_activation, graphs, h, context_.parameters + shape_.hidden_bias, hidden_);
    }
    from = hidden_;
  }
  const std::size_t in = h > 0 ? h : v;
  outputs_ = arena.take<T>(graphs * o);
  matrix_product<T>(graphs, in, o, {from, in}, {context_.parameters + shape_.output_weight, o}, {outputs_, o});
  activate_rows(Activation::kIdentity, graphs, o, context_.parameters + shape_.output_bias, outputs_);
  if (keeps != nullptr && net_.drops_outputs)
    for (std::size_t i = 0; i < graphs * o; ++i) outputs_[i] *= keeps[i];
}

template <typename T>
void ReadoutPass<T>::take_logits() {
  const std::size_t count = rows_.num_graphs * vector_width();
  outputs_ = context_.arena->template take<T>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double p = std::clamp(static_cast<double>(dropped_[i]), kLeastChance, 1 - kLeastChance);
    outputs_[i] = static_cast<T>(std::log(p / (1 - p)));
  }
}

template <typename T>
const T* ReadoutPass<T>::take_logits_backward(const T* doutputs) {
  const std::size_t count = rows_.num_graphs * vector_width();
  T* const dchances = context_.arena->template take<T>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double p = static_cast<double>(dropped_[i]);
    const bool is_clipped = p < kLeastChance || p > 1 - kLeastChance;
    dchances[i] = is_clipped ? T{0} : static_cast<T>(static_cast<double>(doutputs[i]) / (p * (1 - p)));
  }
  return dchances;
}

template <typename T>
const T* ReadoutPass<T>::head_backward(const T* doutputs, T* gradient) {
  if (shape_.output_weight == kNowhere) return shape_.pools_chances ? take_logits_backward(doutputs) : doutputs;
  Arena& arena = *context_.arena;
  const std::size_t graphs = rows_.num_graphs, v = vector_width(), h = shape_.hidden, o = net_.num_outputs;
  const std::size_t in = h > 0 ? h : v;
  const T one = 1;
  add_transposed_product<T>(graphs, in, o, {h > 0 ? hidden_ : dropped_, in}, {doutputs, o},
                            {gradient + shape_.output_weight, o});
  add_transposed_product<T>(graphs, 1, o, {&one, 0}, {doutputs, o}, {gradient + shape_.output_bias, o});
  T* const din = arena.take<T>(graphs * in);
  matrix_product<T>(graphs, o, in, {doutputs, o}, {shared_.output_transposed.data(), in}, {din, in});
  if (h == 0) return din;
  activate_rows_backward(shape_.hidden_activation, graphs, h, hidden_input_, din, din,
                         gradient + shape_.hidden_bias);
  add_transposed_product<T>(graphs, v, h, {dropped_, v}, {din, h}, {gradient + shape_.hidden_weight, h});
  T* const dvectors = arena.take<T>(graphs * v);
  matrix_product<T>(graphs, h, v, {din, h}, {shared_.hidden_transposed.data(), v}, {dvectors, v});
  return dvectors;
}

template <typename T>
EndPass<T>* ReadoutPass<T>::backward(const T* doutputs, const Gradients& to) {
  Arena& arena = *context_.arena;
  const std::size_t graphs = rows_.num_graphs, v = vector_width();
  const T* const keeps = mask();
  if (keeps != nullptr && net_.drops_outputs) {
    T* const kept = arena.take<T>(graphs * net_.num_outputs);
    for (std::size_t i = 0; i < graphs * net_.num_outputs; ++i) kept[i] = doutputs[i] * keeps[i];
    doutputs = kept;
  }
  const T* dvectors = head_backward(doutputs, to.parameters);
  if (keeps != nullptr && !net_.drops_outputs) {
    T* const kept = arena.take<T>(graphs * v);
    for (std::size_t i = 0; i < graphs * v; ++i) kept[i] = dvectors[i] * keeps[i];
    dvectors = kept;
  }
  if (!is_normalized()) {
    pool_backward(dvectors, to);
    return nullptr;
  }
  T* const own = arena.take<T>(graphs * v);
  std::copy_n(dvectors, graphs * v, own);
  if (pooled_end_.begin_backward(own)) return &pooled_end_;
  finish_backward(to);
  return nullptr;
}

template <typename T>
void ReadoutPass<T>::finish_backward(const Gradients& to) {
  pool_backward(pooled_end_.finish_backward(to.parameters), to);
}

template <typename T>
void ReadoutPass<T>::pool_backward(const T* dvectors, const Gradients& to) {
  Arena& arena = *context_.arena;
  const std::size_t w = width(), graphs = rows_.num_graphs, v = vector_width();
  for (std::size_t p = 0; p < pools_.size(); ++p) {
    PoolArgs<T>& pool = pools_[p];
    pool.dout = dvectors;
    if (pools_.size() > 1) {
      T* const part = arena.take<T>(graphs * pooled());
      for (std::size_t g = 0; g < graphs; ++g)
        std::copy_n(dvectors + g * v + p * pooled(), pooled(), part + g * pooled());
      pool.dout = part;
    }
    pool.dy = {to.rows, w};
    const bool is_linear =
        pool.pooling == Pooling::kWeightedMean && score_columns_ == 1 && rows_.scores == nullptr;
    T* const dscores = is_linear ? arena.take_zeros<T>(rows_.count) : to.scores;
    pool.dscores = {dscores, pool.score_columns};
    pool_rows_backward(pool);
    if (!is_linear) continue;
    // score = y . v
    add_transposed_product<T>(rows_.count, w, 1, {rows_.values, w}, {dscores, 1},
                              {to.parameters + shape_.score_weight, 1});
    matrix_product<T>(rows_.count, 1, w, {dscores, 1}, {context_.parameters + shape_.score_weight, w},
                      {to.rows, w}, true);
  }
}

template struct ReadoutShared<float>;
template struct ReadoutShared<double>;
template class ReadoutPass<float>;
template class ReadoutPass<double>;

}  // namespace twofold::compute
