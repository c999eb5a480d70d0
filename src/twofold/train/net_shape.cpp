#include "twofold/train/net_shape.h"

#include <fmt/format.h>

#include <cmath>

#include "twofold/base/error.h"

namespace twofold::train {
namespace {

using compute::EndShape;
using compute::LayerShape;
using compute::ReadoutShape;
using compute::StackShape;
using model::ModelKind;

// Finds parameters by their names.
class Places {
 public:
  explicit Places(const model::ParameterLayout& layout) : layout_(layout) {}

  std::size_t at(const std::string& name) const { return layout_.at(name).offset; }
  std::size_t find(const std::string& name) const {
    const model::Parameter* const found = layout_.find(name);
    return found == nullptr ? compute::kNowhere : found->offset;
  }
  std::size_t columns(const std::string& name) const { return layout_.at(name).columns; }

  // Bias, normalization of that kind where there is one, activation.
  EndShape end(const std::string& name, model::Norm norm, compute::Activation activation) const {
    EndShape end;
    end.bias = find(name + ".bias");
    end.scale = find(name + ".scale");
    end.shift = find(name + ".shift");
    end.mean = find(name + ".mean");
    end.variance = find(name + ".variance");
    if (end.scale != compute::kNowhere) end.norm = norm;
    end.activation = activation;
    return end;
  }

 private:
  const model::ParameterLayout& layout_;
};

// Of 2-wl-gnn, 2-gnn, gcn and sage.
LayerShape layer_shape(const std::string& prefix, int t, const model::ModelOptions& o, const Places& places) {
  const std::string name = fmt::format("{}.{}", prefix, t);
  const bool has_triples = o.model == ModelKind::k2WlGnn;
  LayerShape layer;
  layer.sum = has_triples ? LayerShape::Sum::kPairs : LayerShape::Sum::kNeighbors;
  layer.own = o.model != ModelKind::kGcn;
  layer.gate = has_triples ? o.gate : model::Gate::kNone;
  layer.weight = places.at(name + ".weight");
  layer.width = places.columns(name + ".weight") / layer.num_blocks();
  compute::Activation activation = o.activation;
  // Without a head the last convolution gives the answer: a chance, or a value. Scores of attention do not.
  const bool gives_answers = t + 1 == o.layers && o.head == model::Head::kNone && prefix == "conv";
  if (gives_answers)
    activation =
        o.task == model::TaskKind::kBinary ? compute::Activation::kLogistic : compute::Activation::kIdentity;
  if (has_triples) {
    layer.inner_activation = o.inner_activation;
    layer.inner_bias = places.find(name + ".inner_bias");
  }
  layer.sum_end = places.end(name + ".sum", o.sum_norm, compute::Activation::kIdentity);
  layer.end = places.end(name, o.norm, activation);
  if (has_triples && o.gate == model::Gate::kNone) {
    layer.second_weight = places.at(name + ".second.weight");
    layer.second_width = places.columns(name + ".second.weight");
    layer.second_end = places.end(name + ".second", o.norm, activation);
    // The first of two maps keeps the network's activation.
    layer.end.activation = o.activation;
  }
  if (!o.layer_forms.empty()) {
    const model::LayerForm& form = o.layer_forms[static_cast<std::size_t>(t)];
    layer.inner_activation = form.inner_activation;
    if (!gives_answers)
      for (const model::ChannelGroup& group : form.groups)
        layer.end.groups.emplace_back(static_cast<std::size_t>(group.channels), group.activation);
  }
  return layer;
}

StackShape stack_shape(const std::string& prefix, const model::ModelOptions& o, std::size_t columns,
                       const Places& places) {
  StackShape stack;
  stack.in = columns;
  stack.jumping_knowledge = o.jumping_knowledge;
  stack.is_attention = prefix == "attention";
  for (int t = 0; t < o.layers; ++t) {
    stack.layers.push_back(layer_shape(prefix, t, o, places));
    LayerShape& layer = stack.layers.back();
    layer.residual = o.residual && t > 0 && stack.layers[stack.layers.size() - 2].out() == layer.out();
  }
  return stack;
}

// gin's maps, and its layers, whose sums have the node itself among them.
void add_gin(const model::ModelOptions& o, std::size_t columns, const Places& places,
             compute::NetShape& shape) {
  shape.stack.in = columns;
  shape.drops_outputs = true;
  for (int t = 0; t <= o.layers; ++t) {
    LayerShape layer;
    layer.sum = t == 0 ? LayerShape::Sum::kNone : LayerShape::Sum::kNeighbors;
    layer.own = t == 0;
    layer.width = layer.second_width = static_cast<std::size_t>(o.width);
    const std::string name = fmt::format("conv.{}", t);
    layer.weight = places.at(name + ".0.weight");
    layer.eps = places.find(name + ".eps");
    layer.end = places.end(name + ".0", model::Norm::kBatch, compute::Activation::kRelu);
    layer.second_weight = places.at(name + ".1.weight");
    layer.second_end = places.end(name + ".1", model::Norm::kBatch, compute::Activation::kRelu);
    shape.stack.layers.push_back(layer);
    ReadoutShape readout;
    readout.layer = static_cast<std::size_t>(t);
    readout.poolings = model::all_poolings(o);
    readout.output_weight = places.at(fmt::format("readout.{}.weight", t));
    readout.output_bias = places.at(fmt::format("readout.{}.bias", t));
    shape.readouts.push_back(readout);
  }
}

// `name.0` and `name.1`, or `name` alone, or nothing.
void add_head(const std::string& name, const model::ModelOptions& o, compute::Activation activation,
              const Places& places, ReadoutShape& readout) {
  readout.pooled_end = places.end(name + ".pooled", o.pool_norm, compute::Activation::kIdentity);
  if (o.head == model::Head::kMlp) {
    readout.hidden = places.columns(name + ".0.weight");
    readout.hidden_activation = activation;
    readout.hidden_weight = places.at(name + ".0.weight");
    readout.hidden_bias = places.at(name + ".0.bias");
    readout.output_weight = places.at(name + ".1.weight");
    readout.output_bias = places.at(name + ".1.bias");
  } else if (o.head == model::Head::kLinear) {
    readout.output_weight = places.at(name + ".weight");
    readout.output_bias = places.at(name + ".bias");
  } else {
    readout.pools_chances = o.task == model::TaskKind::kBinary;
  }
}

void add_mlp(const model::ModelOptions& o, std::size_t columns, const Places& places,
             compute::NetShape& shape) {
  shape.stack.in = columns;
  LayerShape layer;
  layer.width = columns;
  if (o.mlp_form == model::MlpForm::kPerVertex) {
    layer.width = static_cast<std::size_t>(o.width);
    layer.weight = places.at("vertex.weight");
    layer.end = places.end("vertex", model::Norm::kNone, compute::Activation::kRelu);
  }
  shape.stack.layers.push_back(layer);
  ReadoutShape readout;
  readout.poolings = model::all_poolings(o);
  add_head("head", o, compute::Activation::kRelu, places, readout);
  shape.readouts.push_back(readout);
}

}  // namespace

compute::NetShape net_shape(const model::ModelOptions& o, std::size_t columns,
                            const model::ParameterLayout& layout, const Objective& task) {
  const Places places(layout);
  compute::NetShape shape;
  shape.num_outputs = static_cast<std::size_t>(o.outputs);
  shape.dropout = o.dropout;
  shape.layer_dropout = o.layer_dropout;
  shape.loss = task.network_loss();
  shape.norm_epsilon = model::kNormEpsilon;
  shape.num_parameters = layout.size;
  if (o.model == ModelKind::kGin) {
    add_gin(o, columns, places, shape);
    return shape;
  }
  if (o.model == ModelKind::kMlp) {
    add_mlp(o, columns, places, shape);
    return shape;
  }
  shape.stack = stack_shape("conv", o, columns, places);
  ReadoutShape readout;
  readout.poolings = model::all_poolings(o);
  readout.num_kinds = model::num_kinds(o);
  if (o.pooling == model::Pooling::kWeightedMean) {
    if (o.attention == model::Attention::kStack)
      shape.attention = stack_shape("attention", o, columns, places);
    else
      readout.score_weight = places.at("attention.weight");
  }
  for (std::size_t k = 0; k < shape.stack.layers.size(); ++k) {
    const bool is_last = k + 1 == shape.stack.layers.size();
    if (!is_last && o.readout == model::Readout::kLast) continue;
    readout.layer = k;
    add_head(o.readout == model::Readout::kLast ? "head" : fmt::format("readout.{}", k), o, o.activation,
             places, readout);
    shape.readouts.push_back(readout);
  }
  return shape;
}

void NetTargets::fill(const Objective& task, const std::vector<double>& targets,
                      Span<const std::uint32_t> graphs) {
  classes.clear();
  values.clear();
  weights.clear();
  double total = 0;
  const std::size_t width = task.num_targets();
  for (const std::uint32_t g : graphs) {
    double weight = 1;
    if (task.has_values()) {
      // A graph counts as many values as are known of it, each the same.
      weight = 0;
      for (std::size_t c = 0; c < width; ++c) {
        const double target = targets.at(g * width + c);
        values.push_back(static_cast<float>((target - task.target_mean[c]) / task.target_scale[c]));
        weight += !std::isnan(target);
      }
    } else {
      classes.push_back(static_cast<std::uint32_t>(targets.at(g)));
      if (!task.class_weights.empty()) weight = task.class_weights[classes.back()];
    }
    weights.push_back(static_cast<float>(weight));
    total += weight;
  }
  for (float& weight : weights)
    weight = total == 0 ? 0 : static_cast<float>(static_cast<double>(weight) / total);
}

compute::Targets<float> NetTargets::view() const {
  return {classes.empty() ? nullptr : classes.data(), values.empty() ? nullptr : values.data(), weights.data()};
}

}  // namespace twofold::train
