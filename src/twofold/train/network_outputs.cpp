#include "twofold/train/network_outputs.h"

#include "twofold/base/memory_limit.h"
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
  const Objective& task = network.task;
  const std::vector<float> outputs = network_outputs(engine, data, network, held_out);
  model::LabeledGraphs truth;
  truth.graphs.assign(held_out.begin(), held_out.end());
  model::Predictions said;
  said.scores_are_probabilities = true;
  said.values_are_probabilities = task.is_yes_no();
  for (std::size_t i = 0; i < held_out.size(); ++i) {
    const std::vector<double> scores =
        predicted_scores(task, {outputs.data() + i * task.outputs, task.outputs});
    std::vector<double>& to = task.has_values() ? said.values : said.scores;
    to.insert(to.end(), scores.begin(), scores.end());
    const double* const targets = data.targets.data() + held_out[i] * task.num_targets();
    if (task.has_values())
      truth.values.insert(truth.values.end(), targets, targets + task.num_targets());
    else
      truth.class_of.push_back(static_cast<std::uint32_t>(*targets));
  }
  network.calibration = model::calibrate(truth, said);
}

}  // namespace twofold::train
