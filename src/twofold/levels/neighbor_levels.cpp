#include "twofold/levels/neighbor_levels.h"

#include <algorithm>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/levels/initial_colors.h"
#include "twofold/levels/level_table.h"

namespace twofold::levels {
namespace {

struct NeighborLevelArrays {
  std::vector<SourceTable::Arrays> levels;
  std::vector<GrowingArray<Row>> origins;
  GrowingArray<InitialRow> initial;
  GrowingArray<std::uint64_t> pool_offsets;
  GrowingArray<Row> pool_rows;
  GrowingArray<std::uint64_t> pool_counts;
  GrowingArray<std::uint32_t> pool_loops;
  GrowingArray<std::uint64_t> graph_rows;
  GrowingArray<std::uint64_t> graph_references;
};

class NeighborLevelBuilder {
 public:
  NeighborLevelBuilder(Span<const Graph> graphs, const NeighborLevelOptions& options)
      : graphs_(graphs),
        options_(options),
        is_about_edges_(options.kind == NeighborRows::kEdges),
        initial_(layout(graphs, options), options.attributes),
        tables_(static_cast<std::size_t>(options.rounds) * (is_about_edges_ ? 2 : 1)),
        storage_(std::make_shared<NeighborLevelArrays>()) {
    storage_->origins.resize(tables_.size() + 1);
    storage_->pool_offsets.push_back(0);
  }

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
    return finish();
  }

 private:
  static pairs::FeatureLayout layout(Span<const Graph> graphs, const NeighborLevelOptions& options) {
    const bool edges = options.kind == NeighborRows::kEdges;
    pairs::FeatureLayout layout = pairs::feature_layout(graphs, edges && options.indicators);
    if (options.attributes == AttributeUse::kNone) layout.node_attributes = layout.edge_attributes = 0;
    if (!edges) layout.edge_attributes = 0;
    return layout;
  }

  void begin_graph() {
    GrowingArray<Row>& origins = storage_->origins[0];
    while (origins.size() < initial_.rows().size()) origins.push_back(static_cast<Row>(origins.size()));
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
    begin_graph();
    for (std::size_t level = 1; level <= tables_.size(); ++level) {
      next_.resize(n);
      for (Node v = 0; v < n; ++v) {
        for (const Node u : g.neighbors(v)) items_.push_back(colors_[u]);
        if (has_loop[v]) items_.push_back(colors_[v]);
        next_[v] = number(level, colors_[v]);
      }
      colors_.swap(next_);
    }
    pool(colors_, n, 2 * g.num_edges() + (options_.self_loops ? g.num_self_loops() : 0));
  }

  void color_edges(const Graph& g, std::uint32_t graph) {
    const auto n = static_cast<Node>(g.num_nodes());
    InitialColors start;
    initial_.number(g, graph, start);
    begin_graph();
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
    pool(colors_, n, (n + 2 * edges.size()) * 2);
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
    if (is_about_edges_ && level % 2 == 1) return row;
    GrowingArray<Row>& origins = storage_->origins[level];
    if (origins.size() < table.size())
      origins.push_back(storage_->origins[level - (is_about_edges_ ? 2 : 1)][own]);
    return row;
  }

  void pool(const std::vector<Row>& colors, std::size_t num_loops, std::uint64_t references) {
    std::vector<std::pair<Row, bool>> sorted(colors.size());
    for (std::size_t row = 0; row < colors.size(); ++row) sorted[row] = {colors[row], row < num_loops};
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < sorted.size();) {
      const Row color = sorted[k].first;
      std::uint64_t count = 0;
      std::uint32_t loops = 0;
      for (; k < sorted.size() && sorted[k].first == color; ++k, ++count) loops += sorted[k].second;
      storage_->pool_rows.push_back(color);
      storage_->pool_counts.push_back(count);
      storage_->pool_loops.push_back(loops);
    }
    storage_->pool_offsets.push_back(storage_->pool_rows.size());
    storage_->graph_rows.push_back(colors.size());
    storage_->graph_references.push_back(references);
  }

  std::uint64_t bytes() const {
    std::uint64_t sum = initial_.bytes() + storage_->pool_rows.size() * 16;
    for (const SourceTable& table : tables_) sum += table.bytes();
    for (const GrowingArray<Row>& origins : storage_->origins) sum += origins.bytes();
    return sum;
  }

  NeighborLevels finish() {
    NeighborLevels result;
    result.kind = options_.kind;
    storage_->initial = initial_.take_rows();
    storage_->levels.resize(tables_.size() + 1);
    for (std::size_t k = 0; k <= tables_.size(); ++k) {
      SourceTable::Arrays& arrays = storage_->levels[k];
      if (k > 0) arrays = tables_[k - 1].take();
      if (k == 0)
        for (std::size_t row = 0; row <= storage_->initial.size(); ++row) arrays.offsets.push_back(0);
      NeighborColorLevel level{arrays.own.view(), storage_->origins[k].view(), arrays.offsets.view(),
                               arrays.items.view(), arrays.multiplicity.view()};
      if (!result.has_own(k)) level.own = {};
      result.levels.push_back(level);
    }
    result.initial = storage_->initial.view();
    result.pool_offsets = storage_->pool_offsets.view();
    result.pool_rows = storage_->pool_rows.view();
    result.pool_counts = storage_->pool_counts.view();
    result.pool_loops = storage_->pool_loops.view();
    result.graph_rows = storage_->graph_rows.view();
    result.graph_references = storage_->graph_references.view();
    result.storage = std::move(storage_);
    return result;
  }

  Span<const Graph> graphs_;
  const NeighborLevelOptions& options_;
  bool is_about_edges_;
  InitialTable initial_;
  std::vector<SourceTable> tables_;  // of levels 1…
  std::vector<Row> colors_;
  std::vector<Row> next_;
  std::vector<Row> items_;
  std::vector<Row> sources_;
  std::vector<std::uint32_t> multiplicity_;
  std::shared_ptr<NeighborLevelArrays> storage_;
};

}  // namespace

NeighborLevels build_neighbor_levels(Span<const Graph> graphs, const NeighborLevelOptions& options) {
  if (options.rounds < 0) throw UsageError(fmt::format("needed at least 0 rounds, found {}", options.rounds));
  return NeighborLevelBuilder(graphs, options).build();
}

std::uint64_t NeighborLevels::memory() const {
  std::uint64_t sum = initial.size() * sizeof(InitialRow) + pool_offsets.size() * 8 + pool_rows.size() * 16 +
                      graph_rows.size() * 16;
  for (const NeighborColorLevel& level : levels)
    sum += level.own.size() * 4 + level.origin.size() * 4 + level.offsets.size() * 8 + level.sources.size() * 8;
  return sum;
}

void NeighborLevels::check() const {
  TWOFOLD_CHECK(!levels.empty() && levels[0].own.empty() && initial.size() == levels[0].num_rows());
  for (std::size_t k = 0; k < levels.size(); ++k) {
    const NeighborColorLevel& level = levels[k];
    const std::size_t p = level.num_rows();
    TWOFOLD_CHECK(level.offsets[0] == 0 && level.offsets[p] == level.sources.size());
    TWOFOLD_CHECK(level.multiplicity.size() == level.sources.size());
    TWOFOLD_CHECK(level.own.size() == (k > 0 && has_own(k) ? p : 0), "level {}", k);
    TWOFOLD_CHECK(level.origin.size() == (has_own(k) ? p : 0), "level {}", k);
    for (std::size_t row = 0; row < p; ++row) {
      if (k == 0) {
        TWOFOLD_CHECK(level.origin[row] == row && level.offsets[row + 1] == 0, "row {}", row);
        continue;
      }
      if (has_own(k)) {
        const NeighborColorLevel& before = levels[k - levels_a_round()];
        TWOFOLD_CHECK(level.own[row] < before.num_rows() && level.origin[row] == before.origin[level.own[row]],
                      "level {}, row {}", k, row);
      }
      TWOFOLD_CHECK(level.offsets[row] <= level.offsets[row + 1], "level {}, row {}", k, row);
      for (std::uint64_t at = level.offsets[row]; at < level.offsets[row + 1]; ++at) {
        TWOFOLD_CHECK(level.sources[at] < levels[k - 1].num_rows(), "level {}, row {}", k, row);
        TWOFOLD_CHECK(at == level.offsets[row] || level.sources[at - 1] < level.sources[at], "level {}, row {}",
                      k, row);
        TWOFOLD_CHECK(level.multiplicity[at] > 0, "level {}, row {}", k, row);
      }
    }
  }
  TWOFOLD_CHECK(pool_offsets.size() == num_graphs() + 1 && graph_references.size() == num_graphs());
  TWOFOLD_CHECK(pool_offsets[0] == 0 && pool_offsets[num_graphs()] == pool_rows.size());
  TWOFOLD_CHECK(pool_counts.size() == pool_rows.size() && pool_loops.size() == pool_rows.size());
  for (std::size_t g = 0; g < num_graphs(); ++g) {
    std::uint64_t sum = 0;
    for (std::uint64_t at = pool_offsets[g]; at < pool_offsets[g + 1]; ++at) {
      TWOFOLD_CHECK(pool_rows[at] < levels.back().num_rows(), "graph {}", g);
      TWOFOLD_CHECK(at == pool_offsets[g] || pool_rows[at - 1] < pool_rows[at], "graph {}", g);
      TWOFOLD_CHECK(pool_counts[at] > 0 && pool_loops[at] <= pool_counts[at], "graph {}", g);
      sum += pool_counts[at];
    }
    TWOFOLD_CHECK(sum == graph_rows[g], "graph {}", g);
  }
}

}  // namespace twofold::levels
