#include "twofold/train/weight_average.h"

#include <gtest/gtest.h>

#include <cmath>

#include "twofold/base/random.h"

namespace twofold::train {
namespace {

// Two values that are trained, and one that is not.
model::ParameterLayout small_layout() {
  model::ParameterLayout layout;
  model::Parameter p;
  p.name = "bias";
  p.rows = 2;
  layout.parameters.push_back(p);
  p.name = "mean";
  p.rows = 1;
  p.offset = 16;
  p.is_trained = false;
  layout.parameters.push_back(p);
  layout.size = 32;
  return layout;
}

TEST(WeightAverage, IsTheWeightedMeanOfAllStepsAndNothingElse) {
  const model::ParameterLayout layout = small_layout();
  for (const double decay : {0.5, 0.99, 0.9999}) {
    Random random(7);
    std::vector<std::vector<float>> steps;
    std::vector<double> average;
    for (std::uint64_t t = 1; t <= 300; ++t) {
      std::vector<float> parameters(layout.size, 0);
      // Far from 0, where the start would be seen.
      for (const std::size_t i : {0, 1, 16}) parameters[i] = static_cast<float>(100 + random.normal());
      steps.push_back(parameters);
      average_step(parameters, layout, decay, t, average);
      for (const std::size_t i : {0, 1}) {
        double sum = 0, weights = 0;
        for (std::size_t s = 0; s < steps.size(); ++s) {
          const double weight = std::pow(decay, static_cast<double>(steps.size() - 1 - s));
          sum += weight * static_cast<double>(steps[s][i]);
          weights += weight;
        }
        ASSERT_NEAR(average[i], sum / weights, 1e-9) << decay << " " << t;
      }
      // Running statistics are those of now.
      ASSERT_EQ(average[16], static_cast<double>(parameters[16]));
      ASSERT_EQ(average[2], 0);
    }
  }
}

TEST(WeightAverage, OfOneStepIsItsParametersBitForBit) {
  const model::ParameterLayout layout = small_layout();
  std::vector<float> parameters(layout.size, 0);
  parameters[0] = 0.1f;
  parameters[1] = -1e-30f;
  parameters[16] = 3;
  std::vector<double> average;
  average_step(parameters, layout, 0.999, 1, average);
  EXPECT_EQ(std::vector<float>(average.begin(), average.end()), parameters);
}

}  // namespace
}  // namespace twofold::train
