#include "twofold/train/calibration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::train {
namespace {

Objective values_task() {
  Objective task;
  task.kind = model::TaskKind::kRegression;
  task.target_mean = {0};
  task.target_scale = {1};
  return task;
}

// The rule of split conformal prediction: of n distances the one numbered ceil((n + 1) level).
TEST(Calibration, TheDistanceIsTheOneOfTheRule) {
  const std::vector<double> nine = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(conformal_distance(nine, 0.9), 9);
  EXPECT_EQ(conformal_distance(nine, 0.5), 5);
  EXPECT_EQ(conformal_distance(nine, 0.8), 8);
  EXPECT_TRUE(std::isinf(conformal_distance(nine, 0.95)));
  EXPECT_TRUE(std::isinf(conformal_distance({}, 0.5)));
}

// Whatever the errors are like, new ones of the same kind lie within as often as said.
TEST(Calibration, IntervalsCoverAsOftenAsTheySay) {
  Random random(7);
  const Objective task = values_task();
  double inside = 0, all = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<float> outputs(60, 0);
    std::vector<double> targets;
    for (int i = 0; i < 60; ++i) targets.push_back(std::pow(random.uniform() * 2 - 1, 3));
    const Calibration calibration = calibrate(task, outputs, targets);
    const double distance = conformal_distance(calibration.distances.at(0), 0.9);
    for (int i = 0; i < 50; ++i, ++all) inside += std::abs(std::pow(random.uniform() * 2 - 1, 3)) <= distance;
  }
  // ceil(61 * 0.9) / 61 = 0.9016
  EXPECT_NEAR(inside / all, 0.9016, 0.006);
}

TEST(Calibration, ATargetThatNoGraphKnowsGivesNone) {
  EXPECT_FALSE(calibrate(values_task(), std::vector<float>{1}, std::vector<double>{NAN}).is_there());
  EXPECT_FALSE(calibrate(values_task(), Span<const float>(), Span<const double>()).is_there());
}

// Logits that are three times too sure are divided by three.
TEST(Calibration, TheTemperatureUndoesOverconfidence) {
  Random random(3);
  Objective task;
  std::vector<float> outputs;
  std::vector<double> targets;
  for (int i = 0; i < 4000; ++i) {
    const double logit = random.uniform() * 4 - 2;
    targets.push_back(random.uniform() < 1 / (1 + std::exp(-logit)) ? 1 : 0);
    outputs.push_back(static_cast<float>(3 * logit));
  }
  const Calibration calibration = calibrate(task, outputs, targets);
  EXPECT_NEAR(calibration.temperature, 3, 0.4);
  const double sure = 1 / (1 + std::exp(-3.0));
  const std::vector<double> calm = calibrated_scores(calibration, std::vector<double>{1 - sure, sure});
  EXPECT_NEAR(calm[1], 1 / (1 + std::exp(-3.0 / calibration.temperature)), 1e-9);
  EXPECT_NEAR(calm[0] + calm[1], 1, 1e-12);
}

TEST(Calibration, IsReadBackFromItsText) {
  const Objective task = values_task();
  const Calibration calibration = calibrate(task, std::vector<float>{1, 2}, std::vector<double>{1.5, 4});
  const record::Json json = calibration_json(calibration);
  EXPECT_EQ(calibration_from(record::JsonView(json, "m"), task).distances, calibration.distances);
  const record::Json wrong = {{"distances", {{2.0, 1.0}}}};
  EXPECT_THROW(calibration_from(record::JsonView(wrong, "m"), task), InputError);
}

}  // namespace
}  // namespace twofold::train
