#include "twofold/train/adam.h"

#include <cmath>

#include "twofold/base/error.h"

namespace twofold::train {

void adam_step(Span<float> parameters, Span<const float> gradient, std::size_t num_trained,
               double learning_rate, const model::AdamOptions& options, AdamState& state) {
  TWOFOLD_CHECK(gradient.size() == parameters.size() && num_trained <= parameters.size());
  state.first.resize(parameters.size(), 0);
  state.second.resize(parameters.size(), 0);
  ++state.steps;
  const auto steps = static_cast<double>(state.steps);
  const double first_correction = 1 - std::pow(options.beta1, steps);
  const double second_correction = std::sqrt(1 - std::pow(options.beta2, steps));
  // parameter -= rate * first / (sqrt(second) + epsilon), the corrections drawn into rate and epsilon.
  const auto rate = static_cast<float>(learning_rate * second_correction / first_correction);
  const auto epsilon =
      static_cast<float>(options.keras_form ? options.epsilon : options.epsilon * second_correction);
  const auto beta1 = static_cast<float>(options.beta1);
  const auto beta2 = static_cast<float>(options.beta2);
  // Not 1 - beta in float, which is off in the fifth digit.
  const auto rest1 = static_cast<float>(1 - options.beta1);
  const auto rest2 = static_cast<float>(1 - options.beta2);
  const bool is_penalty = options.optimizer == model::Optimizer::kAdam;
  const auto decay = static_cast<float>(is_penalty ? options.weight_decay : 0);
  float* const __restrict p = parameters.data();
  float* const __restrict m = state.first.data();
  float* const __restrict v = state.second.data();
  const float* const __restrict g_given = gradient.data();
  // Where gradients stay 0, as behind dead units, moments shrink until they are denormal, and a CPU then takes
  // a hundred cycles for each. What is so small moves no parameter: it is 0 before that.
  constexpr float kTiny = 1e-35f;
  for (std::size_t i = 0; i < num_trained; ++i) {
    const float g = g_given[i] + decay * p[i];
    const float first = beta1 * m[i] + rest1 * g;
    const float second = beta2 * v[i] + rest2 * g * g;
    m[i] = std::fabs(first) < kTiny ? 0.0f : first;
    v[i] = second < kTiny ? 0.0f : second;
    p[i] -= rate * m[i] / (std::sqrt(v[i]) + epsilon);
  }
}

void decay_matrices(Span<float> parameters, const model::ParameterLayout& layout, double learning_rate,
                    double weight_decay) {
  TWOFOLD_CHECK(parameters.size() == layout.size);
  // Not parameter * (1 - share): rounded to a float, that is off in the second digit of a share of 1e-6.
  const auto share = static_cast<float>(learning_rate * weight_decay);
  for (const model::Parameter& p : layout.parameters) {
    if (!p.is_trained || !p.is_matrix()) continue;
    for (std::size_t i = p.offset; i < p.offset + p.size(); ++i) parameters[i] -= share * parameters[i];
  }
}

}  // namespace twofold::train
