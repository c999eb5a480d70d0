#include "twofold/train/pair_separation.h"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/base/random.h"
#include "twofold/nn/graph_model.h"
#include "twofold/train/engine.h"
#include "twofold/train/torch_batch.h"
#include "twofold/train/trainer.h"

namespace twofold::train {
namespace {

// Graphs go through a network in double numbers so many at a time.
constexpr std::size_t kBatch = 20;

std::vector<double> outputs_in_double(Span<const Graph> graphs, const nn::ModelOptions& model,
                                      const InputLayout& layout, const std::vector<float>& parameters) {
  EncodeLimits limits;
  limits.threads = 1;
  const EncodedDataset data(graphs, model, layout, limits);
  nn::GraphModel network(model, static_cast<std::int64_t>(data.columns()), torch::kDouble);
  const torch::NoGradGuard guard;
  network->flat.copy_(torch::tensor(parameters, torch::kFloat));
  network->eval();
  TorchBatchOptions form;
  form.dtype = torch::kDouble;
  form.loops_only = model.loops_only;
  std::vector<double> outputs;
  for (std::size_t begin = 0; begin < graphs.size(); begin += kBatch) {
    Batch batch;
    for (std::size_t g = begin; g < std::min(graphs.size(), begin + kBatch); ++g)
      batch.graphs.push_back(static_cast<std::uint32_t>(g));
    const auto tensors = make_torch_batch(data, batch, {}, form);
    const torch::Tensor found = network->forward(tensors->graphs).outputs.contiguous();
    outputs.insert(outputs.end(), found.data_ptr<double>(), found.data_ptr<double>() + found.numel());
  }
  return outputs;
}

Graph random_relabelling(const Graph& g, Random random) {
  std::vector<Node> names(g.num_nodes());
  std::iota(names.begin(), names.end(), Node{0});
  random.shuffle(names);
  return relabeled(g, names);
}

// output(first copy) - output(second copy), pair by pair of fresh copies.
std::vector<double> copy_differences(const Graph& a, const Graph& b, const Random& random,
                                     const SeparationOptions& options, const InputLayout& layout,
                                     const std::vector<float>& parameters) {
  std::vector<Graph> copies;
  for (int i = 0; i < options.copies; ++i) {
    copies.push_back(random_relabelling(a, random.stream(2 * static_cast<std::uint64_t>(i))));
    copies.push_back(random_relabelling(b, random.stream(2 * static_cast<std::uint64_t>(i) + 1)));
  }
  const std::vector<double> outputs = outputs_in_double(copies, options.model, layout, parameters);
  std::vector<double> differences;
  for (std::size_t i = 0; i < outputs.size(); i += 2) differences.push_back(outputs[i] - outputs[i + 1]);
  return differences;
}

std::vector<float> train_on_pair(Span<const Graph> pair, const SeparationOptions& options,
                                 const InputLayout& layout, std::uint64_t seed) {
  EncodeLimits limits;
  limits.threads = 1;
  limits.max_memory = options.max_memory;
  EncodedDataset data(pair, options.model, layout, limits);
  data.targets = {0, 1};
  const Task task;
  EngineOptions how;
  how.batch_graphs = 2;
  const auto engine = make_engine(data, options.model, task, how);
  const nn::ParameterLayout parameters = nn::parameter_layout(options.model, data.columns());
  TrainState state = initial_state(parameters, seed);
  TrainOptions training;
  training.epochs = options.epochs;
  training.learning_rate = options.learning_rate;
  training.shuffle = false;
  training.seed = seed;
  const std::vector<std::uint32_t> both = {0, 1};
  train(*engine, data, both, {}, parameters, task, training, state,
        [&](const EpochRecord& epoch) { return epoch.train_loss > options.good_loss; });
  return state.parameters;
}

Separation separate_pair(Span<const Graph> pair, const SeparationOptions& options, std::uint64_t pair_number) {
  Separation found;
  const Random random = Random(options.seed).stream(pair_number);
  const InputLayout layout = input_layout(pair, options.model);
  for (int i = 0; i < options.tries && !found.is_distinguished; ++i) {
    Random of_try = random.stream(static_cast<std::uint64_t>(i));
    const std::vector<float> parameters = train_on_pair(pair, options, layout, of_try.bits());
    const std::vector<double> outputs = outputs_in_double(pair, options.model, layout, parameters);
    const double needed = options.margin * std::max({1.0, std::abs(outputs[0]), std::abs(outputs[1])});
    found = {};
    found.difference = outputs[0] - outputs[1];
    if (std::abs(found.difference) <= needed) continue;
    const auto differences = copy_differences(pair[0], pair[1], of_try.stream(0), options, layout, parameters);
    found.difference = std::accumulate(differences.begin(), differences.end(), 0.0) / options.copies;
    found.statistic = paired_statistic(differences);
    found.control =
        paired_statistic(copy_differences(pair[0], pair[0], of_try.stream(1), options, layout, parameters));
    found.is_distinguished = std::abs(found.difference) > needed && found.statistic > options.threshold &&
                             found.control <= options.threshold;
  }
  return found;
}

}  // namespace

SeparationOptions separation_options(nn::ModelKind model) {
  SeparationOptions options;
  options.model = nn::default_options(model);
  options.model.width = 16;
  options.model.layers = 4;
  options.model.pooling = nn::has_pair_rows(model) ? nn::Pooling::kMean : nn::Pooling::kSum;
  options.model.jumping_knowledge = false;
  if (model != nn::ModelKind::kGin) options.model.activation = nn::Activation::kTanh;
  // Two graphs are no batch to normalize by.
  options.model.batch_norm = false;
  return options;
}

double paired_statistic(Span<const double> differences) {
  double sum = 0, squares = 0, largest = 0;
  for (const double d : differences) largest = std::max(largest, std::abs(d));
  if (largest == 0) return 0;
  // Scaled, or squares of rounding errors would vanish.
  for (const double d : differences) {
    sum += d / largest;
    squares += d / largest * (d / largest);
  }
  return sum * sum / squares;
}

std::vector<Separation> separate_pairs(Span<const Graph> graphs, const SeparationOptions& options) {
  TWOFOLD_CHECK(graphs.size() % 2 == 0, "pairs of {} graphs", graphs.size());
  if (options.model.task != nn::Task::kBinary)
    throw UsageError("needed a network of two classes to tell pairs apart, found another");
  nn::check_options(options.model);
  if (options.copies < 1 || !(options.threshold < options.copies))
    throw UsageError(
        fmt::format("needed a threshold below the {} copies, found {}", options.copies, options.threshold));
  std::vector<Separation> results(graphs.size() / 2);
  std::mutex guard;
  std::size_t done = 0;
  parallel_for(results.size(), options.threads, [&](std::size_t p) {
    results[p] = separate_pair(Span<const Graph>(graphs.data() + 2 * p, 2), options, p);
    if (!options.progress) return;
    const std::lock_guard<std::mutex> lock(guard);
    options.progress(++done, results.size());
  });
  return results;
}

}  // namespace twofold::train
