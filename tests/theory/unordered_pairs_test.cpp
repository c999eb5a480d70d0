// Section 4 of the paper replaces ordered pairs by unordered ones "without affecting" what is told apart. With
// labels on edges this is not so.
#include <gtest/gtest.h>

#include "tests/support/wl_oracle.h"
#include "twofold/graph/generate_siamese.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/coloring.h"

namespace twofold {
namespace {

using graph::PowerRadius;
using graph::SiameseKind;

const wl::WlTest kUnordered = {wl::Kind::kRows, 2, PowerRadius::all()};
const wl::WlTest kOrdered = wl::parse_test("2-fwl");

TEST(UnorderedPairs, AreWeakerThanOrderedOnesOnGraphsWithEdgeLabels) {
  const Graph a = graph::siamese_graph(SiameseKind::kScheme);
  const Graph b = graph::siamese_graph(SiameseKind::kProperJordan);
  for (const PowerRadius radius : {PowerRadius(1), PowerRadius(2), PowerRadius(3), PowerRadius::all()})
    EXPECT_FALSE(wl::distinguishes({wl::Kind::kRows, 2, radius}, a, b)) << to_string(radius);
  EXPECT_TRUE(wl::distinguishes(kOrdered, a, b));
  // As the definitions read, without any of the library's code.
  EXPECT_FALSE(testing::wl_oracle_distinguishes(kUnordered, a, b));
  EXPECT_TRUE(testing::wl_oracle_distinguishes(kOrdered, a, b));
}

TEST(UnorderedPairs, OfSiameseGraphsHaveNoColorsButTheirLabels) {
  const Graph graphs[] = {graph::siamese_graph(SiameseKind::kScheme),
                          graph::siamese_graph(SiameseKind::kProperJordan)};
  // Loops, pairs of a group, three labels.
  for (const Graph& g : graphs) EXPECT_EQ(wl::refine(g, kUnordered).num_colors, 5u);
  EXPECT_EQ(wl::refine(graphs[0], kOrdered).num_colors, 6u);
  EXPECT_EQ(wl::refine(graphs[1], kOrdered).num_colors, 21u);
}

}  // namespace
}  // namespace twofold
