#include "twofold/train/network_outputs.h"

#include "twofold/base/memory_limit.h"
#include "twofold/train/calibration.h"
#include "twofold/train/ensemble.h"
#include "twofold/train/trainer.h"
#include "twofold/train/training.h"

namespace twofold::train {

std::vector<float> network_outputs(Engine& engine, const EncodedDataset& data, const Network& network,
                                   Span<const std::uint32_t> graphs) {
  model::BatchLimits limits = network.settings.train.batch;
  if (limits.rows == 0 && !data.items.empty())
    limits.rows = rows_within(data, network.settings.model, whole_memory_limit(0));
  std::vector<std::vector<float>> members;
  for (std::size_t m = 0; m < network.num_members(); ++m)
    members.push_back(all_outputs(engine, data, graphs, network.task.outputs, limits, network.member(m)));
  return joined_outputs(network.task, members);
}

void calibrate_network(Engine& engine, const EncodedDataset& data, Network& network,
                       Span<const std::uint32_t> held_out) {
  network.calibration = {};
  if (held_out.empty() || network.settings.model.about != TargetOf::kGraphs) return;
  const std::size_t width = network.task.num_targets();
  std::vector<double> targets;
  for (const std::uint32_t g : held_out)
    for (std::size_t c = 0; c < width; ++c) targets.push_back(data.targets[g * width + c]);
  network.calibration = calibrate(network.task, network_outputs(engine, data, network, held_out), targets);
}

}  // namespace twofold::train
