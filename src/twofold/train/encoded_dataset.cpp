#include "twofold/train/encoded_dataset.h"

#include <algorithm>
#include <cmath>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/graph/dataset.h"
#include "twofold/graph/marked_union.h"
#include "twofold/graph/power.h"
#include "twofold/levels/level_cache.h"
#include "twofold/pairs/pair_counts.h"
#include "twofold/pairs/pair_features.h"
#include "twofold/train/seen_symmetry.h"

namespace twofold::train {
namespace {

using pairs::FeatureLayout;
using pairs::PairSet;

pairs::Radius radius_of(const model::ModelOptions& options) {
  return options.model == model::ModelKind::k2WlGnn ? options.radius : pairs::Radius(1);
}

}  // namespace

EncodedDataset::EncodedDataset(Span<const Graph> graphs, const model::ModelOptions& options,
                               const InputLayout& layout, const EncodeLimits& limits)
    : given_graphs_(graphs), graphs_(graphs), options_(options), layout_(layout), limits_(limits) {
  require_fitting(graphs, layout, options.model, "dataset");
  for (std::size_t i = 0; i < graphs.size(); ++i) require_floats(graphs[i], layout, i);
  if (layout_.features.feature_columns > 0)
    for (const Graph& g : graphs)
      if (g.node_features() != nullptr) layout_.features.feature_rows = g.node_features();
  if (layout_.degrees || layout_.weights != NeighborWeights::kNone) {
    own_graphs_.resize(graphs.size());
    parallel_for(graphs.size(), limits.threads,
                 [&](std::size_t i) { own_graphs_[i] = seen_graph(graphs[i], layout_); });
    graphs_ = own_graphs_;
  }
  if (layout_.is_marked) mark_graphs();
  if (model::has_pair_rows(options.model)) {
    count_rows();
  } else {
    encode_nodes();
  }
}

EncodedDataset::EncodedDataset(GraphBlocks& blocks, const model::ModelOptions& options,
                               const InputLayout& layout, const EncodeLimits& limits)
    : blocks_(&blocks), options_(options), layout_(layout), limits_(limits) {
  TWOFOLD_CHECK(has_labels_only() && !layout.is_marked && options.about == TargetOf::kGraphs);
  const bool has_pairs = model::has_pair_rows(options.model);
  visit_blocks([&](Span<const Graph> graphs, std::size_t) {
    std::vector<std::uint64_t> rows(graphs.size());
    parallel_for(graphs.size(), limits_.threads, [&](std::size_t g) {
      rows[g] = has_pairs ? graph::count_power_pairs(graphs[g], radius_of(options_)) : graphs[g].num_nodes();
    });
    for (const std::uint64_t more : rows) row_offsets_.push_back(row_offsets_.back() + more);
    return true;
  });
  if (!limits_.cache.empty()) cache_trouble_ = "the dataset is larger than the memory and read in blocks";
}

void EncodedDataset::visit_blocks(const std::function<bool(Span<const Graph>, std::size_t)>& visit) const {
  blocks_->visit([&](const Dataset& block, std::size_t first) {
    if (!layout_.degrees) return visit(block.graphs, first);
    std::vector<Graph> seen(block.graphs.size());
    parallel_for(seen.size(), limits_.threads,
                 [&](std::size_t i) { seen[i] = seen_graph(block.graphs[i], layout_); });
    return visit(seen, first);
  });
}

EncodedDataset::InitialRows EncodedDataset::initial_rows(Span<const levels::InitialRow> initial) const {
  InitialRows result;
  result.rows.assign(initial.begin(), initial.end());
  result.graphs = graphs_;
  if (!is_in_blocks()) return result;
  std::map<std::uint32_t, std::uint32_t> number_of;  // in `own`, of each graph that has one of the rows
  for (const levels::InitialRow& row : initial) number_of.emplace(row.graph, 0);
  auto next = number_of.begin();
  // Most are among the first graphs.
  if (next != number_of.end())
    visit_blocks([&](Span<const Graph> graphs, std::size_t first) {
      for (; next != number_of.end() && next->first < first + graphs.size(); ++next) {
        next->second = static_cast<std::uint32_t>(result.own.size());
        result.own.push_back(graphs[next->first - first]);
      }
      return next != number_of.end();
    });
  for (levels::InitialRow& row : result.rows) row.graph = number_of.at(row.graph);
  result.graphs = result.own;
  return result;
}

pairs::Radius EncodedDataset::row_radius() const { return radius_of(options_); }

std::size_t EncodedDataset::num_labels() const {
  const FeatureLayout& features = layout_.features;
  return model::has_pair_rows(options_.model) ? features.num_row_labels() : features.num_loop_labels();
}

std::vector<std::uint32_t> EncodedDataset::graphs_of(Span<const std::uint32_t> some) const {
  std::vector<std::uint32_t> graphs;
  std::vector<bool> seen(num_graphs(), false);
  for (const std::uint32_t item : some) {
    const std::uint32_t graph = graph_of(item);
    if (!seen[graph]) graphs.push_back(graph);
    seen[graph] = true;
  }
  return graphs;
}

void EncodedDataset::mark_graphs() {
  const bool by_orbit = limits_.marks_by_orbit && options_.layer_dropout == 0;
  std::vector<std::vector<Node>> marked(graphs_.size());
  std::vector<std::vector<std::uint32_t>> sizes(graphs_.size());
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < graphs_.size(); ++i) {
    const std::uint64_t n = graphs_[i].num_nodes();
    std::vector<std::uint32_t> size(n, by_orbit ? 0 : 1);
    if (by_orbit)
      for (const Node first : seen_symmetry(given_graphs_[i], layout_).orbit_of) ++size[first];
    for (Node v = 0; v < n; ++v) {
      if (size[v] == 0) continue;
      marked[i].push_back(v);
      sizes[i].push_back(size[v]);
    }
    const std::uint64_t copies = marked[i].size();
    constexpr std::uint64_t kMostNodes = 3'600'000'000;
    if (copies * n > kMostNodes)
      throw Error(
          fmt::format("marks of a graph of {} nodes in {} orbits: needed copies of at most {} nodes in all", n,
                      copies, kMostNodes));
    // A node of a copy takes offsets, a label and how often it counts, an edge two neighbors; the builder takes
    // as much again.
    bytes += copies * (28 * n + 40 * graphs_[i].num_edges());
  }
  require_memory(fmt::format("marking nodes of {} graphs", graphs_.size()), bytes,
                 resolve_memory_limit(limits_.max_memory));
  std::vector<Graph> copies(graphs_.size());
  if (by_orbit) node_times_.resize(graphs_.size());
  parallel_for(graphs_.size(), limits_.threads, [&](std::size_t i) {
    copies[i] = graph::marked_union(graphs_[i], layout_.own_labels, marked[i]);
    for (std::size_t c = 0; by_orbit && c < marked[i].size(); ++c)
      node_times_[i].insert(node_times_[i].end(), graphs_[i].num_nodes(), sizes[i][c]);
  });
  own_graphs_ = std::move(copies);
  graphs_ = own_graphs_;
}

std::uint64_t EncodedDataset::num_rows_of_all_marks() const {
  if (node_times_.empty()) return num_rows();
  std::uint64_t rows = 0;
  for (std::uint32_t g = 0; g < num_graphs(); ++g) {
    const std::uint64_t n = given_graphs_[g].num_nodes();
    // All copies have as many.
    if (n > 0) rows += num_rows(g) / (graphs_[g].num_nodes() / n) * n;
  }
  return rows;
}

void EncodedDataset::count_rows() {
  std::vector<std::uint64_t> rows(graphs_.size());
  parallel_for(graphs_.size(), limits_.threads,
               [&](std::size_t g) { rows[g] = graph::count_power_pairs(graphs_[g], radius_of(options_)); });
  for (const std::uint64_t more : rows) row_offsets_.push_back(row_offsets_.back() + more);
}

std::unique_ptr<const EncodedDataset::Pairs> EncodedDataset::encode_pairs() const {
  auto made = std::make_unique<Pairs>();
  const pairs::Radius radius = radius_of(options_);
  const std::uint64_t limit = resolve_memory_limit(limits_.max_memory);
  const pairs::PairCounts counts = pairs::count_pairs(graphs_, radius, limits_.threads);
  const std::uint64_t labels = has_labels_only() ? sizeof(std::uint32_t) * counts.rows : 0;
  const bool has_triples = options_.model == model::ModelKind::k2WlGnn;
  made->num_triples = has_triples ? counts.triples : 0;
  // Half of what there is, so that batches have room too.
  made->is_streamed = counts.implicit_memory + labels > limit / 2;
  if (made->is_streamed) {
    // A batch holds one graph at least.
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      const pairs::PairCounts one = pairs::count_pairs(graphs_[g], radius);
      require_memory(fmt::format("graph {} with {} pairs at radius {}, once more in a batch,", g + 1, one.rows,
                                 to_string(radius)),
                     2 * one.implicit_memory, limit);
    }
    return made;
  }
  pairs::EncodeOptions encode;
  encode.store_triples = has_triples && counts.stored_memory + labels <= limit / 2;
  encode.max_memory = limit;
  encode.threads = limits_.threads;
  encode.progress = limits_.progress;
  made->sets = pairs::encode_pairs(graphs_, radius, encode);
  if (!has_labels_only()) return made;
  made->labels.resize(row_offsets_.back());
  parallel_for(graphs_.size(), limits_.threads, [&](std::size_t g) {
    const std::vector<std::uint32_t> found = pairs::row_labels(graphs_[g], made->sets[g], layout_.features);
    std::copy(found.begin(), found.end(), made->labels.begin() + static_cast<std::ptrdiff_t>(row_offsets_[g]));
  });
  return made;
}

const EncodedDataset::Pairs& EncodedDataset::pairs() const {
  TWOFOLD_CHECK(model::has_pair_rows(options_.model));
  const std::lock_guard lock(making_);
  if (pairs_ == nullptr) pairs_ = encode_pairs();
  return *pairs_;
}

bool EncodedDataset::is_streamed() const { return model::has_pair_rows(options_.model) && pairs().is_streamed; }

std::uint64_t EncodedDataset::num_triples() const {
  return options_.model == model::ModelKind::k2WlGnn ? pairs().num_triples : 0;
}

levels::ColorLevelOptions EncodedDataset::color_level_options(int rounds) const {
  TWOFOLD_CHECK(options_.model == model::ModelKind::k2WlGnn);
  levels::ColorLevelOptions how;
  how.rounds = rounds;
  // Rows of different kinds are not put together where they are pooled apart.
  how.indicators = layout_.features.indicators || options_.pool_by_kind;
  how.attributes = levels::AttributeUse::kFloat;
  how.threads = limits_.threads;
  how.max_memory = limits_.max_memory;
  how.progress = limits_.progress;
  how.loop_rows = options_.about != TargetOf::kGraphs;
  how.node_times = node_times_;
  return how;
}

const EncodedDataset::RowColors& EncodedDataset::row_colors(int rounds) const {
  const Pairs& kept = pairs();
  TWOFOLD_CHECK(!kept.is_streamed, "the colors of rows that are not kept");
  const std::lock_guard lock(making_);
  const auto found = row_colors_.find(rounds);
  if (found != row_colors_.end()) return found->second;
  std::vector<Item> asked;
  for (std::uint32_t g = 0; g < num_graphs(); ++g) {
    const pairs::PairSet& set = kept.sets[g];
    for (std::size_t row = set.num_nodes(); row < set.num_rows(); ++row)
      asked.push_back({g, set.first[row], set.second[row]});
  }
  levels::ColorLevelOptions how = color_level_options(rounds);
  how.loop_rows = true;
  how.pairs = asked;
  // Beside the pairs and what is asked about them, the answer included.
  std::uint64_t taken = asked.size() * sizeof(Item) + 2 * num_rows() * sizeof(levels::Row);
  for (const pairs::PairSet& set : kept.sets) taken += set.memory();
  const std::uint64_t limit = resolve_memory_limit(limits_.max_memory);
  how.max_memory = limit - std::min(limit - 1, taken);
  RowColors made;
  made.levels = levels::build_color_levels(graphs_, options_.radius, how);
  made.of_rows.reserve(num_rows());
  const levels::Row* loop = made.levels.loop_rows.data();
  const levels::Row* pair = made.levels.pair_rows.data();
  for (const pairs::PairSet& set : kept.sets) {
    const std::size_t others = set.num_rows() - set.num_nodes();
    made.of_rows.insert(made.of_rows.end(), loop, loop + set.num_nodes());
    made.of_rows.insert(made.of_rows.end(), pair, pair + others);
    loop += set.num_nodes();
    pair += others;
  }
  return row_colors_.emplace(rounds, std::move(made)).first->second;
}

const levels::ColorLevels& EncodedDataset::color_levels(int rounds) const {
  const std::lock_guard lock(making_);
  const auto found = colors_.find(rounds);
  if (found != colors_.end()) return found->second;
  levels::ColorLevelOptions how = color_level_options(rounds);
  if (options_.about == TargetOf::kLinks && model::has_pair_rows(options_.model)) how.pairs = items;
  if (is_in_blocks()) {
    const auto builder = levels::color_level_builder(layout_.features, options_.radius, num_graphs(), how);
    visit_blocks([&](Span<const Graph> graphs, std::size_t) {
      builder->add(graphs);
      return true;
    });
    return colors_.emplace(rounds, builder->finish()).first->second;
  }
  if (limits_.cache.empty() || how.loop_rows)
    return colors_.emplace(rounds, levels::build_color_levels(graphs_, options_.radius, how)).first->second;
  levels::CachedLevels<levels::RowPair> cached =
      levels::cached_color_levels(limits_.cache, graphs_, options_.radius, how);
  cache_trouble_ = std::move(cached.trouble);
  return colors_.emplace(rounds, std::move(cached.levels)).first->second;
}

std::string EncodedDataset::cache_trouble() const {
  const std::lock_guard lock(making_);
  return cache_trouble_;
}

levels::NeighborLevelOptions neighbor_level_options(const EncodedDataset& data,
                                                    const model::ModelOptions& model, int rounds) {
  const FeatureLayout& features = data.layout().features;
  levels::NeighborLevelOptions how;
  how.kind = model::has_pair_rows(model.model) ? levels::NeighborRows::kEdges : levels::NeighborRows::kVertices;
  how.rounds = rounds;
  // gcn has every node once among its neighbors, whatever the data say.
  how.degrees = model.model == model::ModelKind::kGcn;
  how.self_loops = model.self_loops && !how.degrees;
  how.indicators = features.indicators || model.pool_by_kind;
  how.attributes = features.node_attributes + features.edge_attributes == 0 ? levels::AttributeUse::kNone
                                                                            : levels::AttributeUse::kFloat;
  return how;
}

const levels::NeighborLevels& EncodedDataset::neighbor_levels(int rounds) const {
  TWOFOLD_CHECK(options_.model != model::ModelKind::k2WlGnn);
  const std::lock_guard lock(making_);
  const auto found = neighbor_colors_.find(rounds);
  if (found != neighbor_colors_.end()) return found->second;
  levels::NeighborLevelOptions how = neighbor_level_options(*this, options_, rounds);
  how.threads = limits_.threads;
  how.max_memory = limits_.max_memory;
  how.loop_rows = options_.about != TargetOf::kGraphs;
  how.node_times = node_times_;
  if (options_.about == TargetOf::kLinks && model::has_pair_rows(options_.model)) how.pairs = items;
  if (is_in_blocks()) {
    const auto builder = levels::neighbor_level_builder(layout_.features, num_graphs(), how);
    visit_blocks([&](Span<const Graph> graphs, std::size_t) {
      builder->add(graphs);
      return true;
    });
    return neighbor_colors_.emplace(rounds, builder->finish()).first->second;
  }
  if (limits_.cache.empty() || how.loop_rows)
    return neighbor_colors_.emplace(rounds, levels::build_neighbor_levels(graphs_, how)).first->second;
  levels::CachedLevels<levels::Row> cached = levels::cached_neighbor_levels(limits_.cache, graphs_, how);
  cache_trouble_ = std::move(cached.trouble);
  return neighbor_colors_.emplace(rounds, std::move(cached.levels)).first->second;
}

void EncodedDataset::encode_nodes() {
  const bool adds_itself = options_.model == model::ModelKind::kGcn;
  const FeatureLayout& features = layout_.features;
  for (const Graph& g : graphs_) {
    row_offsets_.push_back(row_offsets_.back() + g.num_nodes());
    for (std::size_t i = 0; i < g.num_nodes(); ++i) {
      const auto v = static_cast<Node>(i);
      const Span<const Node> neighbors = g.neighbors(v);
      lists_.sources.insert(lists_.sources.end(), neighbors.begin(), neighbors.end());
      if (adds_itself || (options_.self_loops && g.has_self_loop(v))) lists_.sources.push_back(v);
      lists_.offsets.push_back(lists_.sources.size());
      const auto size = static_cast<double>(lists_.offsets.back() - lists_.offsets[lists_.offsets.size() - 2]);
      if (options_.model == model::ModelKind::kGcn) lists_.row_scale.push_back(1 / std::sqrt(size));
      if (options_.model == model::ModelKind::kSage) lists_.row_scale.push_back(size == 0 ? 0 : 1 / size);
    }
  }
  if (options_.model == model::ModelKind::kGcn) lists_.source_scale = lists_.row_scale;
  for (const Graph& g : graphs_)
    for (std::size_t v = 0; v < g.num_nodes(); ++v)
      node_labels_.push_back(features.loop_label(g, static_cast<Node>(v)));
}

std::uint64_t EncodedDataset::memory() const {
  std::uint64_t bytes = node_labels_.size() * sizeof(std::uint32_t) +
                        lists_.offsets.size() * sizeof(std::uint64_t) +
                        lists_.sources.size() * sizeof(std::uint32_t) +
                        (lists_.row_scale.size() + lists_.source_scale.size()) * sizeof(double);
  const std::lock_guard lock(making_);
  if (pairs_ != nullptr) {
    bytes += pairs_->labels.size() * sizeof(std::uint32_t);
    for (const PairSet& set : pairs_->sets) bytes += set.memory();
  }
  for (const auto& [rounds, levels] : colors_) bytes += levels.memory();
  for (const auto& [rounds, levels] : neighbor_colors_) bytes += levels.memory();
  for (const auto& [rounds, colors] : row_colors_)
    bytes += colors.levels.memory() + colors.of_rows.size() * sizeof(levels::Row);
  return bytes;
}

PairSlice EncodedDataset::pair_sets(Span<const std::uint32_t> graphs) const {
  const Pairs& all = pairs();
  PairSlice slice;
  if (!all.is_streamed) {
    for (const std::uint32_t g : graphs) slice.sets.push_back(&all.sets[g]);
    return slice;
  }
  pairs::EncodeOptions encode;
  encode.store_triples = false;
  for (const std::uint32_t g : graphs)
    slice.own.push_back(pairs::encode_pairs(graphs_[g], radius_of(options_), encode));
  for (const PairSet& set : slice.own) slice.sets.push_back(&set);
  return slice;
}

void EncodedDataset::write_labels(std::uint32_t graph, const PairSet* set, std::uint32_t* out) const {
  const std::vector<std::uint32_t>& kept = model::has_pair_rows(options_.model) ? pairs().labels : node_labels_;
  if (!kept.empty() || num_rows(graph) == 0) {
    std::copy_n(kept.data() + row_offsets_[graph], num_rows(graph), out);
    return;
  }
  const std::vector<std::uint32_t> found = pairs::row_labels(graphs_[graph], *set, layout_.features);
  std::copy(found.begin(), found.end(), out);
}

void EncodedDataset::write_features(std::uint32_t graph, const PairSet* set, const FeatureScaling& scaling,
                                    float* out) const {
  const Graph& g = graphs_[graph];
  const FeatureLayout& features = layout_.features;
  if (model::has_pair_rows(options_.model)) {
    pairs::write_features(g, *set, features, out, scaling);
  } else if (features.columns() == 0) {
    std::fill_n(out, g.num_nodes(), 1.0f);
  } else {
    for (Node v = 0; v < g.num_nodes(); ++v) features.write_loop(g, v, scaling, out + v * features.columns());
  }
}

void EncodedDataset::write_weights(std::uint32_t graph, const PairSet& set, double* out) const {
  const Graph& g = graphs_[graph];
  const std::size_t columns = num_columns(layout_.weights);
  const bool is_gcn = layout_.weights == NeighborWeights::kGcn;
  const auto size = [&](Node v) {
    const bool has_itself = is_gcn || (options_.self_loops && g.has_self_loop(v));
    return static_cast<double>(g.degree(v) + has_itself);
  };
  std::fill_n(out, set.num_rows() * columns, 0.0);
  for (std::size_t row = 0; row < set.num_rows(); ++row) {
    const Node u = set.first[row], v = set.second[row];
    double* const values = out + row * columns;
    if (set.kind[row] == pairs::RowKind::kIndirect) continue;
    if (is_gcn)
      values[0] = 1 / std::sqrt(size(u)) / std::sqrt(size(v));
    else
      values[0] = u != v || (options_.self_loops && g.has_self_loop(u)) ? 1 : 0;
    if (columns > 1 && u == v && size(u) > 0) values[1] = 1 / size(u);
  }
}

}  // namespace twofold::train
