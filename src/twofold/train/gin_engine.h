#pragma once

#include <memory>

#include "twofold/train/engine.h"

namespace twofold::train {

/// An engine for gin on colors: compute::GinNet on the levels of the dataset, of which each batch is cut,
/// without torch. The result is that of the rows but for the order in which numbers are added.
std::unique_ptr<Engine> make_gin_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                        const Objective& task);

}  // namespace twofold::train
