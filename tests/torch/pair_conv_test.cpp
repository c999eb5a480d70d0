#include "twofold/torch/pair_conv.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <numeric>
#include <sstream>

#include "tests/support/named_graphs.h"
#include "twofold/base/random.h"
#include "twofold/pairs/pair_batch.h"
#include "twofold/pairs/pair_features.h"

namespace twofold::tensors {
namespace {

using pairs::PairSet;
using pairs::Radius;
using torch::Tensor;

struct Sample {
  std::vector<PairSet> sets;
  pairs::PairBatch batch;
  tensors::Plan plan;
  Tensor z;

  Sample(const std::vector<Graph>& graphs, Radius radius, const pairs::FeatureLayout& layout)
      : sets(pairs::encode_pairs(graphs, radius)),
        batch(pairs::make_batch(sets)),
        plan(std::make_shared<compute::PairPlan>(compute::make_plan(batch))) {
    const auto columns = static_cast<std::int64_t>(layout.columns());
    z = torch::zeros({static_cast<std::int64_t>(batch.num_rows()), columns}, torch::kDouble);
    for (std::size_t g = 0; g < graphs.size(); ++g)
      pairs::write_features(graphs[g], sets[g], layout,
                            z.data_ptr<double>() + batch.row_offsets[g] * layout.columns());
  }
  Sample(const Sample&) = delete;
};

TEST(PairConv, Proposition47TellsSixCycleFromTwoTrianglesByMinimumFourAgainstSix) {
  // Paper, Prop. 4.7: features (is loop, is edge), W_L = 0, W_F = W_Gamma = (1,
  // 1)^T, identity. An edge of the hexagon meets itself and its two ends, an edge of a triangle one more pair
  // of edges.
  PairConv conv(PairConvOptions(2, 1)
                    .bias(false)
                    .activation(compute::Activation::kIdentity)
                    .inner_activation(compute::Activation::kIdentity));
  conv->to(torch::kDouble);
  {
    const torch::NoGradGuard guard;
    conv->weight.copy_(torch::tensor({{0.0, 1.0, 1.0}, {0.0, 1.0, 1.0}}, torch::kDouble));
  }
  const auto rows = [&](const Graph& g) {
    pairs::FeatureLayout layout;
    const Sample sample({g}, Radius(1), layout);
    return conv->forward(sample.z.slice(1, 0, 2), sample.plan);
  };
  const Tensor hexagon = rows(testing::cycle(6));
  const Tensor triangles = rows(testing::two_triangles());
  EXPECT_EQ(hexagon.min().item<double>(), 4);
  EXPECT_EQ(triangles.min().item<double>(), 6);
  for (std::int64_t v = 0; v < 6; ++v) {
    EXPECT_EQ(hexagon[v].item<double>(), 6);
    EXPECT_EQ(triangles[v].item<double>(), 6);
  }
}

TEST(PairConvStack, GivesTheSameByBothEngines) {
  Random random(1);
  std::vector<Graph> graphs;
  for (int i = 0; i < 6; ++i) graphs.push_back(testing::random_graph(random, 12, 0.25, 4));
  const Sample sample(graphs, Radius(2), pairs::feature_layout(graphs));
  for (const bool jumping : {true, false}) {
    torch::manual_seed(3);
    PairConvStack stack(PairConvStackOptions(sample.z.size(1), {8, 5, 1})
                            .jumping_knowledge(jumping)
                            .inner_activation(compute::Activation::kRelu));
    stack->to(torch::kDouble);
    const Tensor fused = stack->forward(sample.z, sample.plan);
    const Tensor stock = stack->forward(sample.z, tensors::make_reference_tensors(sample.batch));
    EXPECT_EQ(fused.size(1), 1);
    EXPECT_LT((fused - stock).abs().max().item<double>(), 1e-12);
    EXPECT_EQ(stack->parameters().size(), 9u);
  }
}

TEST(PairConvStack, OnRelabelledNodesPermutesRowsAndKeepsPooledValues) {
  Random random(2);
  for (int trial = 0; trial < 5; ++trial) {
    const Graph g = testing::random_graph(random, 13, 0.25, 3);
    std::vector<Node> name(g.num_nodes());
    std::iota(name.begin(), name.end(), Node{0});
    random.shuffle(name);
    const Graph renamed = relabeled(g, name);
    const std::vector<Graph> both = {g, renamed};
    const pairs::FeatureLayout layout = pairs::feature_layout(both);
    const Sample a({g}, Radius(2), layout);
    const Sample b({renamed}, Radius(2), layout);
    PairConvStack stack(PairConvStackOptions(a.z.size(1), {6, 4}).jumping_knowledge(true));
    stack->to(torch::kDouble);
    const Tensor x = stack->forward(a.z, a.plan);
    const Tensor y = stack->forward(b.z, b.plan);
    for (std::size_t row = 0; row < a.sets[0].num_rows(); ++row) {
      const pairs::Row other = b.sets[0].find_row(name[a.sets[0].first[row]], name[a.sets[0].second[row]]);
      ASSERT_NE(other, pairs::kNoRow);
      EXPECT_LT((x[static_cast<std::int64_t>(row)] - y[other]).abs().max().item<double>(), 1e-12);
    }
    EXPECT_LT((x.mean(0) - y.mean(0)).abs().max().item<double>(), 1e-12);
    EXPECT_LT((x.amax(0) - y.amax(0)).abs().max().item<double>(), 1e-12);
  }
}

TEST(PairConvStack, KeepsTheRowsOfAGraphWhateverElseIsInTheBatch) {
  Random random(3);
  std::vector<Graph> graphs;
  for (int i = 0; i < 5; ++i) graphs.push_back(testing::random_graph(random, 5 + random.below(9), 0.3, 3));
  const pairs::FeatureLayout layout = pairs::feature_layout(graphs);
  const Sample together(graphs, Radius(2), layout);
  PairConvStack stack(PairConvStackOptions(together.z.size(1), {7, 3}));
  stack->to(torch::kDouble);
  const Tensor all = stack->forward(together.z, together.plan);
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const Sample alone({graphs[g]}, Radius(2), layout);
    const Tensor one = stack->forward(alone.z, alone.plan);
    const Tensor part = all.slice(0, static_cast<std::int64_t>(together.batch.row_offsets[g]),
                                  static_cast<std::int64_t>(together.batch.row_offsets[g + 1]));
    EXPECT_LT((one - part).abs().max().item<double>(), 1e-13);
  }
}

TEST(PairConv, StartsGlorotUniformWithZeroBiasesAndPrintsItself) {
  PairConv conv(PairConvOptions(30, 20).inner_activation(compute::Activation::kRelu));
  const double bound = std::sqrt(6.0 / (30 + 20));
  EXPECT_LE(conv->weight.abs().max().item<double>(), bound);
  EXPECT_GT(conv->weight.abs().max().item<double>(), 0.95 * bound);
  EXPECT_EQ(conv->bias.abs().max().item<double>(), 0);
  EXPECT_EQ(conv->inner_bias.abs().max().item<double>(), 0);
  std::int64_t count = 0;
  for (const Tensor& parameter : conv->parameters()) count += parameter.numel();
  EXPECT_EQ(count, 3 * 30 * 20 + 2 * 20);
  std::ostringstream text;
  text << conv;
  EXPECT_EQ(text.str(),
            "twofold::tensors::PairConv(in_features=30, out_features=20, bias=true, activation=logistic, "
            "inner_activation=relu)");
  EXPECT_THROW(PairConv(PairConvOptions(0, 3)), c10::Error);
}

TEST(PairConvStack, OfTheEpochTimeExperimentHas2114Parameters) {
  // As in the timing experiment of the paper (Appendix E): conv widths 3 -> 24 -> 24 -> 1 with biases.
  PairConvStack stack(PairConvStackOptions(3, {24, 24, 1}));
  std::int64_t count = 0;
  for (const Tensor& parameter : stack->parameters()) count += parameter.numel();
  EXPECT_EQ(count, 2114);
}

TEST(PairConvStack, ClonesIntoParametersOfItsOwn) {
  PairConvStack stack(PairConvStackOptions(3, {4, 2}));
  const auto copy = std::dynamic_pointer_cast<PairConvStackImpl>(stack->clone());
  ASSERT_NE(copy, nullptr);
  EXPECT_TRUE(torch::equal(copy->parameters()[0], stack->parameters()[0]));
  const torch::NoGradGuard guard;
  copy->parameters()[0].add_(1);
  EXPECT_FALSE(torch::equal(copy->parameters()[0], stack->parameters()[0]));
}

// Their slope does not follow from what they give, which is all that our loop keeps.
TEST(PairConv, TakesGeluAndSiluOutsideAndRefusesThemForTriples) {
  Random random(31);
  std::vector<Graph> graphs;
  for (int k = 0; k < 6; ++k) graphs.push_back(testing::random_graph(random, 3 + 2 * k, 0.4, 4));
  const Sample sample(graphs, Radius(2), pairs::feature_layout(graphs));
  const tensors::ReferenceTensors references = tensors::make_reference_tensors(sample.batch);
  for (const compute::Activation activation : {compute::Activation::kGelu, compute::Activation::kSilu}) {
    PairConv conv(PairConvOptions(sample.z.size(1), 5).activation(activation));
    conv->to(torch::kDouble);
    const Tensor z = sample.z.detach().requires_grad_();
    const Tensor found = conv->forward(z, sample.plan), expected = conv->forward(z, references);
    EXPECT_TRUE(torch::allclose(found, expected, 1e-11, 1e-11));
    const Tensor g = torch::randn(expected.sizes(), torch::kDouble);
    const std::vector<Tensor> by = {conv->weight, conv->bias, conv->inner_bias, z};
    const auto a = torch::autograd::grad({found}, by, {g}), b = torch::autograd::grad({expected}, by, {g});
    for (std::size_t k = 0; k < by.size(); ++k) EXPECT_TRUE(torch::allclose(a[k], b[k], 1e-9, 1e-9)) << k;
    conv->options.inner_activation(activation);
    EXPECT_THROW(conv->forward(z, sample.plan), c10::Error);
  }
}

}  // namespace
}  // namespace twofold::tensors
