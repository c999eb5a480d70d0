#include "twofold/train/simulate.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>
#include <optional>

#include "twofold/base/error.h"
#include "twofold/model/parameter_layout.h"

namespace twofold::train {
namespace {

constexpr std::size_t kIndicators = 3;

double at_zero(compute::Activation activation) {
  return activation == compute::Activation::kLogistic ? 0.5 : 0;
}

// A matrix with a row per input and a column per output, and what is added.
struct Dense {
  std::size_t in = 0;
  std::size_t out = 0;
  std::vector<double> weight;
  std::vector<double> bias;
};

// One 2-WL convolution, entry by entry; what is not named is 0.
class Layer {
 public:
  explicit Layer(std::size_t in, compute::Activation inner = compute::Activation::kIdentity) : in_(in) {
    form_.inner_activation = inner;
  }

  std::size_t add_channel(compute::Activation activation = compute::Activation::kIdentity) {
    if (form_.groups.empty() || form_.groups.back().activation != activation)
      form_.groups.push_back({0, activation});
    ++form_.groups.back().channels;
    return out_++;
  }
  // W_L, W_F, W_Gamma and b_Gamma.
  void add_local(std::size_t from, std::size_t to, double value) { entries_.push_back({0, from, to, value}); }
  void add_factor(std::size_t from, std::size_t to, double value) { entries_.push_back({1, from, to, value}); }
  void add_inner(std::size_t from, std::size_t to, double value) { entries_.push_back({2, from, to, value}); }
  void add_inner_bias(std::size_t to, double value) { inner_biases_.push_back({0, 0, to, value}); }

  std::size_t copy(std::size_t from) {
    const std::size_t to = add_channel();
    add_local(from, to, 1);
    return to;
  }
  std::vector<std::size_t> copy(const std::vector<std::size_t>& from) {
    std::vector<std::size_t> to;
    for (const std::size_t channel : from) to.push_back(copy(channel));
    return to;
  }

  const model::LayerForm& form() const { return form_; }
  std::size_t in() const { return in_; }
  std::size_t out() const { return out_; }

  // in() rows of W_L | W_F | W_Gamma.
  void write(double* weight, double* inner_bias) const {
    for (const Entry& e : entries_) weight[e.from * 3 * out_ + e.matrix * out_ + e.to] += e.value;
    for (const Entry& e : inner_biases_) inner_bias[e.to] += e.value;
  }

 private:
  struct Entry {
    std::size_t matrix, from, to;
    double value;
  };
  std::size_t in_;
  std::size_t out_ = 0;
  model::LayerForm form_;
  std::vector<Entry> entries_;
  std::vector<Entry> inner_biases_;
};

// Which channel of the rows means what (the proof's P1 to P3), and the layers so far. On rows of edges all but
// the weight are 0.
class Stack {
 public:
  std::size_t channels = 0;
  std::size_t indicator = 0;  // 1 on loops
  std::size_t weight = 0;     // w_ij
  std::optional<std::size_t> scale;
  std::vector<std::size_t> features;  // what the next convolution reads, on loops
  std::vector<std::size_t> carried;   // what is read again later, on loops
  std::vector<Layer> layers;

  // The proof's S(t,1) and S(t,2): features become w_ii z_i + sum of w_ij z_j, and own * z_i more. If `apart`,
  // z_i itself stands in front of the sums.
  void add_up_neighbors(double own, bool apart) {
    std::vector<std::size_t> lost, shared, kept;
    push([&](Layer& layer) {
      for (const std::size_t z : features) {
        // On loops z_i times the sum of w_il, on edges 0.
        lost.push_back(layer.add_channel());
        layer.add_factor(z, lost.back(), 0.5);
        layer.add_inner(weight, lost.back(), 1);
        // On loops 2 w_ii z_i, on edges w_ij (z_i + z_j).
        shared.push_back(layer.add_channel());
        layer.add_factor(weight, shared.back(), 1);
        layer.add_inner(z, shared.back(), 1);
        if (own != 0 || apart) kept.push_back(layer.copy(z));
      }
      return std::vector<std::size_t>();
    });
    push([&](Layer& layer) {
      std::vector<std::size_t> result;
      if (apart) result = layer.copy(kept);
      for (std::size_t k = 0; k < lost.size(); ++k) {
        result.push_back(layer.add_channel());
        layer.add_local(lost[k], result.back(), -1);
        layer.add_factor(before_.indicator, result.back(), 0.5);
        layer.add_inner(shared[k], result.back(), 1);
        if (own != 0) layer.add_local(kept[k], result.back(), own);
      }
      return result;
    });
  }

  // The last half of the features times the scale of their node.
  void scale_sums() {
    push([&](Layer& layer) {
      const std::size_t half = before_.features.size() / 2;
      std::vector<std::size_t> result;
      for (std::size_t k = 0; k < half; ++k) result.push_back(layer.copy(before_.features[k]));
      for (std::size_t k = half; k < 2 * half; ++k) {
        result.push_back(layer.add_channel());
        layer.add_factor(before_.features[k], result.back(), 0.5);
        layer.add_inner(*before_.scale, result.back(), 1);
      }
      return result;
    });
  }

  // One layer of an MLP. The last of all has nothing but what is pooled.
  void transform(const Dense& dense, compute::Activation activation, bool is_last) {
    TWOFOLD_CHECK(dense.in == features.size());
    push(
        [&](Layer& layer) {
          std::vector<std::size_t> result;
          for (std::size_t j = 0; j < dense.out; ++j) {
            result.push_back(layer.add_channel(activation));
            for (std::size_t k = 0; k < dense.in; ++k)
              layer.add_local(before_.features[k], result.back(), dense.weight[k * dense.out + j]);
            if (!dense.bias.empty()) layer.add_local(before_.indicator, result.back(), dense.bias[j]);
          }
          return result;
        },
        compute::Activation::kIdentity, is_last);
    if (!is_last && at_zero(activation) != 0) clear_edges();
  }

 private:
  // Features times the indicator: of all triples only (e_ii, e_ii), of loops, has 1 + 1 - 1 > 0.
  void clear_edges() {
    push(
        [&](Layer& layer) {
          std::vector<std::size_t> result;
          for (const std::size_t z : before_.features) {
            result.push_back(layer.add_channel());
            layer.add_factor(z, result.back(), 1);
            layer.add_inner(before_.indicator, result.back(), 1);
            layer.add_inner_bias(result.back(), -1);
          }
          return result;
        },
        compute::Activation::kRelu);
  }

  // A layer that keeps what has to go on; `fill` adds the new features and gives their channels.
  template <typename Fill>
  void push(const Fill& fill, compute::Activation inner = compute::Activation::kIdentity,
            bool is_last = false) {
    before_ = {indicator, scale, features};
    Layer layer(channels, inner);
    const std::size_t next_indicator = is_last ? 0 : layer.copy(indicator);
    const std::size_t next_weight = is_last ? 0 : layer.copy(weight);
    if (scale && !is_last) scale = layer.copy(*scale);
    carried = layer.copy(carried);
    features = fill(layer);
    indicator = next_indicator;
    weight = next_weight;
    channels = layer.out();
    layers.push_back(std::move(layer));
  }

  struct Before {
    std::size_t indicator = 0;
    std::optional<std::size_t> scale;
    std::vector<std::size_t> features;
  };
  Before before_;
};

// The simulated network's parameters by name.
class Source {
 public:
  Source(const model::ModelOptions& options, std::size_t columns, Span<const double> parameters)
      : layout_(model::parameter_layout(options, columns)), parameters_(parameters) {
    TWOFOLD_CHECK(parameters.size() == layout_.size, "{} parameters for a network of {}", parameters.size(),
                  layout_.size);
  }
  std::vector<double> values(const std::string& name) const {
    const model::Parameter& p = layout_.at(name);
    const double* const begin = parameters_.data() + p.offset;
    return {begin, begin + p.size()};
  }
  bool has(const std::string& name) const { return layout_.find(name) != nullptr; }
  Dense dense(const std::string& name) const {
    const model::Parameter& p = layout_.at(name + ".weight");
    Dense dense{p.rows, p.columns, values(name + ".weight"), {}};
    if (has(name + ".bias")) dense.bias = values(name + ".bias");
    return dense;
  }

 private:
  model::ParameterLayout layout_;
  Span<const double> parameters_;
};

// ((x W + b) - mean) / deviation * scale + shift as one matrix and bias.
Dense folded(const Source& source, const std::string& name) {
  Dense dense = source.dense(name);
  if (!source.has(name + ".scale")) return dense;
  const auto mean = source.values(name + ".mean"), variance = source.values(name + ".variance");
  const auto scale = source.values(name + ".scale"), shift = source.values(name + ".shift");
  for (std::size_t j = 0; j < dense.out; ++j) {
    const double by = scale[j] / std::sqrt(variance[j] + model::kNormEpsilon);
    for (std::size_t k = 0; k < dense.in; ++k) dense.weight[k * dense.out + j] *= by;
    dense.bias[j] = (dense.bias[j] - mean[j]) * by + shift[j];
  }
  return dense;
}

// sage's own | neighbors side by side, one above the other: it reads nodes and means apart.
Dense stacked(const Dense& pair) {
  Dense dense{2 * pair.in, pair.out / 2, {}, pair.bias};
  for (std::size_t half = 0; half < 2; ++half)
    for (std::size_t k = 0; k < pair.in; ++k)
      for (std::size_t j = 0; j < dense.out; ++j)
        dense.weight.push_back(pair.weight[k * pair.out + half * dense.out + j]);
  return dense;
}

Stack initial_stack(std::size_t columns, bool is_constant, NeighborWeights weights) {
  Stack stack;
  const std::size_t read = is_constant ? 0 : columns;
  stack.channels = kIndicators + read + num_columns(weights);
  stack.weight = kIndicators + read;
  if (weights == NeighborWeights::kMean) stack.scale = stack.weight + 1;
  // A constant on nodes is the indicator of loops.
  for (std::size_t c = 0; c < columns; ++c) stack.features.push_back(is_constant ? 0 : kIndicators + c);
  return stack;
}

// gcn and sage; `prefix` is that of their rows or of their scores.
void build_stack(const model::ModelOptions& o, const Source& source, const std::string& prefix, Stack& stack) {
  const bool is_sage = o.model == model::ModelKind::kSage;
  if (o.jumping_knowledge && o.layers > 1) stack.carried = stack.features;
  for (int t = 0; t < o.layers; ++t) {
    stack.add_up_neighbors(0, is_sage);
    if (is_sage) stack.scale_sums();
    const Dense dense = source.dense(fmt::format("{}.{}", prefix, t));
    const bool is_last = t + 1 == o.layers;
    if (is_last) stack.carried.clear();
    stack.transform(is_sage ? stacked(dense) : dense, o.activation, is_last);
    if (o.jumping_knowledge)
      stack.features.insert(stack.features.end(), stack.carried.begin(), stack.carried.end());
  }
}

void build_gin(const model::ModelOptions& o, const Source& source, Stack& stack) {
  for (int t = 0; t <= o.layers; ++t) {
    const std::string name = fmt::format("conv.{}", t);
    if (t > 0) {
      stack.carried.insert(stack.carried.end(), stack.features.begin(), stack.features.end());
      const double eps = o.train_eps ? source.values(name + ".eps")[0] : 0;
      stack.add_up_neighbors(1 + eps, false);
    }
    for (int i = 0; i < 2; ++i)
      stack.transform(folded(source, fmt::format("{}.{}", name, i)), compute::Activation::kRelu,
                      t == o.layers && i == 1);
  }
}

class Target {
 public:
  explicit Target(Simulation& simulation)
      : layout_(model::parameter_layout(simulation.options, simulation.columns)),
        values_(simulation.parameters) {
    values_.assign(layout_.size, 0);
  }
  double* at(const std::string& name) { return values_.data() + layout_.at(name).offset; }
  void set(const std::string& name, const std::vector<double>& values) {
    TWOFOLD_CHECK(layout_.at(name).size() == values.size(), "{}", name);
    std::copy(values.begin(), values.end(), at(name));
  }
  void set_stack(const std::string& prefix, const Stack& stack) {
    for (std::size_t t = 0; t < stack.layers.size(); ++t)
      stack.layers[t].write(at(fmt::format("{}.{}.weight", prefix, t)),
                            at(fmt::format("{}.{}.inner_bias", prefix, t)));
  }

 private:
  model::ParameterLayout layout_;
  std::vector<double>& values_;
};

// The sum of linear maps of the layers' pooled features is one of them all side by side; the hidden layer of
// the head leaves them as they are.
void set_readouts(const model::ModelOptions& o, const Source& source, std::size_t width, Target& target) {
  double* const identity = target.at("head.0.weight");
  for (std::size_t c = 0; c < width; ++c) identity[c * width + c] = 1;
  std::vector<double> weight, bias(static_cast<std::size_t>(o.outputs), 0);
  for (int t = 0; t <= o.layers; ++t) {
    const Dense readout = source.dense(fmt::format("readout.{}", t));
    weight.insert(weight.end(), readout.weight.begin(), readout.weight.end());
    for (std::size_t j = 0; j < bias.size(); ++j) bias[j] += readout.bias[j];
  }
  target.set("head.1.weight", weight);
  target.set("head.1.bias", bias);
}

NeighborWeights weights_of(model::ModelKind model) {
  if (model == model::ModelKind::kGcn) return NeighborWeights::kGcn;
  return model == model::ModelKind::kSage ? NeighborWeights::kMean : NeighborWeights::kSum;
}

}  // namespace

bool can_simulate(model::ModelKind model) {
  return model == model::ModelKind::kGcn || model == model::ModelKind::kGin || model == model::ModelKind::kSage;
}

Simulation simulate(const model::ModelOptions& o, std::size_t columns, bool is_constant,
                    Span<const double> parameters) {
  if (!can_simulate(o.model))
    throw UsageError(
        fmt::format("needed a model that adds up neighbors (gcn, gin, sage), found {}", to_string(o.model)));
  check_options(o);
  if (o.marks > 0) throw UsageError("needed a model without marks to simulate, found marks");
  const bool is_gin = o.model == model::ModelKind::kGin;
  const Source source(o, columns, parameters);
  Simulation result;
  result.weights = weights_of(o.model);
  Stack stack = initial_stack(columns, is_constant, result.weights);
  result.columns = stack.channels;
  Stack scores = stack;
  if (is_gin)
    build_gin(o, source, stack);
  else
    build_stack(o, source, "conv", stack);

  result.options = o;
  model::ModelOptions& made = result.options;
  made.model = model::ModelKind::k2WlGnn;
  made.radius = pairs::Radius(1);
  for (const Layer& layer : stack.layers) made.layer_forms.push_back(layer.form());
  made.layers = static_cast<int>(stack.layers.size());
  if (o.head == model::Head::kMlp) made.width = static_cast<int>(stack.channels);
  if (is_gin) made.activation = compute::Activation::kIdentity;
  made.inner_activation = compute::Activation::kIdentity;
  made.indicators = true;
  made.bias = true;
  made.jumping_knowledge = false;
  made.loops_only = true;
  made.dropout = 0;
  made.node_attributes = true;
  check_options(made);

  Target target(result);
  target.set_stack("conv", stack);
  if (is_gin) {
    set_readouts(o, source, stack.channels, target);
    return result;
  }
  if (o.pooling == model::Pooling::kWeightedMean) {
    if (o.attention == model::Attention::kStack) {
      build_stack(o, source, "attention", scores);
      target.set_stack("attention", scores);
    } else {
      target.set("attention.weight", source.values("attention.weight"));
    }
  }
  if (o.head == model::Head::kMlp)
    for (const char* name : {"head.0.weight", "head.0.bias", "head.1.weight", "head.1.bias"})
      target.set(name, source.values(name));
  return result;
}

}  // namespace twofold::train
