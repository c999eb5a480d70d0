#include "twofold/compute/activation.h"

#include "twofold/base/error.h"

namespace twofold::compute {
namespace {

constexpr Activation kAll[] = {Activation::kIdentity, Activation::kRelu, Activation::kLogistic,
                               Activation::kTanh,     Activation::kGelu, Activation::kSilu};

}  // namespace

Activation parse_activation(const std::string& word) {
  for (const Activation activation : kAll)
    if (word == to_string(activation)) return activation;
  throw UsageError(fmt::format("needed an activation (identity, relu, logistic, tanh, gelu or silu), found {}",
                               in_quotes(word)));
}

const char* to_string(Activation activation) {
  switch (activation) {
    case Activation::kIdentity:
      return "identity";
    case Activation::kRelu:
      return "relu";
    case Activation::kLogistic:
      return "logistic";
    case Activation::kTanh:
      return "tanh";
    case Activation::kGelu:
      return "gelu";
    case Activation::kSilu:
      return "silu";
  }
  return "";
}

}  // namespace twofold::compute
