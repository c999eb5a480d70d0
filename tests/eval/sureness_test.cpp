#include "twofold/eval/sureness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::eval {
namespace {

// Values around 0 with errors of one kind, and predictions of 0.
model::LabeledGraphs values(Random& random, std::size_t count) {
  model::LabeledGraphs graphs;
  graphs.graphs.resize(count);
  for (std::size_t i = 0; i < count; ++i) graphs.values.push_back(std::pow(random.uniform() * 2 - 1, 3));
  return graphs;
}

model::Predictions zeros(std::size_t count) {
  model::Predictions said;
  said.values.assign(count, 0);
  return said;
}

TEST(Sureness, IntervalsHoldForTestGraphsAsOftenAsTheySay) {
  Random random(5);
  Sureness sureness(1);
  for (std::size_t fold = 0; fold < 200; ++fold) {
    const model::Config kept = sureness_json(values(random, 99), zeros(99));
    sureness.add(fold, {kept, "kept"}, values(random, 50), zeros(50));
  }
  model::Config result;
  sureness.write(result);
  ASSERT_EQ(result.at("coverage").size(), 4u);
  for (const model::Config& one : result.at("coverage"))
    EXPECT_NEAR(one.at("found_mean").get<double>(), one.at("level").get<double>(), 1.5);
  EXPECT_FALSE(result.contains("reliability"));
}

// The width is twice the distance that the rule of conformal prediction names.
TEST(Sureness, TheWidthIsThatOfTheValidationGraphs) {
  model::LabeledGraphs validation, test;
  validation.graphs.resize(9);
  for (int i = 1; i <= 9; ++i) validation.values.push_back(i);
  test.graphs.resize(3);
  test.values = {9, -9.5, NAN};
  const model::Config kept = sureness_json(validation, zeros(9));
  Sureness sureness(1);
  sureness.add(0, {kept, "kept"}, test, zeros(3));
  model::Config result;
  sureness.write(result);
  const model::Config& nine = result.at("coverage").at(2);
  EXPECT_EQ(nine.at("level"), 90);
  EXPECT_EQ(nine.at("size_mean"), 18);
  EXPECT_EQ(nine.at("found_mean"), 50);
  // 95 % needs 19 graphs.
  EXPECT_EQ(result.at("coverage").at(3).at("found_mean"), 100);
  EXPECT_TRUE(result.at("coverage").at(3).at("size_mean").is_null());
}

// Twice as sure as it may be: calibration takes most of the error away.
TEST(Sureness, CalibratedProbabilitiesAreCloserToTheTruth) {
  Random random(3);
  const auto make = [&](std::size_t count) {
    std::pair<model::LabeledGraphs, model::Predictions> both;
    both.first.graphs.resize(count);
    both.second.scores_are_probabilities = true;
    for (std::size_t i = 0; i < count; ++i) {
      const double logit = random.uniform() * 6 - 3, sure = 1 / (1 + std::exp(-3 * logit));
      both.first.class_of.push_back(random.uniform() < 1 / (1 + std::exp(-logit)) ? 1 : 0);
      both.second.class_of.push_back(sure > 0.5 ? 1 : 0);
      both.second.scores.insert(both.second.scores.end(), {1 - sure, sure});
    }
    return both;
  };
  const auto validation = make(2000), test = make(4000);
  const model::Config kept = sureness_json(validation.first, validation.second);
  Sureness sureness(1);
  sureness.add(0, {kept, "kept"}, test.first, test.second);
  model::Config result;
  sureness.write(result);
  const model::Config& reliability = result.at("reliability");
  EXPECT_LT(reliability.at("error").get<double>(), 3);
  EXPECT_GT(reliability.at("error_before").get<double>(), 10);
  double graphs = 0;
  for (const model::Config& bin : reliability.at("bins")) {
    graphs += bin.at("graphs").get<double>();
    EXPECT_LE(bin.at("from").get<double>(), bin.at("said").get<double>());
    EXPECT_GE(bin.at("to").get<double>(), bin.at("said").get<double>());
  }
  EXPECT_EQ(graphs, 4000);
  EXPECT_NEAR(result.at("coverage").at(2).at("found_mean").get<double>(), 90, 2);
}

// Scores of support vector machines are no probabilities.
TEST(Sureness, DecisionsGiveNone) {
  model::LabeledGraphs truth;
  truth.graphs = {0};
  truth.class_of = {0};
  model::Predictions said;
  said.class_of = {0};
  said.scores = {2, -2};
  EXPECT_TRUE(sureness_json(truth, said).is_null());
  model::Config result;
  Sureness(1).write(result);
  EXPECT_TRUE(result.is_null());
}

TEST(Sureness, RefusesWhatDoesNotFit) {
  const model::Config kept = {{"levels", {0.9}}, {"distances", {{1.0, 2.0}}}};
  Random random(1);
  Sureness sureness(1);
  EXPECT_THROW(sureness.add(0, {kept, "kept"}, values(random, 2), zeros(2)), InputError);
}

}  // namespace
}  // namespace twofold::eval
