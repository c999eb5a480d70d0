#include "twofold/graph/generate_regular.h"

#include <gtest/gtest.h>

#include <map>

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

TEST(RandomRegular, SwitchedGraphsOfNineNodesShowNoBias) {
  // Degree 4 is drawn by switching. There are 16 such graphs (OEIS A033301), 1024380 labelled (A005815): 9!
  // divided by the order of the automorphism group each. Chi-square with 15 degrees of freedom; 51 is beyond 1
  // - 1e-5.
  Random random(12);
  const int draws = 20000;
  std::map<std::vector<std::int64_t>, std::pair<double, int>> labelled_and_drawn;
  for (int i = 0; i < draws; ++i) {
    const Graph g = random_regular_graph(9, 4, random);
    auto& [labelled, drawn] = labelled_and_drawn[testing::canonical_form(g)];
    if (drawn++ == 0) labelled = 362880 / testing::num_automorphisms(g);
  }
  EXPECT_EQ(labelled_and_drawn.size(), 16u);
  double all_labelled = 0;
  double chi_square = 0;
  for (const auto& [form, entry] : labelled_and_drawn) {
    const double expected = draws * entry.first / 1024380;
    all_labelled += entry.first;
    chi_square += (entry.second - expected) * (entry.second - expected) / expected;
  }
  EXPECT_EQ(all_labelled, 1024380);
  EXPECT_LT(chi_square, 51);
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
