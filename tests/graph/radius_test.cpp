#include "twofold/graph/radius.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <queue>

#include "tests/support/named_graphs.h"

namespace twofold::graph {
namespace {

using namespace twofold::testing;

// All distances by repeated relaxation; the obvious way.
std::optional<std::uint32_t> radius_by_definition(const Graph& g) {
  const std::size_t n = g.num_nodes();
  constexpr std::uint32_t kFar = 1u << 20;
  std::vector<std::vector<std::uint32_t>> d(n, std::vector<std::uint32_t>(n, kFar));
  for (Node v = 0; v < n; ++v) {
    d[v][v] = 0;
    for (const Node w : g.neighbors(v)) d[v][w] = 1;
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) d[i][j] = std::min(d[i][j], d[i][k] + d[k][j]);
  std::uint32_t best = kFar;
  for (std::size_t i = 0; i < n; ++i) best = std::min(best, *std::max_element(d[i].begin(), d[i].end()));
  if (best == kFar) return std::nullopt;
  return best;
}

TEST(Radius, OfNamedGraphs) {
  EXPECT_EQ(radius(cycle(6)), 3u);
  EXPECT_EQ(radius(cycle(101)), 50u);
  EXPECT_EQ(radius(path(7)), 3u);
  EXPECT_EQ(radius(path(8)), 4u);
  EXPECT_EQ(radius(star(9)), 1u);
  EXPECT_EQ(radius(complete(5)), 1u);
  EXPECT_EQ(radius(petersen()), 2u);
  EXPECT_EQ(radius(empty_graph(1)), 0u);
}

TEST(Radius, IsNotThereForGraphsInPieces) {
  EXPECT_EQ(radius(two_triangles()), std::nullopt);
  EXPECT_EQ(radius(empty_graph(2)), std::nullopt);
  EXPECT_EQ(radius(Graph()), std::nullopt);
}

TEST(Radius, EqualsItsDefinitionOnRandomGraphs) {
  Random random(23);
  for (int round = 0; round < 400; ++round) {
    const std::size_t n = random.below(25);
    const Graph g = random_graph(random, n, 0.05 + 0.3 * random.uniform());
    EXPECT_EQ(radius(g), radius_by_definition(g));
  }
}

}  // namespace
}  // namespace twofold::graph
