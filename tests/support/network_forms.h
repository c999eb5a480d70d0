#pragma once

#include <functional>
#include <string>
#include <vector>

#include "twofold/model/model_options.h"

namespace twofold::testing {

struct NetworkForm {
  std::string name;
  model::ModelOptions options;
};

namespace network_form_list {

using model::Activation;
using model::Attention;
using model::Gate;
using model::Head;
using model::ModelKind;
using model::ModelOptions;
using model::Norm;
using model::Pooling;
using model::Readout;
using model::TaskKind;

class Forms {
 public:
  void add(const std::string& name, ModelKind kind, const std::function<void(ModelOptions&)>& change) {
    ModelOptions o = model::plain_options(kind);
    o.width = 5;
    o.layers = 2;
    // Smooth, so that neighboring roundings give neighboring results.
    if (kind != ModelKind::kGin && kind != ModelKind::kMlp) o.activation = Activation::kTanh;
    change(o);
    model::check_options(o);
    all.push_back({std::string(model::to_string(kind)) + " " + name, o});
  }

  std::vector<NetworkForm> all;
};

// Poolings, heads and attention, for any of the four that are a stack of convolutions.
inline void add_readouts(Forms& forms, ModelKind kind) {
  for (const Pooling pooling :
       {Pooling::kMean, Pooling::kWeightedMean, Pooling::kSum, Pooling::kMax, Pooling::kMin})
    forms.add(model::to_string(pooling), kind, [&](ModelOptions& o) {
      o.pooling = pooling;
      o.jumping_knowledge = pooling == Pooling::kSum || pooling == Pooling::kMax;
      o.layers = pooling == Pooling::kMin ? 1 : 3;
    });
  forms.add("scalar attention, jumping", kind, [](ModelOptions& o) {
    o.attention = Attention::kScalar;
    o.pooling = Pooling::kWeightedMean;
    o.jumping_knowledge = true;
  });
  forms.add("no head, no bias", kind, [](ModelOptions& o) {
    o.head = Head::kNone;
    o.bias = false;
    o.pooling = Pooling::kMean;
    o.activation = Activation::kLogistic;
  });
  forms.add("no head, classes, attention", kind, [](ModelOptions& o) {
    o.head = Head::kNone;
    o.task = TaskKind::kMultiClass;
    o.outputs = 3;
    o.pooling = Pooling::kWeightedMean;
    o.activation = Activation::kRelu;
  });
  forms.add("all layers, joined, dropout, linear head", kind, [](ModelOptions& o) {
    o.readout = Readout::kAll;
    o.pooling = Pooling::kMean;
    o.joined = {Pooling::kMax};
    o.dropout = 0.3;
    o.head = Head::kLinear;
    o.task = TaskKind::kRegression;
  });
  forms.add("all layers, gelu", kind, [](ModelOptions& o) {
    o.readout = Readout::kAll;
    o.pooling = Pooling::kSum;
    o.activation = Activation::kGelu;
  });
  forms.add("batch norm, residual, silu", kind, [](ModelOptions& o) {
    o.norm = Norm::kBatch;
    o.residual = true;
    o.layers = 3;
    o.activation = Activation::kSilu;
    o.pooling = Pooling::kMean;
    o.jumping_knowledge = false;
  });
  forms.add("layer norm, attention", kind, [](ModelOptions& o) {
    o.norm = Norm::kLayer;
    o.pooling = Pooling::kWeightedMean;
  });
  forms.add("pooled by batch, all layers, sum and max", kind, [](ModelOptions& o) {
    o.pool_norm = o.norm = Norm::kBatch;
    o.readout = Readout::kAll;
    o.pooling = Pooling::kSum;
    o.joined = {Pooling::kMax};
  });
  forms.add("pooled by layer, attention, linear head", kind, [](ModelOptions& o) {
    o.pool_norm = Norm::kLayer;
    o.pooling = Pooling::kWeightedMean;
    o.head = Head::kLinear;
  });
}

inline void add_sum_norms(Forms& forms, ModelKind kind) {
  forms.add("sums by layer, residual", kind, [](ModelOptions& o) {
    o.sum_norm = Norm::kLayer;
    o.residual = true;
  });
  forms.add("sums by batch, batch norm", kind, [](ModelOptions& o) {
    o.sum_norm = o.norm = Norm::kBatch;
    o.pooling = Pooling::kSum;
  });
}

inline void add_pair_forms(Forms& forms, ModelKind kind) {
  forms.add("of loops, no indicators", kind, [](ModelOptions& o) {
    o.loops_only = true;
    o.indicators = false;
  });
  forms.add("by kind, joined", kind, [](ModelOptions& o) {
    o.pool_by_kind = true;
    o.pooling = Pooling::kMean;
    o.joined = {Pooling::kSum};
  });
  forms.add("by kind, all layers, max", kind, [](ModelOptions& o) {
    o.pool_by_kind = true;
    o.readout = Readout::kAll;
    o.pooling = Pooling::kMax;
    o.head = Head::kLinear;
    o.dropout = 0.2;
  });
}

inline void add_triple_forms(Forms& forms) {
  const ModelKind kind = ModelKind::k2WlGnn;
  forms.add("logistic triples of all pairs", kind, [](ModelOptions& o) {
    o.inner_activation = Activation::kLogistic;
    o.radius = pairs::Radius::all();
  });
  forms.add("tanh triples, radius 1", kind, [](ModelOptions& o) {
    o.inner_activation = Activation::kTanh;
    o.radius = pairs::Radius(1);
  });
  forms.add("bounded gate", kind, [](ModelOptions& o) { o.gate = Gate::kBounded; });
  forms.add("bounded gate, sums by batch, layer norm, residual, gelu", kind, [](ModelOptions& o) {
    o.gate = Gate::kBounded;
    o.sum_norm = Norm::kBatch;
    o.norm = Norm::kLayer;
    o.residual = true;
    o.activation = Activation::kGelu;
  });
  forms.add("no gate", kind, [](ModelOptions& o) { o.gate = Gate::kNone; });
  forms.add("no gate, batch norm, residual, silu", kind, [](ModelOptions& o) {
    o.gate = Gate::kNone;
    o.norm = Norm::kBatch;
    o.residual = true;
    o.activation = Activation::kSilu;
    o.pooling = Pooling::kMean;
  });
  forms.add("no gate, no head, no bias", kind, [](ModelOptions& o) {
    o.gate = Gate::kNone;
    o.head = Head::kNone;
    o.bias = false;
    o.pooling = Pooling::kMean;
  });
}

inline void add_gin(Forms& forms) {
  const ModelKind kind = ModelKind::kGin;
  forms.add("sum", kind, [](ModelOptions&) {});
  forms.add("mean, eps, dropout, no self-loops", kind, [](ModelOptions& o) {
    o.pooling = Pooling::kMean;
    o.train_eps = true;
    o.dropout = 0.3;
    o.self_loops = false;
  });
  forms.add("max, no batch norm", kind, [](ModelOptions& o) {
    o.pooling = Pooling::kMax;
    o.batch_norm = false;
  });
  forms.add("eps, no batch norm, no self-loops, values", kind, [](ModelOptions& o) {
    o.train_eps = true;
    o.batch_norm = false;
    o.self_loops = false;
    o.task = TaskKind::kRegression;
  });
  forms.add("joined, classes", kind, [](ModelOptions& o) {
    o.pooling = Pooling::kMean;
    o.joined = {Pooling::kMin};
    o.task = TaskKind::kMultiClass;
    o.outputs = 4;
  });
}

}  // namespace network_form_list

/// Every model with each option away from its default at least once, all small: poolings, heads and attention,
/// then normalizations, gates, residuals and readouts.
inline std::vector<NetworkForm> network_forms() {
  using model::ModelKind;
  using model::ModelOptions;
  network_form_list::Forms forms;
  for (const ModelKind kind : {ModelKind::k2WlGnn, ModelKind::k2Gnn, ModelKind::kGcn, ModelKind::kSage}) {
    add_readouts(forms, kind);
    if (kind != ModelKind::kGcn) add_sum_norms(forms, kind);
    if (model::has_pair_rows(kind)) add_pair_forms(forms, kind);
  }
  forms.add("without self-loops", ModelKind::kSage, [](ModelOptions& o) { o.self_loops = false; });
  add_triple_forms(forms);
  add_gin(forms);
  forms.add("per node", ModelKind::kMlp, [](ModelOptions&) {});
  forms.add("joined", ModelKind::kMlp, [](ModelOptions& o) { o.joined = {model::Pooling::kMax}; });
  forms.add("of summed features", ModelKind::kMlp,
            [](ModelOptions& o) { o.mlp_form = model::MlpForm::kSumOfFeatures; });
  return forms.all;
}

}  // namespace twofold::testing
