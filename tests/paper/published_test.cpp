#include "twofold/paper/published.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "twofold/paper/experiments.h"

namespace twofold::paper {
namespace {

// Figures are printed with one decimal.
void expect_rounded(const Figure& exact, const Figure& printed) {
  EXPECT_NEAR(exact.mean, printed.mean, 0.0501);
  EXPECT_NEAR(exact.std, printed.std, 0.0501);
}

TEST(Published, HasACellForEveryDataset) {
  ASSERT_EQ(paper_datasets().size(), kNumDatasets);
  EXPECT_EQ(paper_datasets()[kTriangle].folder, "TRIANGLE");
  ASSERT_EQ(published_results().size(), table_learners().size());
  for (const PublishedRow& row : published_results()) EXPECT_EQ(row.cells.size(), kNumDatasets) << row.name;
  for (const DepthPoint& point : published_depths()) {
    EXPECT_EQ(point.test.size(), kNumDatasets);
    EXPECT_EQ(point.train.size(), kNumDatasets);
  }
  for (const RadiusPoint& point : published_radii()) {
    EXPECT_EQ(point.test.size(), kNumDatasets);
    EXPECT_EQ(point.train.size(), kNumDatasets);
  }
  EXPECT_EQ(published_statistics().size(), kNumDatasets);
  EXPECT_EQ(published_real_times().size(), kNumDatasets);
}

// The same experiments were published twice: in the tables, and as a study of depth.
TEST(Published, TablesAndDepthStudyAgreeOnTheWlSubtreeKernel) {
  std::size_t compared = 0;
  for (std::size_t r = 0; r < table_learners().size(); ++r) {
    if (table_learners()[r].model != "wl-st") continue;
    const int iterations = std::stoi(table_learners()[r].options[0].second);
    for (const DepthPoint& point : published_depths())
      if (point.iterations == iterations)
        for (std::size_t d = 0; d < kNumDatasets; ++d, ++compared) {
          expect_rounded(point.test[d], published_results()[r].cells[d].test);
          expect_rounded(point.train[d], published_results()[r].cells[d].train);
        }
  }
  EXPECT_EQ(compared, 3 * kNumDatasets);
}

TEST(Published, FiveCellsWereOutOfMemory) {
  std::set<std::string> cells;
  for (const PublishedRow& row : published_results())
    for (std::size_t d = 0; d < kNumDatasets; ++d)
      if (row.cells[d].state == CellState::kOutOfMemory)
        cells.insert(row.name + " " + paper_datasets()[d].name);
  EXPECT_EQ(cells, (std::set<std::string>{"WL_SP (T = 3) NCI1", "WL_SP (T = 3) D&D", "WL_SP (T = 3) REDDIT-B",
                                          "2-GNN (mean) REDDIT-B", "2-GNN (weighted mean) REDDIT-B"}));
}

TEST(Published, FourFiguresAreErricasAndHaveNoTrainAccuracy) {
  std::size_t copied = 0;
  for (const PublishedRow& row : published_results())
    for (const PublishedCell& cell : row.cells) {
      if (!cell.is_copied) continue;
      ++copied;
      EXPECT_TRUE(std::isnan(cell.train.mean));
    }
  EXPECT_EQ(copied, 4u);
}

// Appendix F is made of the tables' runs, so differences of means are means of differences.
TEST(Published, DeltasAreTheDifferencesOfTheTables) {
  ASSERT_EQ(published_deltas().size(), kNumDatasets);
  std::size_t pairs = 0;
  for (std::size_t d = 0; d < kNumDatasets; ++d) {
    const PublishedDeltas& matrix = published_deltas()[d];
    for (std::size_t a = 0; a < matrix.learners.size(); ++a)
      for (std::size_t b = 0; b < matrix.learners.size(); ++b) {
        const Figure& delta = matrix.deltas[a][b];
        if (a == b) {
          EXPECT_TRUE(std::isnan(delta.mean));
          continue;
        }
        const double difference = published_results()[matrix.learners[a]].cells[d].test.mean -
                                  published_results()[matrix.learners[b]].cells[d].test.mean;
        // Two figures of one decimal, and two digits: whole points from 10 on.
        EXPECT_NEAR(delta.mean, difference, 0.101 + (std::abs(delta.mean) < 10 ? 0.051 : 0.51))
            << d << " " << a << " " << b;
        EXPECT_GT(delta.std, 0);
        ++pairs;
      }
  }
  EXPECT_EQ(pairs, 5u * 90 + 56);
}

TEST(Published, RadiiAreThoseOfTheFigure) {
  EXPECT_EQ(published_radii_of(kTriangle), (std::vector<int>{1, 2}));
  EXPECT_EQ(published_radii_of(1), (std::vector<int>{1, 8}));
  EXPECT_EQ(published_radii_of(2), (std::vector<int>{1, 5}));
  EXPECT_EQ(published_radii_of(3), (std::vector<int>{1, 2}));
  EXPECT_EQ(published_radii_of(4), (std::vector<int>{1}));
  EXPECT_EQ(published_radii_of(5), (std::vector<int>{1, 2, 4, 6, 8}));
  // The radius of the tables is one of them.
  for (std::size_t d = 0; d < kNumDatasets; ++d) {
    const std::vector<int> radii = published_radii_of(d);
    EXPECT_TRUE(std::count(radii.begin(), radii.end(), paper_datasets()[d].radius)) << paper_datasets()[d].name;
  }
}

// The paper prints these factors; they follow from its times.
TEST(Published, SlowDownsFollowFromTheTimes) {
  const double printed[][3] = {
      {2.0, 3.2, 4.5}, {2.4, 5.2, 8.9}, {2.8, 8.7, 20.7}, {3.1, 14.8, 35.6}, {3.5, 20.4, 58.2}};
  ASSERT_EQ(published_times_over_degree().size(), 5u);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t r = 0; r < 3; ++r)
      EXPECT_NEAR(published_times_over_degree()[i].pairs[r] / published_times_over_degree()[i].gin,
                  printed[i][r], 0.051);
  const double at_one[] = {0, 1.15, 1.27, 1.49, 1.35, 1.57};
  const double at_radius[] = {0, 4.87, 3.25, 2.70, 0, 3.92};
  for (std::size_t d = 1; d < kNumDatasets; ++d) {
    const RealEpochTimes& times = published_real_times()[d];
    EXPECT_NEAR(times.at_one / times.gin, at_one[d], 0.0101);
    EXPECT_NEAR(times.at_radius / times.gin, at_radius[d], 0.0101);
  }
}

TEST(Published, TheTwoSweepsMeetAt1024NodesOfDegreeTwo) {
  const EpochTimes& over_degree = published_times_over_degree().front();
  for (const EpochTimes& times : published_times_over_nodes())
    if (times.x == 1024) {
      EXPECT_EQ(times.gin, over_degree.gin);
      for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(times.pairs[r], over_degree.pairs[r]);
    }
}

}  // namespace
}  // namespace twofold::paper
