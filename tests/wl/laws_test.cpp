// What must hold for all graphs, tried on all small ones and on random ones.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "tests/support/nauty.h"
#include "twofold/wl/classify.h"

namespace twofold::wl {
namespace {

using graph::PowerRadius;

using namespace testing;  // NOLINT

const WlTest kVertexTest = {};
const WlTest kGnn = {Kind::kEdges};
WlTest rows(PowerRadius radius, int marks = 0) { return {Kind::kRows, 2, radius, marks}; }
WlTest tuples(int k) { return {Kind::kTuples, k}; }

std::vector<WlTest> all_tests() {
  return {kVertexTest, kGnn,      rows(1),   rows(2), rows(3), rows(PowerRadius::all()),
          tuples(2),   tuples(3), rows(1, 1)};
}

// Graphs on 1 to `most` nodes, and per size a batch.
std::vector<std::vector<Graph>> small_graphs(int most) {
  std::vector<std::vector<Graph>> batches;
  for (int n = 1; n <= most; ++n) batches.push_back(all_graphs(n));
  return batches;
}
#define SKIP_WITHOUT_GENG() \
  if (all_graphs(3).size() != 4) GTEST_SKIP() << "nauty-geng is not installed"

Classes classes_of(const std::vector<Graph>& graphs, const WlTest& test) { return classify(graphs, test, {0}); }

// Every class of `fine` lies in one class of `coarse`.
::testing::AssertionResult refines(const Classes& fine, const Classes& coarse) {
  std::map<std::uint32_t, std::uint32_t> coarse_of;
  for (std::size_t g = 0; g < fine.class_of.size(); ++g)
    if (coarse_of.emplace(fine.class_of[g], coarse.class_of[g]).first->second != coarse.class_of[g])
      return ::testing::AssertionFailure() << "graph " << g << " shows it";
  return ::testing::AssertionSuccess();
}

// Regular and strongly regular graphs, CFI graphs, and labelled ones: where tests differ most. Sizes differ.
std::vector<Graph> hard_batch(std::uint64_t seed) {
  Random random(seed);
  std::vector<Graph> graphs = {cycle(6),
                               two_triangles(),
                               decalin(),
                               bicyclopentyl(),
                               rook_4x4(),
                               shrikhande(),
                               petersen(),
                               cfi(complete(3), false),
                               cfi(complete(3), true),
                               cfi(complete(4), false),
                               cfi(complete(4), true)};
  for (int i = 0; i < 6; ++i) graphs.push_back(random_regular(random, 10, 3));
  for (int i = 0; i < 6; ++i) graphs.push_back(random_regular(random, 12, 4));
  for (int i = 0; i < 20; ++i) graphs.push_back(random_decorated(random, 6, 0.4));
  return graphs;
}

void expect_order(const WlTest& weak, const WlTest& strong, int most) {
  for (const auto& batch : small_graphs(most)) {
    if (static_cast<std::size_t>(strong.marks) > batch[0].num_nodes()) continue;
    EXPECT_TRUE(refines(classes_of(batch, strong), classes_of(batch, weak)))
        << describe(weak) << " beats " << describe(strong) << " on " << batch[0].num_nodes() << " nodes";
  }
  const auto hard = hard_batch(1);
  EXPECT_TRUE(refines(classes_of(hard, strong), classes_of(hard, weak)))
      << describe(weak) << " " << describe(strong);
}

TEST(Laws, WhatKTellsApartTheNextKDoes) {
  SKIP_WITHOUT_GENG();
  expect_order(kVertexTest, tuples(2), 7);
  expect_order(tuples(2), tuples(3), 6);
}

TEST(Laws, WhatARadiusTellsApartALargerOneDoes) {
  SKIP_WITHOUT_GENG();
  expect_order(rows(1), rows(2), 7);
  expect_order(rows(2), rows(3), 7);
  expect_order(rows(3), rows(4), 7);
  expect_order(rows(3), rows(PowerRadius::all()), 7);
  expect_order(rows(1), rows(PowerRadius::all()), 7);
}

TEST(Laws, WhatATestTellsApartItDoesWithAMark) {
  SKIP_WITHOUT_GENG();
  expect_order(rows(1), rows(1, 1), 6);
  expect_order(kVertexTest, {Kind::kVertices, 2, 1, 1}, 7);
  expect_order({Kind::kVertices, 2, 1, 1}, {Kind::kVertices, 2, 1, 2}, 6);
}

TEST(Laws, TheEdgeNeighborhoodGraphAddsNothingToVertices) {
  SKIP_WITHOUT_GENG();
  expect_order(kVertexTest, kGnn, 7);
  expect_order(kGnn, kVertexTest, 7);
}

TEST(Laws, RadiusOneEqualsVerticesOnTriangleFreeGraphs) {
  SKIP_WITHOUT_GENG();
  for (int n = 1; n <= 9; ++n) {
    const auto graphs = all_graphs(n, "-t");
    EXPECT_EQ(classes_of(graphs, rows(1)).class_of, classes_of(graphs, kVertexTest).class_of) << n;
  }
}

// The paper (Sec. 4) holds unordered pairs as strong as ordered ones. With edge labels they are not, from 15
// nodes on (tests/theory/unordered_pairs_test.cpp); here is where no difference was seen. On all graphs up to 8
// nodes both tell all graphs apart, so equality says little there; the hard batch has graphs that neither does.
TEST(Laws, UnorderedPairsOfAnyDistanceAreAsStrongAsOrderedOnesOnTheseGraphs) {
  SKIP_WITHOUT_GENG();
  for (const auto& batch : small_graphs(8))
    EXPECT_EQ(classes_of(batch, rows(PowerRadius::all())).class_of, classes_of(batch, tuples(2)).class_of);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto hard = hard_batch(seed);
    EXPECT_EQ(classes_of(hard, rows(PowerRadius::all())).class_of, classes_of(hard, tuples(2)).class_of);
  }
}

// Fürer 2017; Arvind, Fuhlbrück, Köbler, Verbitsky 2019: 2-fwl counts cycles up to length 7.
TEST(Laws, EqualFolkloreTwoColorsMeanEqualNumbersOfShortCycles) {
  Random random(5);
  std::vector<Graph> graphs = {rook_4x4(), shrikhande(), cfi(complete(4), false), cfi(complete(4), true)};
  // Line-graph-like and regular graphs of one size, some of which 2-fwl does not tell apart.
  for (int i = 0; i < 8; ++i) graphs.push_back(random_regular(random, 8, 3));
  const Classes classes = classes_of(graphs, tuples(2));
  EXPECT_LT(classes.num_classes, graphs.size());
  std::map<std::uint32_t, std::vector<std::size_t>> counts_of;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    std::vector<std::size_t> counts;
    for (std::size_t length = 3; length <= 7; ++length) counts.push_back(count_cycles(graphs[g], length));
    EXPECT_EQ(counts_of.emplace(classes.class_of[g], counts).first->second, counts) << g;
  }
  // Longer ones it does not count: the two strongly regular graphs differ in octagons.
  EXPECT_NE(count_cycles(rook_4x4(), 8), count_cycles(shrikhande(), 8));
}

TEST(Laws, RelabelledCopiesOfAllSmallGraphsAreNeverDistinguished) {
  SKIP_WITHOUT_GENG();
  Random random(9);
  for (const auto& batch : small_graphs(6))
    for (const WlTest& test : all_tests()) {
      if (static_cast<std::size_t>(test.marks) > batch[0].num_nodes()) continue;
      std::vector<Graph> pairs;
      for (const Graph& g : batch) {
        pairs.push_back(g);
        pairs.push_back(shuffled(g, random));
      }
      EXPECT_EQ(distinguish_pairs(pairs, test, {0}), std::vector<bool>(batch.size(), false)) << describe(test);
    }
}

// nauty is the judge: isomorphic graphs share a class, whatever the test; what is told apart is not isomorphic.
TEST(Laws, GraphsThatNautyCallsIsomorphicShareAClass) {
  Random random(17);
  std::vector<Graph> graphs;
  for (int i = 0; i < 300; ++i) graphs.push_back(random_decorated(random, 4, random.uniform()));
  std::map<std::vector<std::int64_t>, std::size_t> first_of;
  for (const WlTest& test : all_tests()) {
    const Classes classes = classes_of(graphs, test);
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      const std::size_t first = first_of.emplace(canonical_form(graphs[g]), g).first->second;
      EXPECT_EQ(classes.class_of[g], classes.class_of[first]) << describe(test);
    }
  }
  EXPECT_LT(first_of.size(), graphs.size());
}

RC_GTEST_PROP(Laws, RelabelledRandomGraphsAreNeverDistinguished, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Graph g = random_decorated(random, 1 + random.below(20), random.uniform());
  const Graph h = shuffled(g, random);
  for (const WlTest& test : all_tests()) {
    if (test.kind == Kind::kTuples && test.k == 3 && g.num_nodes() > 10) continue;
    RC_ASSERT(!distinguishes(test, g, h));
    RC_ASSERT(classify({std::vector<Graph>{g, h}}, test).num_classes == 1u);
  }
}

RC_GTEST_PROP(Laws, StrongerTestsDistinguishWhatWeakerOnesDo, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const std::size_t n = 4 + random.below(6);
  const Graph g = random_decorated(random, n, 0.3);
  const Graph h = random_decorated(random, n, 0.3);
  const auto tells = [&](const WlTest& test) { return distinguishes(test, g, h); };
  RC_ASSERT(!tells(kVertexTest) || tells(tuples(2)));
  RC_ASSERT(!tells(tuples(2)) || tells(tuples(3)));
  RC_ASSERT(!tells(rows(1)) || tells(rows(2)));
  RC_ASSERT(!tells(rows(2)) || tells(rows(PowerRadius::all())));
  RC_ASSERT(tells(kVertexTest) == tells(kGnn));
  RC_ASSERT(tells(rows(PowerRadius::all())) == tells(tuples(2)));
}

}  // namespace
}  // namespace twofold::wl
