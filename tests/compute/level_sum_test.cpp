#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/support/named_graphs.h"
#include "tests/support/pair_sum_runner.h"
#include "twofold/pairs/level.h"
#include "twofold/pairs/triple_scan.h"

namespace twofold::compute {
namespace {

using pairs::Level;
using testing::PairSumResult;

constexpr Activation kActivations[] = {Activation::kIdentity, Activation::kRelu, Activation::kLogistic,
                                       Activation::kTanh};

std::vector<double> random_values(Random& random, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = random.normal();
  return values;
}

// The sum and its gradient straight from the sentences at Level.
PairSumResult by_definition(const Level& level, Activation activation, std::size_t d,
                            const std::vector<double>& z, const std::vector<double>& g) {
  const auto value = [&](double x) {
    return activation == Activation::kIdentity   ? x
           : activation == Activation::kRelu     ? std::max(x, 0.0)
           : activation == Activation::kLogistic ? 1 / (1 + std::exp(-x))
                                                 : std::tanh(x);
  };
  const auto slope = [&](double x) {
    return activation == Activation::kIdentity   ? 1.0
           : activation == Activation::kRelu     ? (x > 0 ? 1.0 : 0.0)
           : activation == Activation::kLogistic ? 1 / (2 + std::exp(-x) + std::exp(x))
                                                 : 1 / (std::cosh(x) * std::cosh(x));
  };
  PairSumResult result;
  result.sums.assign(level.num_rows() * d, 0.0);
  result.dz.assign(level.num_sources * d, 0.0);
  for (std::size_t row = 0; row < level.num_rows(); ++row)
    for (std::uint64_t k = level.offsets[row]; k < level.offsets[row + 1]; ++k)
      for (std::size_t c = 0; c < d; ++c) {
        const auto [a, b] = level.items[k];
        const double times = level.multiplicity[k];
        const double x = z[a * d + c] + z[b * d + c];
        result.sums[row * d + c] += times * value(x);
        result.dz[a * d + c] += times * g[row * d + c] * slope(x);
        result.dz[b * d + c] += times * g[row * d + c] * slope(x);
      }
  return result;
}

Level random_level(Random& random, std::size_t rows, std::size_t sources, std::size_t most_triples) {
  Level level;
  level.num_sources = sources;
  for (std::size_t row = 0; row < rows; ++row) {
    level.own.push_back(static_cast<pairs::Row>(random.below(sources)));
    for (std::size_t k = random.below(most_triples + 1); k > 0; --k) {
      const auto a = static_cast<pairs::Row>(random.below(sources));
      level.items.push_back({a, random.chance(0.3) ? a : static_cast<pairs::Row>(random.below(sources))});
      level.multiplicity.push_back(static_cast<std::uint32_t>(1 + random.below(50)));
    }
    level.offsets.push_back(level.items.size());
  }
  return level;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k)
    ASSERT_NEAR(found[k], expected[k], tolerance * (1 + std::abs(expected[k]))) << "value " << k;
}

TEST(LevelSum, IsTheDefinitionForEveryFormAndActivation) {
  Random random(1);
  for (int sample = 0; sample < 12; ++sample) {
    const Level level = random_level(random, random.below(30), 1 + random.below(20), 12);
    ASSERT_NO_THROW(level.check(level.num_sources));
    const PairPlan plan = make_plan(std::vector<const Level*>{&level});
    const std::size_t d = 1 + random.below(40);
    const std::vector<double> z = random_values(random, level.num_sources * d);
    const std::vector<double> g = random_values(random, level.num_rows() * d);
    for (const Activation activation : kActivations) {
      SCOPED_TRACE(to_string(activation));
      const PairSumResult expected = by_definition(level, activation, d, z, g);
      for (const PairSumForm<double>& form : kPairSumForms<double>) {
        const PairSumResult result = testing::run_pair_sum(form, plan, activation, d, z, g);
        expect_near(result.sums, expected.sums, 1e-11);
        expect_near(result.dz, expected.dz, 1e-11);
      }
      const PairSumResult single = testing::run_pair_sum(kPairSumForms<float>[1], plan, activation, d, z, g);
      expect_near(single.sums, expected.sums, 3e-3);
      expect_near(single.dz, expected.dz, 3e-3);
    }
  }
}

// The level that a set is: own row itself, every multiplicity 1.
Level plain_level(const pairs::PairSet& set) {
  Level level;
  level.num_sources = set.num_rows();
  level.own.resize(set.num_rows());
  std::iota(level.own.begin(), level.own.end(), pairs::Row{0});
  std::vector<std::vector<pairs::RowPair>> of_row(set.num_rows());
  pairs::TripleScan scan;
  scan.begin(set);
  for (Node i = 0; i < set.num_nodes(); ++i)
    scan.rows_of(i, [&](pairs::Row row, Span<const pairs::RowPair> triples) {
      of_row[row].assign(triples.begin(), triples.end());
    });
  for (const std::vector<pairs::RowPair>& triples : of_row) {
    level.items.insert(level.items.end(), triples.begin(), triples.end());
    level.offsets.push_back(level.items.size());
  }
  level.multiplicity.assign(level.items.size(), 1);
  return level;
}

TEST(LevelSum, OfAPlainLevelIsThePairSumItself) {
  Random random(2);
  for (int sample = 0; sample < 10; ++sample) {
    const Graph g = testing::random_graph(random, 3 + random.below(15), 0.3);
    const pairs::PairSet set = pairs::encode_pairs(g, pairs::Radius(2));
    const Level level = plain_level(set);
    ASSERT_NO_THROW(level.check(level.num_sources));
    const std::size_t d = 6;
    const std::vector<double> z = random_values(random, set.num_rows() * d);
    const std::vector<double> gradient = random_values(random, set.num_rows() * d);
    const auto& fused = kPairSumForms<double>[1];
    const std::vector<pairs::PairSet> sets = {set};
    const PairPlan plain = make_plan(pairs::make_batch(sets));
    const PairPlan leveled = make_plan(std::vector<const Level*>{&level});
    for (const Activation activation : kActivations) {
      const PairSumResult expected = testing::run_pair_sum(fused, plain, activation, d, z, gradient);
      const PairSumResult result = testing::run_pair_sum(fused, leveled, activation, d, z, gradient);
      expect_near(result.sums, expected.sums, 1e-12);
      expect_near(result.dz, expected.dz, 1e-12);
    }
  }
}

TEST(LevelSum, OfALargeLevelIsCutAndHasTheSameBitsForAnyNumberOfThreads) {
  Random random(3);
  const Level level = random_level(random, 9000, 700, 16);
  const PairPlan plan = make_plan(std::vector<const Level*>{&level});
  ASSERT_GE(plan.items.size(), 3u);
  const std::size_t d = 5;
  const std::vector<double> z = random_values(random, level.num_sources * d);
  const std::vector<double> g = random_values(random, level.num_rows() * d);
  const auto& fused = kPairSumForms<double>[1];
  const PairSumResult expected = by_definition(level, Activation::kLogistic, d, z, g);
  const PairSumResult one = testing::run_pair_sum(fused, plan, Activation::kLogistic, d, z, g);
  expect_near(one.sums, expected.sums, 1e-11);
  expect_near(one.dz, expected.dz, 1e-9);
  for (const int threads : {2, 4}) {
    const PairSumResult same = testing::run_pair_sum(fused, plan, Activation::kLogistic, d, z, g, {}, threads);
    EXPECT_EQ(same.sums, one.sums);
    EXPECT_EQ(same.dz, one.dz);
  }
}

// One row with most of the triples leaves parts without rows: they must not do all of it again.
TEST(LevelSum, OfALevelWithOneHugeRowIsCutWithoutEmptyParts) {
  Random random(4);
  Level level = random_level(random, 40, 50, 3);
  level.own.push_back(0);
  for (int k = 0; k < 100000; ++k) {
    level.items.push_back(
        {static_cast<pairs::Row>(random.below(50)), static_cast<pairs::Row>(random.below(50))});
    level.multiplicity.push_back(1);
  }
  level.offsets.push_back(level.items.size());
  const PairPlan plan = make_plan(std::vector<const Level*>{&level});
  std::size_t rows = 0;
  for (const PairItem& item : plan.items) {
    EXPECT_TRUE(item.is_part());
    rows += item.part_end - item.part_begin;
  }
  EXPECT_EQ(rows, level.num_rows());
}

}  // namespace
}  // namespace twofold::compute
