#include "twofold/model/model_options.h"

#include <gtest/gtest.h>

#include <functional>

#include "twofold/base/error.h"
#include "twofold/model/parameter_layout.h"

namespace twofold::model {
namespace {

template <typename F>
std::string message_of(const F& body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

ModelOptions with_forms(const std::string& text) {
  ModelOptions options;
  options.layer_forms = parse_layer_forms(text);
  options.layers = static_cast<int>(options.layer_forms.size());
  options.width = options.layer_forms.back().channels();
  options.jumping_knowledge = false;
  return options;
}

TEST(ModelOptions, FormsOfLayersSurviveText) {
  const std::string text = "identity: 3 identity + 32 relu; relu: 35 identity; logistic: 4 tanh";
  const std::vector<LayerForm> forms = parse_layer_forms(text);
  ASSERT_EQ(forms.size(), 3u);
  EXPECT_EQ(forms[0].channels(), 35);
  EXPECT_EQ(forms[1].inner_activation, compute::Activation::kRelu);
  EXPECT_EQ(forms[0].groups[1].activation, compute::Activation::kRelu);
  EXPECT_EQ(to_string(forms), text);
  EXPECT_TRUE(parse_layer_forms("").empty());
  const ModelOptions options = with_forms(text);
  const ParameterLayout layout = parameter_layout(options, 7);
  EXPECT_EQ(layout.at("conv.0.weight").rows, 7u);
  EXPECT_EQ(layout.at("conv.0.weight").columns, 3u * 35);
  EXPECT_EQ(layout.at("conv.2.weight").rows, 35u);
  EXPECT_EQ(layout.at("head.0.weight").rows, 4u);
}

TEST(ModelOptions, RefuseFormsOfLayersThatDoNotFit) {
  for (const char* text :
       {"relu", "relu:3 relu", "relu: 3", "relu: x relu", "relu: -3 relu", "relu: 1000000 relu", "gelu: 3 relu",
        "relu: 3 relu; ; relu: 3 relu", "relu: 3 relu + "})
    EXPECT_TRUE(message_of([&] { check_options(with_forms(text)); }).find("needed") == 0) << text;
  const auto refused = [](const std::function<void(ModelOptions&)>& change) {
    ModelOptions options = with_forms("identity: 3 identity; identity: 2 relu");
    check_options(options);
    change(options);
    return message_of([&] { check_options(options); });
  };
  EXPECT_EQ(refused([](ModelOptions& o) { o.layers = 3; }), "needed a form for each of 3 layers, found 2");
  EXPECT_EQ(refused([](ModelOptions& o) { o.width = 5; }),
            "needed 5 channels in the form of the last layer, found 2");
  EXPECT_EQ(refused([](ModelOptions& o) { o.model = ModelKind::k2Gnn; }),
            "the model 2-gnn has no forms of layers");
  EXPECT_NE(refused([](ModelOptions& o) { o.jumping_knowledge = true; }), "");
  EXPECT_NE(refused([](ModelOptions& o) { o.bias = false; }), "");
  EXPECT_NE(refused([](ModelOptions& o) { o.layer_forms[0].groups[0].channels = 0; }), "");
}

TEST(ModelOptions, RefuseCombinationsThatAModelDoesNotHave) {
  ModelOptions gin = plain_options(ModelKind::kGin);
  EXPECT_NO_THROW(check_options(gin));
  gin.pooling = Pooling::kWeightedMean;
  EXPECT_THROW(check_options(gin), UsageError);
  ModelOptions gcn = plain_options(ModelKind::kGcn);
  gcn.loops_only = true;
  EXPECT_THROW(check_options(gcn), UsageError);
  ModelOptions mlp = plain_options(ModelKind::kMlp);
  mlp.dropout = 0.5;
  EXPECT_THROW(check_options(mlp), UsageError);
  const auto refuses = [](ModelKind kind, const std::function<void(ModelOptions&)>& change) {
    ModelOptions options = plain_options(kind);
    options.pooling = Pooling::kSum;
    EXPECT_NO_THROW(check_options(options));
    change(options);
    EXPECT_THROW(check_options(options), UsageError);
  };
  refuses(ModelKind::kGcn, [](ModelOptions& o) { o.sum_norm = Norm::kBatch; });
  refuses(ModelKind::kGin, [](ModelOptions& o) { o.pool_norm = Norm::kBatch; });
  refuses(ModelKind::kGcn, [](ModelOptions& o) { o.gate = Gate::kBounded; });
  refuses(ModelKind::kSage, [](ModelOptions& o) { o.pool_by_kind = true; });
  refuses(ModelKind::kGin, [](ModelOptions& o) { o.norm = Norm::kLayer; });
  refuses(ModelKind::kGin, [](ModelOptions& o) { o.head = Head::kLinear; });
  refuses(ModelKind::k2WlGnn, [](ModelOptions& o) { o.pool_by_kind = o.loops_only = true; });
  refuses(ModelKind::k2WlGnn, [](ModelOptions& o) { o.joined = {Pooling::kWeightedMean}; });
  refuses(ModelKind::k2WlGnn, [](ModelOptions& o) { o.inner_activation = Activation::kGelu; });
  for (const auto& change : std::vector<std::function<void(ModelOptions&)>>{
           [](ModelOptions& o) { o.joined = {Pooling::kMax}; }, [](ModelOptions& o) { o.pool_by_kind = true; },
           [](ModelOptions& o) { o.readout = Readout::kAll; }, [](ModelOptions& o) { o.dropout = 0.1; }})
    refuses(ModelKind::k2WlGnn, [&](ModelOptions& o) {
      o.head = Head::kNone;
      change(o);
    });
  for (const auto& change : std::vector<std::function<void(ModelOptions&)>>{
           [](ModelOptions& o) { o.joined = {Pooling::kMax}; }, [](ModelOptions& o) { o.pool_by_kind = true; },
           [](ModelOptions& o) { o.readout = Readout::kAll; }})
    refuses(ModelKind::k2WlGnn, [&](ModelOptions& o) {
      o.pooling = Pooling::kWeightedMean;
      change(o);
    });
  ModelOptions many;
  many.outputs = 3;
  EXPECT_THROW(check_options(many), UsageError);
}

TEST(ParameterLayout, OfThePapersNetworksHasTheirNumberOfParameters) {
  // 3 d_in d_out + 2 d_out a layer, d^2 + 2 d + 1 for the head; attention doubles the stack.
  ModelOptions o;
  o.layers = 3;
  o.width = 32;
  o.jumping_knowledge = false;
  o.pooling = Pooling::kMean;
  const std::size_t stack = 3 * 5 * 32 + 2 * (3 * 32 * 32) + 3 * 2 * 32;
  const std::size_t head = 32 * 32 + 2 * 32 + 1;
  EXPECT_EQ(parameter_layout(o, 5).num_trained(), stack + head);
  o.pooling = Pooling::kWeightedMean;
  EXPECT_EQ(parameter_layout(o, 5).num_trained(), 2 * stack + head);
  o.attention = Attention::kScalar;
  EXPECT_EQ(parameter_layout(o, 5).num_trained(), stack + 32 + head);
  // The timing experiment of the paper (Appendix E): 3 -> 24 -> 24 -> 1.
  o.pooling = Pooling::kMean;
  o.head = Head::kNone;
  o.width = 24;
  EXPECT_EQ(parameter_layout(o, 3).num_trained(), 2114u);
}

TEST(ParameterLayout, LiesInOrderAtCacheLinesAndStartsFromTheSeed) {
  for (const ModelKind model : {ModelKind::k2WlGnn, ModelKind::k2Gnn, ModelKind::kGin, ModelKind::kGcn,
                                ModelKind::kSage, ModelKind::kMlp}) {
    ModelOptions o = plain_options(model);
    o.train_eps = true;
    const ParameterLayout layout = parameter_layout(o, 7);
    std::size_t end = 0;
    for (const Parameter& p : layout.parameters) {
      EXPECT_EQ(p.offset % 16, 0u) << p.name;
      EXPECT_GE(p.offset, end) << p.name;
      end = p.offset + p.size();
      EXPECT_EQ(&layout.at(p.name), &p);
    }
    EXPECT_GE(layout.size, end);
    EXPECT_THROW(layout.at("conv.0.nothing"), CheckError);
    const std::vector<double> start = initial_parameters(layout, 3);
    EXPECT_EQ(start, initial_parameters(layout, 3));
    EXPECT_NE(start, initial_parameters(layout, 4));
    for (const Parameter& p : layout.parameters) {
      double largest = 0;
      for (std::size_t i = 0; i < p.size(); ++i) largest = std::max(largest, std::abs(start[p.offset + i]));
      if (p.is_matrix()) {
        EXPECT_LE(largest, std::sqrt(6.0 / static_cast<double>(p.fan_in + p.fan_out))) << p.name;
        EXPECT_GT(largest, 0) << p.name;
      } else {
        EXPECT_EQ(largest, p.fill) << p.name;
      }
    }
  }
}

}  // namespace
}  // namespace twofold::model
