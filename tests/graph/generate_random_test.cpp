#include "twofold/graph/generate_random.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/graph_properties.h"
#include "tests/support/named_graphs.h"
#include "tests/support/nauty.h"
#include "twofold/base/error.h"

namespace twofold::graph {
namespace {

TEST(ErdosRenyi, HasTheExpectedNumberOfEdges) {
  // 4950 pairs at 0.3: 1485 expected, deviation 32.2; the mean of 100 graphs is allowed five of its own.
  Random random(1);
  double sum = 0;
  for (int i = 0; i < 100; ++i) sum += static_cast<double>(erdos_renyi_graph(100, 0.3, random).num_edges());
  EXPECT_NEAR(sum / 100, 1485, 5 * 3.22);
}

TEST(ErdosRenyi, GivesAllOrNothingAtTheEnds) {
  Random random(1);
  EXPECT_EQ(erdos_renyi_graph(9, 0, random), testing::empty_graph(9));
  EXPECT_EQ(erdos_renyi_graph(9, 1, random), testing::complete(9));
  EXPECT_EQ(erdos_renyi_graph(0, 0.5, random).num_nodes(), 0u);
  for (const double p : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(erdos_renyi_graph(9, p, random), UsageError);
}

TEST(RandomTree, IsATreeOfEverySize) {
  Random random(2);
  for (std::size_t n = 1; n < 60; ++n) {
    const Graph g = random_tree(n, random);
    g.check();
    EXPECT_EQ(g.num_nodes(), n);
    EXPECT_EQ(g.num_edges(), n - 1);
    EXPECT_EQ(testing::num_components(g), 1u);
  }
  EXPECT_EQ(random_tree(0, random).num_nodes(), 0u);
}

TEST(RandomTree, IsUniformOverLabelledTrees) {
  // Cayley: 5³ = 125 labelled trees of 5 nodes. Chi-square with 124 degrees of freedom; 208 is beyond 1 - 1e-5.
  Random random(3);
  std::map<std::vector<std::pair<Node, Node>>, int> count;
  const int draws = 25000;
  for (int i = 0; i < draws; ++i) {
    std::vector<std::pair<Node, Node>> edges;
    for (const Edge e : random_tree(5, random).edges()) edges.emplace_back(e.u, e.v);
    ++count[edges];
  }
  EXPECT_EQ(count.size(), 125u);
  double chi_square = 0;
  for (const auto& [tree, times] : count) chi_square += (times - draws / 125.0) * (times - draws / 125.0);
  EXPECT_LT(chi_square / (draws / 125.0), 208);
}

TEST(GenerateRandom, SeedsAndSizesAreObeyed) {
  RandomGraphsOptions options;
  options.num_graphs = 5;
  const Dataset data = generate_random(options, 3);
  data.check();
  EXPECT_EQ(data.graphs.size(), 5u);
  EXPECT_EQ(data, generate_random(options, 3));
  EXPECT_FALSE(data == generate_random(options, 4));
  EXPECT_FALSE(data.graphs[0] == data.graphs[1]);
  TreesOptions trees;
  trees.n = 12;
  trees.num_graphs = 7;
  for (const Graph& g : generate_trees(trees, 3).graphs) EXPECT_EQ(g.num_nodes(), 12u);
  trees.n = 0;
  EXPECT_THROW(generate_trees(trees, 3), UsageError);
}

TEST(GenerateRandom, TheStreamsAreFrozen) {
  // A change here alters every seeded dataset of every user.
  Random random(1);
  const Graph g = random_tree(8, random);
  std::vector<std::pair<Node, Node>> edges;
  for (const Edge e : g.edges()) edges.emplace_back(e.u, e.v);
  EXPECT_EQ(edges,
            (std::vector<std::pair<Node, Node>>{{0, 5}, {1, 2}, {2, 3}, {2, 7}, {3, 6}, {4, 5}, {4, 7}}));
}

}  // namespace
}  // namespace twofold::graph
