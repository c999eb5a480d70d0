#include "twofold/graph/generate_molecule.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/graph_properties.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"

namespace twofold::graph {
namespace {

void expect_molecule(const Graph& g) {
  g.check();
  EXPECT_EQ(testing::num_components(g), 1u);
  ASSERT_EQ(g.node_labels().size(), g.num_nodes());
  ASSERT_EQ(g.edge_labels().size(), g.num_edges());
  for (Node v = 0; v < g.num_nodes(); ++v) {
    int bonds = 0;
    for (const std::uint32_t e : g.incident_edges(v)) {
      EXPECT_GE(g.edge_labels()[e], 1);
      EXPECT_LE(g.edge_labels()[e], 3);
      bonds += g.edge_labels()[e];
    }
    EXPECT_GE(g.node_labels()[v], 0);
    EXPECT_LE(g.node_labels()[v], 3);
    EXPECT_LE(bonds, valence(static_cast<Element>(g.node_labels()[v])));
  }
}

TEST(RandomMolecule, KeepsTheValencesAndTheClassTellsFusedRings) {
  MoleculesOptions options;
  options.min_nodes = 8;
  options.max_nodes = 32;
  options.num_graphs = 400;
  const Dataset data = generate_molecules(options);
  data.check();
  std::set<Label> elements;
  std::set<Label> orders;
  std::set<std::size_t> sizes;
  std::size_t with_one_ring_at_least = 0;
  for (std::size_t i = 0; i < data.graphs.size(); ++i) {
    const Graph& g = data.graphs[i];
    expect_molecule(g);
    EXPECT_EQ(data.class_of[i], i % 2);
    EXPECT_EQ(testing::has_fused_rings(g), data.class_of[i] == 1) << "graph " << i;
    elements.insert(g.node_labels().begin(), g.node_labels().end());
    orders.insert(g.edge_labels().begin(), g.edge_labels().end());
    sizes.insert(g.num_nodes());
    if (i % 2 == 0) with_one_ring_at_least += g.num_edges() >= g.num_nodes();
  }
  EXPECT_EQ(elements, (std::set<Label>{0, 1, 2, 3}));
  EXPECT_EQ(orders, (std::set<Label>{1, 2, 3}));
  EXPECT_EQ(sizes.size(), 25u);
  EXPECT_GT(with_one_ring_at_least, 100u);  // of 200
}

TEST(RandomMolecule, TheOracleKnowsDecalinFromBicyclopentyl) {
  EXPECT_TRUE(testing::has_fused_rings(testing::decalin()));
  EXPECT_FALSE(testing::has_fused_rings(testing::bicyclopentyl()));
  EXPECT_FALSE(testing::has_fused_rings(testing::path(5)));
  EXPECT_TRUE(testing::has_fused_rings(testing::complete(4)));
}

TEST(RandomMolecule, WorksFromTheSmallestSizeOn) {
  Random random(3);
  for (std::size_t n = 1; n < 12; ++n)
    for (int i = 0; i < 50; ++i) {
      const Graph plain = random_molecule(n, false, random);
      EXPECT_EQ(plain.num_nodes(), n);
      if (n > 1) expect_molecule(plain);
      if (n >= 8) {
        EXPECT_EQ(random_molecule(n, true, random).num_nodes(), n);
      }
    }
  EXPECT_THROW(random_molecule(0, false, random), UsageError);
  EXPECT_THROW(random_molecule(7, true, random), UsageError);
}

TEST(GenerateMolecules, FollowsFromTheSeedAndRefusesBadSizes) {
  MoleculesOptions options;
  options.num_graphs = 6;
  EXPECT_EQ(generate_molecules(options, 3), generate_molecules(options, 3));
  EXPECT_FALSE(generate_molecules(options, 3) == generate_molecules(options, 4));
  options.min_nodes = 31;
  EXPECT_THROW(generate_molecules(options), UsageError);
  options.min_nodes = 7;
  EXPECT_THROW(generate_molecules(options), UsageError);
}

}  // namespace
}  // namespace twofold::graph
