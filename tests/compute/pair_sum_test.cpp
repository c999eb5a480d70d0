#include "twofold/compute/pair_sum.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/named_graphs.h"
#include "tests/support/pair_oracle.h"
#include "tests/support/pair_sum_runner.h"
#include "twofold/base/error.h"
#include "twofold/base/simd.h"

namespace twofold::compute {
namespace {

using pairs::EncodeOptions;
using pairs::PairSet;
using pairs::Radius;
using testing::PairSumResult;

constexpr Activation kActivations[] = {Activation::kIdentity, Activation::kRelu, Activation::kLogistic,
                                       Activation::kTanh};

std::vector<double> random_values(Random& random, std::size_t count, double scale) {
  std::vector<double> values(count);
  // Exact in float, so that float and double runs are asked the same question.
  for (double& value : values) value = static_cast<double>(static_cast<float>(scale * random.normal()));
  return values;
}

std::vector<double> random_integers(Random& random, std::size_t count) {
  std::vector<double> values(count);
  for (double& value : values) value = static_cast<double>(random.below(9)) - 4;
  return values;
}

// Graphs of every shape, one at a time and as a batch, with what the definition says of them.
struct Sample {
  std::vector<PairSet> sets;
  std::vector<testing::PlainPairs> plain;
  PairPlan plan;

  Sample(const std::vector<Graph>& graphs, Radius radius, bool store) {
    EncodeOptions options;
    options.store_triples = store;
    sets = pairs::encode_pairs(graphs, radius, options);
    for (const Graph& g : graphs) plain.push_back(testing::plain_pairs(g, radius));
    plan = make_plan(pairs::make_batch(sets));
  }
  Sample(const Sample&) = delete;

  std::size_t rows() const { return plan.num_rows; }
  std::vector<double> join(const std::vector<double>& z, const std::vector<double>* g, std::size_t d,
                           Activation activation) const {
    std::vector<double> joined;
    for (std::size_t k = 0; k < sets.size(); ++k) {
      const auto begin = static_cast<std::ptrdiff_t>(plan.blocks[k].first_row * d);
      const auto end = begin + static_cast<std::ptrdiff_t>(sets[k].num_rows() * d);
      const std::vector<double> part(z.begin() + begin, z.begin() + end);
      const auto act = testing::plain_activation(to_string(activation));
      const std::vector<double> result =
          g == nullptr ? testing::plain_pair_sum(plain[k], part, d, act)
                       : testing::plain_pair_sum_gradient(
                             plain[k], part, std::vector<double>(g->begin() + begin, g->begin() + end), d, act);
      joined.insert(joined.end(), result.begin(), result.end());
    }
    return joined;
  }
};

std::vector<Graph> some_graphs(Random& random, std::size_t count) {
  std::vector<Graph> graphs = {testing::empty_graph(0), testing::empty_graph(1), testing::empty_graph(3),
                               testing::complete(9),    testing::star(20),       testing::two_triangles(),
                               testing::complete(2),    testing::petersen()};
  for (std::size_t i = 0; i < count; ++i)
    graphs.push_back(testing::random_graph(random, 1 + random.below(20), 0.05 + 0.5 * random.uniform()));
  return graphs;
}

template <typename T>
void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 const std::vector<double>& magnitude) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double allowed = 40 * static_cast<double>(std::numeric_limits<T>::epsilon()) * (1 + magnitude[k]);
    ASSERT_NEAR(found[k], expected[k], allowed) << "value " << k;
  }
}

// An upper bound for what is added up behind each value: rounding grows with it.
std::vector<double> magnitudes(const Sample& sample, std::size_t d, const std::vector<double>& z,
                               const std::vector<double>* g, Activation activation) {
  std::vector<double> large(z.size());
  for (std::size_t k = 0; k < z.size(); ++k) large[k] = std::abs(z[k]) + 1;
  if (g == nullptr)
    return sample.join(large, nullptr, d, activation == Activation::kRelu ? activation : Activation::kIdentity);
  std::vector<double> g_large(g->size());
  for (std::size_t k = 0; k < g->size(); ++k) g_large[k] = std::abs((*g)[k]);
  return sample.join(large, &g_large, d, Activation::kIdentity);
}

template <typename T>
void expect_all_forms_right(const Sample& sample, std::size_t d, Activation activation, Random& random,
                            double scale) {
  const std::vector<double> z = random_values(random, sample.rows() * d, scale);
  const std::vector<double> g = random_values(random, sample.rows() * d, 1);
  const std::vector<double> sums = sample.join(z, nullptr, d, activation);
  const std::vector<double> dz = sample.join(z, &g, d, activation);
  for (const PairSumForm<T>& form : kPairSumForms<T>) {
    SCOPED_TRACE(fmt::format("{} {} d {} bytes {}", form.name, to_string(activation), d, sizeof(T)));
    const PairSumResult result = testing::run_pair_sum(form, sample.plan, activation, d, z, g);
    ASSERT_TRUE(result.is_finite);
    expect_near<T>(result.sums, sums, magnitudes(sample, d, z, nullptr, activation));
    expect_near<T>(result.dz, dz, magnitudes(sample, d, z, &g, activation));
  }
}

TEST(PairSum, IsTheDefinitionForEveryFormRadiusAndActivation) {
  Random random(3);
  for (const Radius radius : {Radius(1), Radius(2), Radius(3), Radius(4), Radius(5), Radius::all()})
    for (const bool store : {true, false}) {
      const Sample sample(some_graphs(random, 10), radius, store);
      for (const Activation activation : kActivations) {
        expect_all_forms_right<float>(sample, 1 + random.below(40), activation, random, 1);
        expect_all_forms_right<double>(sample, 1 + random.below(40), activation, random, 1);
      }
    }
}

TEST(PairSum, IsTheDefinitionForEveryWidth) {
  Random random(4);
  const Sample sample({testing::petersen(), testing::complete(7), testing::path(6)}, Radius(2), true);
  for (std::size_t d = 1; d <= 70; ++d)
    for (const Activation activation : {Activation::kRelu, Activation::kLogistic}) {
      expect_all_forms_right<float>(sample, d, activation, random, 1);
      expect_all_forms_right<double>(sample, d, activation, random, 1);
    }
}

TEST(PairSum, IsTheDefinitionWhereItGoesByTriangles) {
  Random random(14);
  for (const bool store : {true, false}) {
    const Sample sample({testing::cycle(40), testing::complete(13)}, Radius(8), store);
    for (const PairBlock& block : sample.plan.blocks) ASSERT_TRUE(gradients_by_triangles(block));
    ASSERT_EQ(sums_by_features(sample.plan.blocks[0]), store);
    for (const std::size_t d : {1, 8, 15, 16, 17, 33})
      for (const Activation activation : kActivations) {
        expect_all_forms_right<float>(sample, d, activation, random, 1);
        expect_all_forms_right<double>(sample, d, activation, random, 1);
      }
  }
}

TEST(PairSum, IsExactForIntegers) {
  Random random(5);
  for (const Radius radius : {Radius(1), Radius(3), Radius::all()}) {
    const Sample sample(some_graphs(random, 10), radius, true);
    for (const Activation activation : {Activation::kIdentity, Activation::kRelu})
      for (const std::size_t d : {1, 7, 8, 9, 33}) {
        const std::vector<double> z = random_integers(random, sample.rows() * d);
        const std::vector<double> g = random_integers(random, sample.rows() * d);
        for (const PairSumForm<float>& form : kPairSumForms<float>) {
          const PairSumResult result = testing::run_pair_sum(form, sample.plan, activation, d, z, g);
          EXPECT_EQ(result.sums, sample.join(z, nullptr, d, activation)) << form.name;
          EXPECT_EQ(result.dz, sample.join(z, &g, d, activation)) << form.name;
        }
      }
  }
}

TEST(PairSum, IsTheSameOnEverySimdLevelOfThisMachine) {
  Random random(6);
  const Sample sample(some_graphs(random, 5), Radius(2), true);
  const std::string before = simd_level();
  for (const std::string& level : simd_levels()) {
    SCOPED_TRACE(level);
    use_simd_level(level);
    for (const Activation activation : kActivations)
      for (const std::size_t d : {1, 5, 17, 32}) {
        expect_all_forms_right<float>(sample, d, activation, random, 2);
        expect_all_forms_right<double>(sample, d, activation, random, 2);
      }
  }
  use_simd_level(before);
}

TEST(PairSum, HasTheSameBitsForAnyNumberOfThreadsAndWithoutStoredTriples) {
  Random random(7);
  // Large enough to be cut into several items.
  const std::vector<Graph> graphs = {testing::random_graph(random, 90, 0.3), testing::complete(60),
                                     testing::random_graph(random, 40, 0.1), testing::cycle(50)};
  const Sample stored(graphs, Radius(2), true);
  const Sample found(graphs, Radius(2), false);
  ASSERT_GE(stored.plan.cut_blocks.size(), 2u);
  const std::size_t d = 19;
  const std::vector<double> z = random_values(random, stored.rows() * d, 1);
  const std::vector<double> g = random_values(random, stored.rows() * d, 1);
  for (const Activation activation : kActivations) {
    const auto& fused = kPairSumForms<float>[1];
    const PairSumResult one = testing::run_pair_sum(fused, stored.plan, activation, d, z, g);
    for (const int threads : {1, 2, 4})
      for (const Sample* sample : {&stored, &found}) {
        const PairSumResult same = testing::run_pair_sum(fused, sample->plan, activation, d, z, g, {}, threads);
        EXPECT_EQ(same.sums, one.sums);
        EXPECT_EQ(same.dz, one.dz);
      }
  }
}

// Too many rows for one thread to copy: rows gather for themselves, cut among threads.
TEST(PairSum, OfALargeGraphIsThatOfTheReferenceAndHasTheSameBitsForAnyNumberOfThreads) {
  Random random(12);
  std::vector<PairSet> sets;
  sets.push_back(pairs::encode_pairs(testing::cycle(40'000), Radius(1)));
  const PairPlan plan = make_plan(pairs::make_batch(sets));
  ASSERT_FALSE(gradients_by_triangles(plan.blocks[0]));
  ASSERT_FALSE(sums_by_features(plan.blocks[0]));
  ASSERT_EQ(plan.cut_blocks.size(), 1u);
  const std::size_t d = 3;
  const std::vector<double> z = random_values(random, plan.num_rows * d, 1);
  const std::vector<double> g = random_values(random, plan.num_rows * d, 1);
  for (const Activation activation : kActivations) {
    const PairSumResult plain = testing::run_pair_sum(kPairSumForms<float>[0], plan, activation, d, z, g);
    const PairSumResult one = testing::run_pair_sum(kPairSumForms<float>[1], plan, activation, d, z, g);
    const PairSumResult two = testing::run_pair_sum(
        kPairSumForms<float>[1], plan, activation, d, z, g, {}, 2);
    const std::vector<double> ones(z.size(), 20.0);
    expect_near<float>(one.sums, plain.sums, ones);
    expect_near<float>(one.dz, plain.dz, ones);
    EXPECT_EQ(one.sums, two.sums);
    EXPECT_EQ(one.dz, two.dz);
  }
}

TEST(PairSum, AddsTheBiasOnceATripleAndHalvesItsGradientToTheRows) {
  Random random(8);
  const Sample sample(some_graphs(random, 6), Radius(2), true);
  const std::size_t d = 10;
  const std::vector<double> bias = random_values(random, d, 1);
  const std::vector<double> z = random_values(random, sample.rows() * d, 1);
  const std::vector<double> g = random_values(random, sample.rows() * d, 1);
  std::vector<double> shifted = z;
  for (std::size_t k = 0; k < z.size(); ++k) shifted[k] += bias[k % d] / 2;
  for (const Activation activation : kActivations)
    for (const PairSumForm<double>& form : kPairSumForms<double>) {
      const PairSumResult result = testing::run_pair_sum(form, sample.plan, activation, d, z, g, bias);
      expect_near<double>(result.sums, sample.join(shifted, nullptr, d, activation),
                          magnitudes(sample, d, shifted, nullptr, activation));
      expect_near<double>(result.dz, sample.join(shifted, &g, d, activation),
                          magnitudes(sample, d, shifted, &g, activation));
    }
}

TEST(PairSum, HasGradientsThatFiniteDifferencesConfirm) {
  Random random(9);
  for (const Radius radius : {Radius(1), Radius(2), Radius::all()}) {
    const Sample sample({testing::random_graph(random, 7, 0.4), testing::complete(6)}, radius, true);
    const std::size_t d = 2;
    const std::vector<double> z = random_values(random, sample.rows() * d, 1);
    const std::vector<double> g = random_values(random, sample.rows() * d, 1);
    for (const Activation activation : kActivations) {
      const auto& fused = kPairSumForms<double>[1];
      const auto loss = [&](const std::vector<double>& at) {
        const PairSumResult result = testing::run_pair_sum(fused, sample.plan, activation, d, at, g);
        double sum = 0;
        for (std::size_t k = 0; k < g.size(); ++k) sum += g[k] * result.sums[k];
        return sum;
      };
      const PairSumResult result = testing::run_pair_sum(fused, sample.plan, activation, d, z, g);
      for (std::size_t k = 0; k < z.size(); ++k) {
        const double h = 1e-6;
        std::vector<double> more = z;
        std::vector<double> less = z;
        more[k] += h;
        less[k] -= h;
        EXPECT_NEAR(result.dz[k], (loss(more) - loss(less)) / (2 * h), 1e-7 * (10 + std::abs(result.dz[k])))
            << to_string(activation) << " value " << k;
      }
    }
  }
}

TEST(PairSum, TakesLargeValuesExactlyAndClampsNothing) {
  // One edge: row 2 = {0,1} has the triples ({0,0},{0,1}) and ({0,1},{1,1}).
  const Sample sample({testing::path(2)}, Radius(1), true);
  const auto logistic = [](double x) { return 1 / (1 + std::exp(-x)); };
  const std::vector<double> g = {0, 0, 1};
  const auto sums = [&](double a, double b, double c, Activation activation) {
    return testing::run_pair_sum(kPairSumForms<float>[1], sample.plan, activation, 1, {a, b, c}, g).sums;
  };
  EXPECT_NEAR(sums(100, -60, -60, Activation::kLogistic)[2], logistic(40) + logistic(-120), 1e-6);
  EXPECT_NEAR(sums(10000, -10000, -10000, Activation::kLogistic)[2], 0.5, 1e-7);
  EXPECT_NEAR(sums(10000, -9999, -10001, Activation::kLogistic)[2], logistic(-1), 1e-7);
  EXPECT_NEAR(sums(30, 45, -44.5, Activation::kLogistic)[2], logistic(-14.5) + logistic(0.5), 1e-6);
  EXPECT_NEAR(sums(1000, -1000.5, -999.75, Activation::kTanh)[2], std::tanh(0.25) - 1, 1e-6);
  // Relative accuracy where the logistic is tiny: 1e-30 is not 0.
  const double tiny = sums(-34, -34, -35, Activation::kLogistic)[2];
  EXPECT_NEAR(tiny / (2 * logistic(-69)), 1, 1e-5);
  Random random(10);
  for (const double scale : {10.0, 30.0, 100.0, 10000.0}) {
    const Sample some(some_graphs(random, 4), Radius(2), true);
    for (const Activation activation : kActivations) {
      expect_all_forms_right<float>(some, 9, activation, random, scale);
      expect_all_forms_right<double>(some, 9, activation, random, scale);
    }
  }
}

TEST(PairSum, ReportsWhatIsNotFinite) {
  const Sample sample({testing::path(3), testing::complete(20)}, Radius(1), true);
  const double inf = std::numeric_limits<double>::infinity();
  for (const std::size_t d : {1, 9, 40})
    for (const double bad : {inf, -inf, std::nan("")})
      for (const std::size_t at : {std::size_t{0}, sample.rows() * d - 1, sample.rows() * d / 2})
        for (const Activation activation : kActivations) {
          std::vector<double> z(sample.rows() * d, 0.25);
          const std::vector<double> g(z.size(), 1.0);
          z[at] = bad;
          for (const PairSumForm<float>& form : kPairSumForms<float>)
            EXPECT_FALSE(testing::run_pair_sum(form, sample.plan, activation, d, z, g).is_finite) << form.name;
        }
}

// Two finite values may have a sum that is not, and so may many triples.
TEST(PairSum, ReportsSumsThatOverflow) {
  const Sample sample({testing::path(3), testing::complete(20)}, Radius(1), true);
  const std::size_t d = 5;
  const std::vector<double> g(sample.rows() * d, 1.0);
  for (const auto& [value, fits] : {std::pair(3e38, false), {1.2e37, false}, {8e36, true}, {-3e38, true}}) {
    std::vector<double> z(sample.rows() * d, 0.5);
    for (std::size_t k = 2; k < z.size(); k += d) z[k] = value;
    for (const PairSumForm<float>& form : kPairSumForms<float>) {
      SCOPED_TRACE(fmt::format("{} {}", form.name, value));
      EXPECT_EQ(testing::run_pair_sum(form, sample.plan, Activation::kRelu, d, z, g).is_finite, fits);
      EXPECT_EQ(testing::run_pair_sum(form, sample.plan, Activation::kIdentity, d, z, g).is_finite,
                fits && value > 0);
      EXPECT_TRUE(testing::run_pair_sum(form, sample.plan, Activation::kLogistic, d, z, g).is_finite);
    }
  }
}

}  // namespace
}  // namespace twofold::compute
