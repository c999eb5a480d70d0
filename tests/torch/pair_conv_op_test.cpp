#include "twofold/torch/pair_conv_op.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>
#include <limits>

#include "tests/support/named_graphs.h"
#include "tests/support/pair_oracle.h"
#include "twofold/pairs/pair_batch.h"
#include "twofold/torch/gather_scatter.h"
#include "twofold/torch/row_buffers.h"

namespace twofold::tensors {
namespace {

using pairs::PairSet;
using pairs::Radius;
using torch::Tensor;

constexpr Activation kActivations[] = {Activation::kIdentity, Activation::kRelu, Activation::kLogistic,
                                       Activation::kTanh};

struct Sample {
  std::vector<PairSet> sets;
  pairs::PairBatch batch;
  Plan plan;
  ReferenceTensors references;

  Sample(const std::vector<Graph>& graphs, Radius radius)
      : sets(pairs::encode_pairs(graphs, radius)),
        batch(pairs::make_batch(sets)),
        plan(std::make_shared<compute::PairPlan>(compute::make_plan(batch))),
        references(make_reference_tensors(batch)) {}
  Sample(const Sample&) = delete;
  std::int64_t rows() const { return static_cast<std::int64_t>(plan->num_rows); }
};

std::vector<Graph> some_graphs(Random& random, std::size_t count) {
  std::vector<Graph> graphs = {testing::empty_graph(0), testing::empty_graph(1), testing::empty_graph(3),
                               testing::complete(8),    testing::star(12),       testing::two_triangles()};
  for (std::size_t i = 0; i < count; ++i)
    graphs.push_back(testing::random_graph(random, 1 + random.below(18), 0.05 + 0.4 * random.uniform()));
  return graphs;
}

Tensor random_tensor(Random& random, at::IntArrayRef shape, double scale = 1) {
  Tensor x = torch::empty(shape, torch::kDouble);
  double* values = x.data_ptr<double>();
  for (std::int64_t k = 0; k < x.numel(); ++k) values[k] = scale * random.normal();
  return x;
}

PairConvArgs random_args(Random& random, std::int64_t in, std::int64_t out, bool bias) {
  PairConvArgs args;
  args.weight = random_tensor(random, {in, 3 * out}, 0.4).requires_grad_();
  if (bias) {
    args.bias = random_tensor(random, {out}).requires_grad_();
    args.inner_bias = random_tensor(random, {out}).requires_grad_();
  }
  return args;
}

PairConvArgs as_type(const PairConvArgs& args, torch::ScalarType type) {
  PairConvArgs same = args;
  const auto convert = [&](const Tensor& x) { return x.defined() ? x.detach().to(type).requires_grad_() : x; };
  same.weight = convert(args.weight);
  same.bias = convert(args.bias);
  same.inner_bias = convert(args.inner_bias);
  return same;
}

std::vector<Tensor> parameters(const PairConvArgs& args) {
  std::vector<Tensor> all = {args.weight};
  if (args.bias.defined()) all.insert(all.end(), {args.bias, args.inner_bias});
  return all;
}

void expect_close(const Tensor& found, const Tensor& expected, double tolerance) {
  ASSERT_EQ(found.sizes(), expected.sizes());
  if (found.numel() == 0) return;
  const double scale = 1 + expected.abs().max().item<double>();
  EXPECT_LE((found.to(torch::kDouble) - expected).abs().max().item<double>(), tolerance * scale);
}

TEST(PairConvOp, FusedEqualsGatherScatterForwardAndBackward) {
  Random random(1);
  for (const Radius radius : {Radius(1), Radius(2), Radius(3), Radius(5), Radius::all()}) {
    const Sample sample(some_graphs(random, 8), radius);
    for (const Activation inner : kActivations)
      for (const Activation outer : {Activation::kLogistic, inner}) {
        const auto in = static_cast<std::int64_t>(1 + random.below(9));
        const auto out = static_cast<std::int64_t>(1 + random.below(40));
        PairConvArgs args = random_args(random, in, out, random.chance(0.7));
        args.activation = outer;
        args.inner_activation = inner;
        const Tensor z = random_tensor(random, {sample.rows(), in}).requires_grad_();
        const Tensor g = random_tensor(random, {sample.rows(), out});
        const auto gradients = [&](const Tensor& y, const Tensor& input, const PairConvArgs& of) {
          std::vector<Tensor> inputs = parameters(of);
          inputs.push_back(input);
          return torch::autograd::grad({y}, inputs, {g.to(y.scalar_type())});
        };
        const Tensor expected = pair_conv_gather_scatter(z, sample.references, args);
        const std::vector<Tensor> expected_gradients = gradients(expected, z, args);
        for (const torch::ScalarType type : {torch::kDouble, torch::kFloat}) {
          const double tolerance = type == torch::kDouble ? 1e-11 : 1e-4;
          const PairConvArgs typed = as_type(args, type);
          const Tensor input = z.detach().to(type).requires_grad_();
          const Tensor y = pair_conv(input, sample.plan, typed);
          expect_close(y, expected, tolerance);
          const std::vector<Tensor> found = gradients(y, input, typed);
          for (std::size_t k = 0; k < found.size(); ++k)
            expect_close(found[k], expected_gradients[k], tolerance);
        }
      }
  }
}

TEST(PairSumOp, FusedEqualsGatherScatterAndTheNestedLoops) {
  Random random(2);
  const std::vector<Graph> graphs = {testing::random_graph(random, 14, 0.25)};
  const Sample sample(graphs, Radius(2));
  const testing::PlainPairs plain = testing::plain_pairs(graphs[0], Radius(2));
  for (const Activation activation : kActivations)
    for (const std::int64_t d : {1, 16, 33}) {
      const Tensor z = random_tensor(random, {sample.rows(), d}).requires_grad_();
      const Tensor bias = random_tensor(random, {d}).requires_grad_();
      const Tensor g = random_tensor(random, {sample.rows(), d});
      const Tensor fused = pair_sum(z, bias, sample.plan, activation);
      const Tensor stock = pair_sum_gather_scatter(z, bias, sample.references, activation);
      expect_close(fused, stock, 1e-12);
      const auto found = torch::autograd::grad({fused}, {z, bias}, {g});
      const auto expected = torch::autograd::grad({stock}, {z, bias}, {g});
      expect_close(found[0], expected[0], 1e-12);
      expect_close(found[1], expected[1], 1e-12);
      const Tensor shifted = (z + bias / 2).detach().contiguous();
      const std::vector<double> values(shifted.data_ptr<double>(),
                                       shifted.data_ptr<double>() + shifted.numel());
      const std::vector<double> sums = testing::plain_pair_sum(
          plain, values, static_cast<std::size_t>(d), testing::plain_activation(to_string(activation)));
      expect_close(fused, torch::tensor(sums, torch::kDouble).view({sample.rows(), d}), 1e-12);
    }
}

TEST(PairConvOp, HasGradientsThatFiniteDifferencesConfirm) {
  Random random(3);
  const Sample sample({testing::random_graph(random, 6, 0.4), testing::complete(6)}, Radius(2));
  for (const Activation inner : kActivations)
    for (const Activation outer : kActivations) {
      PairConvArgs args = random_args(random, 2, 3, true);
      args.activation = outer;
      args.inner_activation = inner;
      const Tensor z = random_tensor(random, {sample.rows(), 2}).requires_grad_();
      const Tensor g = random_tensor(random, {sample.rows(), 3});
      const auto loss = [&] { return (pair_conv(z, sample.plan, args) * g).sum(); };
      std::vector<Tensor> inputs = parameters(args);
      inputs.push_back(z);
      const std::vector<Tensor> gradients = torch::autograd::grad({loss()}, inputs);
      for (std::size_t k = 0; k < inputs.size(); ++k) {
        const torch::NoGradGuard guard;
        double* values = inputs[k].data_ptr<double>();
        for (std::int64_t at = 0; at < inputs[k].numel(); ++at) {
          const double before = values[at];
          const double h = 1e-6;
          values[at] = before + h;
          const double more = loss().item<double>();
          values[at] = before - h;
          const double less = loss().item<double>();
          values[at] = before;
          const double expected = gradients[k].contiguous().data_ptr<double>()[at];
          EXPECT_NEAR((more - less) / (2 * h), expected, 3e-7 * (30 + std::abs(expected)))
              << to_string(inner) << " in " << to_string(outer) << ", input " << k << " value " << at;
        }
      }
    }
}

TEST(PairConvOp, HasTheSameBitsForOneTwoAndFourThreads) {
  Random random(4);
  const Sample sample({testing::random_graph(random, 80, 0.3), testing::complete(50), testing::cycle(30),
                       testing::random_graph(random, 100, 0.05)},
                      Radius(2));
  ASSERT_FALSE(sample.plan->cut_blocks.empty());
  PairConvArgs args = as_type(random_args(random, 5, 20, true), torch::kFloat);
  const Tensor z = random_tensor(random, {sample.rows(), 5}).to(torch::kFloat).requires_grad_();
  std::vector<std::vector<Tensor>> results;
  for (const int threads : {1, 2, 4}) {
    args.threads = threads;
    const Tensor y = pair_conv(z, sample.plan, args);
    std::vector<Tensor> all = torch::autograd::grad({y.sum()}, {z, args.weight, args.bias, args.inner_bias});
    all.push_back(y);
    results.push_back(all);
  }
  for (std::size_t run = 1; run < results.size(); ++run)
    for (std::size_t k = 0; k < results[0].size(); ++k)
      EXPECT_TRUE(torch::equal(results[run][k], results[0][k]));
}

TEST(PairConvOp, KeepsItsPlanUntilTheGradientIsTaken) {
  Random random(5);
  const auto sample = std::make_unique<Sample>(std::vector<Graph>{testing::petersen()}, Radius(2));
  const Tensor z = random_tensor(random, {sample->rows(), 3}).requires_grad_();
  const Tensor y = pair_sum(z, Tensor(), sample->plan, Activation::kTanh);
  sample->plan.reset();
  EXPECT_NO_THROW(y.sum().backward());
  EXPECT_TRUE(z.grad().defined());
}

TEST(PairConvOp, TakesViewsThatAreNeitherContiguousNorAligned) {
  Random random(6);
  const Sample sample({testing::petersen()}, Radius(1));
  const Tensor wide = random_tensor(random, {sample.rows(), 40});
  const Tensor view = wide.slice(1, 3, 3 + 16);
  const Tensor z = view.clone().requires_grad_();
  const Tensor from_view = pair_sum(view, Tensor(), sample.plan, Activation::kRelu);
  const Tensor y = pair_sum(z, Tensor(), sample.plan, Activation::kRelu);
  EXPECT_TRUE(torch::equal(from_view, y));
  // A gradient that begins in the middle of a cache line.
  const Tensor g = random_tensor(random, {sample.rows() * 16 + 1}).slice(0, 1).view({sample.rows(), 16});
  const auto found = torch::autograd::grad({y}, {z}, {g}, true);
  const auto expected = torch::autograd::grad({y}, {z}, {g.clone()});
  EXPECT_TRUE(torch::equal(found[0], expected[0]));
}

std::string message_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const c10::Error& error) {
    return error.what_without_backtrace();
  }
  return "no error";
}

TEST(PairConvOp, NamesNeedAndFoundOfWhatDoesNotFit) {
  Random random(7);
  const Sample sample({testing::cycle(6)}, Radius(1));
  const PairConvArgs args = random_args(random, 4, 5, true);
  const Tensor z = random_tensor(random, {12, 4});
  EXPECT_EQ(message_of([&] { pair_conv(z, sample.plan, args); }), "no error");
  EXPECT_EQ(message_of([&] { pair_conv(z.slice(0, 0, 10), sample.plan, args); }),
            "pair_conv: features have 10 rows, the pair set has 12 pairs");
  EXPECT_EQ(message_of([&] { pair_conv(z.to(torch::kFloat), sample.plan, args); }),
            "pair_conv: features are Float, weight is Double");
  EXPECT_EQ(message_of([&] { pair_conv(z.slice(1, 0, 3), sample.plan, args); }),
            "pair_conv: weight must be 3 x 15, found shape [4, 15]");
  EXPECT_EQ(message_of([&] { pair_conv(z.to(torch::kLong), sample.plan, args); }),
            "pair_conv: features must be float or double, found Long");
  EXPECT_EQ(message_of([&] { pair_sum(z, random_tensor(random, {5}), sample.plan, Activation::kRelu); }),
            "pair_sum: bias must have 4 values, found shape [5]");
  EXPECT_EQ(message_of([&] { pair_sum(z.view({48}), Tensor(), sample.plan, Activation::kRelu); }),
            "pair_sum: features must have 2 dimensions, found 1");
  EXPECT_EQ(message_of([&] {
              pair_sum_gather_scatter(z.slice(0, 2), Tensor(), sample.references, Activation::kRelu);
            }),
            "pair_sum: features have 10 rows, the pair set has 12 pairs");
}

TEST(PairConvOp, ReportsNanAndInfinityWithTheirPlace) {
  Random random(8);
  const Sample sample({testing::cycle(6)}, Radius(1));
  const double inf = std::numeric_limits<double>::infinity();
  for (const Activation activation : kActivations) {
    Tensor z = random_tensor(random, {12, 4});
    z[7][2] = inf;
    EXPECT_EQ(message_of([&] { pair_sum(z, Tensor(), sample.plan, activation); }),
              "pair_sum: features must be finite, found inf in row 7, column 2");
    z[7][2] = std::nan("");
    PairConvArgs args = random_args(random, 4, 5, true);
    args.activation = args.inner_activation = activation;
    EXPECT_EQ(message_of([&] { pair_conv(z, sample.plan, args); }),
              "pair_conv: features must be finite, found nan in row 7, column 2");
    z[7][2] = 1;
    args.bias = args.bias.detach().clone();
    args.bias[1] = std::nan("");
    EXPECT_NE(message_of([&] { pair_conv(z, sample.plan, args); }).find("the argument of the outer activation"),
              std::string::npos);
  }
}

TEST(PairSumOp, GivesTheSameFromBuffersUsedBefore) {
  Random random(9);
  const Sample sample({testing::random_graph(random, 120, 0.1)}, Radius(2));
  const Tensor z = random_tensor(random, {sample.rows(), 32}).to(torch::kFloat).requires_grad_();
  for (const Activation activation : kActivations) {
    drop_row_buffers();
    const Tensor first = pair_sum(z, Tensor(), sample.plan, activation);
    const Tensor gradient = torch::autograd::grad({first.square().sum()}, {z})[0].clone();
    for (int again = 0; again < 3; ++again) {
      const Tensor same = pair_sum(z, Tensor(), sample.plan, activation);
      EXPECT_NE(same.data_ptr(), first.data_ptr());  // still in use, so not given out again
      EXPECT_TRUE(torch::equal(same, first));
      EXPECT_TRUE(torch::equal(torch::autograd::grad({same.square().sum()}, {z})[0], gradient));
    }
  }
}

TEST(PairConvOp, RefusesSecondDerivatives) {
  const Sample sample({testing::cycle(6)}, Radius(1));
  const Tensor z = torch::ones({12, 2}, torch::kDouble).requires_grad_();
  const Tensor y = pair_sum(z, Tensor(), sample.plan, Activation::kTanh).sum();
  EXPECT_NE(message_of([&] { torch::autograd::grad({y}, {z}, {}, true, true); }).find("second derivatives"),
            std::string::npos);
}

}  // namespace
}  // namespace twofold::tensors
