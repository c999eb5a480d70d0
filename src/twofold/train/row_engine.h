#pragma once

#include <memory>

#include "twofold/train/engine.h"

namespace twofold::train {

/// An engine for 2-wl-gnn without torch: compute::PairNet row by row. What the layers read of the data is laid
/// out once, unless the data is streamed.
std::unique_ptr<Engine> make_row_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                        const Objective& task, int threads);

}  // namespace twofold::train
