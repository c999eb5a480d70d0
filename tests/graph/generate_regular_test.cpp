#include "twofold/graph/generate_regular.h"

#include <gtest/gtest.h>

#include "tests/support/graph_properties.h"
#include "tests/support/named_graphs.h"
#include "tests/support/nauty.h"
#include "twofold/base/error.h"

namespace twofold::graph {
namespace {

using testing::isomorphic;
using testing::regular_degree;

TEST(RandomRegular, EveryNodeHasTheDegreeForAllSmallSizes) {
  Random random(5);
  for (std::size_t n = 1; n <= 24; ++n)
    for (std::size_t degree = 0; degree < n; ++degree) {
      if (n * degree % 2 == 1) continue;
      const Graph g = random_regular_graph(n, degree, random);
      g.check();
      EXPECT_EQ(g.num_nodes(), n);
      EXPECT_EQ(g.num_self_loops(), 0u);
      EXPECT_EQ(regular_degree(g), degree) << n << " nodes";
    }
  EXPECT_EQ(random_regular_graph(0, 0, random).num_nodes(), 0u);
}

TEST(RandomRegular, LargeAndDenseOnesAreRegularToo) {
  Random random(6);
  for (const auto& [n, degree] :
       {std::pair<std::size_t, std::size_t>{2000, 3}, {1001, 20}, {300, 150}, {301, 280}})
    EXPECT_EQ(regular_degree(random_regular_graph(n, degree, random)), degree) << n << " nodes";
}

// How often draws of these sizes are isomorphic to `wanted`.
int count_isomorphic(std::size_t degree, const Graph& wanted, int draws) {
  Random random(11);
  int count = 0;
  for (int i = 0; i < draws; ++i)
    count += isomorphic(random_regular_graph(wanted.num_nodes(), degree, random), wanted);
  return count;
}

TEST(RandomRegular, CubicGraphsOfSixNodesAreUniform) {
  // 70 labelled ones: 10 are K3,3, 60 the prism (OEIS A002829). Five standard deviations of 7000 draws are 146.
  const Graph k33 =
      testing::from_edges(6, {{0, 3}, {0, 4}, {0, 5}, {1, 3}, {1, 4}, {1, 5}, {2, 3}, {2, 4}, {2, 5}});
  EXPECT_NEAR(count_isomorphic(3, k33, 7000), 1000, 146);
}

TEST(RandomRegular, TwoRegularGraphsOfSevenNodesAndTheirComplementsAreUniform) {
  // 360 labelled 7-cycles and 105 unions of a triangle and a square. Five deviations of 4650 draws are 142.
  const Graph seven = testing::cycle(7);
  EXPECT_NEAR(count_isomorphic(2, seven, 4650), 3600, 142);
}

TEST(RandomRegular, SwitchedGraphsAreNearUniform) {
  // 4-regular graphs of 9 nodes are drawn by switching; 66462 labelled ones (OEIS A005815) in 16 isomorphism
  // classes (A033301). The rarest expected here is K3 □ K3 with 9!/72 = 5040 of them: 758 of 10000 draws,
  // deviation 26.5.
  const Graph rook = testing::from_edges(9, {{0, 1},
                                             {1, 2},
                                             {0, 2},
                                             {3, 4},
                                             {4, 5},
                                             {3, 5},
                                             {6, 7},
                                             {7, 8},
                                             {6, 8},
                                             {0, 3},
                                             {3, 6},
                                             {0, 6},
                                             {1, 4},
                                             {4, 7},
                                             {1, 7},
                                             {2, 5},
                                             {5, 8},
                                             {2, 8}});
  EXPECT_NEAR(count_isomorphic(4, rook, 10000), 10000.0 * 5040 / 66462, 133);
}

TEST(GenerateRegular, ConnectedOnesAreConnected) {
  RegularOptions options;
  options.n = 30;
  options.degree = 2;
  options.num_graphs = 40;
  std::size_t components = 0;
  for (const Graph& g : generate_regular(options).graphs) components += testing::num_components(g);
  EXPECT_GT(components, 40u);
  options.connected = true;
  for (const Graph& g : generate_regular(options).graphs) EXPECT_TRUE(isomorphic(g, testing::cycle(30)));
}

TEST(GenerateRegular, MoreGraphsChangeNoEarlierOne) {
  RegularOptions options;
  options.num_graphs = 3;
  const Dataset few = generate_regular(options, 9);
  options.num_graphs = 10;
  const Dataset many = generate_regular(options, 9);
  ASSERT_EQ(many.graphs.size(), 10u);
  for (std::size_t i = 0; i < few.graphs.size(); ++i) EXPECT_EQ(few.graphs[i], many.graphs[i]);
  EXPECT_FALSE(many.graphs[0] == many.graphs[1]);
}

TEST(GenerateRegular, RefusesWhatDoesNotExist) {
  Random random(1);
  EXPECT_THROW(random_regular_graph(5, 3, random), UsageError);
  EXPECT_THROW(random_regular_graph(4, 4, random), UsageError);
  EXPECT_THROW(random_regular_graph(0, 1, random), UsageError);
  RegularOptions matching;
  matching.degree = 1;
  matching.connected = true;
  EXPECT_THROW(generate_regular(matching), UsageError);
}

}  // namespace
}  // namespace twofold::graph
