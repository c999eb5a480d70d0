#include "cli/epoch_bench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/base/random.h"
#include "twofold/model/targets.h"

namespace twofold::cli {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string threads_text(int threads) {
  const int count = resolve_threads(threads);
  return fmt::format("{} thread{}", count, count == 1 ? "" : "s");
}

double EpochBench::Contestant::best() const { return *std::min_element(seconds.begin(), seconds.end()); }

double EpochBench::Contestant::median() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

EpochBench::EpochBench(const EpochBenchOptions& options, model::LearnSettings settings, Dataset dataset)
    : settings_(std::move(settings)), dataset_(std::move(dataset)) {
  if (options.limit != 0 && options.limit < dataset_.graphs.size()) keep_some(options.limit, options.seed);
  const model::Targets targets(dataset_);
  model::set_task(settings_, targets.task());
  settings_.train.seed = options.seed;
  settings_.engine.threads = options.threads;
  settings_.engine.batch_graphs = settings_.train.batch.graphs;
  model::check_options(settings_.model);
  all_.resize(dataset_.graphs.size());
  std::iota(all_.begin(), all_.end(), 0);
  targets_ = targets.numbers(all_);
  input_ = train::input_layout(dataset_.graphs, settings_.model);
  task_ = train::make_objective(settings_, targets_, dataset_.graphs, all_, input_.features);
  limits_ = {options.max_memory, options.threads};
}

EpochBench::Contestant EpochBench::prepare(model::EngineKind kind) {
  Contestant contestant;
  const double start = now();
  model::EngineOptions how = settings_.engine;
  how.kind = kind;
  limits_.marks_by_orbit = !train::is_for_tensors(how);
  data_.push_back(std::make_unique<train::EncodedDataset>(dataset_.graphs, settings_.model, input_, limits_));
  data_.back()->targets = targets_;
  contestant.data = data_.back().get();
  contestant.engine = train::make_engine(*data_.back(), settings_.model, task_, how);
  contestant.encode_seconds = now() - start;
  layout_ = model::parameter_layout(settings_.model, data_.back()->columns());
  contestant.state = train::initial_state(layout_, settings_.train.seed);
  return contestant;
}

void EpochBench::require_same(Contestant& a, Contestant& b) {
  train::Batch batch;
  // From all over the dataset, whose classes may stand one after the other.
  for (std::size_t i = 0; i < std::min<std::size_t>(8, all_.size()); ++i)
    batch.graphs.push_back(all_[i * all_.size() / std::min<std::size_t>(8, all_.size())]);
  const auto loss_of = [&](Contestant& contestant, std::vector<float>& gradient) {
    gradient.assign(layout_.size, 0);
    std::vector<float> parameters = contestant.state.parameters;
    std::vector<float> outputs(batch.graphs.size() * task_.outputs);
    return contestant.engine->loss_and_gradient(batch, parameters, gradient, outputs);
  };
  std::vector<float> of_a, of_b;
  const double loss_a = loss_of(a, of_a), loss_b = loss_of(b, of_b);
  double most = 0, difference = std::fabs(loss_a - loss_b);
  for (std::size_t i = 0; i < of_a.size(); ++i) {
    most = std::max(most, static_cast<double>(std::fabs(of_a[i])));
    difference = std::max(difference, static_cast<double>(std::fabs(of_a[i] - of_b[i])));
  }
  // Below the last term there is nothing left to learn, and roundings of the outputs are all there is.
  if (!(difference <= 1e-3 * (most + std::fabs(loss_a) + 1e-6)))
    throw Error(
        fmt::format("the engines disagree (by {:g} in a loss of {:g}): nothing was timed", difference, loss_a));
}

void EpochBench::run_epoch(Contestant& contestant, bool counts) {
  model::TrainOptions how = settings_.train;
  how.epochs = contestant.state.epoch() + 1;
  how.patience = 0;
  const double start = now();
  train::train(*contestant.engine, *contestant.data, all_, {}, layout_, task_, how, contestant.state);
  if (counts) contestant.seconds.push_back(now() - start);
}

std::uint64_t EpochBench::num_triples(const Contestant& contestant) const {
  if (settings_.model.model != model::ModelKind::k2WlGnn) return 0;
  if (contestant.engine->kind() != model::EngineKind::kColors) return contestant.data->num_triples();
  const levels::ColorLevels& levels = contestant.data->color_levels(settings_.model.layers);
  return std::accumulate(levels.graph_items.begin(), levels.graph_items.end(), std::uint64_t{0});
}

void EpochBench::keep_some(std::size_t count, std::uint64_t seed) {
  std::vector<std::uint32_t> order(dataset_.graphs.size());
  std::iota(order.begin(), order.end(), 0);
  Random(seed).shuffle(order);
  order.resize(count);
  std::vector<Graph> graphs;
  std::vector<std::uint32_t> classes;
  std::vector<double> values;
  for (const std::uint32_t g : order) {
    graphs.push_back(dataset_.graphs[g]);
    if (dataset_.has_classes()) classes.push_back(dataset_.class_of[g]);
    for (std::size_t k = 0; k < dataset_.num_real_targets; ++k)
      values.push_back(dataset_.real_targets[g * dataset_.num_real_targets + k]);
  }
  dataset_.graphs = std::move(graphs);
  dataset_.class_of = std::move(classes);
  dataset_.real_targets = std::move(values);
}

}  // namespace twofold::cli
