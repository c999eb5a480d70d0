#pragma once

#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/model/parameter_layout.h"
#include "twofold/model/train_options.h"

namespace twofold::train {

/// The optimizer's memory for flat parameters.
struct AdamState {
  std::vector<float> first;
  std::vector<float> second;
  std::uint64_t steps = 0;
};

/// One step. `gradient` is 0 where nothing is trained: those values stay as they are if weight_decay is 0 or
/// they lie from `num_trained` on (padding is 0 anyway). Of kAdamW this is the step without the decay. O(size).
void adam_step(Span<float> parameters, Span<const float> gradient, std::size_t num_trained,
               double learning_rate, const model::AdamOptions& options, AdamState& state);

/// The decay of kAdamW, before the step: parameter -= learning_rate * weight_decay * parameter, of the
/// matrices. Biases, normalizations and other vectors stay: what holds them near 0 keeps no network simple.
/// O(size).
void decay_matrices(Span<float> parameters, const model::ParameterLayout& layout, double learning_rate,
                    double weight_decay);

}  // namespace twofold::train
