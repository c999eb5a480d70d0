#include "twofold/levels/neighbor_levels.h"

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/levels/initial_colors.h"
#include "twofold/levels/level_arrays.h"

namespace twofold::levels {
namespace {

class NeighborLevelBuilder {
 public:
  NeighborLevelBuilder(Span<const Graph> graphs, const NeighborLevelOptions& options)
      : graphs_(graphs),
        options_(options),
        is_about_edges_(options.kind == NeighborRows::kEdges),
        levels_per_round_(is_about_edges_ ? 2 : 1),
        initial_(layout(graphs, options), options.attributes),
        tables_(static_cast<std::size_t>(options.rounds) * levels_per_round_),
        storage_(std::make_shared<LevelArrays<Row>>(tables_.size() + 1)) {}

  NeighborLevels build() {
    const std::uint64_t limit = resolve_memory_limit(options_.max_memory);
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      if (is_about_edges_)
        color_edges(graphs_[g], static_cast<std::uint32_t>(g));
      else
        color_vertices(graphs_[g], static_cast<std::uint32_t>(g));
      const std::uint64_t need = bytes();
      if (need > limit)
        require_memory(fmt::format("coloring {} graphs ({} of them done)", graphs_.size(), g + 1), need, limit);
    }
    return finish_levels(std::move(storage_), initial_.take_rows(), tables_, levels_per_round_);
  }

 private:
  static pairs::FeatureLayout layout(Span<const Graph> graphs, const NeighborLevelOptions& options) {
    const bool edges = options.kind == NeighborRows::kEdges;
    pairs::FeatureLayout layout = pairs::feature_layout(graphs, edges && options.indicators);
    if (options.attributes == AttributeUse::kNone) layout.node_attributes = layout.edge_attributes = 0;
    if (!edges) layout.edge_attributes = 0;
    return layout;
  }

  void color_vertices(const Graph& g, std::uint32_t graph) {
    const auto n = static_cast<Node>(g.num_nodes());
    std::vector<bool> has_loop(n, false);
    if (options_.self_loops)
      for (const Node v : g.self_loops()) has_loop[v] = true;
    std::vector<std::uint64_t> degrees;
    if (options_.degrees)
      for (Node v = 0; v < n; ++v) degrees.push_back(g.degree(v) + has_loop[v]);
    initial_.number_nodes(g, graph, degrees, colors_);
    storage_->take_in_initial(initial_.rows().size());
    for (std::size_t level = 1; level <= tables_.size(); ++level) {
      next_.resize(n);
      for (Node v = 0; v < n; ++v) {
        for (const Node u : g.neighbors(v)) items_.push_back(colors_[u]);
        if (has_loop[v]) items_.push_back(colors_[v]);
        next_[v] = number(level, colors_[v]);
      }
      colors_.swap(next_);
    }
    pool(colors_, n, 2 * g.num_edges() + (options_.self_loops ? g.num_self_loops() : 0), graph);
  }

  void color_edges(const Graph& g, std::uint32_t graph) {
    const auto n = static_cast<Node>(g.num_nodes());
    InitialColors start;
    initial_.number(g, graph, start);
    storage_->take_in_initial(initial_.rows().size());
    const std::vector<Edge> edges = g.edges();
    // Loops by node, then edges by number.
    colors_ = start.loops;
    for (std::size_t e = 0; e < edges.size(); ++e) colors_.push_back(start.edge(e));
    // The edges at each node: positions in `at`.
    std::vector<std::uint32_t> offsets(n + std::size_t{1}, 0), at(2 * edges.size());
    for (Node v = 0; v < n; ++v)
      offsets[v + std::size_t{1}] = offsets[v] + static_cast<std::uint32_t>(g.degree(v));
    std::vector<std::uint32_t> end(offsets.begin(), offsets.end());
    for (std::uint32_t e = 0; e < edges.size(); ++e)
      for (const Node v : {edges[e].u, edges[e].v}) at[end[v]++] = e;
    std::vector<Row> vertices(n);
    for (std::size_t level = 2; level <= tables_.size(); level += 2) {
      for (Node v = 0; v < n; ++v) {
        items_.push_back(colors_[v]);
        for (std::uint32_t k = offsets[v]; k < offsets[v + std::size_t{1}]; ++k)
          items_.push_back(colors_[n + at[k]]);
        vertices[v] = number(level - 1, 0);
      }
      next_.resize(colors_.size());
      for (Node v = 0; v < n; ++v) {
        items_.push_back(vertices[v]);
        next_[v] = number(level, colors_[v]);
      }
      for (std::size_t e = 0; e < edges.size(); ++e) {
        items_ = {vertices[edges[e].u], vertices[edges[e].v]};
        next_[n + e] = number(level, colors_[n + e]);
      }
      colors_.swap(next_);
    }
    pool(colors_, n, (n + 2 * edges.size()) * 2, graph);
    for (; next_pair_ < options_.pairs.size() && options_.pairs[next_pair_].graph == graph; ++next_pair_) {
      const Edge pair{options_.pairs[next_pair_].u, options_.pairs[next_pair_].v};
      const auto edge = std::lower_bound(edges.begin(), edges.end(), pair,
                                         [](Edge a, Edge b) { return a.u != b.u ? a.u < b.u : a.v < b.v; });
      const bool has_row = edge != edges.end() && *edge == pair;
      storage_->pair_rows.push_back(has_row ? colors_[n + static_cast<std::size_t>(edge - edges.begin())]
                                            : pairs::kNoRow);
    }
  }

  // The number of the color that items_ and `own` make on a level; items_ is empty afterwards.
  Row number(std::size_t level, Row own) {
    SourceTable& table = tables_[level - 1];
    std::sort(items_.begin(), items_.end());
    sources_.clear();
    multiplicity_.clear();
    for (const Row item : items_) {
      if (sources_.empty() || sources_.back() != item) {
        sources_.push_back(item);
        multiplicity_.push_back(0);
      }
      ++multiplicity_.back();
    }
    items_.clear();
    SourceKey key{own, sources_, multiplicity_, 0};
    key.hash = hash_class(key);
    const Row row = table.find_or_add(key);
    if (level % levels_per_round_ != 0) return row;
    GrowingArray<Row>& origins = storage_->origins[level];
    if (origins.size() < table.size()) origins.push_back(storage_->origins[level - levels_per_round_][own]);
    return row;
  }

  void pool(const std::vector<Row>& colors, std::size_t num_loops, std::uint64_t num_items,
            std::uint32_t graph) {
    counts_.resize(colors.size());
    for (std::size_t row = 0; row < colors.size(); ++row) counts_[row] = {colors[row], row < num_loops, 1};
    for (std::size_t v = 0; !options_.node_times.empty() && v < num_loops; ++v)
      counts_[v].rows = counts_[v].loops = options_.node_times[graph][v];
    add_up(counts_);
    storage_->add_graph(counts_, num_items);
    for (std::size_t v = 0; options_.loop_rows && v < num_loops; ++v) storage_->loop_rows.push_back(colors[v]);
  }

  std::uint64_t bytes() const {
    std::uint64_t sum = initial_.bytes() + storage_->bytes();
    for (const SourceTable& table : tables_) sum += table.bytes();
    return sum;
  }

  Span<const Graph> graphs_;
  const NeighborLevelOptions& options_;
  bool is_about_edges_;
  std::size_t levels_per_round_;
  InitialTable initial_;
  std::vector<SourceTable> tables_;  // of levels 1…
  std::size_t next_pair_ = 0;        // of options_.pairs
  std::vector<Row> colors_;
  std::vector<Row> next_;
  std::vector<Row> items_;
  std::vector<Row> sources_;
  std::vector<std::uint32_t> multiplicity_;
  std::vector<ColorCount> counts_;
  std::shared_ptr<LevelArrays<Row>> storage_;
};

}  // namespace

NeighborLevels build_neighbor_levels(Span<const Graph> graphs, const NeighborLevelOptions& options) {
  if (options.rounds < 0) throw UsageError(fmt::format("needed at least 0 rounds, found {}", options.rounds));
  return NeighborLevelBuilder(graphs, options).build();
}

}  // namespace twofold::levels
