#include "twofold/train/tensor_engine.h"

#include <optional>

#include "twofold/base/error.h"

namespace twofold::train {
namespace {

std::optional<TensorEngine>& installed() {
  static std::optional<TensorEngine> engine;
  return engine;
}

}  // namespace

void install_tensor_engine(const TensorEngine& engine) { installed() = engine; }
const TensorEngine* tensor_engine() { return installed() ? &*installed() : nullptr; }

bool needs_tensor_engine(const model::EngineOptions& options) {
  return options.kind == model::EngineKind::kGatherScatter || options.device != "cpu";
}

void check_device(const model::EngineOptions& options) {
  if (!needs_tensor_engine(options)) return;
  if (tensor_engine() == nullptr)
    throw MissingTensorEngine(fmt::format(
        "the engine {} on the device {} needs the component torch, which this program lacks",
        options.device == "cpu" ? to_string(options.kind) : "gather-scatter", in_quotes(options.device)));
  model::EngineOptions chosen = options;
  if (chosen.kind == model::EngineKind::kAuto) chosen.kind = model::EngineKind::kGatherScatter;
  tensor_engine()->check_device(chosen);
}

}  // namespace twofold::train
