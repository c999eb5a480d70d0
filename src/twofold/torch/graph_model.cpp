#include "twofold/torch/graph_model.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <ostream>

#include "twofold/base/random.h"
#include "twofold/model/network_json.h"

namespace twofold::tensors {
namespace {

using compute::Activation;
using torch::Tensor;

constexpr double kNormMomentum = 0.1;
constexpr double kProbabilityMargin = 1e-7;

const model::ModelOptions& checked(const model::ModelOptions& options) {
  check_options(options);
  return options;
}

Tensor activate_groups(const Tensor& x, const model::LayerForm& form) {
  std::vector<Tensor> parts;
  std::int64_t at = 0;
  for (const model::ChannelGroup& group : form.groups) {
    parts.push_back(activate(x.slice(1, at, at + group.channels), group.activation));
    at += group.channels;
  }
  return torch::cat(parts, 1);
}

// 0 with probability p, else 1 / (1 - p): from our own generator, never torch's.
Tensor dropout_mask(const Tensor& like, double p, Random random) {
  Tensor mask = torch::empty({like.size(0), like.size(1)}, torch::kDouble);
  double* const values = mask.data_ptr<double>();
  for (std::int64_t i = 0; i < mask.numel(); ++i) values[i] = random.chance(p) ? 0 : 1 / (1 - p);
  return mask.to(like.options());
}

}  // namespace

GraphModelImpl::GraphModelImpl(const model::ModelOptions& given, std::int64_t num_columns, torch::Dtype dtype,
                               torch::Device device)
    : options(checked(given)),
      columns(num_columns),
      layout(model::parameter_layout(given, static_cast<std::size_t>(num_columns))),
      dtype_(dtype),
      device_(device) {
  reset();
}

void GraphModelImpl::reset() {
  const auto size = static_cast<std::int64_t>(layout.size);
  const auto type = torch::TensorOptions().dtype(dtype_).device(device_);
  flat = torch::zeros({size}, type);
  flat_gradient = torch::zeros({size}, type);
  views_.clear();
  for (const model::Parameter& p : layout.parameters) {
    const auto cut = [&](const Tensor& from) {
      const Tensor part =
          from.narrow(0, static_cast<std::int64_t>(p.offset), static_cast<std::int64_t>(p.size()));
      return p.is_matrix()
                 ? part.view({static_cast<std::int64_t>(p.rows), static_cast<std::int64_t>(p.columns)})
                 : part;
    };
    // Shares memory, not versions: moving the running statistics must not look like a change of the weights.
    Tensor view = cut(flat).variable_data();
    // torch allows no dots in names.
    std::string name = p.name;
    std::replace(name.begin(), name.end(), '.', '_');
    if (p.is_trained) {
      view = register_parameter(name, view);
      view.mutable_grad() = cut(flat_gradient).detach();
    } else {
      view = register_buffer(name, view);
    }
    views_.push_back(view);
  }
  reset_parameters(1);
}

void GraphModelImpl::reset_parameters(std::uint64_t seed) {
  const torch::NoGradGuard guard;
  flat.copy_(torch::tensor(model::initial_parameters(layout, seed), torch::kDouble));
}

void GraphModelImpl::pretty_print(std::ostream& stream) const {
  stream << "twofold::tensors::GraphModel(columns=" << columns << ", " << model::describe(options) << ")";
}

Tensor GraphModelImpl::parameter(const std::string& name) const {
  const model::Parameter* found = layout.find(name);
  if (found == nullptr) return {};
  return views_[static_cast<std::size_t>(found - layout.parameters.data())];
}

Tensor GraphModelImpl::linear(const Tensor& x, const std::string& name) const {
  const Tensor product = torch::mm(x, parameter(name + ".weight"));
  const Tensor bias = parameter(name + ".bias");
  return bias.defined() ? product + bias : product;
}

Readout GraphModelImpl::forward(const GraphBatch& batch) {
  switch (options.model) {
    case model::ModelKind::kGin:
      return forward_gin(batch);
    case model::ModelKind::kMlp:
      return forward_mlp(batch);
    case model::ModelKind::k2WlGnn:
    case model::ModelKind::k2Gnn:
    case model::ModelKind::kGcn:
    case model::ModelKind::kSage:
      break;
  }
  return forward_stack(batch);
}

// As it is where there is no normalization of that name.
Tensor GraphModelImpl::normalized(const Tensor& x, const std::string& name, model::Norm norm) const {
  const Tensor scale = parameter(name + ".scale");
  if (!scale.defined()) return x;
  const Tensor shift = parameter(name + ".shift");
  if (norm == model::Norm::kLayer)
    return torch::layer_norm(x, {x.size(1)}, scale, shift, model::kNormEpsilon, /*cudnn_enable=*/false);
  const Tensor mean = parameter(name + ".mean");
  const Tensor variance = parameter(name + ".variance");
  // torch refuses statistics of no rows.
  if (is_training() && x.size(0) == 0) return x * scale + shift;
  // A single row has no statistics of its own, and goes by the running ones.
  return torch::batch_norm(x, scale, shift, mean, variance, is_training() && x.size(0) > 1, kNormMomentum,
                           model::kNormEpsilon, /*cudnn_enabled=*/false);
}

// One layer of 2-wl-gnn, 2-gnn, gcn or sage, up to its activation.
Tensor GraphModelImpl::convolve(const std::string& name, int layer, const Tensor& x,
                                const GraphBatch& batch) const {
  const Tensor product = torch::mm(x, parameter(name + ".weight"));
  const auto with_norm = [&](const Tensor& sum) { return normalized(sum, name + ".sum", options.sum_norm); };
  Tensor y;
  if (options.model == model::ModelKind::kGcn) {
    y = neighbor_sum(product, batch.neighborhood);
  } else if (options.model != model::ModelKind::k2WlGnn) {
    const std::vector<Tensor> parts = product.chunk(2, 1);
    y = parts[0] + with_norm(neighbor_sum(parts[1], batch.neighborhood));
  } else {
    const bool has_gate = options.gate != model::Gate::kNone;
    const std::vector<Tensor> parts = product.chunk(has_gate ? 3 : 2, 1);
    const Activation inner = options.layer_forms.empty()
                                 ? options.inner_activation
                                 : options.layer_forms[static_cast<std::size_t>(layer)].inner_activation;
    y = with_norm(
        pair_sum_gather_scatter(parts.back(), parameter(name + ".inner_bias"), batch.references, inner));
    if (has_gate) y = y * (options.gate == model::Gate::kBounded ? torch::tanh(parts[1]) : parts[1]);
    y = y + parts[0];
  }
  const Tensor bias = parameter(name + ".bias");
  if (bias.defined()) y = y + bias;
  return normalized(y, name, options.norm);
}

// The rows of every layer.
std::vector<Tensor> GraphModelImpl::stack(const std::string& prefix, const GraphBatch& batch) const {
  std::vector<Tensor> rows;
  for (int t = 0; t < options.layers; ++t) {
    const std::string name = fmt::format("{}.{}", prefix, t);
    const Tensor x = t == 0                      ? batch.features
                     : options.jumping_knowledge ? torch::cat({rows.back(), batch.features}, 1)
                                                 : rows.back();
    // Without a head the last convolution gives the answer: a chance, or a value. Scores of attention do not.
    const bool gives_answers =
        t + 1 == options.layers && options.head == model::Head::kNone && prefix == "conv";
    const Activation last = !gives_answers                             ? options.activation
                            : options.task == model::TaskKind::kBinary ? Activation::kLogistic
                                                                       : Activation::kIdentity;
    Tensor y = convolve(name, t, x, batch);
    if (parameter(name + ".second.weight").defined())
      y = normalized(linear(activate(y, options.activation), name + ".second"), name + ".second", options.norm);
    y = !options.layer_forms.empty() && !gives_answers
            ? activate_groups(y, options.layer_forms[static_cast<std::size_t>(t)])
            : activate(y, last);
    if (options.residual && t > 0 && rows.back().size(1) == y.size(1)) y = y + rows.back();
    rows.push_back(y);
  }
  return rows;
}

Tensor GraphModelImpl::pool(const Tensor& rows, const GraphBatch& batch) const {
  std::vector<Tensor> parts;
  for (const model::Pooling pooling : model::all_poolings(options))
    parts.push_back(graph_pool(rows, batch.groups, pooling));
  return torch::cat(parts, 1);
}

// Adds what the head of that name makes of what is pooled, and puts what it reads behind the others.
void GraphModelImpl::read_out(const Tensor& pooled, const std::string& head, const GraphBatch& batch,
                              Readout& to) const {
  const Tensor vectors = normalized(pooled, head + ".pooled", options.pool_norm);
  const bool is_gin = options.model == model::ModelKind::kGin;
  const bool is_first = !to.vectors.defined();
  const auto number = is_first ? 0 : static_cast<std::uint64_t>(to.vectors.size(1) / vectors.size(1));
  const auto dropped = [&](const Tensor& x) {
    return options.dropout > 0 && is_training()
               ? x * dropout_mask(x, options.dropout, Random(batch.seed).stream(number))
               : x;
  };
  const Tensor x = is_gin ? vectors : dropped(vectors);
  Tensor outputs;
  if (is_gin)
    outputs = dropped(linear(x, head));
  else if (options.head == model::Head::kLinear)
    outputs = linear(x, head);
  else if (options.head == model::Head::kMlp)
    outputs = linear(activate(linear(x, head + ".0"),
                              options.model == model::ModelKind::kMlp ? Activation::kRelu : options.activation),
                     head + ".1");
  else
    outputs = options.task == model::TaskKind::kBinary
                  ? torch::logit(x.clamp(kProbabilityMargin, 1 - kProbabilityMargin))
                  : x;
  to.outputs = is_first ? outputs : to.outputs + outputs;
  to.vectors = is_first ? vectors : torch::cat({to.vectors, vectors}, 1);
}

Readout GraphModelImpl::forward_stack(const GraphBatch& batch) const {
  Readout readout;
  const std::vector<Tensor> layers = stack("conv", batch);
  readout.rows = layers.back();
  if (options.pooling == model::Pooling::kWeightedMean) {
    readout.scores = options.attention == model::Attention::kStack
                         ? stack("attention", batch).back()
                         : torch::mm(readout.rows, parameter("attention.weight"));
    read_out(graph_weighted_mean(readout.rows, readout.scores, batch.groups), "head", batch, readout);
  } else if (options.readout == model::Readout::kLast) {
    read_out(pool(readout.rows, batch), "head", batch, readout);
  } else {
    for (std::size_t t = 0; t < layers.size(); ++t)
      read_out(pool(layers[t], batch), fmt::format("readout.{}", t), batch, readout);
  }
  return readout;
}

Readout GraphModelImpl::forward_gin(const GraphBatch& batch) const {
  Readout readout;
  Tensor x = batch.features;
  for (int t = 0; t <= options.layers; ++t) {
    const std::string name = fmt::format("conv.{}", t);
    if (t > 0) {
      const Tensor eps = parameter(name + ".eps");
      x = neighbor_sum(x, batch.neighborhood) + (eps.defined() ? (1 + eps) * x : x);
    }
    for (const char* map : {".0", ".1"})
      x = torch::relu(normalized(linear(x, name + map), name + map, model::Norm::kBatch));
    read_out(pool(x, batch), fmt::format("readout.{}", t), batch, readout);
  }
  readout.rows = x;
  return readout;
}

Readout GraphModelImpl::forward_mlp(const GraphBatch& batch) const {
  Readout readout;
  Tensor x = batch.features;
  if (options.mlp_form == model::MlpForm::kPerVertex) x = readout.rows = torch::relu(linear(x, "vertex"));
  read_out(pool(x, batch), "head", batch, readout);
  return readout;
}

}  // namespace twofold::tensors
