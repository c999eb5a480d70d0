// Section 4 of the paper, statement by statement: what the 2-WL convolution can do. The exact test `2-wl`
// stands for all networks of that radius here: what it does not tell apart, none does.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "tests/support/pair_sum_runner.h"
#include "twofold/wl/classify.h"

namespace twofold {
namespace {

using namespace testing;  // NOLINT: the graphs' names are the words of this file

const wl::WlTest kOneWl = wl::parse_test("1-wl");
const wl::WlTest kTwoWl = wl::parse_test("2-wl");

#define SKIP_WITHOUT_GENG() \
  if (all_graphs(3).size() != 4) GTEST_SKIP() << "nauty-geng is not installed"

// Loops, then edges, of the proof's convolution: W_L = 0, W_F = W_Gamma = (1, 1), no activation, on features
// (1, 0) of loops and (0, 1) of edges. All products are 1, so what is left is the sum over triples of 1 + 1.
template <typename T>
std::vector<double> convolved(const compute::PairSumForm<T>& form, const Graph& g) {
  const std::vector<Graph> graphs = {g};
  const auto sets = pairs::encode_pairs(graphs, pairs::Radius(1), {});
  const compute::PairPlan plan = compute::make_plan(pairs::make_batch(sets));
  const std::vector<double> ones(plan.num_rows, 1);
  return run_pair_sum(form, plan, compute::Activation::kIdentity, 1, ones, ones).sums;
}

TEST(Proposition47, TheWorkedExampleTellsTheHexagonFromTwoTrianglesByFourAgainstSix) {
  for (const auto& form : compute::kPairSumForms<double>) {
    const std::vector<double> hexagon = convolved(form, cycle(6));
    const std::vector<double> triangles = convolved(form, two_triangles());
    EXPECT_EQ(hexagon, (std::vector<double>{6, 6, 6, 6, 6, 6, 4, 4, 4, 4, 4, 4})) << form.name;
    EXPECT_EQ(triangles, std::vector<double>(12, 6)) << form.name;
    EXPECT_EQ(*std::min_element(hexagon.begin(), hexagon.end()), 4);
    EXPECT_EQ(*std::min_element(triangles.begin(), triangles.end()), 6);
  }
}

TEST(Proposition47, RadiusOneTellsRegularGraphsOfOneSizeApart) {
  EXPECT_FALSE(wl::distinguishes(kOneWl, cycle(6), two_triangles()));
  EXPECT_TRUE(wl::distinguishes(kTwoWl, cycle(6), two_triangles()));
}

// Graphs with labels, self-loops and labelled edges too: Theorem 4.5 lets weights stand on edges.
TEST(Corollary46, RadiusOneTellsApartWhatOneWlDoes) {
  SKIP_WITHOUT_GENG();
  Random random(23);
  std::vector<std::vector<Graph>> batches;
  for (int n = 1; n <= 7; ++n) batches.push_back(all_graphs(n));
  batches.emplace_back();
  for (int i = 0; i < 2000; ++i) batches.back().push_back(random_decorated(random, 4, 0.5));
  for (const auto& graphs : batches) {
    const wl::Classes weak = wl::classify(graphs, kOneWl, {0});
    const wl::Classes strong = wl::classify(graphs, kTwoWl, {0});
    std::map<std::uint32_t, std::uint32_t> weak_of;
    for (std::size_t g = 0; g < graphs.size(); ++g)
      EXPECT_EQ(weak_of.emplace(strong.class_of[g], weak.class_of[g]).first->second, weak.class_of[g]) << g;
  }
}

TEST(Corollary48, RadiusOneTellsMoreApartThanOneWl) {
  SKIP_WITHOUT_GENG();
  EXPECT_EQ(wl::classify(all_graphs(6), kOneWl, {0}).num_classes, 152u);
  EXPECT_EQ(wl::classify(all_graphs(6), kTwoWl, {0}).num_classes, 156u);
}

}  // namespace
}  // namespace twofold
