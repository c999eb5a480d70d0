#include "twofold/wl/hard_families.h"

#include <gtest/gtest.h>

#include <map>

#include "twofold/wl/classify.h"

namespace twofold::wl {
namespace {

TEST(HardFamilies, AreFourHundredPairsThatNodesAloneDoNotShow) {
  const std::map<std::string, std::size_t> known = {{"basic", 60}, {"regular", 50}, {"extension", 100},
                                                    {"srg", 68},   {"4-vertex", 2}, {"distance", 20},
                                                    {"cfi", 100}};
  std::size_t total = 0;
  std::size_t largest = 0;
  const std::vector<LadderFamily> families = hard_families();
  ASSERT_EQ(families.size(), known.size());
  for (const LadderFamily& family : families) {
    EXPECT_EQ(family.num_pairs(), known.at(family.name)) << family.name;
    total += family.num_pairs();
    for (const Graph& g : family.graphs) largest = std::max(largest, g.num_nodes());
    for (const bool verdict : distinguish_pairs(family.graphs, WlTest{})) EXPECT_FALSE(verdict) << family.name;
  }
  EXPECT_EQ(total, 400u);
  EXPECT_EQ(largest, 198u);
}

}  // namespace
}  // namespace twofold::wl
