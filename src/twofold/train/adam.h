#pragma once

#include <cstdint>
#include <vector>

#include "twofold/base/span.h"

namespace twofold::train {

struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  /// Keras adds epsilon before the correction of the second moment, torch after it (Kingma and Ba 2015, end of
  /// section 2, and Algorithm 1).
  bool keras_form = false;
  /// L2: added to the gradient as weight_decay * parameter.
  double weight_decay = 0;
};

/// The optimizer's memory for flat parameters.
struct AdamState {
  std::vector<float> first;
  std::vector<float> second;
  std::uint64_t steps = 0;
};

/// One step. `gradient` is 0 where nothing is trained: those values stay as they are if weight_decay is 0 or
/// they lie from `num_trained` on (padding is 0 anyway). O(size).
void adam_step(Span<float> parameters, Span<const float> gradient, std::size_t num_trained,
               double learning_rate, const AdamOptions& options, AdamState& state);

}  // namespace twofold::train
