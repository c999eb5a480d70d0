#include "twofold/train/engine.h"

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/base/memory_limit.h"
#include "twofold/train/engine_choice.h"
#include "twofold/train/net_engine.h"
#include "twofold/train/tensor_engine.h"

namespace twofold::train {

std::unique_ptr<Engine> make_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                    const Objective& task, const model::EngineOptions& options) {
  using model::EngineKind;
  EngineKind kind = options.kind;
  if (kind == EngineKind::kAuto && options.device != "cpu") kind = EngineKind::kGatherScatter;
  if (kind == EngineKind::kGatherScatter || options.device != "cpu") {
    check_device(options);
    model::EngineOptions chosen = options;
    chosen.kind = kind;
    return tensor_engine()->make(data, model, task, chosen);
  }
  if (kind == EngineKind::kColors && !model.layer_forms.empty())
    throw UsageError("needed a model that runs on colors, found a simulated one");
  if (kind == EngineKind::kColors && model.model == model::ModelKind::kMlp)
    throw UsageError(
        "needed a model that runs on colors (2-wl-gnn, 2-gnn, gin, gcn, sage), found mlp, which has no "
        "convolution to save");
  if (kind == EngineKind::kAuto) {
    try {
      kind = choose_engine(data, model, options.batch_graphs);
      if (kind == EngineKind::kColors) return make_net_engine(data, model, task, true, options.threads);
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
  return make_net_engine(data, model, task, kind == EngineKind::kColors, options.threads);
}

std::vector<Batch> make_batches(const EncodedDataset& data, Span<const std::uint32_t> order,
                                const model::BatchLimits& limits) {
  std::vector<Batch> batches;
  std::uint64_t rows = 0;
  for (const std::uint32_t g : order) {
    const std::uint64_t more = data.num_rows(g);
    if (batches.empty() || (limits.graphs != 0 && batches.back().graphs.size() >= limits.graphs) ||
        (limits.close_at_rows != 0 && rows >= limits.close_at_rows) ||
        (limits.rows != 0 && rows + more > limits.rows)) {
      batches.emplace_back();
      rows = 0;
    }
    batches.back().graphs.push_back(g);
    rows += more;
  }
  return batches;
}

std::uint64_t rows_for_memory(const model::ModelOptions& model, std::size_t columns, std::uint64_t bytes) {
  // Forward keeps about six values per row, layer and channel (products, sums, result), backward about five.
  const std::uint64_t stacks =
      model.pooling == model::Pooling::kWeightedMean && model.attention == model::Attention::kStack ? 2 : 1;
  int width = model.width;
  for (const model::LayerForm& form : model.layer_forms) width = std::max(width, form.channels());
  const std::uint64_t per_layer = 11 * static_cast<std::uint64_t>(width) + 2 * columns;
  const std::uint64_t per_row =
      sizeof(float) * (stacks * static_cast<std::uint64_t>(model.layers) * per_layer + columns);
  return std::max<std::uint64_t>(1, bytes / per_row);
}

}  // namespace twofold::train
