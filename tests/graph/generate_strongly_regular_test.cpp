#include "twofold/graph/generate_strongly_regular.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/graph_properties.h"
#include "tests/support/named_graphs.h"
#include "tests/support/nauty.h"
#include "twofold/base/error.h"
#include "twofold/graph/finite_field.h"
#include "twofold/graph/generate_basic.h"

namespace twofold::graph {
namespace {

using testing::isomorphic;
using testing::strongly_regular_parameters;
using Parameters = testing::StronglyRegularParameters;

TEST(StronglyRegular, RookGraphs) {
  for (std::size_t q = 2; q <= 8; ++q)
    EXPECT_EQ(strongly_regular_parameters(rook_graph(q)), (Parameters{q * q, 2 * (q - 1), q - 2, 2}));
  EXPECT_TRUE(isomorphic(rook_graph(4), testing::rook_4x4()));
  EXPECT_THROW(rook_graph(1), UsageError);
}

TEST(StronglyRegular, ShrikhandeIsNotTheRookGraphOfEqualParameters) {
  EXPECT_EQ(strongly_regular_parameters(shrikhande_graph()), (Parameters{16, 6, 2, 2}));
  EXPECT_TRUE(isomorphic(shrikhande_graph(), testing::shrikhande()));
  EXPECT_FALSE(isomorphic(shrikhande_graph(), rook_graph(4)));
  EXPECT_EQ(testing::closed_walks(shrikhande_graph(), 16), testing::closed_walks(rook_graph(4), 16));
}

TEST(StronglyRegular, PaleyGraphsOfPrimesAndPrimePowers) {
  for (const std::size_t q : {5, 9, 13, 17, 25, 29, 37, 41, 49, 53, 61, 73, 81, 89, 97, 121, 125}) {
    const Graph g = paley_graph(q);
    EXPECT_EQ(strongly_regular_parameters(g), (Parameters{q, (q - 1) / 2, (q - 5) / 4, (q - 1) / 4})) << q;
    if (q <= 61) {
      EXPECT_TRUE(isomorphic(g, complement(g))) << q;
    }
  }
  EXPECT_TRUE(isomorphic(paley_graph(5), testing::cycle(5)));
  EXPECT_TRUE(isomorphic(paley_graph(9), rook_graph(3)));
  for (const std::size_t q : {0, 1, 3, 7, 21, 27, 45, 65}) EXPECT_THROW(paley_graph(q), UsageError) << q;
}

TEST(StronglyRegular, TriangularGraphs) {
  for (std::size_t n = 4; n <= 9; ++n)
    EXPECT_EQ(strongly_regular_parameters(triangular_graph(n)),
              (Parameters{n * (n - 1) / 2, 2 * (n - 2), n - 2, 4}));
  EXPECT_TRUE(isomorphic(complement(triangular_graph(5)), testing::petersen()));
  EXPECT_THROW(triangular_graph(3), UsageError);
}

TEST(StronglyRegular, TheThreeChangGraphsAndTheTriangularOneAreFour) {
  // Chang 1959: exactly four graphs have the parameters (28, 12, 6, 4).
  const Dataset data = generate_strongly_regular({StronglyRegularKind::kChang, {}, 1});
  ASSERT_EQ(data.graphs.size(), 4u);
  for (const Graph& g : data.graphs) EXPECT_EQ(strongly_regular_parameters(g), (Parameters{28, 12, 6, 4}));
  EXPECT_EQ(testing::num_isomorphism_classes(data.graphs), 4u);
  EXPECT_THROW(chang_graph(0), UsageError);
  EXPECT_THROW(chang_graph(4), UsageError);
}

TEST(StronglyRegular, LatinSquareGraphs) {
  for (std::size_t q = 4; q <= 9; ++q)
    EXPECT_EQ(strongly_regular_parameters(latin_square_graph(q, cyclic_latin_square(q))),
              (Parameters{q * q, 3 * (q - 1), q, 6}))
        << q;
  // Of order 4 the two are the complements of Shrikhande's and the rook's graph.
  EXPECT_TRUE(isomorphic(complement(latin_square_graph(4, cyclic_latin_square(4))), shrikhande_graph()));
  EXPECT_TRUE(isomorphic(complement(latin_square_graph(4, boolean_latin_square(4))), rook_graph(4)));
  const Dataset eight = generate_strongly_regular({StronglyRegularKind::kLatinSquare, 8, 1});
  ASSERT_EQ(eight.graphs.size(), 2u);
  EXPECT_EQ(strongly_regular_parameters(eight.graphs[1]), (Parameters{64, 21, 8, 6}));
  EXPECT_FALSE(isomorphic(eight.graphs[0], eight.graphs[1]));
  EXPECT_THROW(latin_square_graph(2, cyclic_latin_square(2)), UsageError);
  EXPECT_THROW(latin_square_graph(3, {0, 1, 2, 1, 2, 0, 2, 1, 0}), UsageError);
  EXPECT_THROW(latin_square_graph(3, {0, 1, 2}), UsageError);
  EXPECT_THROW(boolean_latin_square(6), UsageError);
}

TEST(GenerateStronglyRegular, DefaultsToThePairThatTwoFwlCannotTellApart) {
  const Dataset data = generate_strongly_regular();
  data.check();
  ASSERT_EQ(data.graphs.size(), 2u);
  EXPECT_EQ(data.graphs[0], rook_graph(4));
  EXPECT_EQ(data.graphs[1], shrikhande_graph());
  EXPECT_EQ(data.class_of, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_FALSE(generate_strongly_regular({StronglyRegularKind::kPaley, 17, 3}).has_classes());
  EXPECT_THROW(generate_strongly_regular({StronglyRegularKind::kChang, 8, 1}), UsageError);
}

TEST(FiniteFields, ObeyTheLaws) {
  for (const std::size_t q : {2, 3, 4, 5, 7, 8, 9, 16, 25, 27}) {
    const FiniteField f(q);
    const auto n = static_cast<std::uint32_t>(q);
    for (std::uint32_t a = 0; a < n; ++a) {
      std::set<std::uint32_t> multiples;
      for (std::uint32_t b = 0; b < n; ++b) {
        EXPECT_EQ(f.add(f.subtract(a, b), b), a);
        EXPECT_EQ(f.multiply(a, b), f.multiply(b, a));
        multiples.insert(f.multiply(a, b));
        for (std::uint32_t c = 0; c < n; ++c) {
          ASSERT_EQ(f.multiply(a, f.add(b, c)), f.add(f.multiply(a, b), f.multiply(a, c)));
          ASSERT_EQ(f.multiply(a, f.multiply(b, c)), f.multiply(f.multiply(a, b), c));
        }
      }
      EXPECT_EQ(f.multiply(a, 1), a);
      EXPECT_EQ(f.add(a, 0), a);
      EXPECT_EQ(multiples.size(), a == 0 ? 1 : q) << "zero divisor " << a << " of " << q;
    }
  }
  for (const std::size_t q : {0, 1, 6, 12, 36, 100, 65536}) EXPECT_THROW(FiniteField{q}, UsageError) << q;
}

}  // namespace
}  // namespace twofold::graph
