#include "twofold/train/adam.h"

#include <gtest/gtest.h>

#include <cmath>

#include "twofold/base/random.h"

namespace twofold::train {
namespace {

// A matrix of 2 x 3, a bias of 3, and statistics that are not trained, as networks lay them out.
model::ParameterLayout small_layout() {
  model::ParameterLayout layout;
  const auto add = [&](const char* name, std::size_t rows, std::size_t columns, bool is_trained) {
    model::Parameter p;
    p.name = name;
    p.offset = layout.size;
    p.rows = rows;
    p.columns = columns;
    p.fan_in = columns > 1 ? rows : 0;
    p.fan_out = columns > 1 ? columns : 0;
    p.is_trained = is_trained;
    layout.parameters.push_back(p);
    layout.size += 16;
  };
  add("conv.0.weight", 2, 3, true);
  add("conv.0.bias", 3, 1, true);
  add("conv.0.mean", 3, 1, false);
  return layout;
}

std::vector<float> random_values(std::size_t size, Random& random) {
  std::vector<float> values(size);
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

// Loshchilov and Hutter 2019, Algorithm 2, value by value.
TEST(AdamW, TakesTheStepsOfThePublishedAlgorithmAndDecaysMatricesOnly) {
  const model::ParameterLayout layout = small_layout();
  const std::size_t num_trained = 16 + 3;
  model::AdamOptions options;
  options.optimizer = model::Optimizer::kAdamW;
  options.weight_decay = 0.1;
  Random random(3);
  std::vector<float> ours = random_values(layout.size, random);
  std::vector<double> theta(ours.begin(), ours.end()), m(layout.size), v(layout.size);
  AdamState state;
  for (int t = 1; t <= 100; ++t) {
    const double rate = 0.03 / t;  // of a schedule
    std::vector<float> gradient = random_values(layout.size, random);
    for (std::size_t i = num_trained; i < layout.size; ++i) gradient[i] = 0;
    for (std::size_t i = 0; i < num_trained; ++i) {
      const double g = gradient[i];
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.999 * v[i] + 0.001 * g * g;
      const double first = m[i] / (1 - std::pow(0.9, t)), second = v[i] / (1 - std::pow(0.999, t));
      const double decay = i < 6 ? 0.1 : 0;
      theta[i] -= rate * (first / (std::sqrt(second) + 1e-8) + decay * theta[i]);
    }
    decay_matrices(ours, layout, rate, options.weight_decay);
    adam_step(ours, gradient, num_trained, rate, options, state);
    for (std::size_t i = 0; i < layout.size; ++i) ASSERT_NEAR(ours[i], theta[i], 3e-6) << t << " " << i;
  }
}

TEST(AdamW, KeepsTheDecayOutOfTheMoments) {
  const model::ParameterLayout layout = small_layout();
  model::AdamOptions options;
  options.optimizer = model::Optimizer::kAdamW;
  options.weight_decay = 0.5;
  std::vector<float> values(layout.size, 1);
  const std::vector<float> gradient(layout.size, 0);
  AdamState state;
  for (int t = 1; t <= 10; ++t) {
    decay_matrices(values, layout, 0.1, options.weight_decay);
    adam_step(values, gradient, layout.size, 0.1, options, state);
  }
  for (std::size_t i = 0; i < layout.size; ++i) {
    EXPECT_EQ(state.first[i], 0);
    EXPECT_EQ(state.second[i], 0);
    if (i < 6)
      EXPECT_NEAR(values[i], std::pow(1 - 0.1 * 0.5, 10), 1e-6);
    else
      EXPECT_EQ(values[i], 1) << i;
  }
}

TEST(AdamW, WithoutDecayIsAdamBitForBit) {
  std::vector<float> plain = {1, -2, 0.5f}, decoupled = plain;
  AdamState plain_state, decoupled_state;
  model::AdamOptions options;
  Random random(5);
  for (int t = 1; t <= 20; ++t) {
    const std::vector<float> gradient = random_values(3, random);
    options.optimizer = model::Optimizer::kAdam;
    adam_step(plain, gradient, 3, 0.03, options, plain_state);
    options.optimizer = model::Optimizer::kAdamW;
    adam_step(decoupled, gradient, 3, 0.03, options, decoupled_state);
  }
  EXPECT_EQ(plain, decoupled);
  EXPECT_EQ(plain_state.second, decoupled_state.second);
}

// Behind a dead unit a gradient is 0 for good; a CPU takes a hundred cycles for each number that is denormal.
TEST(Adam, LetsMomentsEndAtZeroAndNotAmongDenormalNumbers) {
  const model::AdamOptions options;
  Random random(9);
  std::vector<float> ours = random_values(32, random), plain = ours, gradient = random_values(32, random);
  std::vector<float> m(32), v(32);
  AdamState state;
  for (int t = 1; t <= 3000; ++t) {
    if (t == 20) gradient.assign(32, 0);
    adam_step(ours, gradient, 32, 0.01, options, state);
    const double second = std::sqrt(1 - std::pow(0.999, t));
    const auto rate = static_cast<float>(0.01 * second / (1 - std::pow(0.9, t)));
    const auto epsilon = static_cast<float>(1e-8 * second);
    for (std::size_t i = 0; i < 32; ++i) {
      m[i] = 0.9f * m[i] + 0.1f * gradient[i];
      v[i] = 0.999f * v[i] + 0.001f * gradient[i] * gradient[i];
      plain[i] -= rate * m[i] / (std::sqrt(v[i]) + epsilon);
    }
  }
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(state.first[i], 0);
    EXPECT_EQ(std::fpclassify(m[i]), FP_SUBNORMAL);
    EXPECT_TRUE(state.second[i] == 0 || std::isnormal(state.second[i]));
  }
  // No parameter moves another way by it.
  EXPECT_EQ(ours, plain);
}

// Several values are taken at a time, and the last ones by themselves.
TEST(Adam, TreatsAValueAlikeWhereverItStands) {
  model::AdamOptions options;
  options.weight_decay = 0.01;
  Random random(12);
  constexpr std::size_t kCount = 37;
  std::vector<float> together = random_values(kCount, random);
  std::vector<std::vector<float>> alone;
  for (const float value : together) alone.push_back({value});
  AdamState state;
  std::vector<AdamState> states(kCount);
  for (int t = 1; t <= 50; ++t) {
    const std::vector<float> gradient = random_values(kCount, random);
    adam_step(together, gradient, kCount, 0.01, options, state);
    for (std::size_t i = 0; i < kCount; ++i) {
      adam_step(alone[i], std::vector<float>{gradient[i]}, 1, 0.01, options, states[i]);
      ASSERT_EQ(alone[i][0], together[i]) << t << " " << i;
      ASSERT_EQ(states[i].second[0], state.second[i]) << t << " " << i;
    }
  }
}

}  // namespace
}  // namespace twofold::train
