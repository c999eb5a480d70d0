#pragma once

#include <memory>

#include "twofold/train/engine.h"

namespace twofold::tensors {

/// The engine gather-scatter: GraphModel on any device of libtorch. It sets torch to one thread for good.
/// Throws UsageError for a device that this libtorch lacks.
std::unique_ptr<train::Engine> make_torch_engine(const train::EncodedDataset& data,
                                                 const model::ModelOptions& model, const train::Objective& task,
                                                 const model::EngineOptions& options);

/// From here on train::make_engine has it (train/tensor_engine.h). Once, before any engine is made.
void install_torch_engine();

}  // namespace twofold::tensors
