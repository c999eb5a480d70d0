#include "twofold/wl/ladder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/graph_properties.h"
#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "tests/support/nauty.h"
#include "twofold/base/error.h"
#include "twofold/wl/ladder_families.h"

namespace twofold::wl {
namespace {

using namespace testing;  // NOLINT: the graphs' names are the words of this file

const Ladder& generated_ladder() {
  static const Ladder ladder = climb_ladder(ladder_families(), ladder_tests(), {0});
  return ladder;
}

std::size_t row_of(const std::string& description) {
  const auto tests = ladder_tests();
  for (std::size_t t = 0; t < tests.size(); ++t)
    if (describe(tests[t]) == description) return t;
  ADD_FAILURE() << description;
  return 0;
}

TEST(Ladder, GrowsWithKWithTheRadiusAndWithMarks) {
  const Ladder& ladder = generated_ladder();
  std::size_t num_laws = 0;
  for (std::size_t weak = 0; weak < ladder.tests.size(); ++weak)
    for (std::size_t strong = 0; strong < ladder.tests.size(); ++strong) {
      if (weak == strong || !is_at_most(ladder.tests[weak], ladder.tests[strong])) continue;
      ++num_laws;
      for (std::size_t f = 0; f < ladder.families.size(); ++f)
        for (std::size_t p = 0; p < ladder.num_pairs[f]; ++p)
          EXPECT_TRUE(!ladder.rows[weak][f].verdicts[p] || ladder.rows[strong][f].verdicts[p])
              << describe(ladder.tests[weak]) << " beats " << describe(ladder.tests[strong]) << " on pair " << p
              << " of " << ladder.families[f];
    }
  EXPECT_GT(num_laws, 80u);
}

// Radius r sees rings up to 3 r nodes (tests/theory), alone or sharing an edge; strongly regular pairs need
// more than two places; K4's treewidth of 3 needs three, K5's of 4 needs four.
TEST(Ladder, OfGeneratedFamiliesHasTheKnownAnswers) {
  const Ladder& ladder = generated_ladder();
  ASSERT_EQ(ladder.families, (std::vector<std::string>{"rings", "fused", "csl", "rook", "srg", "cfi",
                                                       "regular-3", "regular-4", "siamese"}));
  ASSERT_EQ(ladder.num_pairs, (std::vector<std::size_t>{24, 10, 45, 1, 10, 8, 20, 20, 1}));
  const auto row = [&](const std::string& test) {
    std::vector<std::size_t> numbers;
    for (const LadderCell& cell : ladder.rows[row_of(test)]) numbers.push_back(cell.distinguished());
    return numbers;
  };
  for (std::size_t r = 1; r <= 8; ++r) {
    const auto numbers = row(fmt::format("2-wl, radius {}", r));
    EXPECT_EQ(numbers[0], 3 * r - 2);
    EXPECT_EQ(numbers[1], std::min<std::size_t>(3 * r - 2, 10));
  }
  for (const char* test : {"1-wl", "2-gnn"}) EXPECT_EQ(row(test), std::vector<std::size_t>(9, 0)) << test;
  EXPECT_EQ(row("2-wl, radius all"), (std::vector<std::size_t>{24, 10, 45, 0, 0, 1, 20, 20, 0}));
  EXPECT_EQ(row("2-fwl"), (std::vector<std::size_t>{24, 10, 45, 0, 0, 1, 20, 20, 1}));
  EXPECT_EQ(row("3-fwl"), (std::vector<std::size_t>{24, 10, 45, 1, 10, 7, 20, 20, 1}));
  EXPECT_FALSE(ladder.rows[row_of("3-fwl")][5].verdicts[7]);
}

TEST(Ladder, FamiliesArePairsOfEqualSizeThatAreNotIsomorphic) {
  for (const LadderFamily& family : ladder_families())
    for (std::size_t p = 0; p < family.num_pairs(); ++p) {
      const Graph& a = family.graphs[2 * p];
      const Graph& b = family.graphs[2 * p + 1];
      EXPECT_EQ(a.num_nodes(), b.num_nodes());
      EXPECT_EQ(a.num_edges(), b.num_edges());
      EXPECT_FALSE(isomorphic(a, b)) << family.name << " " << p;
      if (family.name != "rook" && family.name != "srg") continue;
      ASSERT_TRUE(strongly_regular_parameters(a));
      EXPECT_TRUE(strongly_regular_parameters(a) == strongly_regular_parameters(b)) << p;
    }
}

TEST(Ladder, RandomFamiliesAloneFollowTheSeed) {
  const auto one = ladder_families(1);
  const auto again = ladder_families(1);
  const auto two = ladder_families(2);
  for (std::size_t f = 0; f < one.size(); ++f) {
    EXPECT_EQ(one[f].graphs, again[f].graphs);
    EXPECT_EQ(one[f].graphs == two[f].graphs, one[f].name.rfind("regular", 0) != 0) << one[f].name;
  }
}

// 10,005 of them: small graphs of every kind, regular, strongly regular and CFI graphs, each against itself
// with other names.
TEST(Ladder, NeverDistinguishesRelabelledControls) {
  Random random(29);
  LadderFamily controls{"controls", {}};
  std::vector<Graph> hard = {rook_4x4(), shrikhande(), petersen(), cfi(complete(3), true), decalin()};
  while (controls.num_pairs() < 667) {
    const std::size_t i = controls.num_pairs();
    const Graph g = i < hard.size() ? hard[i]
                    : i % 3 == 0    ? random_regular(random, 8 + 2 * random.below(2), 3)
                    : i % 3 == 1    ? random_decorated(random, 1 + random.below(9), random.uniform())
                                    : random_graph(random, 1 + random.below(10), random.uniform(), 2);
    controls.graphs.push_back(g);
    controls.graphs.push_back(shuffled(g, random));
  }
  const Ladder ladder = climb_ladder({&controls, 1}, ladder_tests(), {0});
  std::size_t num_controls = 0;
  for (std::size_t t = 0; t < ladder.tests.size(); ++t) {
    EXPECT_EQ(ladder.rows[t][0].distinguished(), 0u) << describe(ladder.tests[t]);
    num_controls += ladder.rows[t][0].verdicts.size();
  }
  EXPECT_EQ(num_controls, 10005u);
}

TEST(Ladder, LawsAreAnOrder) {
  const auto tests = ladder_tests();
  ASSERT_EQ(tests.size(), 15u);
  for (const WlTest& a : tests) {
    EXPECT_TRUE(is_at_most(a, a)) << describe(a);
    for (const WlTest& b : tests)
      for (const WlTest& c : tests)
        EXPECT_TRUE(!is_at_most(a, b) || !is_at_most(b, c) || is_at_most(a, c))
            << describe(a) << "; " << describe(b) << "; " << describe(c);
  }
  const auto is = [&](const std::string& weak, const std::string& strong) {
    return is_at_most(tests[row_of(weak)], tests[row_of(strong)]);
  };
  EXPECT_TRUE(is("2-gnn", "1-wl"));
  EXPECT_TRUE(is("2-wl, radius 8", "2-wl, radius all"));
  EXPECT_TRUE(is("2-wl, radius all", "2-fwl"));
  EXPECT_TRUE(is("2-wl, radius 2, 1 mark", "3-fwl"));
  EXPECT_FALSE(is("2-wl, radius 2, 1 mark", "2-fwl"));
  EXPECT_FALSE(is("2-fwl", "2-wl, radius all"));
  EXPECT_FALSE(is("2-wl, radius 3", "2-wl, radius 2, 1 mark"));
}

TEST(Ladder, GoesOnWhereMemoryDoesNotSuffice) {
  const std::vector<LadderFamily> families = {{"large", {rook_4x4(), shrikhande()}},
                                              {"small", {cycle(6), two_triangles()}}};
  ClassifyOptions options;
  options.max_memory = 400 * 1024;
  const Ladder ladder = climb_ladder(families, ladder_tests(), options);
  const auto& cells = ladder.rows[row_of("3-fwl")];
  EXPECT_NE(cells[0].failure.find("3-fwl of graph 1 (16 nodes) needs"), std::string::npos) << cells[0].failure;
  EXPECT_TRUE(cells[0].verdicts.empty());
  EXPECT_EQ(cells[1].failure, "");
  EXPECT_EQ(cells[1].distinguished(), 1u);
  EXPECT_EQ(ladder.rows[row_of("2-fwl")][0].failure, "");
}

TEST(Ladder, NamesTheFamilyThatDoesNotFit) {
  const std::vector<LadderFamily> odd = {{"odd", {cycle(6)}}};
  EXPECT_THROW(climb_ladder(odd, ladder_tests()), InputError);
  const std::vector<LadderFamily> empty = {{"nothing", {empty_graph(0), empty_graph(0)}}};
  try {
    climb_ladder(empty, ladder_tests());
    ADD_FAILURE() << "a mark needs a node";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "nothing: graph 1: 1 marks need at least 1 nodes, found 0");
  }
}

}  // namespace
}  // namespace twofold::wl
