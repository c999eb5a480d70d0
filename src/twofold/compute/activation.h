#pragma once

#include <string>

namespace twofold::compute {

enum class Activation { kIdentity, kRelu, kLogistic, kTanh };

/// `identity`, `relu`, `logistic`, `tanh`. Throws UsageError for another word.
Activation parse_activation(const std::string& word);
const char* to_string(Activation activation);

}  // namespace twofold::compute
