#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/graph/dataset.h"
#include "twofold/model/targets.h"
#include "twofold/train/engine.h"
#include "twofold/train/model_file.h"
#include "twofold/train/trainer.h"

namespace twofold::train {

/// A network and all that training it needs, before its first epoch.
struct Training {
  /// Its parameters are empty until training has ended.
  Network network;
  /// With the targets of all graphs.
  std::unique_ptr<EncodedDataset> data;
  model::ParameterLayout layout;
  std::unique_ptr<Engine> engine;
};

/// `train_graphs` are those that means, deviations and class weights come from. The dataset must outlive the
/// result. The network knows the labels of the dataset, or of `known` if the dataset is a part of these graphs.
/// Throws UsageError for settings that the graphs do not allow, InputError for targets that do not.
Training prepare_training(model::LearnSettings settings, const Dataset& dataset, const model::Targets& targets,
                          Span<const std::uint32_t> train_graphs, const EncodeLimits& limits = {},
                          Span<const Graph> known = {}, const Sharding& sharding = {});

/// The same of a dataset that is larger than the memory, on colors: the graphs are read anew for each step, and
/// none is kept. `summary` is that of the blocks. Throws InputError, naming need and limit, where a network
/// needs rows: real attributes that it reads, marks, dropout of rows, mlp.
Training prepare_training(model::LearnSettings settings, GraphBlocks& blocks, const BlockSummary& summary,
                          const model::Targets& targets, Span<const std::uint32_t> train_graphs,
                          const EncodeLimits& limits = {}, const Sharding& sharding = {});

/// Throws Error, naming the graph, need and limit, if one of the graphs (of nodes and pairs: what one batch of
/// them needs) cannot pass through the network for want of memory (0: nine tenths of what the process may
/// have), so that a training ends before its first epoch and not in it. A lower bound, of rows only: what
/// colors take is small, and known when a batch is cut.
void require_memory_for_largest(const Engine& engine, const EncodedDataset& data,
                                const model::ModelOptions& model, Span<const std::uint32_t> graphs,
                                const model::BatchLimits& limits, std::uint64_t max_memory);

/// Columns that rows have of their own: sparse features are looked up, not copied.
std::size_t dense_columns(const EncodedDataset& data);

/// Rows of a batch at most, where a process may have so much memory: a quarter of it, or an eighth where
/// batches of nodes or pairs stand beside their whole graph.
std::uint64_t rows_within(const EncodedDataset& data, const model::ModelOptions& model, std::uint64_t memory);

/// A trained network. Everything random follows from `seed`; early stopping goes by the validation graphs, and
/// without any the last epoch's parameters count.
Network train_network(const model::LearnSettings& settings, const Dataset& dataset,
                      const model::Targets& targets, Span<const std::uint32_t> train_graphs,
                      Span<const std::uint32_t> validation_graphs, std::uint64_t seed = 1,
                      const EpochObserver& observer = {});

}  // namespace twofold::train
