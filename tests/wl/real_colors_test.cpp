#include <gtest/gtest.h>

#include "tests/support/data_folder.h"
#include "twofold/io/dataset_file.h"
#include "twofold/wl/coloring.h"

namespace twofold::wl {
namespace {

std::vector<std::size_t> colors_by_round(const std::string& dataset, int radius, int rounds) {
  const Dataset data = io::read_dataset(testing::data_folder() + "/" + dataset);
  WlTest test = parse_test("2-wl");
  test.radius = radius;
  std::vector<std::size_t> colors;
  RefineOptions options;
  options.max_rounds = rounds;
  options.threads = 0;
  options.after_round = [&](const Coloring& round) {
    colors.push_back(round.num_colors);
    return true;
  };
  refine(data.graphs, test, options);
  return colors;
}

using Counts = std::vector<std::size_t>;

// Counted independently, by another program, from node labels and loop/edge/indirect.
TEST(RealColors, OfRowsAfterEachRoundAreTheKnownOnes) {
  if (testing::data_folder().empty()) GTEST_SKIP() << testing::kNeedsData;
  EXPECT_EQ(colors_by_round("NCI1", 1, 4), (Counts{38, 118, 475, 2220, 9030}));
  EXPECT_EQ(colors_by_round("IMDB-BINARY", 1, 4), (Counts{2, 115, 5667, 11287, 12586}));
  EXPECT_EQ(colors_by_round("IMDB-BINARY", 4, 3), (Counts{3, 7776, 24087, 24088}));
  EXPECT_EQ(colors_by_round("NCI1", 8, 2), (Counts{39, 7890, 1011194}));
}

}  // namespace
}  // namespace twofold::wl
