#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "twofold/model/parameter_layout.h"
#include "twofold/train/adam.h"
#include "twofold/train/engine.h"

namespace twofold::train {

/// One epoch. Training values are those seen while the parameters moved; validation values come after it.
struct EpochRecord {
  int epoch = 0;             // from 1
  double learning_rate = 0;  // of its last step
  double train_loss = 0;
  double train_metric = 0;  // accuracy, or mean absolute error
  bool has_validation = false;
  double validation_loss = 0;
  double validation_metric = 0;
};

/// Everything that goes on from one epoch to the next: a checkpoint. Random choices follow from seed and epoch,
/// learning rates from the history.
struct TrainState {
  std::vector<float> parameters;
  AdamState adam;
  // Of the parameters over the steps (weight_average.h); empty before the first step and without averaging.
  std::vector<double> average;
  std::vector<EpochRecord> history;
  // Of the best epoch so far (from 1; 0: none yet); averaged, if there is an average.
  int best_epoch = 0;
  double best_value = 0;
  std::vector<float> best_parameters;
  // Patience has ended, or nothing is left to learn (stop_below).
  bool is_finished = false;

  int epoch() const { return static_cast<int>(history.size()); }
};

/// Told after each epoch. Returning false stops training there: the state can go on later.
using EpochObserver = std::function<bool(const EpochRecord&)>;

/// Told within an epoch after each batch: the epoch's number from 1, graphs done, graphs of an epoch.
using BatchObserver = std::function<void(int epoch, std::size_t done, std::size_t total)>;

/// The state before the first epoch.
TrainState initial_state(const model::ParameterLayout& layout, std::uint64_t seed);

/// Goes on from `state` until the epochs are used up, patience or stop_below ends it, or the observer wants to
/// stop. Stopped anywhere and gone on later, also in another process, it comes to the same bits.
///
/// Without validation graphs there is no early stopping, a plateau watches the training graphs, and the last
/// parameters count. Needs targets in `data`, which is the engine's, and options that are those of the epochs
/// in `state`; without a cosine, `epochs` may be others. Throws UsageError for options that check_options
/// refuses; InputError without training graphs; Error naming epoch and parameter if a loss or gradient is
/// infinite or no number.
void train(Engine& engine, const EncodedDataset& data, Span<const std::uint32_t> train_graphs,
           Span<const std::uint32_t> validation_graphs, const model::ParameterLayout& layout,
           const Objective& task, const model::TrainOptions& options, TrainState& state,
           const EpochObserver& observer = {}, const BatchObserver& batch_observer = {});

/// The parameters that training chose.
std::vector<float> chosen_parameters(const TrainState& state, const model::TrainOptions& options);

/// A row of outputs for each of these graphs, in batches.
std::vector<float> all_outputs(Engine& engine, const EncodedDataset& data, Span<const std::uint32_t> graphs,
                               std::size_t num_outputs, const model::BatchLimits& limits,
                               Span<const float> parameters);

/// Outputs and targets compared.
Scores evaluate(Engine& engine, const EncodedDataset& data, Span<const std::uint32_t> graphs,
                const Objective& task, const model::BatchLimits& limits, Span<const float> parameters);

}  // namespace twofold::train
