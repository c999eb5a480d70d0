#include "twofold/model/train_options.h"

#include <cmath>

#include "twofold/base/error.h"

namespace twofold::model {

Loss parse_loss(const std::string& word) {
  for (const Loss loss : {Loss::kCrossEntropy, Loss::kSquared, Loss::kAbsolute})
    if (word == to_string(loss)) return loss;
  throw UsageError(fmt::format("needed a loss cross-entropy, mse or mae, found {}", in_quotes(word)));
}

const char* to_string(Loss loss) {
  switch (loss) {
    case Loss::kCrossEntropy:
      return "cross-entropy";
    case Loss::kSquared:
      return "mse";
    case Loss::kAbsolute:
      return "mae";
  }
  return "";
}

EngineKind parse_engine(const std::string& word) {
  for (const EngineKind kind :
       {EngineKind::kAuto, EngineKind::kColors, EngineKind::kFused, EngineKind::kGatherScatter})
    if (word == to_string(kind)) return kind;
  throw UsageError(
      fmt::format("needed an engine auto, colors, fused or gather-scatter, found {}", in_quotes(word)));
}

const char* to_string(EngineKind kind) {
  switch (kind) {
    case EngineKind::kAuto:
      return "auto";
    case EngineKind::kColors:
      return "colors";
    case EngineKind::kFused:
      return "fused";
    case EngineKind::kGatherScatter:
      return "gather-scatter";
  }
  return "";
}

}  // namespace twofold::model
