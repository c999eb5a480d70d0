#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "twofold/base/progress.h"
#include "twofold/graph/item_targets.h"
#include "twofold/levels/color_levels.h"
#include "twofold/levels/neighbor_levels.h"
#include "twofold/model/model_options.h"
#include "twofold/pairs/pair_batch.h"
#include "twofold/train/graph_blocks.h"
#include "twofold/train/input_layout.h"
#include "twofold/train/objective.h"

namespace twofold::train {

/// Neighbor lists of all nodes of a dataset for gin, gcn and sage. Nodes
/// are numbered within their graph.
struct VertexLists {
  // One more than there are nodes in all: positions in `sources`.
  std::vector<std::uint64_t> offsets = {0};
  std::vector<std::uint32_t> sources;
  // Empty, or a factor per node: the sum over v's list of source_scale[u] x[u] is multiplied by row_scale[v].
  std::vector<double> row_scale;
  std::vector<double> source_scale;
};

struct EncodeLimits {
  /// Bytes the encoding may take; 0: nine tenths of what the process may have. Pairs that do not fit are kept
  /// without their triples, and, if that does not help, made anew for every batch.
  std::uint64_t max_memory = 0;
  int threads = 0;
  /// A folder where the colors of rows are kept for the next time (levels/level_cache.h); empty: nowhere.
  std::string cache = {};
  /// Told of graphs while their pairs or the colors of these are found; kept as long as the dataset.
  Progress progress = {};
  /// With marks: a copy for one node of each orbit (train/seen_symmetry.h), which counts as often as the orbit
  /// has nodes, in place of a copy for each node. The same network, but for rounding. Layer dropout, which
  /// drops of each copy something else, gets all copies.
  bool marks_by_orbit = true;
};

/// The pair sets of some graphs: those kept by the dataset, or made for this purpose.
struct PairSlice {
  std::vector<const pairs::PairSet*> sets;
  std::vector<pairs::PairSet> own;
};

/// Graphs as a kind of model reads them, encoded once: pair sets when they are first asked for, colors too, so
/// that what is learnt on colors never holds the pairs. It refers to the graphs, which must outlive it.
/// Reading from several threads is safe.
class EncodedDataset {
 public:
  /// Only the options that shape the input matter: model, radius, self_loops, pool_by_kind, marks, and whether
  /// there is layer dropout. Throws
  /// InputError for labels or attributes that do not fit and for attributes that are not finite, naming the
  /// graph. Asking for pairs or colors throws Error, naming need and limit, where memory does not suffice.
  EncodedDataset(Span<const Graph> graphs, const model::ModelOptions& options, const InputLayout& layout,
                 const EncodeLimits& limits = {});

  /// The same of graphs that are read anew whenever they are needed, and not kept: for engines on colors.
  /// graphs(), pairs, and the labels and features of rows are not to be asked for. Needs graphs of whose
  /// attributes none are looked at, without marks, and nothing to be learnt but graphs. `blocks` must outlive
  /// it.
  EncodedDataset(GraphBlocks& blocks, const model::ModelOptions& options, const InputLayout& layout,
                 const EncodeLimits& limits = {});
  bool is_in_blocks() const { return blocks_ != nullptr; }

  /// What outputs and targets are about: nodes or pairs of the graphs, by graph. None: the graphs themselves.
  std::vector<Item> items;
  std::size_t num_items() const { return items.empty() ? num_graphs() : items.size(); }
  std::uint32_t graph_of(std::uint32_t item) const { return items.empty() ? item : items[item].graph; }
  /// Which graphs some items are of, each once, in the order of their first item.
  std::vector<std::uint32_t> graphs_of(Span<const std::uint32_t> items) const;

  /// Of each item: the index of its class, or its real values, NaN where one is not known. Empty, or
  /// Objective::num_targets() per item.
  std::vector<double> targets;

  std::size_t num_graphs() const { return is_in_blocks() ? blocks_->num_graphs() : graphs_.size(); }
  /// As the layout sees them: with degrees as labels, or the copies of marked ones as one.
  Span<const Graph> graphs() const { return graphs_; }
  /// As they were given.
  Span<const Graph> given_graphs() const { return given_graphs_; }
  model::ModelKind model() const { return options_.model; }
  const model::ModelOptions& options() const { return options_; }
  const EncodeLimits& limits() const { return limits_; }
  /// Per node of graphs()[graph]: how often it and the rows that begin at it count where graphs are pooled or
  /// batches normalized. Empty: once. All are empty unless copies of orbits were made.
  bool has_node_times() const { return !node_times_.empty(); }
  Span<const std::uint32_t> node_times(std::uint32_t graph) const {
    return node_times_.empty() ? Span<const std::uint32_t>() : Span<const std::uint32_t>(node_times_[graph]);
  }
  /// How far apart the nodes of a row may be, of models on pairs.
  pairs::Radius row_radius() const;
  const InputLayout& layout() const { return layout_; }
  std::size_t columns() const { return layout_.columns(); }
  std::uint64_t num_rows(std::uint32_t graph) const { return row_offsets_[graph + 1] - row_offsets_[graph]; }
  std::uint64_t num_rows() const { return row_offsets_.back(); }
  /// The same if with marks every node had its copy.
  std::uint64_t num_rows_of_all_marks() const;
  /// Triples of all graphs together; 0 for models other than 2-wl-gnn. Encodes the pairs if none are yet.
  std::uint64_t num_triples() const;
  /// Whether pair sets are made anew for every batch. Encodes the pairs if none are yet.
  bool is_streamed() const;
  /// Bytes that the encoding takes.
  std::uint64_t memory() const;

  /// Models on pairs.
  PairSlice pair_sets(Span<const std::uint32_t> graphs) const;
  /// 2-wl-gnn: the colors of all rows after 0…rounds convolutions. Found when first asked for, then kept.
  const levels::ColorLevels& color_levels(int rounds) const;
  /// The same with the color of every row after that many convolutions. Needs rows that are not streamed.
  struct RowColors {
    levels::ColorLevels levels;
    /// A row of the last level for each row of each graph, graph by graph.
    std::vector<levels::Row> of_rows;
    Span<const levels::Row> of_graph(const EncodedDataset& data, std::uint32_t graph) const {
      return {of_rows.data() + data.row_offsets_[graph], static_cast<std::size_t>(data.num_rows(graph))};
    }
  };
  const RowColors& row_colors(int rounds) const;
  /// Why the cache could not be read or written, if so; colors are then made anew.
  std::string cache_trouble() const;
  /// 2-gnn, gin, gcn, sage, and mlp with 0 rounds: the same for these.
  const levels::NeighborLevels& neighbor_levels(int rounds) const;
  /// The rows of level 0 of these levels, with graphs that have their features: the numbers in rows count in
  /// `graphs`.
  struct InitialRows {
    std::vector<levels::InitialRow> rows;
    Span<const Graph> graphs;
    std::vector<Graph> own;  // of a dataset in blocks
  };
  InitialRows initial_rows(Span<const levels::InitialRow> initial) const;
  /// Models on nodes: the lists, and where a graph's nodes begin in them.
  const VertexLists& vertex_lists() const { return lists_; }
  std::uint64_t first_node(std::uint32_t graph) const { return row_offsets_[graph]; }

  /// Whether rows differ by one of a few labels alone: row f then has the features label_features()[label].
  bool has_labels_only() const {
    return layout_.features.has_labels_only() && layout_.weights == NeighborWeights::kNone;
  }
  /// Labels that rows may have; FeatureLayout::for_each_label_value tells their features.
  std::size_t num_labels() const;
  /// num_rows(graph) labels, which tell all but the attributes. `set` is the graph's, and not looked at for
  /// models on nodes.
  void write_labels(std::uint32_t graph, const pairs::PairSet* set, std::uint32_t* out) const;
  /// num_rows(graph) rows of columns() values, scaled, but for the columns of neighbor weights.
  void write_features(std::uint32_t graph, const pairs::PairSet* set, const FeatureScaling& scaling,
                      float* out) const;
  /// num_rows(graph) rows of those columns.
  void write_weights(std::uint32_t graph, const pairs::PairSet& set, double* out) const;

 private:
  // Pairs of nodes as first asked for.
  struct Pairs {
    bool is_streamed = false;
    std::uint64_t num_triples = 0;
    std::vector<pairs::PairSet> sets;
    std::vector<std::uint32_t> labels;  // all rows', if they are few in kind and kept
  };
  const Pairs& pairs() const;
  std::unique_ptr<const Pairs> encode_pairs() const;
  levels::ColorLevelOptions color_level_options(int rounds) const;
  // Calls visit(graphs, first) for every block, with the graphs as the layout sees them.
  void visit_blocks(const std::function<bool(Span<const Graph>, std::size_t)>& visit) const;
  void mark_graphs();
  void count_rows();
  void encode_nodes();

  GraphBlocks* blocks_ = nullptr;  // instead of graphs
  Span<const Graph> given_graphs_;
  Span<const Graph> graphs_;
  std::vector<Graph> own_graphs_;  // with degrees as labels, without data that is not looked at, or marked
  std::vector<std::vector<std::uint32_t>> node_times_;  // of marks by orbit
  model::ModelOptions options_;
  InputLayout layout_;
  std::vector<std::uint64_t> row_offsets_ = {0};
  EncodeLimits limits_;
  VertexLists lists_;
  std::vector<std::uint32_t> node_labels_;  // of models on nodes: all nodes'

  // What is made when first asked for.
  mutable std::mutex making_;
  mutable std::unique_ptr<const Pairs> pairs_;
  mutable std::map<int, levels::ColorLevels> colors_;
  mutable std::map<int, RowColors> row_colors_;
  mutable std::map<int, levels::NeighborLevels> neighbor_colors_;
  mutable std::string cache_trouble_;
};

/// How the levels of 2-gnn, gin, gcn and sage are made.
levels::NeighborLevelOptions neighbor_level_options(const EncodedDataset& data,
                                                    const model::ModelOptions& model, int rounds);

}  // namespace twofold::train
