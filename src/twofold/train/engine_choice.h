#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/train/engine.h"
#include "twofold/train/net_engine.h"

namespace twofold::train {

/// What one pass forward and back over a batch takes, about, in cycles: for comparing kinds, not for telling
/// times.
struct EngineCost {
  double rows = 0;
  double colors = 0;
  // Of kMixed with 1, 2, … layers in front. Empty: it is not for this model.
  std::vector<double> mixed = {};
};

/// From a few batches of that many graphs (0: of all) drawn from the dataset, whose rows and colors are
/// counted.
EngineCost estimate_cost(const EncodedDataset& data, const model::ModelOptions& model,
                         std::size_t batch_graphs);

/// Empty if kMixed is for this model and these graphs; else what is in the way, as `with one layer`.
std::string why_not_mixed(const EncodedDataset& data, const model::ModelOptions& model);

/// How many layers kMixed had best have in front.
std::size_t choose_front(const EngineCost& cost);

/// kColors, kMixed or kFused, whichever estimate_cost finds cheapest on one thread; in doubt rows, which
/// threads share better. kFused for models that do not run on colors and where real attributes make rows
/// differ; kMixed only without batch normalization. The number of threads has no say: results would depend on
/// it.
NetEngineKind choose_engine(const EncodedDataset& data, const model::ModelOptions& model,
                            std::size_t batch_graphs);

}  // namespace twofold::train
