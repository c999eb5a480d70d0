#pragma once

#include <memory>

#include "twofold/train/engine.h"

namespace twofold::train {

/// Which of our own loops: kFused, kColors, or kMixed with so many layers in front.
struct NetEngineKind {
  model::EngineKind kind = model::EngineKind::kFused;
  std::size_t front_layers = 0;
};

/// Our own loops, for every model; kMixed for those of which why_not_mixed says nothing (engine_choice.h), and
/// without shards.
std::unique_ptr<Engine> make_net_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                        const Objective& task, NetEngineKind kind, int threads,
                                        const Sharding& sharding);

}  // namespace twofold::train
