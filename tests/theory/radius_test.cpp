// The question the paper leaves open (its sections 4 and 6): how the radius relates to what is told apart.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/graph/cycle_counts.h"
#include "twofold/graph/generate_ring.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/counterexample.h"

namespace twofold {
namespace {

using graph::PowerRadius;
using namespace testing;  // NOLINT: the graphs' names are the words of this file

wl::WlTest rows(PowerRadius radius) { return {wl::Kind::kRows, 2, radius}; }

#define SKIP_WITHOUT_GENG() \
  if (all_graphs(3).size() != 4) GTEST_SKIP() << "nauty-geng is not installed"

// `3 ` for counts, `(3) ` for only detects, in the order of lengths.
std::string knowledge(const std::vector<Graph>& graphs, const std::vector<graph::CycleCounts>& counts,
                      const wl::WlTest& test) {
  std::string words;
  for (const wl::CyclePower& power : wl::cycle_knowledge(graphs, counts, test, {0}).lengths)
    words += power.counts()    ? fmt::format("{} ", power.length)
             : power.detects() ? fmt::format("({}) ", power.length)
                               : "";
  return words;
}

std::vector<Graph> graphs_up_to(int most) {
  std::vector<Graph> graphs;
  for (int n = 1; n <= most; ++n)
    for (const Graph& g : all_graphs(n)) graphs.push_back(g);
  return graphs;
}

// docs/theory.md shows these tables.
TEST(Radius, KnowsTheCyclesOfAllGraphsUpToEightNodesAsTheTableSays) {
  SKIP_WITHOUT_GENG();
  const std::vector<Graph> graphs = graphs_up_to(8);
  ASSERT_EQ(graphs.size(), 13598u);
  const auto counts = graph::count_cycles(graphs, {3, 7}, {0, {}});
  EXPECT_EQ(knowledge(graphs, counts, wl::parse_test("1-wl")), "");
  EXPECT_EQ(knowledge(graphs, counts, wl::parse_test("2-gnn")), "");
  EXPECT_EQ(knowledge(graphs, counts, rows(1)), "3 ");
  for (const PowerRadius radius : {PowerRadius(2), PowerRadius(3), PowerRadius(4), PowerRadius::all()})
    EXPECT_EQ(knowledge(graphs, counts, rows(radius)), "3 4 5 6 7 ") << to_string(radius);
  EXPECT_EQ(knowledge(graphs, counts, wl::parse_test("2-fwl")), "3 4 5 6 7 ");
}

TEST(Radius, KnowsTheCyclesOfAllCubicGraphsOfFourteenNodesAsTheTableSays) {
  SKIP_WITHOUT_GENG();
  const std::vector<Graph> graphs = all_graphs(14, "-d3 -D3");
  ASSERT_EQ(graphs.size(), 540u);
  const auto counts = graph::count_cycles(graphs, {3, 7}, {0, {}});
  EXPECT_EQ(knowledge(graphs, counts, wl::parse_test("2-gnn")), "");
  EXPECT_EQ(knowledge(graphs, counts, rows(1)), "3 ");
  EXPECT_EQ(knowledge(graphs, counts, rows(2)), "3 4 5 6 ");
  EXPECT_EQ(knowledge(graphs, counts, rows(3)), "3 4 5 6 7 ");
}

// A ring of m nodes and rows up to distance r: three nodes, each within r of the next, go around it iff m <= 3
// r. Beyond that, rows around a node look as on a line, and the ring's length is not seen.
TEST(Radius, SeesRingsUpToThreeTimesItself) {
  for (std::size_t m = 3; m <= 28; ++m) {
    const Graph one = graph::union_of_cycles(std::vector<std::size_t>{2 * m});
    const Graph two = graph::union_of_cycles(std::vector<std::size_t>{m, m});
    for (int r = 1; r <= 8; ++r)
      EXPECT_EQ(wl::distinguishes(rows(r), one, two), m <= 3 * static_cast<std::size_t>(r)) << m << " " << r;
    EXPECT_TRUE(wl::distinguishes(rows(PowerRadius::all()), one, two)) << m;
  }
}

}  // namespace
}  // namespace twofold
