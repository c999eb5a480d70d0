// The library against the plain oracle.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "tests/support/wl_oracle.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/coloring.h"

namespace twofold::wl {
namespace {

using graph::PowerRadius;

using namespace testing;  // NOLINT

std::vector<WlTest> all_tests() {
  std::vector<WlTest> tests = {{Kind::kVertices}, {Kind::kEdges}, {Kind::kTuples, 2}, {Kind::kTuples, 3}};
  for (const PowerRadius radius : {PowerRadius(1), PowerRadius(2), PowerRadius(3), PowerRadius::all()})
    tests.push_back({Kind::kRows, 2, radius});
  return tests;
}

// Small graphs of every kind with relabelled copies among them, so that many are equal and many nearly so.
std::vector<Graph> mixed_batch(std::uint64_t seed) {
  Random random(seed);
  std::vector<Graph> graphs = {empty_graph(0), empty_graph(1), empty_graph(1),  empty_graph(3), path(2),
                               complete(4),    cycle(6),       two_triangles(), star(4)};
  for (int i = 0; i < 12; ++i) {
    graphs.push_back(random_decorated(random, 2 + random.below(4), 0.2 + 0.6 * random.uniform()));
    graphs.push_back(shuffled(graphs.back(), random));
  }
  return graphs;
}

std::vector<std::size_t> class_vector(const Classes& classes) {
  return {classes.class_of.begin(), classes.class_of.end()};
}

class AgainstOracle : public ::testing::TestWithParam<WlTest> {};
INSTANTIATE_TEST_SUITE_P(Tests, AgainstOracle, ::testing::ValuesIn(all_tests()), [](const auto& tested) {
  std::string name = test_name(tested.param) + radius_name(tested.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(AgainstOracle, ClassesAgree) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const auto graphs = mixed_batch(seed);
    const auto expected = wl_oracle_classes(graphs, GetParam());
    EXPECT_EQ(class_vector(classify(graphs, GetParam())), expected);
    EXPECT_EQ(class_vector(classify(graphs, GetParam(), {/*threads=*/2})), expected);
  }
}

// A verdict never rests on a hash: with none, one or three bits of it left, all answers stay.
TEST_P(AgainstOracle, ClassesStayUnderTerribleHashes) {
  for (const std::uint64_t mask : {0u, 1u, 7u}) {
    const auto graphs = mixed_batch(11);
    ClassifyOptions options;
    options.hash_mask = mask;
    EXPECT_EQ(class_vector(classify(graphs, GetParam(), options)), wl_oracle_classes(graphs, GetParam()))
        << mask;
    std::vector<Graph> pairs;
    std::vector<bool> expected;
    for (std::size_t i = 0; i + 1 < graphs.size(); ++i) {
      pairs.push_back(graphs[i]);
      pairs.push_back(graphs[i + 1]);
      expected.push_back(wl_oracle_distinguishes(GetParam(), graphs[i], graphs[i + 1]));
    }
    EXPECT_EQ(distinguish_pairs(pairs, GetParam(), options), expected) << mask;
  }
}

TEST_P(AgainstOracle, PairsAgree) {
  const auto graphs = mixed_batch(5);
  std::vector<Graph> pairs;
  std::vector<bool> expected;
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (std::size_t j = i; j < graphs.size(); j += 3) {
      pairs.push_back(graphs[i]);
      pairs.push_back(graphs[j]);
      expected.push_back(wl_oracle_distinguishes(GetParam(), graphs[i], graphs[j]));
    }
  EXPECT_EQ(distinguish_pairs(pairs, GetParam()), expected);
  EXPECT_EQ(distinguish_pairs(pairs, GetParam(), {/*threads=*/2}), expected);
}

TEST_P(AgainstOracle, MarkedClassesAgree) {
  WlTest test = GetParam();
  Random random(3);
  for (test.marks = 1; test.marks <= (test.kind == Kind::kTuples ? 1 : 2); ++test.marks) {
    std::vector<Graph> graphs = {empty_graph(2), path(2), cycle(6), two_triangles()};
    for (int i = 0; i < 4; ++i) {
      graphs.push_back(random_decorated(random, 3 + random.below(2), 0.5));
      graphs.push_back(shuffled(graphs.back(), random));
    }
    const auto expected = wl_oracle_classes(graphs, test);
    EXPECT_EQ(class_vector(classify(graphs, test)), expected) << test.marks;
    EXPECT_EQ(class_vector(classify(graphs, test, {/*threads=*/2})), expected) << test.marks;
    ClassifyOptions terrible;
    terrible.hash_mask = 1;
    EXPECT_EQ(class_vector(classify(graphs, test, terrible)), expected) << test.marks;
  }
}

// Round by round, color numbers included: both number colors by their first object.
TEST_P(AgainstOracle, ColorsOfEveryRoundAgree) {
  const auto graphs = mixed_batch(23);
  for (const std::uint64_t mask : {~std::uint64_t{0}, std::uint64_t{1}}) {
    RefineOptions options;
    options.hash_mask = mask;
    options.threads = mask == 1 ? 1 : 2;
    std::size_t rounds_shown = 0;
    options.after_round = [&](const Coloring& coloring) {
      coloring.check();
      EXPECT_EQ(coloring.num_rounds, rounds_shown);
      const auto expected = wl_oracle_colors(graphs, GetParam(), static_cast<int>(rounds_shown++));
      for (std::size_t g = 0; g < graphs.size(); ++g)
        EXPECT_EQ(std::vector<int>(coloring.of_graph(g).begin(), coloring.of_graph(g).end()), expected[g]);
      return true;
    };
    const Coloring stable = refine(graphs, GetParam(), options);
    EXPECT_TRUE(stable.is_stable);
    EXPECT_EQ(rounds_shown, stable.num_rounds + 1);
    options.after_round = nullptr;
    const Coloring unseen = refine(graphs, GetParam(), options);
    unseen.check();
    EXPECT_EQ(unseen.colors, stable.colors);
  }
}

}  // namespace
}  // namespace twofold::wl
