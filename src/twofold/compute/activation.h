#pragma once

#include <string>

namespace twofold::compute {

/// gelu in the form with tanh: x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2; silu: x logistic(x).
enum class Activation { kIdentity, kRelu, kLogistic, kTanh, kGelu, kSilu };

/// Whether the slope does not follow from what the activation gave: gelu and silu take a value twice.
inline bool slope_needs_input(Activation activation) {
  return activation == Activation::kGelu || activation == Activation::kSilu;
}

/// `identity`, `relu`, `logistic`, `tanh`, `gelu`, `silu`. Throws UsageError for another word.
Activation parse_activation(const std::string& word);
const char* to_string(Activation activation);

}  // namespace twofold::compute
