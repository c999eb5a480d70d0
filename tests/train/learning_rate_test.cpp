#include "twofold/train/learning_rate.h"

#include <gtest/gtest.h>

#include <cmath>

namespace twofold::train {
namespace {

using model::Schedule;

model::TrainOptions with(Schedule schedule, double rate, int epochs) {
  model::TrainOptions options;
  options.schedule = schedule;
  options.learning_rate = rate;
  options.epochs = epochs;
  return options;
}

TEST(LearningRate, StaysTheSameBitsWithoutAnyOption) {
  LearningRate rate(with(Schedule::kConstant, 0.003, 1000));
  for (const int epoch : {1, 2, 999, 5000}) {
    EXPECT_EQ(rate.at(epoch, 0, 1), 0.003);
    EXPECT_EQ(rate.at(epoch, 6, 7), 0.003);
    rate.note(epoch, 0);
  }
}

TEST(LearningRate, IsHalvedOnTopOfEverySchedule) {
  for (const Schedule schedule : {Schedule::kConstant, Schedule::kCosine, Schedule::kPlateau}) {
    model::TrainOptions options = with(schedule, 0.01, 10);
    options.warmup = 1;
    const LearningRate whole(options);
    options.halve_every = 4;
    const LearningRate halved(options);
    for (int epoch = 1; epoch <= 10; ++epoch)
      EXPECT_DOUBLE_EQ(halved.at(epoch, 1, 3), whole.at(epoch, 1, 3) * (epoch <= 4   ? 1
                                                                        : epoch <= 8 ? 0.5
                                                                                     : 0.25));
  }
}

TEST(LearningRate, WarmsUpLinearlyStepByStep) {
  model::TrainOptions options = with(Schedule::kConstant, 0.5, 10);
  options.warmup = 2;
  const LearningRate rate(options);
  for (int step = 0; step < 16; ++step)
    EXPECT_DOUBLE_EQ(rate.at(1 + step / 8, static_cast<std::size_t>(step % 8), 8), 0.5 * (step + 1) / 16);
  EXPECT_EQ(rate.at(3, 0, 8), 0.5);
  EXPECT_EQ(rate.at(10, 7, 8), 0.5);
}

TEST(LearningRate, WarmsUpOverAPartOfAnEpochAndOverAllOfAShortTraining) {
  model::TrainOptions options = with(Schedule::kConstant, 1, 1);
  options.warmup = 0.5;
  const LearningRate part(options);
  EXPECT_DOUBLE_EQ(part.at(1, 0, 4), 0.5);
  EXPECT_EQ(part.at(1, 1, 4), 1);
  EXPECT_EQ(part.at(1, 2, 4), 1);
  // One step is longer than the whole warm-up.
  EXPECT_EQ(part.at(1, 0, 1), 1);
  options.warmup = 10;
  options.schedule = Schedule::kCosine;
  EXPECT_DOUBLE_EQ(LearningRate(options).at(1, 3, 4), 0.1);
}

TEST(LearningRate, FallsAlongHalfACosineAndEndsAtItsEnd) {
  model::TrainOptions options = with(Schedule::kCosine, 0.01, 4);
  options.end_share = 0.1;
  const LearningRate rate(options);
  const std::size_t steps = 1000;
  double before = 0.011;
  for (int epoch = 1; epoch <= 4; ++epoch)
    for (std::size_t step = 0; step < steps; ++step) {
      const double done = (epoch - 1 + static_cast<double>(step) / steps) / 4;
      const double now = rate.at(epoch, step, steps);
      ASSERT_NEAR(now, 0.001 + 0.009 * (1 + std::cos(done * std::acos(-1.0))) / 2, 1e-15);
      ASSERT_LT(now, before);
      before = now;
    }
  EXPECT_EQ(rate.at(1, 0, steps), 0.01);
  EXPECT_DOUBLE_EQ(rate.at(3, 0, steps), 0.0055);
  EXPECT_NEAR(before, 0.001, 1e-8);
  // Where the last epoch has ended, and whatever comes after it.
  EXPECT_DOUBLE_EQ(rate.at(5, 0, steps), 0.001);
  EXPECT_DOUBLE_EQ(rate.at(9, 0, steps), 0.001);
}

TEST(LearningRate, OfACosineIsWholeWhenTheWarmUpEnds) {
  model::TrainOptions options = with(Schedule::kCosine, 0.01, 12);
  options.warmup = 2;
  const LearningRate rate(options);
  EXPECT_DOUBLE_EQ(rate.at(1, 0, 2), 0.0025);
  EXPECT_EQ(rate.at(2, 1, 2), 0.01);
  EXPECT_EQ(rate.at(3, 0, 2), 0.01);
  EXPECT_DOUBLE_EQ(rate.at(8, 0, 2), 0.005);
  EXPECT_NEAR(rate.at(13, 0, 2), 0, 1e-18);
}

// The rates of epochs 2, 3, … after these values.
std::vector<double> rates_after(const model::TrainOptions& options, const std::vector<double>& values) {
  LearningRate rate(options);
  std::vector<double> rates;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int epoch = static_cast<int>(i) + 1;
    rate.note(epoch, values[i]);
    rates.push_back(rate.at(epoch + 1, 0, 1));
  }
  return rates;
}

TEST(LearningRate, OfAPlateauFallsAfterItsPatienceAndNotBelowItsEnd) {
  model::TrainOptions options = with(Schedule::kPlateau, 1, 100);
  options.plateau_patience = 2;
  options.plateau_factor = 0.25;
  options.end_share = 0.1;
  using Rates = std::vector<double>;
  // A better value begins anew to count, and so does a fall.
  EXPECT_EQ(rates_after(options, {1, 2, 2, 3, 3, 0, 3, 3, 4, 4}),
            (Rates{1, 1, 1, 1, 1, 0.25, 0.25, 0.1, 0.1, 0.1}));
  options.min_delta = 0.5;
  EXPECT_EQ(rates_after(options, {1, 1.25, 1.5, 1.75}), (Rates{1, 1, 0.25, 0.25}));
}

TEST(LearningRate, OfAPlateauCountsNoEpochOfTheWarmUp) {
  model::TrainOptions options = with(Schedule::kPlateau, 1, 100);
  options.plateau_patience = 2;
  options.warmup = 3;
  using Rates = std::vector<double>;
  EXPECT_EQ(rates_after(options, {5, 0, 0, 0, 0, 0}), (Rates{2.0 / 3, 1, 1, 1, 0.5, 0.5}));
}

}  // namespace
}  // namespace twofold::train
