#pragma once

#include <cstdint>

#include "twofold/train/engine.h"

namespace twofold::train {

/// What one pass forward and back over a batch takes, about, in cycles: for comparing kinds, not for telling
/// times.
struct EngineCost {
  double rows = 0;
  double colors = 0;
  // Triples or neighbors of a batch on colors, which say whether threads can share it.
  double color_items = 0;
};

/// From a few batches of that many graphs (0: of all) drawn from the dataset, whose rows and colors are
/// counted.
EngineCost estimate_cost(const EncodedDataset& data, const model::ModelOptions& model,
                         std::size_t batch_graphs);

/// kColors or kFused, whichever estimate_cost finds cheaper for so many threads (0: all there are), which share
/// rows well and colors only where a batch has many; kFused for models that do not run on colors and where real
/// attributes make rows differ.
model::EngineKind choose_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                std::size_t batch_graphs, int threads = 1);

}  // namespace twofold::train
