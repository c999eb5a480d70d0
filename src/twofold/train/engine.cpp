#include "twofold/train/engine.h"

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/base/memory_limit.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/engine_choice.h"
#include "twofold/train/net_engine.h"
#include "twofold/train/tensor_engine.h"

namespace twofold::train {

void require_pooling(const model::ModelOptions& model) {
  const std::vector<model::Pooling> poolings = model::all_poolings(model);
  if (model.about == TargetOf::kGraphs &&
      std::find(poolings.begin(), poolings.end(), model::Pooling::kProduct) != poolings.end())
    throw UsageError(
        "needed another pooling than the product, which is of both ends of a link, to learn graphs");
}

bool is_for_tensors(const model::EngineOptions& options) {
  return options.kind == model::EngineKind::kGatherScatter || options.device != "cpu";
}

std::unique_ptr<Engine> make_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                    const Objective& task, const model::EngineOptions& options,
                                    const Sharding& sharding) {
  using model::EngineKind;
  require_pooling(model);
  EngineKind kind = options.kind;
  if (sharding.shards > 0 && model.about != TargetOf::kGraphs)
    throw UsageError(fmt::format("needed graphs to learn about: batches of {} are not cut into shards",
                                 model::to_string(model.about)));
  if (sharding.shards > 0 && is_for_tensors(options))
    throw UsageError("needed --engine auto, fused or colors with shards of batches, found gather-scatter");
  if (sharding.shards > 0 && kind == EngineKind::kMixed)
    throw UsageError("needed --engine auto, fused or colors with shards of batches, found mixed");
  if (data.is_in_blocks()) {
    if (options.device != "cpu" || (kind != EngineKind::kAuto && kind != EngineKind::kColors))
      throw UsageError(
          fmt::format("needed --engine auto or colors for a dataset that is larger than the memory "
                      "(--max-memory), found {}: rows need all graphs",
                      options.device != "cpu" ? "--device " + options.device : model::to_string(kind)));
    kind = EngineKind::kColors;
  }
  if (kind == EngineKind::kAuto && options.device != "cpu") kind = EngineKind::kGatherScatter;
  if (is_for_tensors(options)) {
    if (model.about != TargetOf::kGraphs || model.layer_dropout > 0)
      throw UsageError(fmt::format("needed --engine fused or auto {}, found gather-scatter",
                                   model.layer_dropout > 0
                                       ? std::string("with --layer-dropout")
                                       : fmt::format("to learn {}", model::to_string(model.about))));
    check_device(options);
    TWOFOLD_CHECK(!data.has_node_times(), "tensors have a row for every mark");
    model::EngineOptions chosen = options;
    chosen.kind = kind;
    return tensor_engine()->make(data, model, task, chosen);
  }
  if (kind == EngineKind::kColors && model.layer_dropout > 0)
    throw UsageError(
        "needed --engine fused or auto with --layer-dropout, found colors: rows are dropped one by one");
  if (kind == EngineKind::kColors && !model.layer_forms.empty())
    throw UsageError("needed a model that runs on colors, found a simulated one");
  if (kind == EngineKind::kMixed) {
    const std::string trouble = why_not_mixed(data, model);
    if (!trouble.empty())
      throw UsageError(fmt::format("needed --engine fused or auto {}, found mixed", trouble));
    if (data.is_streamed())
      throw Error(
          "--engine mixed: the pairs of all graphs do not fit into --max-memory; fused makes them anew for "
          "every batch");
    const std::size_t front = choose_front(estimate_cost(data, model, options.batch_graphs));
    return make_net_engine(data, model, task, {kind, front}, options.threads, sharding);
  }
  if (kind == EngineKind::kAuto) {
    try {
      // A shard is what goes through the network as one.
      std::size_t together = options.batch_graphs;
      if (sharding.shards > 1 && together == 0) together = data.num_graphs();
      if (sharding.shards > 1) together = std::max<std::size_t>(1, together / sharding.shards);
      NetEngineKind chosen = choose_engine(data, model, together);
      if (chosen.kind == EngineKind::kMixed && (sharding.shards > 0 || options.is_for_one_pass)) chosen = {};
      if (chosen.kind != EngineKind::kFused)
        return make_net_engine(data, model, task, chosen, options.threads, sharding);
      kind = EngineKind::kFused;
    } catch (const InputError&) {
      throw;
    } catch (const UsageError&) {
      throw;
    } catch (const std::exception& error) {
      // They do not fit into memory; rows can be streamed.
      if (dynamic_cast<const Error*>(&error) == nullptr && !is_out_of_memory(error)) throw;
      kind = EngineKind::kFused;
      return_free_memory();
    }
  }
  return make_net_engine(data, model, task, {kind}, options.threads, sharding);
}

namespace {

// Nodes or pairs of one graph, cut in halves until each part needs no more rows than the limit.
void cut_by_need(const EncodedDataset& data, std::uint32_t graph, Span<const std::uint32_t> items,
                 std::uint64_t limit, std::vector<Batch>& parts) {
  const std::uint64_t rows = rows_needed(data, graph, items);
  if (limit != 0 && rows > limit && items.size() > 1) {
    const std::size_t half = items.size() / 2;
    cut_by_need(data, graph, {items.data(), half}, limit, parts);
    cut_by_need(data, graph, {items.data() + half, items.size() - half}, limit, parts);
    return;
  }
  parts.push_back({{items.begin(), items.end()}, 0, true, rows});
}

}  // namespace

std::vector<Batch> make_batches(const EncodedDataset& data, Span<const std::uint32_t> order,
                                const model::BatchLimits& limits) {
  std::vector<Batch> batches;
  std::size_t graphs = 0;  // of the last batch
  const auto add = [&](Span<const std::uint32_t> items, std::uint64_t more, bool by_need) {
    if (batches.empty() || (limits.graphs != 0 && graphs >= limits.graphs) ||
        (limits.close_at_rows != 0 && batches.back().rows >= limits.close_at_rows) ||
        (limits.rows != 0 && batches.back().rows + more > limits.rows)) {
      batches.emplace_back();
      graphs = 0;
    }
    Batch& last = batches.back();
    last.graphs.insert(last.graphs.end(), items.begin(), items.end());
    last.rows += more;
    last.by_need = last.by_need || by_need;
    ++graphs;
  };
  if (data.items.empty()) {
    for (const std::uint32_t& g : order) add({&g, 1}, data.num_rows(g), false);
    return batches;
  }
  std::vector<std::uint32_t> seen;
  std::vector<std::vector<std::uint32_t>> of_graph(data.num_graphs());
  for (const std::uint32_t item : order) {
    std::vector<std::uint32_t>& items = of_graph[data.items[item].graph];
    if (items.empty()) seen.push_back(data.items[item].graph);
    items.push_back(item);
  }
  for (const std::uint32_t graph : seen) {
    const std::uint64_t rows = data.num_rows(graph);
    if (rows <= kWholeRows && (limits.rows == 0 || rows <= limits.rows)) {
      add(of_graph[graph], rows, false);
      continue;
    }
    std::vector<Batch> parts;
    cut_by_need(data, graph, of_graph[graph], limits.rows, parts);
    for (const Batch& part : parts) add(part.graphs, part.rows, true);
  }
  return batches;
}

namespace {

std::uint64_t bytes_per_row(const model::ModelOptions& model, std::size_t columns) {
  // Forward keeps about six values per row, layer and channel (products, sums, result), backward about five.
  const std::uint64_t stacks =
      model.pooling == model::Pooling::kWeightedMean && model.attention == model::Attention::kStack ? 2 : 1;
  int width = model.width;
  for (const model::LayerForm& form : model.layer_forms) width = std::max(width, form.channels());
  const std::uint64_t per_layer = 11 * static_cast<std::uint64_t>(width) + 2 * columns;
  return sizeof(float) * (stacks * static_cast<std::uint64_t>(model.layers) * per_layer + columns);
}

}  // namespace

std::uint64_t rows_for_memory(const model::ModelOptions& model, std::size_t columns, std::uint64_t bytes) {
  return std::max<std::uint64_t>(1, bytes / bytes_per_row(model, columns));
}

std::uint64_t memory_for_rows(const model::ModelOptions& model, std::size_t columns, std::uint64_t rows) {
  return rows * bytes_per_row(model, columns);
}

}  // namespace twofold::train
