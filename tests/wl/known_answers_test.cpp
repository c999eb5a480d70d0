// Known answers, each with its source.
#include <gtest/gtest.h>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/wl/classify.h"

namespace twofold::wl {
namespace {

using graph::PowerRadius;

using namespace testing;  // NOLINT: the graphs' names are the words of this file

WlTest rows(PowerRadius radius, int marks = 0) { return {Kind::kRows, 2, radius, marks}; }
WlTest tuples(int k, int marks = 0) { return {Kind::kTuples, k, 1, marks}; }
const WlTest kVertexTest = {};
const WlTest kGnn = {Kind::kEdges};

std::size_t num_classes(int n, const WlTest& test) {
  return classify(all_graphs(n), test, {/*threads=*/0}).num_classes;
}

#define SKIP_WITHOUT_GENG() \
  if (all_graphs(3).size() != 4) GTEST_SKIP() << "nauty-geng is not installed"

// The table, computed by two independent programs.
TEST(KnownAnswers, ClassesOfAllGraphsOnSixNodes) {
  SKIP_WITHOUT_GENG();
  ASSERT_EQ(all_graphs(6).size(), 156u);
  EXPECT_EQ(num_classes(6, kVertexTest), 152u);
  EXPECT_EQ(num_classes(6, kGnn), 152u);
  EXPECT_EQ(num_classes(6, rows(1)), 156u);
}

TEST(KnownAnswers, ClassesOfAllGraphsOnSevenNodes) {
  SKIP_WITHOUT_GENG();
  ASSERT_EQ(all_graphs(7).size(), 1044u);
  EXPECT_EQ(num_classes(7, kVertexTest), 1022u);
  EXPECT_EQ(num_classes(7, kGnn), 1022u);
  EXPECT_EQ(num_classes(7, rows(1)), 1044u);
  EXPECT_EQ(num_classes(7, tuples(2)), 1044u);
}

TEST(KnownAnswers, ClassesOfAllGraphsOnEightNodes) {
  SKIP_WITHOUT_GENG();
  ASSERT_EQ(all_graphs(8).size(), 12346u);
  EXPECT_EQ(num_classes(8, kVertexTest), 12095u);
  EXPECT_EQ(num_classes(8, tuples(2)), 12346u);
}

// Paper, Fig. 1 and Prop. 4.7.
TEST(KnownAnswers, HexagonAgainstTwoTriangles) {
  EXPECT_FALSE(distinguishes(kVertexTest, cycle(6), two_triangles()));
  EXPECT_FALSE(distinguishes(kGnn, cycle(6), two_triangles()));
  EXPECT_TRUE(distinguishes(rows(1), cycle(6), two_triangles()));
  EXPECT_TRUE(distinguishes(rows(PowerRadius::all()), cycle(6), two_triangles()));
  EXPECT_TRUE(distinguishes(tuples(2), cycle(6), two_triangles()));
  EXPECT_TRUE(distinguishes({Kind::kVertices, 2, 1, 1}, cycle(6), two_triangles()));
}

// Strongly regular graphs of equal parameters have the same coherent configuration.
TEST(KnownAnswers, RookAgainstShrikhande) {
  for (const PowerRadius radius : {PowerRadius(1), PowerRadius(2), PowerRadius(3), PowerRadius::all()})
    EXPECT_FALSE(distinguishes(rows(radius), rook_4x4(), shrikhande())) << to_string(radius);
  EXPECT_FALSE(distinguishes(tuples(2), rook_4x4(), shrikhande()));
  EXPECT_TRUE(distinguishes(tuples(3), rook_4x4(), shrikhande()));
  EXPECT_TRUE(distinguishes(rows(1, 1), rook_4x4(), shrikhande()));
}

// Two hexagons that share an edge, two pentagons joined by one: no cycle shorter than 5 tells.
TEST(KnownAnswers, DecalinAgainstBicyclopentyl) {
  EXPECT_FALSE(distinguishes(kVertexTest, decalin(), bicyclopentyl()));
  EXPECT_FALSE(distinguishes(rows(1), decalin(), bicyclopentyl()));
  EXPECT_TRUE(distinguishes(rows(2), decalin(), bicyclopentyl()));
  EXPECT_TRUE(distinguishes(tuples(2), decalin(), bicyclopentyl()));
}

// Paper, Lemma 3.3 and Prop. 3.4.
TEST(KnownAnswers, RegularGraphsOfOneSizeAndDegreeAreOneToVerticesAndEdges) {
  Random random(7);
  for (const std::size_t d : {2u, 3u, 4u, 5u}) {
    std::vector<Graph> graphs;
    for (int i = 0; i < 6; ++i) graphs.push_back(random_regular(random, 14, d));
    EXPECT_EQ(classify(graphs, kVertexTest).num_classes, 1u);
    EXPECT_EQ(classify(graphs, kGnn).num_classes, 1u);
    for (const Graph& g : graphs)
      for (Node v = 0; v < 14; ++v) ASSERT_EQ(g.degree(v), d);
  }
}

// Cai, Fürer, Immerman 1992: k-fwl fails over a base graph that needs more than k cops. The triangle's pair is
// a hexagon-like cycle against two; K4 (treewidth 3) defeats 2-fwl and not 3-fwl.
TEST(KnownAnswers, CfiOverTheTetrahedron) {
  const Graph a = cfi(complete(4), false);
  const Graph b = cfi(complete(4), true);
  ASSERT_EQ(a.num_nodes(), 40u);
  EXPECT_FALSE(distinguishes(kVertexTest, a, b));
  EXPECT_FALSE(distinguishes(tuples(2), a, b));
  EXPECT_FALSE(distinguishes(rows(PowerRadius::all()), a, b));
  EXPECT_TRUE(distinguishes(tuples(3), a, b));
  EXPECT_TRUE(distinguishes(rows(PowerRadius::all(), 1), a, b));
  EXPECT_TRUE(distinguishes(tuples(2), cfi(complete(3), false), cfi(complete(3), true)));
}

}  // namespace
}  // namespace twofold::wl
