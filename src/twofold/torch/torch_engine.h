#pragma once

#include <memory>

#include "twofold/train/engine.h"

namespace twofold::tensors {

/// An engine of torch's modules and autograd: tensors::GraphModel on our own loops, row by row (kFused) or color by
/// color (kColors; 2-gnn, gcn, sage), or on stock operations (kGatherScatter). It sets torch to one
/// thread: parallelism is ours.
std::unique_ptr<Engine> make_torch_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                          const Objective& task, const model::EngineOptions& options);

/// Throws UsageError for a device that this libtorch lacks or that does not fit the kind of engine.
void check_device(const model::EngineOptions& options);

}  // namespace twofold::tensors
