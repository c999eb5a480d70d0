#pragma once

#include <memory>

#include "twofold/base/error.h"
#include "twofold/model/learner.h"
#include "twofold/train/engine.h"

namespace twofold::train {

/// What the component torch adds, for whoever links it: the engine gather-scatter, on any device of libtorch.
struct TensorEngine {
  std::unique_ptr<Engine> (*make)(const EncodedDataset& data, const model::ModelOptions& model,
                                  const Objective& task, const model::EngineOptions& options) = nullptr;
  /// Throws UsageError for a device that is not there.
  void (*check_device)(const model::EngineOptions& options) = nullptr;
  /// Those whose numbers go into a network then.
  model::Libraries (*libraries)() = nullptr;
};

/// Once, before any engine is made.
void install_tensor_engine(const TensorEngine& engine);
/// Null: there is none.
const TensorEngine* tensor_engine();

/// It is asked for, and missing.
class MissingTensorEngine : public UsageError {
 public:
  using UsageError::UsageError;
};

/// Whether these options ask for it.
bool needs_tensor_engine(const model::EngineOptions& options);
/// Throws MissingTensorEngine, and UsageError for a device that is not there.
void check_device(const model::EngineOptions& options);

}  // namespace twofold::train
