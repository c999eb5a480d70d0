#include "twofold/train/network_outputs.h"

#include "twofold/train/calibration.h"
#include "twofold/train/ensemble.h"
#include "twofold/train/trainer.h"

namespace twofold::train {

std::vector<float> network_outputs(Engine& engine, const EncodedDataset& data, const Network& network,
                                   Span<const std::uint32_t> graphs) {
  std::vector<std::vector<float>> members;
  for (std::size_t m = 0; m < network.num_members(); ++m)
    members.push_back(all_outputs(engine, data, graphs, network.task.outputs, network.settings.train.batch,
                                  network.member(m)));
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
