#include "twofold/paper/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

namespace twofold::paper {
namespace {

PublishedCell measured(double mean, double std) {
  return {CellState::kMeasured, {mean, std}, {kNone, kNone}, false, ""};
}

TEST(SigmaDistance, IsTheDifferenceOverBothSpreads) {
  EXPECT_DOUBLE_EQ(sigma_distance({75, 3}, {70, 4}), 1.0);
  EXPECT_DOUBLE_EQ(sigma_distance({70, 3}, {75, 4}), -1.0);
  EXPECT_DOUBLE_EQ(sigma_distance({75, 0}, {70, 2}), 2.5);
}

TEST(SigmaDistance, IsZeroForEqualMeansAndUnknownWithoutSpread) {
  EXPECT_EQ(sigma_distance({70, 0}, {70, 0}), 0);
  EXPECT_TRUE(std::isnan(sigma_distance({71, 0}, {70, 0})));
  EXPECT_TRUE(std::isnan(sigma_distance({71, 1}, {kNone, kNone})));
}

TEST(Compare, FillsWhatThePaperLeftOutOfMemory) {
  const PublishedCell out_of_memory = {CellState::kOutOfMemory, {kNone, kNone}, {kNone, kNone}, false, ""};
  EXPECT_EQ(compare(Figure{80, 2}, out_of_memory).standing, Standing::kNewlyFilled);
  EXPECT_TRUE(std::isnan(compare(Figure{80, 2}, out_of_memory).sigmas));
  EXPECT_EQ(compare(std::nullopt, out_of_memory).standing, Standing::kEmpty);
  EXPECT_EQ(compare(std::nullopt, measured(80, 2)).standing, Standing::kPaperOnly);
  EXPECT_EQ(compare(Figure{80, 2}, measured(kNone, kNone)).standing, Standing::kNewlyFilled);
  EXPECT_EQ(compare(Figure{80, 3}, measured(75, 4)).standing, Standing::kCompared);
  EXPECT_DOUBLE_EQ(compare(Figure{80, 3}, measured(75, 4)).sigmas, 1.0);
}

TEST(Compare, CountsALearnerOfOursAsNothingThatThePaperLeftOut) {
  const PublishedCell none = {CellState::kNotInPaper, {kNone, kNone}, {kNone, kNone}, false, ""};
  EXPECT_EQ(compare(Figure{80, 2}, none).standing, Standing::kOurs);
  EXPECT_EQ(compare(std::nullopt, none).standing, Standing::kEmpty);
  EXPECT_EQ(count_agreement({compare(Figure{80, 2}, none)}).newly_filled, 0u);
}

TEST(Agreement, CountsWithinOneAndTwo) {
  const Agreement found = count_agreement({{Standing::kCompared, 0.4},
                                           {Standing::kCompared, -1.5},
                                           {Standing::kCompared, 2.5},
                                           {Standing::kCompared, kNone},
                                           {Standing::kNewlyFilled, kNone},
                                           {Standing::kPaperOnly, kNone},
                                           {Standing::kEmpty, kNone}});
  EXPECT_EQ(found.compared, 4u);
  EXPECT_EQ(found.within_one, 1u);
  EXPECT_EQ(found.within_two, 2u);
  EXPECT_EQ(found.newly_filled, 1u);
}

TEST(LogLogSlope, IsTheExponentOfAPowerLaw) {
  const std::vector<double> x = {1, 2, 4, 8, 16};
  for (const double exponent : {-1.0, 0.5, 1.0, 6.0}) {
    std::vector<double> y;
    for (const double value : x) y.push_back(3.5 * std::pow(value, exponent));
    EXPECT_NEAR(log_log_slope(x, y), exponent, 1e-12);
  }
  EXPECT_TRUE(std::isnan(log_log_slope({2}, {5})));
  EXPECT_TRUE(std::isnan(log_log_slope({2, 2}, {5, 6})));
}

}  // namespace
}  // namespace twofold::paper
