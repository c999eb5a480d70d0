#include "twofold/train/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
#include "twofold/train/ensemble.h"

namespace twofold::train {

namespace {

using Encode =
    std::function<std::unique_ptr<EncodedDataset>(const model::ModelOptions& model, const InputLayout& layout)>;

// `known` are the graphs whose labels the network knows.
Training prepare(model::LearnSettings settings, const Dataset& dataset, const model::Targets& targets,
                 Span<const std::uint32_t> train_graphs, int threads, Span<const Graph> known,
                 const Sharding& sharding, const Encode& encode) {
  model::set_task(settings, targets.task());
  settings.engine.threads = threads;
  settings.engine.batch_graphs = settings.train.batch.graphs;
  model::check_options(settings.model);
  Training training;
  Network& network = training.network;
  network.layout = input_layout(known, settings.model);
  network.names = {dataset.node_label_names, dataset.edge_label_names, dataset.molecule_features};
  network.class_names = targets.task().class_names;
  network.target_names = targets.task().value_names;
  network.target_columns = targets.task().columns;
  training.data = encode(settings.model, network.layout);
  training.data->items = targets.items();
  network.task = make_objective(settings, targets.numbers(train_graphs), dataset.graphs,
                                training.data->graphs_of(train_graphs), network.layout.features);
  std::vector<std::uint32_t> all(targets.num_items());
  std::iota(all.begin(), all.end(), 0u);
  training.data->targets = targets.numbers(all);
  training.layout = model::parameter_layout(settings.model, training.data->columns());
  training.engine = make_engine(*training.data, settings.model, network.task, settings.engine, sharding);
  network.settings = std::move(settings);
  return training;
}

// Why a network does not run on colors, which need no graphs; empty if it does.
std::string why_rows(const model::ModelOptions& model, const InputLayout& layout) {
  if (layout.is_marked) return "a network with --marks";
  if (model.layer_dropout > 0) return "a network with --layer-dropout";
  if (!layout.features.has_labels_only()) return "a network that reads real attributes";
  return "";
}

}  // namespace

Training prepare_training(model::LearnSettings settings, const Dataset& dataset, const model::Targets& targets,
                          Span<const std::uint32_t> train_graphs, const EncodeLimits& limits,
                          Span<const Graph> known, const Sharding& sharding) {
  EncodeLimits how = limits;
  how.marks_by_orbit = limits.marks_by_orbit && !is_for_tensors(settings.engine);
  return prepare(std::move(settings), dataset, targets, train_graphs, limits.threads,
                 known.empty() ? Span<const Graph>(dataset.graphs) : known, sharding,
                 [&](const model::ModelOptions& model, const InputLayout& layout) {
                   return std::make_unique<EncodedDataset>(dataset.graphs, model, layout, how);
                 });
}

Training prepare_training(model::LearnSettings settings, GraphBlocks& blocks, const BlockSummary& summary,
                          const model::Targets& targets, Span<const std::uint32_t> train_graphs,
                          const EncodeLimits& limits, const Sharding& sharding) {
  return prepare(std::move(settings), summary.targets, targets, train_graphs, limits.threads, summary.known,
                 sharding, [&](const model::ModelOptions& model, const InputLayout& layout) {
                   if (const std::string why = why_rows(model, layout); !why.empty())
                     throw InputError(
                         fmt::format("{}: {} is trained on rows, which need all graphs: needed about {} of "
                                     "memory, the limit is {} (--max-memory)",
                                     summary.targets.name, why, format_bytes(blocks.memory()),
                                     format_bytes(whole_memory_limit(limits.max_memory))));
                   return std::make_unique<EncodedDataset>(blocks, model, layout, limits);
                 });
}

namespace {

// Of nodes or pairs. A third of the estimate, as below.
void require_memory_for_batches(const EncodedDataset& data, const model::ModelOptions& model,
                                const std::vector<Batch>& batches, std::uint64_t max_memory) {
  const auto largest = std::max_element(batches.begin(), batches.end(),
                                        [](const Batch& a, const Batch& b) { return a.rows < b.rows; });
  if (largest == batches.end()) return;
  const Item first = data.items[largest->graphs[0]];
  const std::size_t more = largest->graphs.size() - 1;
  require_memory(fmt::format("training on {} of graph {}{} with the {} rows behind {}",
                             first.u == first.v ? fmt::format("node {}", first.u)
                                                : fmt::format("link {}-{}", first.u, first.v),
                             first.graph + 1, more == 0 ? "" : fmt::format(" and {} more", more), largest->rows,
                             more == 0 ? "it" : "them"),
                 memory_for_rows(model, dense_columns(data), largest->rows) / 3,
                 resolve_memory_limit(max_memory));
}

}  // namespace

std::size_t dense_columns(const EncodedDataset& data) {
  return data.columns() - data.layout().features.feature_columns;
}

std::uint64_t rows_within(const EncodedDataset& data, const model::ModelOptions& model, std::uint64_t memory) {
  return rows_for_memory(model, dense_columns(data), memory / (data.items.empty() ? 4 : 8));
}

void require_memory_for_largest(const Engine& engine, const EncodedDataset& data,
                                const model::ModelOptions& model, Span<const std::uint32_t> graphs,
                                const model::BatchLimits& limits, std::uint64_t max_memory) {
  if (!data.items.empty() && engine.kind() == model::EngineKind::kFused) {
    require_memory_for_batches(data, model, make_batches(data, graphs, limits), max_memory);
    return;
  }
  const bool has_rows =
      engine.kind() == model::EngineKind::kFused || engine.kind() == model::EngineKind::kMixed;
  if (model.model != model::ModelKind::k2WlGnn || !has_rows || graphs.empty()) return;
  const std::vector<std::uint32_t> asked = data.graphs_of(graphs);
  const auto largest = std::max_element(asked.begin(), asked.end(), [&](std::uint32_t a, std::uint32_t b) {
    return data.num_rows(a) < data.num_rows(b);
  });
  constexpr std::uint64_t kMuch = std::uint64_t{1} << 40;
  // The estimate has 11 values per row, layer and channel; 6.4 to 7.8 were measured, and every form of a layer
  // keeps two products, the sum and the result: a third of it is needed surely.
  const double row =
      static_cast<double>(kMuch) / static_cast<double>(rows_for_memory(model, data.columns(), kMuch));
  require_memory(fmt::format("training on graph {} with its {} rows (--radius {})", *largest + 1,
                             data.num_rows(*largest), pairs::to_string(model.radius)),
                 static_cast<std::uint64_t>(row / 3 * static_cast<double>(data.num_rows(*largest))),
                 resolve_memory_limit(max_memory));
}

Network train_network(const model::LearnSettings& settings, const Dataset& dataset,
                      const model::Targets& targets, Span<const std::uint32_t> train_graphs,
                      Span<const std::uint32_t> validation_graphs, std::uint64_t seed,
                      const EpochObserver& observer) {
  Training training = prepare_training(settings, dataset, targets, train_graphs);
  Network& network = training.network;
  model::TrainOptions options = network.settings.train;
  if (options.batch.rows == 0)
    options.batch.rows = rows_within(*training.data, network.settings.model, whole_memory_limit(0));
  for (std::size_t m = 0; m < static_cast<std::size_t>(network.settings.ensemble); ++m) {
    options.seed = member_seed(seed, m);
    TrainState state = initial_state(training.layout, options.seed);
    train(*training.engine, *training.data, train_graphs, validation_graphs, training.layout, network.task,
          options, state, observer);
    (m == 0 ? network.parameters : network.others.emplace_back()) = chosen_parameters(state, options);
  }
  return std::move(network);
}

}  // namespace twofold::train
