#include "twofold/train/net_shape.h"

#include <fmt/format.h>

#include "twofold/base/error.h"

namespace twofold::train {
namespace {

compute::PairStackShape stack_shape(const std::string& prefix, const model::ModelOptions& o,
                                    std::size_t columns, const model::ParameterLayout& layout) {
  compute::PairStackShape stack;
  stack.in = columns;
  stack.jumping_knowledge = o.jumping_knowledge;
  for (int t = 0; t < o.layers; ++t) {
    const model::Parameter& weight = layout.at(fmt::format("{}.{}.weight", prefix, t));
    compute::PairStackShape::Layer layer;
    layer.width = weight.columns / 3;
    layer.activation = o.activation;
    // Without a head the last convolution gives the answer: a chance, or a value. Scores of attention do not.
    if (t + 1 == o.layers && o.head == model::Head::kNone && prefix == "conv")
      layer.activation =
          o.task == model::TaskKind::kBinary ? compute::Activation::kLogistic : compute::Activation::kIdentity;
    layer.inner_activation = o.inner_activation;
    layer.weight = weight.offset;
    if (o.bias) {
      layer.bias = layout.at(fmt::format("{}.{}.bias", prefix, t)).offset;
      layer.inner_bias = layout.at(fmt::format("{}.{}.inner_bias", prefix, t)).offset;
    }
    stack.layers.push_back(layer);
  }
  return stack;
}

compute::Pooling pooling_of(model::Pooling pooling) {
  switch (pooling) {
    case model::Pooling::kMean:
      return compute::Pooling::kMean;
    case model::Pooling::kWeightedMean:
      return compute::Pooling::kWeightedMean;
    case model::Pooling::kSum:
      return compute::Pooling::kSum;
    case model::Pooling::kMax:
      return compute::Pooling::kMax;
    case model::Pooling::kMin:
      return compute::Pooling::kMin;
  }
  return compute::Pooling::kMean;
}

compute::Loss loss_of(const Objective& task) {
  if (task.kind == model::TaskKind::kBinary) return compute::Loss::kBinary;
  if (task.kind == model::TaskKind::kMultiClass) return compute::Loss::kCross;
  return task.loss == model::Loss::kAbsolute ? compute::Loss::kAbsolute : compute::Loss::kSquared;
}

}  // namespace

compute::PairNetShape pair_net_shape(const model::ModelOptions& o, std::size_t columns,
                                     const model::ParameterLayout& layout, const Objective& task) {
  TWOFOLD_CHECK(o.model == model::ModelKind::k2WlGnn);
  compute::PairNetShape shape;
  shape.stack = stack_shape("conv", o, columns, layout);
  shape.pooling = pooling_of(o.pooling);
  shape.loops_only = o.loops_only;
  if (o.pooling == model::Pooling::kWeightedMean) {
    if (o.attention == model::Attention::kStack)
      shape.attention = stack_shape("attention", o, columns, layout);
    else
      shape.score_weight = layout.at("attention.weight").offset;
  }
  if (o.head == model::Head::kMlp) {
    shape.hidden = layout.at("head.0.weight").columns;
    shape.hidden_activation = o.activation;
    shape.hidden_weight = layout.at("head.0.weight").offset;
    shape.hidden_bias = layout.at("head.0.bias").offset;
    shape.output_weight = layout.at("head.1.weight").offset;
    shape.output_bias = layout.at("head.1.bias").offset;
  }
  shape.pools_chances = o.head == model::Head::kNone && o.task == model::TaskKind::kBinary;
  shape.num_outputs = static_cast<std::size_t>(o.outputs);
  shape.loss = loss_of(task);
  shape.num_parameters = layout.size;
  return shape;
}

compute::GinNetShape gin_net_shape(const model::ModelOptions& o, const model::ParameterLayout& layout,
                                   const Objective& task) {
  TWOFOLD_CHECK(o.model == model::ModelKind::kGin);
  compute::GinNetShape shape;
  shape.width = static_cast<std::size_t>(o.width);
  shape.pooling = pooling_of(o.pooling);
  shape.norm_epsilon = model::kNormEpsilon;
  shape.dropout = o.dropout;
  for (int t = 0; t <= o.layers; ++t) {
    compute::GinNetShape::Layer layer;
    for (int i = 0; i < 2; ++i) {
      const std::string name = fmt::format("conv.{}.{}", t, i);
      compute::GinNetShape::Map& map = layer.maps[i];
      map.weight = layout.at(name + ".weight").offset;
      map.bias = layout.at(name + ".bias").offset;
      if (layout.find(name + ".scale") == nullptr) continue;
      map.scale = layout.at(name + ".scale").offset;
      map.shift = layout.at(name + ".shift").offset;
      map.mean = layout.at(name + ".mean").offset;
      map.variance = layout.at(name + ".variance").offset;
    }
    if (t > 0 && o.train_eps) layer.eps = layout.at(fmt::format("conv.{}.eps", t)).offset;
    layer.readout_weight = layout.at(fmt::format("readout.{}.weight", t)).offset;
    layer.readout_bias = layout.at(fmt::format("readout.{}.bias", t)).offset;
    shape.layers.push_back(layer);
  }
  shape.num_outputs = static_cast<std::size_t>(o.outputs);
  shape.loss = loss_of(task);
  shape.num_parameters = layout.size;
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
    if (task.is_regression()) {
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

void SparseTable::clear() {
  offsets.assign(1, 0);
  columns.clear();
  values.clear();
}

void SparseTable::add(Span<const float> row) {
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (row[c] == 0) continue;
    columns.push_back(static_cast<std::uint32_t>(c));
    values.push_back(row[c]);
  }
  offsets.push_back(static_cast<std::uint32_t>(columns.size()));
}

void SparseTable::add(const SparseTable& other, std::size_t row) {
  for (std::size_t at = other.offsets[row]; at < other.offsets[row + 1]; ++at) {
    columns.push_back(other.columns[at]);
    values.push_back(other.values[at]);
  }
  offsets.push_back(static_cast<std::uint32_t>(columns.size()));
}

}  // namespace twofold::train
