#include "twofold/compute/gin_net.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/compute/arena.h"
#include "twofold/compute/dense_layer.h"
#include "twofold/compute/matrix_product.h"
#include "twofold/compute/weighted_norm.h"

namespace twofold::compute {
namespace {

using Map = GinNetShape::Map;
using Layer = GinNetShape::Layer;

// Column by column, so that the loop needs no horizontal sums.
template <typename T>
bool is_finite(std::size_t rows, std::size_t d, const T* x, T* poison) {
  std::fill_n(poison, d, T{0});
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t c = 0; c < d; ++c) poison[c] += T{0} * x[row * d + c];
  return std::all_of(poison, poison + d, [](T value) { return value == 0; });
}

// Forward through all layers, and back if it is for training.
template <typename T>
class GinPass {
 public:
  GinPass(const GinNetShape& shape, const GinNetBatch<T>& batch, const T* parameters, Arena& arena)
      : shape_(shape),
        batch_(batch),
        w_(shape.width),
        parameters_(parameters),
        arena_(arena),
        poison_(arena.take<T>(w_)),
        layers_(shape.layers.size()) {}

  // `running`: where running statistics are moved on, for training.
  void forward(T* running) {
    const std::size_t o = shape_.num_outputs, graphs = batch_.num_graphs;
    outputs_ = arena_.take_zeros<T>(graphs * o);
    for (std::size_t t = 0; t < layers_.size(); ++t) {
      const Layer& layer = shape_.layers[t];
      Kept& kept = layers_[t];
      sum_neighbors(t);
      normalize(t, 0, running);
      kept.ends[1].y = arena_.take<T>(num_rows(t) * w_);
      product(num_rows(t), w_, w_, kept.ends[0].x, layer.maps[1].weight, kept.ends[1].y);
      normalize(t, 1, running);

      PoolArgs<T>& pool = kept.pool;
      pool.pooling = shape_.pooling;
      pool.d = w_;
      pool.segments = batch_.levels[t].segments;
      pool.num_segments = graphs;
      pool.y = {kept.ends[1].x, w_};
      pool.out = arena_.take<T>(graphs * w_);
      pool_rows(pool);

      T* more = arena_.take<T>(graphs * o);
      product(graphs, w_, o, pool.out, layer.readout_weight, more);
      activate_rows(Activation::kIdentity, graphs, o, parameters_ + layer.readout_bias, more);
      if (running != nullptr && shape_.dropout > 0) {
        kept.mask = dropout_mask(t);
        for (std::size_t i = 0; i < graphs * o; ++i) more[i] *= kept.mask[i];
      }
      for (std::size_t i = 0; i < graphs * o; ++i) outputs_[i] += more[i];
    }
  }

  const T* outputs() const { return outputs_; }
  const T* vectors(std::size_t t) const { return layers_[t].pool.out; }

  // Gives the loss; adds to the gradient.
  double backward(const Targets<T>& targets, T* gradient) {
    const std::size_t graphs = batch_.num_graphs, o = shape_.num_outputs;
    T* const doutputs = arena_.take<T>(graphs * o);
    const double loss = graph_loss(shape_.loss, graphs, o, outputs_, targets, doutputs);
    T* const own = arena_.take<T>(graphs * o);
    T* dx = arena_.take_zeros<T>(num_rows(layers_.size() - 1) * w_);
    for (std::size_t t = layers_.size(); t-- > 0;) {
      const Layer& layer = shape_.layers[t];
      Kept& kept = layers_[t];
      const std::size_t n = num_rows(t);
      std::copy_n(doutputs, graphs * o, own);
      for (std::size_t i = 0; kept.mask != nullptr && i < graphs * o; ++i) own[i] *= kept.mask[i];
      const T one = 1;
      add_transposed_product<T>(graphs, w_, o, {kept.pool.out, w_}, {own, o},
                                {gradient + layer.readout_weight, o});
      add_transposed_product<T>(graphs, 1, o, {&one, 0}, {own, o}, {gradient + layer.readout_bias, o});
      T* const dvectors = arena_.take<T>(graphs * w_);
      product_transposed(graphs, w_, o, own, layer.readout_weight, dvectors);
      kept.pool.dout = dvectors;
      kept.pool.dy = {dx, w_};
      pool_rows_backward(kept.pool);

      T* const dy = arena_.take<T>(n * w_);
      normalize_backward(t, 1, dx, dy, gradient);
      add_transposed_product<T>(n, w_, w_, {kept.ends[0].x, w_}, {dy, w_},
                                {gradient + layer.maps[1].weight, w_});
      product_transposed(n, w_, w_, dy, layer.maps[1].weight, dx);
      normalize_backward(t, 0, dx, dy, gradient);
      dx = sum_neighbors_backward(t, dy, gradient);
    }
    return loss;
  }

 private:
  // One map's rows before and behind normalization and relu, and the batch's mean and variance.
  struct End {
    T* y = nullptr;
    T* x = nullptr;
    double* mean = nullptr;
    double* variance = nullptr;
  };
  struct Kept {
    // Rows of the level before times W_0.
    T* products = nullptr;
    End ends[2];
    PoolArgs<T> pool;
    T* mask = nullptr;
  };

  std::size_t num_rows(std::size_t t) const { return batch_.levels[t].rows.num_rows; }

  void product(std::size_t m, std::size_t k, std::size_t n, const T* a, std::size_t weight, T* to) const {
    matrix_product<T>(m, k, n, {a, k}, {parameters_ + weight, n}, {to, n});
  }
  // to = a transpose(W), W of k rows and n columns, a of m rows and n columns.
  void product_transposed(std::size_t m, std::size_t k, std::size_t n, const T* a, std::size_t weight, T* to) {
    T* const turned = arena_.take<T>(k * n);
    transpose<T>(k, n, {parameters_ + weight, n}, {turned, k});
    matrix_product<T>(m, n, k, {a, n}, {turned, k}, {to, k});
  }

  // y of the first map, without its bias.
  void sum_neighbors(std::size_t t) {
    const auto& level = batch_.levels[t];
    const Layer& layer = shape_.layers[t];
    Kept& kept = layers_[t];
    T* const y = kept.ends[0].y = arena_.take<T>(num_rows(t) * w_);
    const T* from = parameters_ + layer.maps[0].weight;
    if (t > 0) {
      kept.products = arena_.take<T>(num_rows(t - 1) * w_);
      product(num_rows(t - 1), w_, w_, layers_[t - 1].ends[1].x, layer.maps[0].weight, kept.products);
      from = kept.products;
    }
    sparse_product<T>(level.rows, w_, {from, w_}, {y, w_});
    if (layer.eps == GinNetShape::kNone) return;
    const T eps = parameters_[layer.eps];
    for (std::size_t row = 0; row < num_rows(t); ++row)
      for (std::size_t c = 0; c < w_; ++c) y[row * w_ + c] += eps * from[level.own[row] * w_ + c];
  }

  // Gives the gradient of the rows of the level before (null if there is none).
  T* sum_neighbors_backward(std::size_t t, const T* dy, T* gradient) {
    const auto& level = batch_.levels[t];
    const Layer& layer = shape_.layers[t];
    T* const dweight = gradient + layer.maps[0].weight;
    if (t == 0) {
      add_sparse_transposed_product<T>(level.rows, w_, {dy, w_}, {dweight, w_});
      return nullptr;
    }
    const std::size_t before = num_rows(t - 1);
    T* const dproducts = arena_.take_zeros<T>(before * w_);
    add_sparse_transposed_product<T>(level.rows, w_, {dy, w_}, {dproducts, w_});
    if (layer.eps != GinNetShape::kNone) {
      const T eps = parameters_[layer.eps];
      double slope = 0;
      for (std::size_t row = 0; row < num_rows(t); ++row)
        for (std::size_t c = 0; c < w_; ++c) {
          const std::size_t from = level.own[row] * w_ + c;
          slope += static_cast<double>(dy[row * w_ + c]) * static_cast<double>(layers_[t].products[from]);
          dproducts[from] += eps * dy[row * w_ + c];
        }
      gradient[layer.eps] = static_cast<T>(slope);
    }
    add_transposed_product<T>(before, w_, w_, {layers_[t - 1].ends[1].x, w_}, {dproducts, w_}, {dweight, w_});
    T* const dx = arena_.take<T>(before * w_);
    product_transposed(before, w_, w_, dproducts, layer.maps[0].weight, dx);
    return dx;
  }

  WeightedNormArgs<T> norm_args(std::size_t t, std::size_t i) const {
    const Map& map = shape_.layers[t].maps[i];
    const End& end = layers_[t].ends[i];
    WeightedNormArgs<T> args;
    args.num_rows = num_rows(t);
    args.d = w_;
    args.epsilon = shape_.norm_epsilon;
    args.x = end.y;
    args.weights = batch_.levels[t].counts;
    args.scale = parameters_ + map.scale;
    args.shift = parameters_ + map.shift;
    args.out = end.x;
    args.mean = end.mean;
    args.variance = end.variance;
    return args;
  }

  // x from y: bias, normalization where there is one, relu.
  void normalize(std::size_t t, std::size_t i, T* running) {
    const Map& map = shape_.layers[t].maps[i];
    End& end = layers_[t].ends[i];
    const std::size_t n = num_rows(t);
    const T* const bias = parameters_ + map.bias;
    check(is_finite(1, w_, bias, poison_), t);
    if (running != nullptr && map.has_norm() && n > 0) {
      // The bias is taken out again, so it never goes in.
      end.x = arena_.take<T>(n * w_);
      end.mean = arena_.take<double>(2 * w_);
      end.variance = end.mean + w_;
      weighted_norm(norm_args(t, i));
      for (std::size_t c = 0; c < 2 * w_; ++c) check(std::isfinite(end.mean[c]), t);
      move_on(map, end, batch_.levels[t].counts, n, running);
      return;
    }
    check(is_finite(n, w_, end.y, poison_), t);
    end.x = end.y;
    if (!map.has_norm()) {
      activate_rows(Activation::kRelu, n, w_, bias, end.y);
      return;
    }
    T* const factor = arena_.take<T>(2 * w_);
    T* const shift = factor + w_;
    for (std::size_t c = 0; c < w_; ++c) {
      const double deviation =
          std::sqrt(static_cast<double>(parameters_[map.variance + c]) + shape_.norm_epsilon);
      factor[c] = static_cast<T>(static_cast<double>(parameters_[map.scale + c]) / deviation);
      shift[c] = parameters_[map.shift + c] + (bias[c] - parameters_[map.mean + c]) * factor[c];
    }
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t c = 0; c < w_; ++c) end.y[row * w_ + c] *= factor[c];
    activate_rows(Activation::kRelu, n, w_, shift, end.y);
  }

  // dy from dx.
  void normalize_backward(std::size_t t, std::size_t i, const T* dx, T* dy, T* gradient) const {
    const Map& map = shape_.layers[t].maps[i];
    const End& end = layers_[t].ends[i];
    if (map.has_norm() && num_rows(t) > 0) {
      WeightedNormArgs<T> args = norm_args(t, i);
      args.dout = dx;
      args.dx = dy;
      args.dscale = gradient + map.scale;
      args.dshift = gradient + map.shift;
      weighted_norm_backward(args);
    } else {
      activate_rows_backward(Activation::kRelu, num_rows(t), w_, end.x, dx, dy, gradient + map.bias);
    }
  }

  void move_on(const Map& map, const End& end, const T* counts, std::size_t n, T* running) const {
    double total = 0;
    for (std::size_t row = 0; row < n; ++row) total += static_cast<double>(counts[row]);
    const double correction = total / std::max(total - 1, 1.0);
    const double momentum = shape_.norm_momentum;
    const auto move = [&](T& value, double found) {
      value = static_cast<T>((1 - momentum) * static_cast<double>(value) + momentum * found);
    };
    for (std::size_t c = 0; c < w_; ++c) {
      move(running[map.mean + c], end.mean[c] + static_cast<double>(parameters_[map.bias + c]));
      move(running[map.variance + c], end.variance[c] * correction);
    }
  }

  T* dropout_mask(std::size_t t) {
    Random random = Random(batch_.seed).stream(t);
    const std::size_t count = batch_.num_graphs * shape_.num_outputs;
    T* const mask = arena_.take<T>(count);
    for (std::size_t i = 0; i < count; ++i)
      mask[i] = random.chance(shape_.dropout) ? T{0} : static_cast<T>(1 / (1 - shape_.dropout));
    return mask;
  }

  static void check(bool is_fine, std::size_t t) {
    if (is_fine) return;
    throw Error(t == 0 ? "the first MLP: a value is infinite or no number"
                       : fmt::format("convolution {}: a value is infinite or no number", t));
  }

  const GinNetShape& shape_;
  const GinNetBatch<T>& batch_;
  const std::size_t w_;
  const T* parameters_;
  Arena& arena_;
  T* poison_;
  std::vector<Kept> layers_;
  T* outputs_ = nullptr;
};

}  // namespace

template <typename T>
struct GinNet<T>::Workspace {
  Arena arena;
};

namespace {

template <typename T>
void give(const GinNetShape& shape, const GinNetBatch<T>& batch, const GinPass<T>& pass,
          const typename GinNet<T>::Result& result) {
  if (result.outputs != nullptr)
    std::copy_n(pass.outputs(), batch.num_graphs * shape.num_outputs, result.outputs);
  if (result.vectors == nullptr) return;
  const std::size_t w = shape.width, layers = shape.layers.size();
  for (std::size_t g = 0; g < batch.num_graphs; ++g)
    for (std::size_t t = 0; t < layers; ++t)
      std::copy_n(pass.vectors(t) + g * w, w, result.vectors + (g * layers + t) * w);
}

}  // namespace

template <typename T>
GinNet<T>::GinNet(const GinNetShape& shape) : shape_(shape), workspace_(std::make_unique<Workspace>()) {
  TWOFOLD_CHECK(!shape.layers.empty(), "a network needs at least one layer");
  TWOFOLD_CHECK(shape.pooling != Pooling::kWeightedMean, "gin has no scores");
}
template <typename T>
GinNet<T>::~GinNet() = default;
template <typename T>
GinNet<T>::GinNet(GinNet&&) noexcept = default;

template <typename T>
void GinNet<T>::outputs(const GinNetBatch<T>& batch, const T* parameters, const Result& result) {
  workspace_->arena.reset();
  GinPass<T> pass(shape_, batch, parameters, workspace_->arena);
  pass.forward(nullptr);
  give(shape_, batch, pass, result);
}

template <typename T>
double GinNet<T>::loss_and_gradient(const GinNetBatch<T>& batch, const Targets<T>& targets, T* parameters,
                                    T* gradient, const Result& result) {
  workspace_->arena.reset();
  GinPass<T> pass(shape_, batch, parameters, workspace_->arena);
  pass.forward(parameters);
  give(shape_, batch, pass, result);
  std::fill_n(gradient, shape_.num_parameters, T{0});
  return pass.backward(targets, gradient);
}

template class GinNet<float>;
template class GinNet<double>;

}  // namespace twofold::compute
