#include "twofold/graph/generate_cfi.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/graph_properties.h"
#include "tests/support/named_graphs.h"
#include "tests/support/nauty.h"
#include "twofold/base/error.h"
#include "twofold/graph/generate_basic.h"
#include "twofold/graph/generate_regular.h"

namespace twofold::graph {
namespace {

using testing::isomorphic;

std::vector<Graph> bases() {
  Random random(4);
  std::vector<Graph> result = {complete_graph(3), complete_graph(4),   cycle_graph(5),    grid_graph(2, 3),
                               grid_graph(3, 3),  testing::petersen(), testing::decalin()};
  Graph cubic = random_regular_graph(8, 3, random);
  while (!is_connected(cubic)) cubic = random_regular_graph(8, 3, random);
  result.push_back(cubic);
  return result;
}

std::vector<CfiOptions> all_options() {
  return {{CfiForm::kGadgets, false},
          {CfiForm::kGadgets, true},
          {CfiForm::kCompact, false},
          {CfiForm::kCompact, true}};
}

std::vector<std::size_t> degrees(const Graph& g) {
  std::vector<std::size_t> result;
  for (Node v = 0; v < g.num_nodes(); ++v) result.push_back(g.degree(v));
  std::sort(result.begin(), result.end());
  return result;
}

TEST(Cfi, PairsAreNotIsomorphicButHaveTheSameDegrees) {
  for (const CfiOptions& options : all_options())
    for (const Graph& base : bases()) {
      const CfiPair pair = cfi_pair(base, options);
      pair.untwisted.check();
      pair.twisted.check();
      EXPECT_EQ(degrees(pair.untwisted), degrees(pair.twisted));
      EXPECT_EQ(pair.untwisted.has_node_labels(), options.colored);
      EXPECT_FALSE(isomorphic(pair.untwisted, pair.twisted)) << base.num_nodes() << " base nodes";
    }
}

TEST(Cfi, OnlyTheParityOfTheTwistsMatters) {
  for (const CfiOptions& options : all_options())
    for (const Graph& base : bases()) {
      const CfiPair pair = cfi_pair(base, options);
      for (std::uint32_t e = 0; e < base.num_edges(); ++e) {
        const std::uint32_t f = (e + 1) % static_cast<std::uint32_t>(base.num_edges());
        EXPECT_TRUE(isomorphic(cfi_graph(base, std::vector<std::uint32_t>{e}, options), pair.twisted));
        EXPECT_TRUE(isomorphic(cfi_graph(base, std::vector<std::uint32_t>{e, f}, options), pair.untwisted));
      }
    }
}

TEST(Cfi, EverySmallConnectedBaseObeysTheParityOfTwists) {
  for (std::size_t n = 2; n <= 5; ++n) {
    const auto pairs = complete_graph(n).edges();
    for (std::uint32_t chosen = 1; chosen < (1u << pairs.size()); ++chosen) {
      std::vector<std::pair<Node, Node>> edges;
      for (std::size_t i = 0; i < pairs.size(); ++i)
        if (chosen >> i & 1) edges.emplace_back(pairs[i].u, pairs[i].v);
      const Graph base = testing::from_edges(n, edges);
      if (!is_connected(base)) continue;
      for (const CfiOptions& options : all_options()) {
        const CfiPair pair = cfi_pair(base, options);
        ASSERT_FALSE(isomorphic(pair.untwisted, pair.twisted)) << n << " nodes, edges " << chosen;
        const auto last = static_cast<std::uint32_t>(edges.size() - 1);
        ASSERT_TRUE(isomorphic(cfi_graph(base, std::vector<std::uint32_t>{last}, options), pair.twisted));
      }
    }
  }
}

TEST(Cfi, GadgetsAreTheCompactFormOverTheBaseWithTwoMoreNodesOnEachEdge) {
  for (const Graph& base : bases()) {
    const std::size_t n = base.num_nodes();
    std::vector<std::pair<Node, Node>> edges;
    for (const Edge e : base.edges()) {
      const auto first = static_cast<Node>(n + edges.size() / 3 * 2);
      edges.insert(edges.end(), {{e.u, first}, {first, first + 1}, {first + 1, e.v}});
    }
    const Graph longer = testing::from_edges(n + 2 * base.num_edges(), edges);
    const CfiPair compact = cfi_pair(longer, {CfiForm::kCompact, false});
    const CfiPair gadgets = cfi_pair(base);
    EXPECT_TRUE(isomorphic(gadgets.untwisted, compact.untwisted));
    EXPECT_TRUE(isomorphic(gadgets.twisted, compact.twisted));
  }
}

TEST(Cfi, HaveTheStatedSizes) {
  // K4: four gadgets of 4 subset nodes and 6 ends; 12 edges in each gadget and 2 between two of them.
  const CfiPair gadgets = cfi_pair(complete_graph(4));
  EXPECT_EQ(gadgets.untwisted.num_nodes(), 40u);
  EXPECT_EQ(gadgets.untwisted.num_edges(), 4u * 12 + 6 * 2);
  EXPECT_EQ(cfi_pair(complete_graph(4), {CfiForm::kCompact, false}).twisted.num_nodes(), 16u);
}

TEST(Cfi, TheCompactPairOverK4IsTheRookAndShrikhandesGraph) {
  const CfiPair pair = cfi_pair(complete_graph(4), {CfiForm::kCompact, false});
  EXPECT_TRUE(isomorphic(pair.untwisted, testing::rook_4x4()) ||
              isomorphic(pair.untwisted, testing::shrikhande()));
  EXPECT_TRUE(isomorphic(pair.twisted, testing::rook_4x4()) || isomorphic(pair.twisted, testing::shrikhande()));
}

TEST(Cfi, OverACycleTheyAreTwoCyclesAndOneOfTwiceTheLength) {
  const CfiPair pair = cfi_pair(cycle_graph(5), {CfiForm::kCompact, false});
  EXPECT_TRUE(isomorphic(pair.twisted, testing::cycle(10)));
  EXPECT_TRUE(
      isomorphic(pair.untwisted, disjoint_union(std::vector<Graph>{testing::cycle(5), testing::cycle(5)})));
  EXPECT_TRUE(isomorphic(cfi_pair(cycle_graph(5)).twisted, testing::cycle(30)));
}

TEST(GenerateCfi, PutsPairsSideBySide) {
  const Dataset data = generate_cfi(bases());
  data.check();
  EXPECT_EQ(data.graphs.size(), 2 * bases().size());
  for (std::size_t i = 0; i < data.graphs.size(); ++i) EXPECT_EQ(data.class_of[i], i % 2);
}

TEST(Cfi, RefusesBasesThatDoNotWork) {
  EXPECT_THROW(cfi_pair(Graph()), UsageError);
  EXPECT_THROW(cfi_pair(testing::empty_graph(1)), UsageError);
  EXPECT_THROW(cfi_pair(testing::two_triangles()), UsageError);
  EXPECT_THROW(cfi_pair(testing::star(30)), UsageError);
  EXPECT_THROW(cfi_pair(complete_graph(20), {CfiForm::kCompact, false}), UsageError);
  EXPECT_THROW(cfi_pair(testing::star(2000)), UsageError);
  EXPECT_THROW(cfi_graph(complete_graph(3), std::vector<std::uint32_t>{3}), UsageError);
}

}  // namespace
}  // namespace twofold::graph
