#include "twofold/train/trainer.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "twofold/base/error.h"
#include "twofold/base/group.h"
#include "twofold/base/interrupt.h"
#include "twofold/base/random.h"
#include "twofold/compute/dense_layer.h"
#include "twofold/train/learning_rate.h"
#include "twofold/train/weight_average.h"

namespace twofold::train {
namespace {

// What the streams of the seed are for; parameters start from stream 0.
constexpr std::uint64_t kStartStream = 0;
constexpr std::uint64_t kShuffleStream = 1;
constexpr std::uint64_t kDropoutStream = 2;

std::vector<double> targets_of(const EncodedDataset& data, const Objective& task,
                               Span<const std::uint32_t> graphs) {
  const std::size_t width = task.num_targets();
  std::vector<double> targets;
  targets.reserve(graphs.size() * width);
  for (const std::uint32_t g : graphs)
    for (std::size_t c = 0; c < width; ++c) targets.push_back(data.targets.at(g * width + c));
  return targets;
}

// Values up to the end of the last trained parameter: the others come behind.
std::size_t trained_end(const model::ParameterLayout& layout) {
  std::size_t end = 0;
  for (const model::Parameter& p : layout.parameters)
    if (p.is_trained) end = std::max(end, p.offset + p.size());
  return end;
}

void require_finite(const model::ParameterLayout& layout, const std::vector<float>& values, const char* what,
                    int epoch) {
  for (const model::Parameter& p : layout.parameters)
    for (std::size_t i = 0; i < p.size(); ++i)
      if (!std::isfinite(values[p.offset + i]))
        throw Error(fmt::format("epoch {}: the {} of {} is {}; a smaller learning rate or --clip may help",
                                epoch, what, p.name, values[p.offset + i]));
}

void clip(std::vector<float>& gradient, double longest) {
  double squares = 0;
  for (const float g : gradient) squares += static_cast<double>(g) * g;
  const double length = std::sqrt(squares);
  if (length <= longest) return;
  const auto scale = static_cast<float>(longest / length);
  for (float& g : gradient) g *= scale;
}

// One step of the optimizer.
void move(const model::ParameterLayout& layout, const std::vector<float>& gradient, double rate,
          const model::TrainOptions& options, TrainState& state) {
  if (options.adam.optimizer == model::Optimizer::kAdamW && options.adam.weight_decay > 0)
    decay_matrices(state.parameters, layout, rate, options.adam.weight_decay);
  adam_step(state.parameters, gradient, trained_end(layout), rate, options.adam, state.adam);
  if (options.average > 0)
    average_step(state.parameters, layout, options.average, state.adam.steps, state.average);
}

// One pass over the training graphs.
EpochRecord run_epoch(Engine& engine, const EncodedDataset& data, Span<const std::uint32_t> graphs,
                      const model::ParameterLayout& layout, const Objective& task,
                      const model::TrainOptions& options, const LearningRate& rate, TrainState& state,
                      const BatchObserver& observer) {
  EpochRecord record;
  record.epoch = state.epoch() + 1;
  const auto number = static_cast<std::uint64_t>(record.epoch);
  const Random random(options.seed);
  std::vector<std::uint32_t> order(graphs.begin(), graphs.end());
  std::vector<Batch> batches = make_batches(data, order, options.batch);
  // The order within one batch of all graphs changes nothing but rounding, and engines know a batch again.
  if (options.shuffle && batches.size() > 1) {
    random.stream(kShuffleStream).stream(number).shuffle(order);
    batches = make_batches(data, order, options.batch);
  }

  // Nodes and pairs go with their graphs.
  if (!data.items.empty()) {
    order.clear();
    for (const Batch& batch : batches) order.insert(order.end(), batch.graphs.begin(), batch.graphs.end());
  }
  std::vector<float> gradient(layout.size);
  std::vector<float> outputs(order.size() * task.outputs);
  std::size_t done = 0;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    check_interrupt();
    Batch& batch = batches[b];
    batch.seed = random.stream(kDropoutStream).stream(number).stream(b).bits();
    const Span<float> part(outputs.data() + done * task.outputs, batch.graphs.size() * task.outputs);
    double loss = 0;
    try {
      loss = engine.loss_and_gradient(batch, state.parameters, gradient, part);
    } catch (const InputError&) {
      throw;
    } catch (const Error& error) {
      require_finite(layout, state.parameters, "value", record.epoch);
      throw Error(fmt::format("epoch {}: {}", record.epoch, error.what()));
    }
    if (!std::isfinite(loss)) {
      require_finite(layout, state.parameters, "value", record.epoch);
      throw Error(fmt::format("epoch {}: the loss is {}; a smaller learning rate or --clip may help",
                              record.epoch, loss));
    }
    if (!compute::all_finite(gradient.size(), gradient.data()))
      require_finite(layout, gradient, "gradient", record.epoch);
    if (options.clip > 0) clip(gradient, options.clip);
    record.learning_rate = rate.at(record.epoch, b, batches.size());
    move(layout, gradient, record.learning_rate, options, state);
    done += batch.graphs.size();
    if (observer) observer(record.epoch, done, order.size());
  }
  const EpochScores found = epoch_scores(task, outputs, targets_of(data, task, order));
  record.train_loss = found.loss;
  record.train_metric = found.metric;
  return record;
}

bool has_nothing_left(const model::TrainOptions& options, const Objective& task, const EpochRecord& record) {
  return task.kind != model::TaskKind::kRegression && record.train_metric == 1 &&
         record.validation_metric == 1 && record.train_loss < options.stop_below &&
         record.validation_loss < options.stop_below;
}

// More is better. Without validation graphs it is of the training graphs.
double watched_value(const model::TrainOptions& options, const Objective& task, const EpochRecord& record) {
  const double loss = record.has_validation ? record.validation_loss : record.train_loss;
  const double accuracy = record.has_validation ? record.validation_metric : record.train_metric;
  if (options.monitor == model::Monitor::kLoss || task.kind == model::TaskKind::kRegression) return -loss;
  if (options.monitor == model::Monitor::kAccuracy) return accuracy;
  // One graph of a million weighs as much as any difference in loss.
  constexpr double kTieWeight = 1e-6;
  return accuracy - kTieWeight * loss / (1 + loss);
}

// The weights that validation and the result take.
std::vector<float> current_parameters(const TrainState& state) {
  if (state.average.empty()) return state.parameters;
  return std::vector<float>(state.average.begin(), state.average.end());
}

void note_validation(const model::TrainOptions& options, const Objective& task, const EpochRecord& record,
                     std::vector<float> validated, TrainState& state) {
  const double value = watched_value(options, task, record);
  if (state.best_epoch == 0 || value > state.best_value + options.min_delta) {
    state.best_epoch = record.epoch;
    state.best_value = value;
    state.best_parameters = std::move(validated);
  }
  if (options.patience > 0 && record.epoch - state.best_epoch >= options.patience) state.is_finished = true;
  if (has_nothing_left(options, task, record)) state.is_finished = true;
}

}  // namespace

TrainState initial_state(const model::ParameterLayout& layout, std::uint64_t seed) {
  TrainState state;
  const std::vector<double> start = model::initial_parameters(layout, Random(seed).stream(kStartStream).bits());
  state.parameters.assign(start.begin(), start.end());
  state.adam.first.assign(layout.size, 0);
  state.adam.second.assign(layout.size, 0);
  return state;
}

void train(Engine& engine, const EncodedDataset& data, Span<const std::uint32_t> train_graphs,
           Span<const std::uint32_t> validation_graphs, const model::ParameterLayout& layout,
           const Objective& task, const model::TrainOptions& options, TrainState& state,
           const EpochObserver& observer, const BatchObserver& batch_observer) {
  model::check_options(options);
  if (train_graphs.empty()) throw InputError("needed training graphs, found none");
  TWOFOLD_CHECK(state.parameters.size() == layout.size, "the state does not fit the network");
  TWOFOLD_CHECK(state.average.size() == (options.average > 0 && state.adam.steps > 0 ? layout.size : 0),
                "the state was made with other options of averaging");
  LearningRate rate(options);
  for (const EpochRecord& record : state.history) rate.note(record.epoch, watched_value(options, task, record));
  while (!state.is_finished && state.epoch() < options.epochs) {
    EpochRecord record =
        run_epoch(engine, data, train_graphs, layout, task, options, rate, state, batch_observer);
    if (!validation_graphs.empty()) {
      std::vector<float> parameters = current_parameters(state);
      const EpochScores found = epoch_scores(
          task, all_outputs(engine, data, validation_graphs, task.outputs, options.batch, parameters),
          targets_of(data, task, validation_graphs));
      record.has_validation = true;
      record.validation_loss = found.loss;
      record.validation_metric = found.metric;
      note_validation(options, task, record, std::move(parameters), state);
    }
    rate.note(record.epoch, watched_value(options, task, record));
    state.history.push_back(record);
    if (observer && !observer(record)) return;
  }
}

std::vector<float> chosen_parameters(const TrainState& state, const model::TrainOptions& options) {
  return options.restore_best && state.best_epoch > 0 ? state.best_parameters : current_parameters(state);
}

std::vector<float> all_outputs(Engine& engine, const EncodedDataset& data, Span<const std::uint32_t> graphs,
                               std::size_t num_outputs, const model::BatchLimits& limits,
                               Span<const float> parameters) {
  std::vector<float> outputs(graphs.size() * num_outputs);
  std::vector<std::uint32_t> given;
  const std::vector<Batch> batches = make_batches(data, graphs, limits);
  // Ranks take turns.
  Group* const group = engine.group();
  const auto ranks = static_cast<std::size_t>(group == nullptr ? 1 : group->size());
  const auto rank = static_cast<std::size_t>(group == nullptr ? 0 : group->rank());
  std::size_t done = 0;
  std::string computed;
  for (std::size_t b = 0; b < batches.size(); ++b) {
    const Batch& batch = batches[b];
    check_interrupt();
    const std::size_t count = batch.graphs.size() * num_outputs;
    if (b % ranks == rank) {
      engine.outputs(batch, parameters, {outputs.data() + done, count});
      if (ranks > 1)
        computed.append(reinterpret_cast<const char*>(outputs.data() + done), count * sizeof(float));
    }
    done += count;
    if (!data.items.empty()) given.insert(given.end(), batch.graphs.begin(), batch.graphs.end());
  }
  if (ranks > 1) {
    const std::vector<std::string>& all = group->share(computed);
    std::vector<std::size_t> taken(ranks, 0);
    done = 0;
    for (std::size_t b = 0; b < batches.size(); ++b) {
      const std::size_t bytes = batches[b].graphs.size() * num_outputs * sizeof(float), r = b % ranks;
      TWOFOLD_CHECK(taken[r] + bytes <= all[r].size(), "rank {} computed {} bytes", r, all[r].size());
      std::memcpy(reinterpret_cast<char*>(outputs.data()) + done, all[r].data() + taken[r], bytes);
      taken[r] += bytes;
      done += bytes;
    }
  }
  if (data.items.empty()) return outputs;
  // Batches have nodes and pairs graph by graph; what is asked for has its own order.
  std::vector<std::size_t> place(data.num_items());
  for (std::size_t i = 0; i < given.size(); ++i) place[given[i]] = i;
  std::vector<float> ordered(outputs.size());
  for (std::size_t i = 0; i < graphs.size(); ++i)
    std::copy_n(outputs.data() + place[graphs[i]] * num_outputs, num_outputs, ordered.data() + i * num_outputs);
  return ordered;
}

Scores evaluate(Engine& engine, const EncodedDataset& data, Span<const std::uint32_t> graphs,
                const Objective& task, const model::BatchLimits& limits, Span<const float> parameters) {
  const std::vector<float> outputs = all_outputs(engine, data, graphs, task.outputs, limits, parameters);
  return score(task, outputs, targets_of(data, task, graphs));
}

}  // namespace twofold::train
