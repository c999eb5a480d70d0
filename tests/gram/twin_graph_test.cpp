#include "twofold/gram/twin_graph.h"

#include <gtest/gtest.h>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/gram/word_table.h"

namespace twofold::testing {
namespace {

using gram::twin_graph;
using gram::TwinGraph;

TEST(Twins, LeavesOfAStarAreOneClass) {
  const TwinGraph twins = twin_graph(star(5), false);
  EXPECT_EQ(twins.sizes, (std::vector<std::uint64_t>{1, 5}));
  EXPECT_FALSE(twins.is_clique[1]);
}

TEST(Twins, ACliqueIsOneClass) {
  const TwinGraph twins = twin_graph(complete(4), false);
  EXPECT_EQ(twins.sizes, std::vector<std::uint64_t>{4});
  EXPECT_TRUE(twins.is_clique[0]);
  EXPECT_TRUE(twins.neighbors(0).empty());
}

TEST(Twins, IsolatedVerticesAreOneClassAndALongCycleHasNone) {
  EXPECT_EQ(twin_graph(empty_graph(3), false).num_classes(), 1u);
  EXPECT_EQ(twin_graph(cycle(7), false).num_classes(), 7u);
  EXPECT_EQ(twin_graph(empty_graph(0), false).num_classes(), 0u);
}

// Exchanging two twins is an automorphism, by the graph's own comparison.
TEST(Twins, CanBeExchanged) {
  Random random(2);
  std::size_t found = 0;
  for (int i = 0; i < 200; ++i) {
    const Graph g = random_decorated(random, 2 + random.below(6), random.uniform());
    const TwinGraph twins = twin_graph(g, true);
    for (Node u = 0; u < g.num_nodes(); ++u)
      for (Node v = u + 1; v < g.num_nodes(); ++v) {
        if (twins.class_of[u] != twins.class_of[v]) continue;
        std::vector<Node> swap(g.num_nodes());
        for (Node w = 0; w < swap.size(); ++w) swap[w] = w == u ? v : w == v ? u : w;
        EXPECT_TRUE(relabeled(g, swap) == g);
        ++found;
      }
  }
  EXPECT_GT(found, 20u);
}

TEST(WordTable, NumbersSequencesByTheirFirstAppearance) {
  gram::WordTable table;
  using Words = std::vector<std::uint32_t>;
  EXPECT_EQ(table.find_or_add(Words{}), 0u);
  EXPECT_EQ(table.find_or_add(Words{1, 2}), 1u);
  EXPECT_EQ(table.find_or_add(Words{1}), 2u);
  EXPECT_EQ(table.find_or_add(Words{1, 2}), 1u);
  EXPECT_EQ(table.find(Words{2, 1}), gram::kNoColor);
  const auto again = gram::WordTable::from_content(table.all_words(), table.offsets(), "t");
  EXPECT_EQ(again.find(Words{1}), 2u);
  EXPECT_THROW(gram::WordTable::from_content({1, 1}, {0, 1, 2}, "t"), InputError);
  EXPECT_THROW(gram::WordTable::from_content({1, 1}, {0, 3, 2}, "t"), InputError);
}

// The hash finds, the comparison decides.
TEST(HashIndex, KeepsApartWhatSharesAHash) {
  gram::HashIndex index;
  for (int i = 0; i < 100; ++i) index.add(7);
  EXPECT_EQ(index.find(7, [](std::uint32_t id) { return id == 63; }), 63u);
  EXPECT_EQ(index.find(7, [](std::uint32_t) { return false; }), gram::kNoColor);
  EXPECT_EQ(index.find(8, [](std::uint32_t) { return true; }), gram::kNoColor);
}

}  // namespace
}  // namespace twofold::testing
