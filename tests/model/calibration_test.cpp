#include "twofold/model/calibration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::model {
namespace {

// One real value per graph.
LabeledGraphs true_values(std::vector<double> values) {
  LabeledGraphs truth;
  truth.graphs.resize(values.size());
  truth.values = std::move(values);
  return truth;
}

Predictions said_values(std::vector<double> values) {
  Predictions said;
  said.values = std::move(values);
  return said;
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
  double inside = 0, all = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::vector<double> targets;
    for (int i = 0; i < 60; ++i) targets.push_back(std::pow(random.uniform() * 2 - 1, 3));
    const Calibration calibration = calibrate(true_values(targets), said_values(std::vector<double>(60, 0)));
    const double distance = conformal_distance(calibration.distances.at(0), 0.9);
    for (int i = 0; i < 50; ++i, ++all) inside += std::abs(std::pow(random.uniform() * 2 - 1, 3)) <= distance;
  }
  // ceil(61 * 0.9) / 61 = 0.9016
  EXPECT_NEAR(inside / all, 0.9016, 0.006);
}

TEST(Calibration, ATargetThatNoGraphKnowsGivesNone) {
  EXPECT_FALSE(calibrate(true_values({NAN}), said_values({1})).is_there());
  EXPECT_FALSE(calibrate(true_values({}), said_values({})).is_there());
}

// Logits that are three times too sure are divided by three.
TEST(Calibration, TheTemperatureUndoesOverconfidence) {
  Random random(3);
  LabeledGraphs truth;
  Predictions said;
  said.scores_are_probabilities = true;
  for (int i = 0; i < 4000; ++i) {
    const double logit = random.uniform() * 4 - 2;
    truth.graphs.push_back(0);
    truth.class_of.push_back(random.uniform() < 1 / (1 + std::exp(-logit)) ? 1 : 0);
    const double sure = 1 / (1 + std::exp(-3 * logit));
    said.scores.insert(said.scores.end(), {1 - sure, sure});
  }
  const Calibration calibration = calibrate(truth, said);
  EXPECT_NEAR(calibration.temperature, 3, 0.4);
  const double sure = 1 / (1 + std::exp(-3.0));
  const std::vector<double> calm =
      calibrated_scores(calibration.temperature, std::vector<double>{1 - sure, sure});
  EXPECT_NEAR(calm[1], 1 / (1 + std::exp(-3.0 / calibration.temperature)), 1e-9);
  EXPECT_NEAR(calm[0] + calm[1], 1, 1e-12);
  said.scores_are_probabilities = false;
  EXPECT_FALSE(calibrate(truth, said).is_there());
}

TEST(Calibration, IsReadBackFromItsText) {
  const Calibration calibration = calibrate(true_values({1.5, 4}), said_values({1, 2}));
  const record::Json json = calibration_json(calibration);
  EXPECT_EQ(calibration_from(record::JsonView(json, "m"), 1).distances, calibration.distances);
  const record::Json wrong = {{"distances", {{2.0, 1.0}}}};
  EXPECT_THROW(calibration_from(record::JsonView(wrong, "m"), 1), InputError);
}

TEST(Calibration, EachQuestionHasItsTemperature) {
  Random random(9);
  LabeledGraphs truth;
  Predictions said;
  said.values_are_probabilities = true;
  for (int i = 0; i < 4000; ++i) {
    truth.graphs.push_back(0);
    for (const double too_sure : {1.0, 4.0}) {
      const double logit = random.uniform() * 4 - 2;
      const bool is_known = i % 3 != 0;
      truth.values.push_back(is_known ? (random.uniform() < 1 / (1 + std::exp(-logit)) ? 1 : 0) : NAN);
      said.values.push_back(1 / (1 + std::exp(-too_sure * logit)));
    }
  }
  const Calibration calibration = calibrate(truth, said);
  ASSERT_EQ(calibration.temperatures.size(), 2u);
  EXPECT_NEAR(calibration.temperatures[0], 1, 0.15);
  EXPECT_NEAR(calibration.temperatures[1], 4, 0.5);
  EXPECT_NEAR(calibrated_chance(2, 1 / (1 + std::exp(-3.0))), 1 / (1 + std::exp(-1.5)), 1e-12);
  const record::Json json = calibration_json(calibration);
  EXPECT_EQ(calibration_from(record::JsonView(json, "m"), 2).temperatures, calibration.temperatures);
  EXPECT_THROW(calibration_from(record::JsonView(json, "m"), 3), InputError);
}

}  // namespace
}  // namespace twofold::model
