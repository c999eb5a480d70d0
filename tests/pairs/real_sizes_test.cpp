#include <gtest/gtest.h>

#include "tests/support/data_folder.h"
#include "twofold/io/dataset_file.h"
#include "twofold/pairs/pair_counts.h"
#include "twofold/pairs/pair_features.h"

namespace twofold::pairs {
namespace {

struct Sizes {
  const char* dataset;
  int radius;
  std::uint64_t rows;
  std::uint64_t triples;
  std::uint64_t max_rows;  // 0: not known
  std::uint64_t max_triples;
  std::size_t columns;
};

// Recounted from the datasets' files by an independent program; the columns are those of the paper's
// experiments.
class RealSizes : public ::testing::TestWithParam<Sizes> {};

TEST_P(RealSizes, AreTheKnownOnes) {
  const std::string data = testing::data_folder();
  if (data.empty()) GTEST_SKIP() << testing::kNeedsData;
  const Sizes& expected = GetParam();
  const Dataset dataset = io::read_dataset(data + "/" + expected.dataset);
  const PairCounts counts = count_pairs(dataset.graphs, Radius(expected.radius));
  EXPECT_EQ(counts.rows, expected.rows);
  EXPECT_EQ(counts.triples, expected.triples);
  if (expected.max_rows > 0) {
    EXPECT_EQ(counts.max_rows, expected.max_rows);
    EXPECT_EQ(counts.max_triples, expected.max_triples);
  }
  EXPECT_EQ(feature_layout(dataset.graphs).columns(), expected.columns);
}

INSTANTIATE_TEST_SUITE_P(Datasets, RealSizes,
                         ::testing::Values(Sizes{"TRIANGLE", 1, 15898, 67996, 0, 0, 5},
                                           Sizes{"TRIANGLE", 2, 40273, 798073, 0, 0, 5},
                                           Sizes{"TRIANGLE", 3, 46165, 1099000, 0, 0, 5},
                                           Sizes{"NCI1", 1, 255500, 654317, 230, 587, 40},
                                           Sizes{"NCI1", 8, 1537780, 35668669, 1959, 64030, 40},
                                           Sizes{"PROTEINS_full", 1, 124515, 459150, 1669, 6131, 35},
                                           Sizes{"PROTEINS_full", 5, 645824, 19258859, 20976, 1510488, 35},
                                           Sizes{"DD", 1, 1177971, 5472900, 20015, 90674, 92},
                                           Sizes{"DD", 2, 2630315, 28416002, 45184, 466309, 92},
                                           Sizes{"REDDIT-BINARY", 1, 1854762, 4990296, 7853, 20315, 3},
                                           Sizes{"IMDB-BINARY", 1, 116304, 1581870, 1385, 24150, 3},
                                           Sizes{"IMDB-BINARY", 2, 255927, 8872278, 9316, 1266976, 3},
                                           Sizes{"IMDB-BINARY", 4, 255927, 8872278, 9316, 1266976, 3}),
                         [](const auto& tested) {
                           std::string name =
                               std::string(tested.param.dataset) + "_r" + std::to_string(tested.param.radius);
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace
}  // namespace twofold::pairs
