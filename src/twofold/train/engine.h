#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/model/model_options.h"
#include "twofold/model/parameter_layout.h"
#include "twofold/model/train_options.h"
#include "twofold/train/encoded_dataset.h"
#include "twofold/train/objective.h"

namespace twofold {
class Group;
}

namespace twofold::train {

/// Items of a dataset (EncodedDataset::items; else its graphs) that go through a network together, with the
/// whole of their graphs. Those of one graph stand one after the other.
struct Batch {
  std::vector<std::uint32_t> graphs;
  // From which dropout follows.
  std::uint64_t seed = 0;
  // Of nodes and pairs: with that part of their graphs alone on which the answers can depend (item_field.h). On
  // colors it makes no difference.
  bool by_need = false;
  // Rows that go through the network, where make_batches has counted them.
  std::uint64_t rows = 0;
};

/// Computes a network on batches of one dataset. Parameters and gradients are flat buffers laid out by
/// model::parameter_layout. It knows nothing of optimizers, epochs or files.
///
/// For one engine, the same calls give the same bits, whatever its number of threads. Throws Error if values
/// become infinite or no numbers, naming the layer or parameter as far as it is known. Not for several threads
/// at once.
class Engine {
 public:
  virtual ~Engine() = default;

  /// The mean loss of the batch (train/objective.h), its gradient, and the outputs it came from: a row of
  /// task.outputs values per graph. The gradient is overwritten, padding and parameters not trained get
  /// 0. Parameters that are not trained (running statistics) are moved on. Needs targets in the dataset.
  virtual double loss_and_gradient(const Batch& batch, Span<float> parameters, Span<float> gradient,
                                   Span<float> outputs) = 0;
  /// The outputs in evaluation mode.
  virtual void outputs(const Batch& batch, Span<const float> parameters, Span<float> outputs) = 0;
  /// A row of vector_width() values per graph: what the head reads.
  virtual void graph_vectors(const Batch& batch, Span<const float> parameters, Span<float> vectors) = 0;
  virtual std::size_t vector_width() const = 0;

  /// Which kind it is; never kAuto.
  virtual model::EngineKind kind() const = 0;

  /// The ranks that share its work: all call loss_and_gradient alike, and each may compute outputs of its own
  /// graphs. Null: there are none.
  virtual Group* group() const { return nullptr; }
};

/// How training is shared by processes.
struct Sharding {
  /// Not 0: batches are cut into so many shards. Sums over a batch are then made shard by shard, so results
  /// depend on the number of shards, but not on how many ranks share them.
  std::size_t shards = 0;
  /// These ranks; null: all shards are computed here. It must outlive the engine.
  Group* group = nullptr;
};

/// Whether make_engine hands these on to libtorch, which reads a copy for every mark
/// (EncodeLimits::marks_by_orbit).
bool is_for_tensors(const model::EngineOptions& options);

/// The data must outlive the engine. Throws UsageError for a device that this libtorch lacks or that does not
/// fit the kind, and for kColors where the model cannot run on colors. What kAuto chooses does not depend on
/// the number of threads: rows and colors differ in rounding, and threads change no bit. Shards are for graphs
/// on kFused and kColors; others throw UsageError.
std::unique_ptr<Engine> make_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                    const Objective& task, const model::EngineOptions& options = {},
                                    const Sharding& sharding = {});

/// Throws UsageError for the product as pooling where graphs are learnt: it is of both ends of a link.
void require_pooling(const model::ModelOptions& model);

/// The graphs in the given order, cut into batches: one is closed when it has as many graphs or rows as wanted,
/// or when the next graph would bring it over the limit of rows. Nodes and pairs go with their graph: graphs
/// come in the order of their first item, with all of theirs that are in `order`.
///
/// Of a graph with more rows than the limit, or than kWholeRows, nodes and pairs take what they need alone, as
/// many of them to a batch as keep it within the limit (halves, quarters, … of `order`), one at least.
std::vector<Batch> make_batches(const EncodedDataset& data, Span<const std::uint32_t> order,
                                const model::BatchLimits& limits);

/// How many rows fit into so many bytes while a gradient is computed, about (by kFused; gather-scatter needs
/// memory for triples too).
std::uint64_t rows_for_memory(const model::ModelOptions& model, std::size_t columns, std::uint64_t bytes);
/// The reverse: bytes that so many rows take.
std::uint64_t memory_for_rows(const model::ModelOptions& model, std::size_t columns, std::uint64_t rows);

/// Graphs of more rows do not go through a network whole where nodes or pairs are asked about.
inline constexpr std::uint64_t kWholeRows = 200'000;

}  // namespace twofold::train
