#include "twofold/model/parameter_layout.h"

#include <fmt/format.h>

#include <cmath>

#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::model {
namespace {

constexpr std::size_t kAlignment = 16;

class Builder {
 public:
  explicit Builder(ParameterLayout& layout) : layout_(layout) {}

  // `blocks` matrices side by side, each with fans of its own.
  void add_matrix(const std::string& name, std::size_t in, std::size_t out, std::size_t blocks = 1) {
    Parameter p;
    p.name = name;
    p.rows = in;
    p.columns = out * blocks;
    p.fan_in = in;
    p.fan_out = out;
    add(p);
  }
  void add_vector(const std::string& name, std::size_t size, double fill = 0, bool is_trained = true) {
    Parameter p;
    p.name = name;
    p.rows = size;
    p.fill = fill;
    p.is_trained = is_trained;
    add(p);
  }
  void add_norm(const std::string& name, std::size_t size) {
    add_vector(name + ".scale", size, 1);
    add_vector(name + ".shift", size);
  }
  // The running statistics of a normalization that is there and goes by the batch.
  void add_running(const std::string& name, const ModelOptions& o) {
    const std::string part = name.substr(name.rfind('.') + 1);
    const Norm norm = part == "sum" ? o.sum_norm : part == "pooled" ? o.pool_norm : o.norm;
    const Parameter* const scale = layout_.find(name + ".scale");
    if (scale == nullptr || norm != Norm::kBatch) return;
    const std::size_t size = scale->rows;
    add_vector(name + ".mean", size, 0, false);
    add_vector(name + ".variance", size, 1, false);
  }
  void add_linear(const std::string& name, std::size_t in, std::size_t out) {
    add_matrix(name + ".weight", in, out);
    add_vector(name + ".bias", out);
  }

 private:
  void add(Parameter p) {
    p.offset = layout_.size;
    layout_.size += (p.size() + kAlignment - 1) / kAlignment * kAlignment;
    layout_.parameters.push_back(std::move(p));
  }
  ParameterLayout& layout_;
};

std::size_t num_blocks(const ModelOptions& o) {
  switch (o.model) {
    case ModelKind::k2WlGnn:
      return o.gate == Gate::kNone ? 2 : 3;
    case ModelKind::k2Gnn:
    case ModelKind::kSage:
      return 2;
    default:
      return 1;
  }
}

// The last layer of a network without a head gives answers, which are not normalized.
bool gives_answers(const ModelOptions& o, const std::string& prefix, int layer) {
  return layer + 1 == o.layers && o.head == Head::kNone && prefix == "conv";
}

// Gives the columns of its last layer.
std::size_t add_stack(Builder& builder, const std::string& prefix, const ModelOptions& o, std::size_t columns) {
  std::size_t in = columns;
  std::size_t out = 0;
  for (int t = 0; t < o.layers; ++t) {
    const std::string name = fmt::format("{}.{}", prefix, t);
    const bool is_last = t + 1 == o.layers;
    out =
        static_cast<std::size_t>(!o.layer_forms.empty() ? o.layer_forms[static_cast<std::size_t>(t)].channels()
                                 : is_last && o.head == Head::kNone ? o.outputs
                                                                    : o.width);
    builder.add_matrix(name + ".weight", in, out, num_blocks(o));
    if (o.bias) {
      builder.add_vector(name + ".bias", out);
      if (o.model == ModelKind::k2WlGnn) builder.add_vector(name + ".inner_bias", out);
    }
    const bool has_norm = o.norm != Norm::kNone && !gives_answers(o, prefix, t);
    if (o.sum_norm != Norm::kNone) builder.add_norm(name + ".sum", out);
    if (has_norm) builder.add_norm(name, out);
    if (o.model == ModelKind::k2WlGnn && o.gate == Gate::kNone) {
      builder.add_matrix(name + ".second.weight", out, out);
      if (o.bias) builder.add_vector(name + ".second.bias", out);
      if (has_norm) builder.add_norm(name + ".second", out);
    }
    in = out + (o.jumping_knowledge ? columns : 0);
  }
  return out;
}

// Of batch normalization, behind all that is trained.
void add_running(Builder& builder, const std::string& prefix, const ModelOptions& o) {
  for (int t = 0; t < o.layers; ++t) {
    const std::string name = fmt::format("{}.{}", prefix, t);
    for (const char* part : {".sum", "", ".second"}) builder.add_running(name + part, o);
  }
}

// Heads of all readouts, of so many pooled values.
void add_head(Builder& builder, const std::string& name, const ModelOptions& o, std::size_t pooled) {
  const auto width = static_cast<std::size_t>(o.width);
  const auto outputs = static_cast<std::size_t>(o.outputs);
  if (o.pool_norm != Norm::kNone) builder.add_norm(name + ".pooled", pooled);
  if (o.head == Head::kMlp) {
    builder.add_linear(name + ".0", pooled, width);
    builder.add_linear(name + ".1", width, outputs);
  } else if (o.head == Head::kLinear) {
    builder.add_linear(name, pooled, outputs);
  }
}

// A single column is as a rule the constant of graphs without labels: its deviation is nothing but rounding,
// and dividing by it would make features of that.
bool has_norm(const ModelOptions& o, std::size_t columns, int layer) {
  return o.batch_norm && (layer > 0 || columns > 1);
}

void add_gin(Builder& builder, const ModelOptions& o, std::size_t columns) {
  const auto width = static_cast<std::size_t>(o.width);
  for (int t = 0; t <= o.layers; ++t) {
    for (int i = 0; i < 2; ++i) {
      const std::string name = fmt::format("conv.{}.{}", t, i);
      builder.add_linear(name, t == 0 && i == 0 ? columns : width, width);
      if (!has_norm(o, columns, t)) continue;
      builder.add_vector(name + ".scale", width, 1);
      builder.add_vector(name + ".shift", width);
    }
    if (t > 0 && o.train_eps) builder.add_vector(fmt::format("conv.{}.eps", t), 1);
    builder.add_linear(fmt::format("readout.{}", t), width * all_poolings(o).size(),
                       static_cast<std::size_t>(o.outputs));
  }
  for (int t = 0; t <= o.layers; ++t)
    for (int i = 0; i < 2 && has_norm(o, columns, t); ++i) {
      builder.add_vector(fmt::format("conv.{}.{}.mean", t, i), width, 0, false);
      builder.add_vector(fmt::format("conv.{}.{}.variance", t, i), width, 1, false);
    }
}

}  // namespace

const Parameter* ParameterLayout::find(const std::string& name) const {
  for (const Parameter& parameter : parameters)
    if (parameter.name == name) return &parameter;
  return nullptr;
}

const Parameter& ParameterLayout::at(const std::string& name) const {
  const Parameter* found = find(name);
  TWOFOLD_CHECK(found != nullptr, "the network has no parameter {}", name);
  return *found;
}

std::size_t ParameterLayout::num_trained() const {
  std::size_t count = 0;
  for (const Parameter& parameter : parameters)
    if (parameter.is_trained) count += parameter.size();
  return count;
}

ParameterLayout parameter_layout(const ModelOptions& o, std::size_t columns) {
  TWOFOLD_CHECK(columns > 0, "a network needs columns of features");
  ParameterLayout layout;
  Builder builder(layout);
  const auto width = static_cast<std::size_t>(o.width);
  const auto outputs = static_cast<std::size_t>(o.outputs);
  switch (o.model) {
    case ModelKind::kGin:
      add_gin(builder, o, columns);
      return layout;
    case ModelKind::kMlp:
      if (o.mlp_form == MlpForm::kPerVertex) builder.add_linear("vertex", columns, width);
      builder.add_linear("head.0",
                         (o.mlp_form == MlpForm::kPerVertex ? width : columns) * all_poolings(o).size(), width);
      builder.add_linear("head.1", width, outputs);
      return layout;
    default:
      break;
  }
  const std::size_t last = add_stack(builder, "conv", o, columns);
  if (o.pooling == Pooling::kWeightedMean) {
    if (o.attention == Attention::kStack)
      add_stack(builder, "attention", o, columns);
    else
      builder.add_matrix("attention.weight", last, 1);
  }
  const std::size_t pooled = width * all_poolings(o).size() * num_kinds(o);
  std::vector<std::string> heads;
  if (o.readout == Readout::kLast)
    heads.emplace_back("head");
  else
    for (int t = 0; t < o.layers; ++t) heads.push_back(fmt::format("readout.{}", t));
  for (const std::string& head : heads) add_head(builder, head, o, pooled);
  add_running(builder, "conv", o);
  add_running(builder, "attention", o);
  for (const std::string& head : heads) builder.add_running(head + ".pooled", o);
  return layout;
}

std::vector<double> initial_parameters(const ParameterLayout& layout, std::uint64_t seed) {
  std::vector<double> values(layout.size, 0);
  for (std::size_t i = 0; i < layout.parameters.size(); ++i) {
    const Parameter& p = layout.parameters[i];
    Random random = Random(seed).stream(i);
    const double bound = p.is_matrix() ? std::sqrt(6.0 / static_cast<double>(p.fan_in + p.fan_out)) : 0;
    for (std::size_t k = 0; k < p.size(); ++k)
      values[p.offset + k] = p.is_matrix() ? bound * (2 * random.uniform() - 1) : p.fill;
  }
  return values;
}

}  // namespace twofold::model
