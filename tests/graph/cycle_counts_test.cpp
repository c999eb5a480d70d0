#include "twofold/graph/cycle_counts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/cycle_oracle.h"
#include "tests/support/data_folder.h"
#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/graph/generate.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/dataset_file.h"

namespace twofold::graph {
namespace {

using testing::plain_cycle_counts;
using Numbers = std::vector<std::uint64_t>;

void expect_as_walked(const Graph& g, CycleLengths lengths) {
  const CycleCounts found = count_cycles(g, lengths);
  found.check(g);
  const CycleCounts expected = plain_cycle_counts(g, lengths);
  EXPECT_EQ(found.in_graph, expected.in_graph);
  EXPECT_EQ(found.at_node, expected.at_node);
  EXPECT_EQ(found.at_edge, expected.at_edge);
}

// n! / (n - length)! orders of nodes; a cycle has 2 length of them.
std::uint64_t cycles_of_complete_graph(std::uint64_t n, std::uint64_t length) {
  std::uint64_t orders = 1;
  for (std::uint64_t i = 0; i < length; ++i) orders *= n - i;
  return orders / (2 * length);
}

TEST(CycleCounts, OfCompleteGraphsAreTheClosedForm) {
  for (const std::uint64_t n : {3u, 4u, 5u, 7u, 8u, 12u, 15u}) {
    const Graph g = testing::complete(n);
    const CycleCounts counts = count_cycles(g, {3, 8});
    counts.check(g);
    for (std::uint64_t length = 3; length <= 8; ++length) {
      const std::uint64_t expected = length <= n ? cycles_of_complete_graph(n, length) : 0;
      EXPECT_EQ(counts.in_graph[length - 3], expected) << n << " " << length;
      for (Node v = 0; v < n; ++v) EXPECT_EQ(counts.of_node(v)[length - 3], expected * length / n);
      for (std::size_t e = 0; e < g.num_edges(); ++e)
        EXPECT_EQ(counts.of_edge(e)[length - 3], expected * length / g.num_edges());
    }
  }
}

TEST(CycleCounts, OfCompleteBipartiteGraphsAreTheClosedForm) {
  // K_{a,b} has a!/(a-k)! · b!/(b-k)! / 2k cycles of length 2k.
  const std::size_t a = 4;
  const std::size_t b = 6;
  GraphBuilder builder(a + b);
  for (Node u = 0; u < a; ++u)
    for (Node v = 0; v < b; ++v) builder.add_edge(u, static_cast<Node>(a + v));
  const CycleCounts counts = count_cycles(std::move(builder).build(), {3, 9});
  EXPECT_EQ(counts.in_graph, (Numbers{0, 4 * 3 * 6 * 5 / 4, 0, 4 * 3 * 2 * 6 * 5 * 4 / 6, 0,
                                      4 * 3 * 2 * 1 * 6 * 5 * 4 * 3 / 8, 0}));
}

TEST(CycleCounts, OfACycleAreOneOfItsLength) {
  for (int n = 3; n <= 16; ++n) {
    const CycleCounts counts = count_cycles(testing::cycle(static_cast<std::size_t>(n)), {3, 16});
    for (int length = 3; length <= 16; ++length)
      EXPECT_EQ(counts.in_graph[static_cast<std::size_t>(length - 3)], length == n ? 1u : 0u)
          << n << " " << length;
  }
}

// Petersen: 12 pentagons, 10 hexagons, no heptagon, 15, 20 and no longer than 9 (it has no Hamilton cycle).
TEST(CycleCounts, OfPetersensGraphAreTheKnownOnes) {
  EXPECT_EQ(count_cycles(testing::petersen(), {3, 10}).in_graph, (Numbers{0, 0, 12, 10, 0, 15, 20, 0}));
}

// The cube: 6 faces, 16 hexagons, 6 Hamilton cycles. The 4-cube: 24 faces, 128 hexagons, 696 octagons.
TEST(CycleCounts, OfHypercubesAreTheKnownOnes) {
  EXPECT_EQ(count_cycles(hyperloop_graph(4, 1), {3, 8}).in_graph, (Numbers{0, 6, 0, 16, 0, 6}));
  EXPECT_EQ(count_cycles(hyperloop_graph(4, 2), {3, 8}).in_graph, (Numbers{0, 24, 0, 128, 0, 696}));
}

TEST(CycleCounts, OfForestsAndOfNothingAreZero) {
  Random random(3);
  for (const Graph& g : {testing::empty_graph(0), testing::empty_graph(1), testing::empty_graph(5),
                         testing::path(9), testing::star(8), random_tree(40, random)}) {
    const CycleCounts counts = count_cycles(g, {3, 7});
    counts.check(g);
    EXPECT_EQ(counts.in_graph, Numbers(5, 0));
    EXPECT_EQ(counts.at_node, Numbers(5 * g.num_nodes(), 0));
    EXPECT_EQ(counts.at_edge, Numbers(5 * g.num_edges(), 0));
  }
}

TEST(CycleCounts, AreWhatWalkingGivesOnAllGraphsOfSixNodes) {
  if (testing::all_graphs(3).empty()) GTEST_SKIP() << "nauty-geng is not installed";
  for (int n = 3; n <= 6; ++n)
    for (const Graph& g : testing::all_graphs(n)) expect_as_walked(g, {3, 7});
}

TEST(CycleCounts, AreWhatWalkingGivesForEveryRangeOfLengths) {
  Random random(5);
  const Graph g = testing::random_graph(random, 9, 0.6);
  for (int shortest = 3; shortest <= 9; ++shortest)
    for (int longest = shortest; longest <= 9; ++longest) expect_as_walked(g, {shortest, longest});
}

RC_GTEST_PROP(CycleCounts, AreWhatWalkingGivesOnRandomGraphs, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  // Self-loops and labels must not matter.
  expect_as_walked(testing::random_decorated(random, 1 + random.below(11), random.uniform()), {3, 8});
  expect_as_walked(testing::random_graph(random, 30, 0.1), {3, 7});
}

RC_GTEST_PROP(CycleCounts, FollowRenamedNodes, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Graph g = testing::random_graph(random, 12, 0.4);
  std::vector<Node> name(12);
  for (Node v = 0; v < 12; ++v) name[v] = v;
  random.shuffle(name);
  const CycleCounts before = count_cycles(g, {3, 8});
  const CycleCounts after = count_cycles(relabeled(g, name), {3, 8});
  RC_ASSERT(before.in_graph == after.in_graph);
  for (Node v = 0; v < 12; ++v) RC_ASSERT(before.of_node(v) == after.of_node(name[v]));
}

TEST(CycleCounts, AreTheSameForAnyNumberOfThreads) {
  Random random(11);
  std::vector<Graph> graphs;
  for (int i = 0; i < 20; ++i) graphs.push_back(testing::random_graph(random, 5 + random.below(30), 0.3));
  std::vector<CycleCounts> one = count_cycles(graphs, {3, 7}, {1, {}});
  for (const int threads : {2, 4}) {
    const std::vector<CycleCounts> more = count_cycles(graphs, {3, 7}, {threads, {}});
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      EXPECT_EQ(one[g].at_edge, more[g].at_edge);
      EXPECT_EQ(one[g].at_edge, count_cycles(graphs[g], {3, 7}, {threads, {}}).at_edge);
    }
  }
}

TEST(CycleCounts, TellTheirProgressInEdges) {
  std::uint64_t last = 0;
  std::uint64_t whole = 0;
  const std::vector<Graph> graphs = {testing::petersen(), testing::star(4), testing::cycle(5)};
  count_cycles(graphs, {3, 5}, {2, [&](std::uint64_t done, std::uint64_t total) {
                                  EXPECT_GE(done, last);
                                  last = done;
                                  whole = total;
                                }});
  EXPECT_EQ(last, 24u);
  EXPECT_EQ(whole, 24u);
}

TEST(CycleLengths, AreReadAsOneLengthOrARange) {
  EXPECT_EQ(parse_cycle_lengths("5").shortest, 5);
  EXPECT_EQ(parse_cycle_lengths("5").longest, 5);
  EXPECT_EQ(parse_cycle_lengths("3-7").count(), 5u);
  EXPECT_EQ(parse_cycle_lengths("10-16").longest, 16);
  for (const char* text :
       {"", "2", "2-7", "7-3", "3-17", "3-", "-3", "3-7-9", "a", "3 - 7", "+3", "999999999999"})
    EXPECT_THROW(parse_cycle_lengths(text), UsageError) << text;
  EXPECT_THROW(count_cycles(testing::petersen(), {2, 5}), UsageError);
  EXPECT_THROW(count_cycles(testing::petersen(), {3, 17}), UsageError);
}

// Hubs with leaves, and molecular rings.
TEST(CycleCounts, AreWhatWalkingGivesOnRealGraphs) {
  if (testing::data_folder().empty()) GTEST_SKIP() << testing::kNeedsData;
  for (const char* name : {"MUTAG", "REDDIT-BINARY"}) {
    Dataset data = io::read_dataset(testing::data_folder() + "/" + name);
    data.graphs.resize(60);
    for (const Graph& g : data.graphs) expect_as_walked(g, {3, name[0] == 'M' ? 8 : 6});
  }
}

}  // namespace
}  // namespace twofold::graph
