#include "twofold/train/training_record.h"

#include "twofold/graph/checksum.h"
#include "twofold/model/model_table.h"

namespace twofold::train {

TrainingData training_data(const Dataset& dataset, std::uint64_t num_rows) {
  return {dataset.name, dataset.graphs.size(), num_rows, checksum(dataset)};
}

model::Config training_record(const Network& network, const TrainingData& data, std::uint64_t seed,
                              const TrainingGraphs& graphs, bool from_run) {
  const model::Model& model = model::model_of(network.settings);
  model::Config record = {{"model", model.name}};
  record.update(model::config_of(model, network.settings));
  record["seed"] = seed;
  if (!graphs.fold) record["split_seed"] = graphs.split_seed;
  if (from_run) record["from_run"] = true;
  record["dataset"] = {
      {"name", data.name}, {"graphs", data.num_graphs}, {"rows", data.num_rows}, {"checksum", data.checksum}};
  if (network.task.has_values()) record["targets"] = network.target_names;
  record["train_graphs"] = graphs.num_train;
  record["validation_graphs"] = graphs.num_validation;
  if (!graphs.fold) {
    record["validation"] = graphs.validation;
    return record;
  }
  record["fold"] = *graphs.fold;
  record["splits"] = {{"checksum", graphs.splits_checksum}};
  return record;
}

}  // namespace twofold::train
