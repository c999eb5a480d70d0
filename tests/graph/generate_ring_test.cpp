#include "twofold/graph/generate_ring.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "tests/support/graph_properties.h"
#include "tests/support/named_graphs.h"
#include "tests/support/nauty.h"
#include "twofold/base/error.h"

namespace twofold::graph {
namespace {

TEST(GenerateCycles, HoldsEveryUnionOfCyclesOnce) {
  // Partitions of 12 into parts of at least 3: 12; 9+3 8+4 7+5 6+6; 6+3+3 5+4+3 4+4+4; 3+3+3+3.
  CyclesOptions options;
  options.max_components = 12;
  const Dataset data = generate_cycles(options);
  data.check();
  ASSERT_EQ(data.graphs.size(), 9u);
  EXPECT_EQ(testing::num_isomorphism_classes(data.graphs), 9u);
  EXPECT_EQ(data.class_of, (std::vector<std::uint32_t>{0, 1, 1, 1, 1, 2, 2, 2, 3}));
  EXPECT_EQ(data.class_names, (std::vector<std::string>{"1", "2", "3", "4"}));
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(testing::regular_degree(data.graphs[i]), 2u);
    EXPECT_EQ(data.graphs[i].num_nodes(), 12u);
    EXPECT_EQ(std::to_string(testing::num_components(data.graphs[i])), data.class_names[data.class_of[i]]);
  }
}

TEST(GenerateCycles, SixNodesAreTheHexagonAndTwoTriangles) {
  CyclesOptions options;
  options.n = 6;
  const Dataset data = generate_cycles(options);
  ASSERT_EQ(data.graphs.size(), 2u);
  EXPECT_EQ(data.graphs[0], testing::cycle(6));
  EXPECT_EQ(data.graphs[1], testing::two_triangles());
}

TEST(GenerateCycles, RefusesTooFewNodesOrCycles) {
  CyclesOptions options;
  options.n = 2;
  EXPECT_THROW(generate_cycles(options), UsageError);
  options = {};
  options.max_components = 0;
  EXPECT_THROW(generate_cycles(options), UsageError);
  EXPECT_THROW(union_of_cycles(std::vector<std::size_t>{5, 2}), UsageError);
}

TEST(Hyperloop, WithoutACubeItIsARing) { EXPECT_EQ(hyperloop_graph(7, 0), testing::cycle(7)); }

TEST(Hyperloop, IsTheProductOfARingAndACube) {
  // Distances add up over the factors of a product of graphs: compare with those of ring and bits.
  const Graph g = hyperloop_graph(10, 3);
  ASSERT_EQ(g.num_nodes(), 80u);
  std::vector<std::size_t> expected(81);
  for (int u = 0; u < 80; ++u)
    for (int v = 0; v < 80; ++v) {
      const int along = std::abs(u / 8 - v / 8);
      ++expected[std::min(along, 10 - along) + __builtin_popcount(u % 8 ^ v % 8)];
    }
  EXPECT_EQ(testing::distance_histogram(g), expected);
}

TEST(Hyperloop, EncodingsHaveTheSizesOfThePapersTimings) {
  // Rows and references of one graph of 1024 nodes at radius 1, 2, 3: the fact sheet of the paper, 6.1.
  const std::map<std::size_t, std::vector<std::pair<std::size_t, std::size_t>>> known = {
      {2, {{2048, 5120}, {3072, 12288}, {4096, 22528}}},
      {3, {{2560, 7168}, {4608, 27648}, {6656, 60416}}},
      {4, {{3072, 9216}, {6656, 54272}, {10752, 153600}}},
      {5, {{3584, 11264}, {9216, 95232}, {16896, 353280}}},
      {6, {{4096, 13312}, {12288, 153600}, {25600, 729088}}}};
  for (const auto& [degree, sizes] : known) {
    HyperloopOptions options;
    options.degree = degree;
    options.num_graphs = 2;
    const Dataset data = generate_hyperloop(options);
    for (const Graph& g : data.graphs)
      for (std::size_t r = 1; r <= 3; ++r) {
        const auto size = testing::power_size(g, r);
        EXPECT_EQ(std::make_pair(size.rows, size.triples), sizes[r - 1]) << "degree " << degree << ", r " << r;
      }
  }
}

TEST(GenerateHyperloop, IsFiftyCopiesOfOneRingAndFiftyOfTwo) {
  const Dataset data = generate_hyperloop();
  data.check();
  ASSERT_EQ(data.graphs.size(), 100u);
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(data.graphs[i], data.graphs[i / 50 * 50]);
    EXPECT_EQ(data.class_of[i], i / 50);
  }
  EXPECT_EQ(testing::num_components(data.graphs[0]), 1u);
  EXPECT_EQ(testing::num_components(data.graphs[99]), 2u);
  EXPECT_EQ(data.graphs[0].num_nodes(), 1024u);
  EXPECT_EQ(data.graphs[99].num_nodes(), 1024u);
  EXPECT_EQ(testing::regular_degree(data.graphs[99]), 2u);
}

TEST(GenerateHyperloop, RefusesSizesThatCannotBeCut) {
  for (const auto& [n, degree] :
       {std::pair<std::size_t, std::size_t>{5, 2}, {4, 2}, {7, 2}, {8, 3}, {18, 3}, {12, 1}, {12, 40}}) {
    HyperloopOptions options;
    options.n = n;
    options.degree = degree;
    EXPECT_THROW(generate_hyperloop(options), UsageError) << n << " nodes, degree " << degree;
  }
}

TEST(GenerateSkipLinks, TheTenClassesAreNotIsomorphicAndCopiesAre) {
  // Murphy et al. 2019: ten classes of 15 graphs.
  const Dataset data = generate_skip_links();
  data.check();
  ASSERT_EQ(data.graphs.size(), 150u);
  ASSERT_EQ(data.class_names.size(), 10u);
  EXPECT_EQ(testing::num_isomorphism_classes(data.graphs), 10u);
  for (std::size_t i = 0; i < 150; ++i) {
    EXPECT_EQ(testing::regular_degree(data.graphs[i]), 4u);
    EXPECT_EQ(data.class_of[i], i / 15);
  }
}

TEST(CircularSkipLinks, InverseSkipsGiveIsomorphicGraphs) {
  // 2 · 6 = 12 = 1 mod 11; multiplying by 2 exchanges the two kinds of edges. 6 is 5 the other way round.
  EXPECT_TRUE(testing::isomorphic(circular_skip_link_graph(11, 2), circular_skip_link_graph(11, 5)));
  EXPECT_FALSE(testing::isomorphic(circular_skip_link_graph(11, 2), circular_skip_link_graph(11, 3)));
  for (const std::size_t skip : {0, 1, 5, 6, 100}) EXPECT_THROW(circular_skip_link_graph(10, skip), UsageError);
  SkipLinksOptions twice;
  twice.skips = {3, 3};
  EXPECT_THROW(generate_skip_links(twice), UsageError);
}

}  // namespace
}  // namespace twofold::graph
