#include "twofold/torch/graph_model.h"

#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <ostream>

#include "twofold/base/random.h"
#include "twofold/model/network_json.h"
#include "twofold/torch/weighted_norm_op.h"

namespace twofold::tensors {
namespace {

using torch::Tensor;

constexpr double kNormMomentum = 0.1;
constexpr double kProbabilityMargin = 1e-7;

const model::ModelOptions& checked(const model::ModelOptions& options) {
  check_options(options);
  return options;
}

Tensor dense_features(const GraphBatch& batch) {
  return batch.features.defined() ? batch.features : batch.label_features.index_select(0, batch.labels);
}

// features * weight: a product, or a look-up where rows differ by label alone. On colors, of the rows after
// `step` convolutions.
Tensor features_times(const GraphBatch& batch, std::size_t step, const Tensor& weight) {
  if (batch.features.defined()) return torch::mm(batch.features, weight);
  const Tensor& labels = batch.colors.empty() ? batch.labels : batch.colors[step].labels;
  const Tensor product = torch::mm(batch.label_features, weight);
  return labels.defined() ? product.index_select(0, labels) : product;
}

// (hidden | features) * weight, without joining them; either may be missing.
Tensor input_times(const Tensor& hidden, bool with_features, const GraphBatch& batch, std::size_t step,
                   const Tensor& weight) {
  if (!hidden.defined()) return features_times(batch, step, weight);
  if (!with_features) return torch::mm(hidden, weight);
  const std::int64_t d = hidden.size(1);
  return torch::mm(hidden, weight.slice(0, 0, d)) + features_times(batch, step, weight.slice(0, d));
}

Tensor activate_groups(const Tensor& x, const model::LayerForm& form) {
  std::vector<Tensor> parts;
  std::int64_t at = 0;
  for (const model::ChannelGroup& group : form.groups) {
    parts.push_back(tensors::activate(x.slice(1, at, at + group.channels), group.activation));
    at += group.channels;
  }
  return torch::cat(parts, 1);
}

compute::SegmentReduction reduction_of(model::Pooling pooling) {
  switch (pooling) {
    case model::Pooling::kSum:
      return compute::SegmentReduction::kSum;
    case model::Pooling::kMax:
      return compute::SegmentReduction::kMax;
    case model::Pooling::kMin:
      return compute::SegmentReduction::kMin;
    default:
      return compute::SegmentReduction::kMean;
  }
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
  return torch::addmm(parameter(name + ".bias"), x, parameter(name + ".weight"));
}

Readout GraphModelImpl::forward(const GraphBatch& batch) {
  switch (options.model) {
    case model::ModelKind::kGin:
      return forward_gin(batch);
    case model::ModelKind::kMlp:
      return forward_mlp(batch);
    default:
      return forward_stack(batch);
  }
}

Tensor GraphModelImpl::convolve(const std::string& name, const Tensor& hidden, const GraphBatch& batch,
                                std::size_t step, compute::Activation activation) const {
  const Tensor weight = parameter(name + ".weight");
  const Tensor bias = parameter(name + ".bias");
  if (options.model == model::ModelKind::k2WlGnn) {
    const Tensor z = !hidden.defined()           ? dense_features(batch)
                     : options.jumping_knowledge ? torch::cat({hidden, dense_features(batch)}, 1)
                                                 : hidden;
    const compute::Activation inner =
        options.layer_forms.empty() ? options.inner_activation : options.layer_forms[step].inner_activation;
    const tensors::PairConvArgs args{weight, bias, parameter(name + ".inner_bias"), activation, inner, threads};
    return batch.plan != nullptr ? tensors::pair_conv(z, batch.plan, args)
                                 : tensors::pair_conv_gather_scatter(z, batch.references, args);
  }
  const Tensor product = input_times(hidden, options.jumping_knowledge, batch, step, weight);
  const ColorRows* const to = batch.colors.empty() ? nullptr : &batch.colors[step + 1];
  const auto sum = [&](const Tensor& rows) {
    return tensors::neighbor_sum(rows, to == nullptr ? batch.neighborhood : to->neighborhood, 0, threads);
  };
  const std::int64_t d = product.size(1) / 2;
  Tensor x;
  if (options.model == model::ModelKind::kGcn) {
    x = sum(product);
  } else if (to == nullptr) {
    x = product.slice(1, 0, d) + sum(product.slice(1, d));
  } else if (options.model == model::ModelKind::kSage) {
    x = product.slice(1, 0, d).index_select(0, to->own) + sum(product.slice(1, d));
  } else {
    // What is at the ends of a row has the row itself among it, once an end.
    const Tensor own = product.index_select(0, to->own);
    x = own.slice(1, 0, d) - own.slice(1, d) * to->num_ends +
        tensors::neighbor_sum(sum(product.slice(1, d)), to->ends, 0, threads);
  }
  if (bias.defined()) x = x + bias;
  return tensors::activate(x, activation);
}

Tensor GraphModelImpl::stack(const char* prefix, const GraphBatch& batch) const {
  Tensor hidden;
  const bool is_answer = options.head == model::Head::kNone && std::string(prefix) == "conv";
  for (int t = 0; t < options.layers; ++t) {
    const bool has_form = !options.layer_forms.empty();
    compute::Activation activation = has_form ? compute::Activation::kIdentity : options.activation;
    if (is_answer && t + 1 == options.layers)
      activation = options.task == model::TaskKind::kBinary ? compute::Activation::kLogistic
                                                            : compute::Activation::kIdentity;
    hidden = convolve(fmt::format("{}.{}", prefix, t), hidden, batch, static_cast<std::size_t>(t), activation);
    if (has_form && !(is_answer && t + 1 == options.layers))
      hidden = activate_groups(hidden, options.layer_forms[static_cast<std::size_t>(t)]);
  }
  return hidden;
}

Tensor GraphModelImpl::pool(const Tensor& rows, const tensors::RowGroups& groups) const {
  return tensors::segment_pool(rows, groups, reduction_of(options.pooling), threads);
}

Readout GraphModelImpl::forward_stack(const GraphBatch& batch) const {
  Readout readout;
  const tensors::RowGroups& groups = batch.colors.empty() ? batch.groups : batch.colors.back().groups;
  readout.rows = stack("conv", batch);
  if (options.pooling == model::Pooling::kWeightedMean) {
    readout.scores = options.attention == model::Attention::kStack
                         ? stack("attention", batch)
                         : torch::mm(readout.rows, parameter("attention.weight"));
    readout.vectors = tensors::segment_weighted_mean(readout.rows, readout.scores, groups, threads);
  } else {
    readout.vectors = pool(readout.rows, groups);
  }
  if (options.head == model::Head::kMlp) {
    readout.outputs = linear(tensors::activate(linear(readout.vectors, "head.0"), options.activation), "head.1");
  } else if (options.task == model::TaskKind::kBinary) {
    readout.outputs = torch::logit(readout.vectors.clamp(kProbabilityMargin, 1 - kProbabilityMargin));
  } else {
    readout.outputs = readout.vectors;
  }
  return readout;
}

Tensor GraphModelImpl::normalized_relu(const Tensor& x, const std::string& name, const Tensor& counts) const {
  const Tensor scale = parameter(name + ".scale");
  if (!scale.defined()) return torch::relu(x);
  const Tensor shift = parameter(name + ".shift");
  const Tensor mean = parameter(name + ".mean");
  const Tensor variance = parameter(name + ".variance");
  // torch refuses statistics of a single row.
  if (!counts.defined() && (!is_training() || x.size(0) > 1))
    return torch::relu(torch::batch_norm(x, scale, shift, mean, variance, is_training(), kNormMomentum,
                                         model::kNormEpsilon, false));
  if (!is_training() || x.size(0) == 0)
    return torch::relu((x - mean) * (torch::rsqrt(variance + model::kNormEpsilon) * scale) + shift);
  if (counts.defined())
    return tensors::weighted_norm_relu(x, counts, scale, shift, model::kNormEpsilon,
                                   {mean, variance, kNormMomentum});
  // A single row is its own mean, and nothing comes through to it.
  {
    const torch::NoGradGuard guard;
    mean.mul_(1 - kNormMomentum).add_(x.detach()[0], kNormMomentum);
    variance.mul_(1 - kNormMomentum);
  }
  return torch::relu((x - x) * scale + shift);
}

Readout GraphModelImpl::forward_gin(const GraphBatch& batch) const {
  Readout readout;
  Tensor x;
  std::vector<Tensor> pooled;
  for (int t = 0; t <= options.layers; ++t) {
    const std::string name = fmt::format("conv.{}", t);
    const ColorRows* const to = batch.colors.empty() ? nullptr : &batch.colors[static_cast<std::size_t>(t)];
    const Tensor& counts = to == nullptr ? batch.counts : to->counts;
    Tensor y;
    if (t == 0) {
      y = features_times(batch, 0, parameter("conv.0.0.weight")) + parameter("conv.0.0.bias");
    } else {
      Tensor sum = to == nullptr ? tensors::neighbor_sum(x, batch.neighborhood, 1, threads)
                                 : tensors::neighbor_sum(x, to->neighborhood, 0, threads);
      if (options.train_eps)
        sum = sum + parameter(name + ".eps") * (to == nullptr ? x : x.index_select(0, to->own));
      y = linear(sum, name + ".0");
    }
    y = normalized_relu(y, name + ".0", counts);
    x = normalized_relu(linear(y, name + ".1"), name + ".1", counts);
    pooled.push_back(pool(x, to == nullptr ? batch.groups : to->groups));
    Tensor outputs = linear(pooled.back(), fmt::format("readout.{}", t));
    if (options.dropout > 0 && is_training())
      outputs = outputs * dropout_mask(outputs, options.dropout,
                                       Random(batch.seed).stream(static_cast<std::uint64_t>(t)));
    readout.outputs = t == 0 ? outputs : readout.outputs + outputs;
  }
  readout.rows = x;
  readout.vectors = torch::cat(pooled, 1);
  return readout;
}

Readout GraphModelImpl::forward_mlp(const GraphBatch& batch) const {
  Readout readout;
  if (options.mlp_form == model::MlpForm::kPerVertex) {
    readout.rows = torch::relu(features_times(batch, 0, parameter("vertex.weight")) + parameter("vertex.bias"));
    readout.vectors = pool(readout.rows, batch.groups);
  } else {
    readout.vectors = pool(dense_features(batch), batch.groups);
  }
  readout.outputs = linear(torch::relu(linear(readout.vectors, "head.0")), "head.1");
  return readout;
}

}  // namespace twofold::tensors
