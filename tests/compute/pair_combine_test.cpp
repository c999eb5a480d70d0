#include "twofold/compute/pair_combine.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/named_graphs.h"
#include "twofold/base/random.h"

namespace twofold::compute {
namespace {

constexpr Activation kActivations[] = {Activation::kIdentity, Activation::kRelu, Activation::kLogistic,
                                       Activation::kTanh};

double value_of(Activation activation, double x) {
  if (activation == Activation::kRelu) return x > 0 ? x : 0;
  if (activation == Activation::kLogistic) return 1 / (1 + std::exp(-x));
  return activation == Activation::kTanh ? std::tanh(x) : x;
}
double slope_of(Activation activation, double x) {
  if (activation == Activation::kRelu) return x > 0 ? 1 : 0;
  const double y = value_of(activation, x);
  if (activation == Activation::kLogistic) return y * (1 - y);
  return activation == Activation::kTanh ? 1 - y * y : 1;
}

// Rows that share sources, some of which no row owns. The triples do not matter here.
pairs::Level random_level(Random& random, std::size_t sources, std::size_t rows) {
  pairs::Level level;
  level.num_sources = sources;
  for (std::size_t row = 0; row < rows; ++row) {
    level.own.push_back(static_cast<pairs::Row>(random.below(sources)));
    level.offsets.push_back(0);
  }
  return level;
}

struct Result {
  bool is_finite = false;
  std::vector<double> y, dproducts, dsums, dbias;
};

std::vector<double> random_values(Random& random, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = random.normal();
  return values;
}

struct Inputs {
  std::vector<double> products, bias, sums, dy;
  Inputs(Random& random, const PairPlan& plan, std::size_t d)
      : products(random_values(random, plan.num_sources * 3 * d)),
        bias(random_values(random, d)),
        sums(random_values(random, plan.num_rows * d)),
        dy(random_values(random, plan.num_rows * d)) {}
};

Result run(const PairPlan& plan, std::size_t d, Activation activation, const Inputs& in, int threads) {
  Result out;
  out.y.resize(in.sums.size());
  out.dproducts.assign(in.products.size(), 7);  // the last third stays
  out.dsums.resize(in.sums.size());
  out.dbias.resize(d);
  PairCombineArgs<double> args;
  args.plan = &plan;
  args.activation = activation;
  args.d = d;
  args.products = in.products.data();
  args.bias = in.bias.data();
  args.sums = in.sums.data();
  args.sums_stride = args.dsums_stride = d;
  args.y = out.y.data();
  args.dy = in.dy.data();
  args.dproducts = out.dproducts.data();
  args.dsums = out.dsums.data();
  args.dbias = out.dbias.data();
  args.threads = threads;
  out.is_finite = pair_combine(args);
  pair_combine_backward(args);
  return out;
}

Result plain(const PairPlan& plan, std::size_t d, Activation activation, const Inputs& in) {
  Result out;
  out.y.resize(in.sums.size());
  out.dproducts.assign(in.products.size(), 0);
  for (std::size_t k = 0; k < in.products.size(); ++k)
    if (k % (3 * d) >= 2 * d) out.dproducts[k] = 7;
  out.dsums.resize(in.sums.size());
  out.dbias.assign(d, 0);
  for (const PairBlock& block : plan.blocks)
    for (std::size_t row = 0; row < block.num_rows(); ++row)
      for (std::size_t c = 0; c < d; ++c) {
        const std::size_t own = block.first_source + (block.level != nullptr ? block.level->own[row] : row);
        const std::size_t at = (block.first_row + row) * d + c;
        const double filter = in.products[own * 3 * d + d + c];
        const double x = in.products[own * 3 * d + c] + in.bias[c] + filter * in.sums[at];
        const double g = in.dy[at] * slope_of(activation, x);
        out.y[at] = value_of(activation, x);
        out.dproducts[own * 3 * d + c] += g;
        out.dproducts[own * 3 * d + d + c] += g * in.sums[at];
        out.dsums[at] = g * filter;
        out.dbias[c] += g;
      }
  return out;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double allowed) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) ASSERT_NEAR(found[k], expected[k], allowed) << k;
}

void expect_right(const PairPlan& plan, std::size_t d, Random& random) {
  const Inputs in(random, plan, d);
  for (const Activation activation : kActivations) {
    SCOPED_TRACE(to_string(activation));
    const Result expected = plain(plan, d, activation, in);
    const Result one = run(plan, d, activation, in, 1);
    EXPECT_TRUE(one.is_finite);
    expect_near(one.y, expected.y, 1e-12);
    expect_near(one.dproducts, expected.dproducts, 1e-10);
    expect_near(one.dsums, expected.dsums, 1e-12);
    expect_near(one.dbias, expected.dbias, 1e-9);
    const Result two = run(plan, d, activation, in, 2);
    EXPECT_EQ(one.y, two.y);
    EXPECT_EQ(one.dproducts, two.dproducts);
    EXPECT_EQ(one.dsums, two.dsums);
    EXPECT_EQ(one.dbias, two.dbias);
  }
}

TEST(PairCombine, OfLevelsAddsUpWhatRowsOfOneSourceSend) {
  Random random(21);
  const pairs::Level few = random_level(random, 5, 17);
  const pairs::Level none = random_level(random, 3, 0);
  const pairs::Level large = random_level(random, 700, 9000);  // cut by rows forward, by features backward
  for (const std::size_t d : {1, 7, 19}) expect_right(make_plan({&few, &none, &large, &few}), d, random);
}

TEST(PairCombine, OfSetsIsTheDefinition) {
  Random random(22);
  std::vector<pairs::PairSet> sets;
  sets.push_back(pairs::encode_pairs(testing::petersen(), 2));
  sets.push_back(pairs::encode_pairs(testing::empty_graph(0), 1));
  sets.push_back(pairs::encode_pairs(testing::cycle(2500), 1));  // cut
  for (const std::size_t d : {1, 8, 13}) expect_right(make_plan(pairs::make_batch(sets)), d, random);
}

TEST(PairCombine, SaysIfSomeArgumentIsNotFinite) {
  Random random(23);
  const pairs::Level level = random_level(random, 5, 17);
  const PairPlan plan = make_plan({&level});
  Inputs in(random, plan, 3);
  in.sums[31] = std::numeric_limits<double>::infinity();
  for (const Activation activation : kActivations) EXPECT_FALSE(run(plan, 3, activation, in, 1).is_finite);
}

}  // namespace
}  // namespace twofold::compute
