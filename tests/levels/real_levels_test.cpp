#include <gtest/gtest.h>

#include "tests/support/data_folder.h"
#include "twofold/io/dataset_file.h"
#include "twofold/levels/color_levels.h"

namespace twofold::levels {
namespace {

std::vector<std::size_t> colors_by_round(const std::string& dataset, int radius, int rounds) {
  const Dataset data = io::read_dataset(testing::data_folder() + "/" + dataset);
  ColorLevelOptions options;
  options.rounds = rounds;
  const ColorLevels levels = build_color_levels(data.graphs, pairs::Radius(radius), options);
  levels.check();
  std::vector<std::size_t> colors;
  for (const ColorLevels::Level& level : levels.levels) colors.push_back(level.num_rows());
  return colors;
}

using Counts = std::vector<std::size_t>;

// Counted independently, by another program, from node labels and loop/edge/indirect.
TEST(RealLevels, HaveTheKnownNumbersOfColors) {
  if (testing::data_folder().empty()) GTEST_SKIP() << testing::kNeedsData;
  EXPECT_EQ(colors_by_round("NCI1", 1, 4), (Counts{38, 118, 475, 2220, 9030}));
  EXPECT_EQ(colors_by_round("IMDB-BINARY", 1, 4), (Counts{2, 115, 5667, 11287, 12586}));
  EXPECT_EQ(colors_by_round("IMDB-BINARY", 4, 3), (Counts{3, 7776, 24087, 24088}));
  EXPECT_EQ(colors_by_round("NCI1", 8, 2), (Counts{39, 7890, 1011194}));
}

}  // namespace
}  // namespace twofold::levels
