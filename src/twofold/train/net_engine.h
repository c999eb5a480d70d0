#pragma once

#include <memory>

#include "twofold/train/engine.h"

namespace twofold::train {

/// Our own loops, row by row or on colors, for every model.
std::unique_ptr<Engine> make_net_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                        const Objective& task, bool on_colors, int threads,
                                        const Sharding& sharding);

}  // namespace twofold::train
