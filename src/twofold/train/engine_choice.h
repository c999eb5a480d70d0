#pragma once

#include <cstdint>

#include "twofold/train/engine.h"

namespace twofold::train {

/// What one pass forward and back over a batch takes, about, in cycles: for comparing kinds, not for telling
/// times.
struct EngineCost {
  double rows = 0;
  double colors = 0;
};

/// From a few batches of that many graphs (0: of all) drawn from the dataset, whose rows and colors are
/// counted.
EngineCost estimate_cost(const EncodedDataset& data, const model::ModelOptions& model,
                         std::size_t batch_graphs);

/// kColors or kFused, whichever estimate_cost finds cheaper on one thread; in doubt rows, which threads share
/// better. kFused for models that do not run on colors and where real attributes make rows differ. The number
/// of threads has no say: results would depend on it.
model::EngineKind choose_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                std::size_t batch_graphs);

}  // namespace twofold::train
