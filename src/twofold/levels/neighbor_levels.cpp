#include "twofold/levels/neighbor_levels.h"

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/levels/initial_colors.h"
#include "twofold/levels/level_arrays.h"
#include "twofold/levels/level_intake.h"

namespace twofold::levels {
namespace {

// What is kept of a graph while its chunk is being colored. Neighbors are worked on at the same time, so they
// share no cache line.
struct alignas(kApart) RowsOfGraph {
  // kVertices: which nodes are their own neighbors.
  std::vector<bool> has_loop;
  // kEdges: the edges, and those at each node, by number: positions in `at`.
  std::vector<Edge> edges;
  std::vector<std::uint32_t> offsets;
  std::vector<std::uint32_t> at;
  // One per row (nodes, or loops by node and then edges by number): its color, and while a round is under way
  // the next one.
  std::vector<Row> colors;
  std::vector<Row> next;
  // kEdges: of the level within the round.
  std::vector<Row> vertices;
  std::vector<ColorCount> counts;
};

// Makes the key of a color from the items of a row. One belongs to one thread.
struct alignas(kApart) KeyMaker {
  std::vector<Row> items;
  std::vector<Row> sources;
  std::vector<std::uint32_t> multiplicity;

  // `items` are empty afterwards. Valid until the next call.
  SourceKey key(Row own) {
    std::sort(items.begin(), items.end());
    sources.clear();
    multiplicity.clear();
    for (const Row item : items) {
      if (sources.empty() || sources.back() != item) {
        sources.push_back(item);
        multiplicity.push_back(0);
      }
      ++multiplicity.back();
    }
    items.clear();
    SourceKey made{own, sources, multiplicity, 0};
    made.hash = hash_class(made);
    return made;
  }
};

class NeighborLevelBuilder : public LevelBuilder<Row> {
 public:
  NeighborLevelBuilder(pairs::FeatureLayout layout, std::size_t num_graphs, const NeighborLevelOptions& options)
      : num_graphs_(num_graphs),
        options_(options),
        limit_(resolve_memory_limit(options.max_memory)),
        is_about_edges_(options.kind == NeighborRows::kEdges),
        levels_per_round_(is_about_edges_ ? 2 : 1),
        initial_(seen(std::move(layout), options), options.attributes),
        tables_(static_cast<std::size_t>(options.rounds) * levels_per_round_),
        makers_(static_cast<std::size_t>(resolve_threads(options.threads))),
        intake_(options.threads),
        storage_(std::make_shared<LevelArrays<Row>>(tables_.size() + 1)) {}

  void add(Span<const Graph> graphs) override {
    for (std::size_t begin = 0; begin < graphs.size();) {
      const std::size_t end = chunk_end(graphs, begin);
      parts_.resize(std::max(parts_.size(), end - begin));
      color_chunk(Span<const Graph>(graphs.data() + begin, end - begin));
      begin = end;
    }
  }

  NeighborLevels finish() override {
    return finish_levels(std::move(storage_), initial_.take_rows(), tables_, levels_per_round_);
  }

 private:
  static pairs::FeatureLayout seen(pairs::FeatureLayout layout, const NeighborLevelOptions& options) {
    const bool edges = options.kind == NeighborRows::kEdges;
    layout.indicators = edges && options.indicators;
    if (options.attributes == AttributeUse::kNone) layout.node_attributes = layout.edge_attributes = 0;
    if (!edges) layout.edge_attributes = 0;
    return layout;
  }

  void color_chunk(Span<const Graph> graphs) {
    const std::size_t count = graphs.size();
    for (std::size_t k = 0; k < count; ++k) {
      const auto number = static_cast<std::uint32_t>(done_ + k);
      if (is_about_edges_)
        begin_edges(graphs[k], number, parts_[k]);
      else
        begin_vertices(graphs[k], number, parts_[k]);
    }
    storage_->take_in_initial(initial_.rows().size());
    for (std::size_t level = levels_per_round_; level <= tables_.size(); level += levels_per_round_) {
      if (is_about_edges_) {
        look_up(graphs, [&](std::size_t k, KeyMaker& maker) { refine_ends(k, level - 1, maker); });
        intake_.take_in(tables_[level - 2], nullptr, nullptr,
                        [&](std::size_t k) { renumber(k, parts_[k].vertices); });
      }
      look_up(graphs, [&](std::size_t k, KeyMaker& maker) {
        if (is_about_edges_)
          refine_edges(k, level, maker);
        else
          refine_vertices(graphs[k], k, level, maker);
      });
      intake_.take_in(tables_[level - 1], &storage_->origins[level],
                      &storage_->origins[level - levels_per_round_], [&](std::size_t k) {
                        renumber(k, parts_[k].next);
                        parts_[k].colors.swap(parts_[k].next);
                      });
      obey_limit(count);
    }
    parallel_for(count, options_.threads,
                 [&](std::size_t k) { count_colors(graphs[k], done_ + k, parts_[k]); });
    for (std::size_t k = 0; k < count; ++k) pool(graphs[k], static_cast<std::uint32_t>(done_ + k), parts_[k]);
    done_ += count;
    obey_limit(count);
  }

  // Calls refine(k, maker) for each graph of the chunk, on all threads.
  template <typename Refine>
  void look_up(Span<const Graph> graphs, const Refine& refine) {
    intake_.begin(graphs.size());
    parallel_for_workers(graphs.size(), options_.threads, [&](std::size_t k, int worker) {
      intake_.begin_graph(k);
      refine(k, makers_[static_cast<std::size_t>(worker)]);
    });
  }

  void renumber(std::size_t k, std::vector<Row>& colors) const {
    for (Row& color : colors) color = intake_.number_of(k, color);
  }

  void begin_vertices(const Graph& g, std::uint32_t graph, RowsOfGraph& part) {
    const auto n = static_cast<Node>(g.num_nodes());
    part.has_loop.assign(n, false);
    if (options_.self_loops)
      for (const Node v : g.self_loops()) part.has_loop[v] = true;
    std::vector<std::uint64_t> degrees;
    if (options_.degrees)
      for (Node v = 0; v < n; ++v) degrees.push_back(g.degree(v) + part.has_loop[v]);
    initial_.number_nodes(g, graph, degrees, part.colors);
  }

  void begin_edges(const Graph& g, std::uint32_t graph, RowsOfGraph& part) {
    const auto n = static_cast<Node>(g.num_nodes());
    InitialColors start;
    initial_.number(g, graph, start);
    part.edges = g.edges();
    // Loops by node, then edges by number.
    part.colors = start.loops;
    for (std::size_t e = 0; e < part.edges.size(); ++e) part.colors.push_back(start.edge(e));
    part.offsets.assign(n + std::size_t{1}, 0);
    part.at.resize(2 * part.edges.size());
    for (Node v = 0; v < n; ++v)
      part.offsets[v + std::size_t{1}] = part.offsets[v] + static_cast<std::uint32_t>(g.degree(v));
    std::vector<std::uint32_t> end(part.offsets.begin(), part.offsets.end());
    for (std::uint32_t e = 0; e < part.edges.size(); ++e)
      for (const Node v : {part.edges[e].u, part.edges[e].v}) part.at[end[v]++] = e;
    part.vertices.resize(n);
  }

  void refine_vertices(const Graph& g, std::size_t k, std::size_t level, KeyMaker& maker) {
    RowsOfGraph& part = parts_[k];
    const auto n = static_cast<Node>(g.num_nodes());
    part.next.resize(n);
    for (Node v = 0; v < n; ++v) {
      for (const Node u : g.neighbors(v)) maker.items.push_back(part.colors[u]);
      if (part.has_loop[v]) maker.items.push_back(part.colors[v]);
      part.next[v] = intake_.find_or_add(k, tables_[level - 1], maker.key(part.colors[v]));
    }
  }

  // The colors of what there is at each node.
  void refine_ends(std::size_t k, std::size_t level, KeyMaker& maker) {
    RowsOfGraph& part = parts_[k];
    const std::size_t n = part.vertices.size();
    for (std::size_t v = 0; v < n; ++v) {
      maker.items.push_back(part.colors[v]);
      for (std::uint32_t i = part.offsets[v]; i < part.offsets[v + 1]; ++i)
        maker.items.push_back(part.colors[n + part.at[i]]);
      part.vertices[v] = intake_.find_or_add(k, tables_[level - 1], maker.key(0));
    }
  }

  void refine_edges(std::size_t k, std::size_t level, KeyMaker& maker) {
    RowsOfGraph& part = parts_[k];
    const std::size_t n = part.vertices.size();
    part.next.resize(part.colors.size());
    for (std::size_t v = 0; v < n; ++v) {
      maker.items.push_back(part.vertices[v]);
      part.next[v] = intake_.find_or_add(k, tables_[level - 1], maker.key(part.colors[v]));
    }
    for (std::size_t e = 0; e < part.edges.size(); ++e) {
      maker.items = {part.vertices[part.edges[e].u], part.vertices[part.edges[e].v]};
      part.next[n + e] = intake_.find_or_add(k, tables_[level - 1], maker.key(part.colors[n + e]));
    }
  }

  void count_colors(const Graph& g, std::size_t graph, RowsOfGraph& part) const {
    const std::size_t num_loops = g.num_nodes();
    part.counts.resize(part.colors.size());
    for (std::size_t row = 0; row < part.colors.size(); ++row)
      part.counts[row] = {part.colors[row], row < num_loops, 1};
    for (std::size_t v = 0; !options_.node_times.empty() && v < num_loops; ++v)
      part.counts[v].rows = part.counts[v].loops = options_.node_times[graph][v];
    add_up(part.counts);
  }

  void pool(const Graph& g, std::uint32_t graph, const RowsOfGraph& part) {
    const std::size_t n = g.num_nodes();
    const std::uint64_t num_items = is_about_edges_
                                        ? 2 * (n + 2 * part.edges.size())
                                        : 2 * g.num_edges() + (options_.self_loops ? g.num_self_loops() : 0);
    storage_->add_graph(part.counts, num_items);
    for (std::size_t v = 0; options_.loop_rows && v < n; ++v) storage_->loop_rows.push_back(part.colors[v]);
    for (; next_pair_ < options_.pairs.size() && options_.pairs[next_pair_].graph == graph; ++next_pair_) {
      const Edge pair{options_.pairs[next_pair_].u, options_.pairs[next_pair_].v};
      const auto edge = std::lower_bound(part.edges.begin(), part.edges.end(), pair,
                                         [](Edge a, Edge b) { return a.u != b.u ? a.u < b.u : a.v < b.v; });
      const bool has_row = edge != part.edges.end() && *edge == pair;
      storage_->pair_rows.push_back(
          has_row ? part.colors[n + static_cast<std::size_t>(edge - part.edges.begin())] : pairs::kNoRow);
    }
  }

  void obey_limit(std::size_t count) const {
    std::uint64_t need = initial_.bytes() + storage_->bytes() + intake_.bytes();
    for (const SourceTable& table : tables_) need += table.bytes();
    for (std::size_t k = 0; k < count; ++k)
      need += 8 * (parts_[k].colors.size() + parts_[k].edges.size() + parts_[k].at.size());
    if (need <= limit_) return;
    require_memory(fmt::format("coloring {} graphs ({} of them done)", num_graphs_, done_), need, limit_);
  }

  std::size_t num_graphs_;
  std::size_t done_ = 0;  // graphs that were colored
  NeighborLevelOptions options_;
  std::uint64_t limit_;
  bool is_about_edges_;
  std::size_t levels_per_round_;
  InitialTable initial_;
  std::vector<SourceTable> tables_;  // of levels 1…
  std::vector<KeyMaker> makers_;     // one per thread
  std::vector<RowsOfGraph> parts_;
  LevelIntake<Row> intake_;
  std::size_t next_pair_ = 0;  // of options_.pairs
  std::shared_ptr<LevelArrays<Row>> storage_;
};

}  // namespace

std::unique_ptr<LevelBuilder<Row>> neighbor_level_builder(const pairs::FeatureLayout& layout,
                                                          std::size_t num_graphs,
                                                          const NeighborLevelOptions& options) {
  if (options.rounds < 0) throw UsageError(fmt::format("needed at least 0 rounds, found {}", options.rounds));
  return std::make_unique<NeighborLevelBuilder>(layout, num_graphs, options);
}

NeighborLevels build_neighbor_levels(Span<const Graph> graphs, const NeighborLevelOptions& options) {
  const bool has_indicators = options.kind == NeighborRows::kEdges && options.indicators;
  const auto builder =
      neighbor_level_builder(pairs::feature_layout(graphs, has_indicators), graphs.size(), options);
  builder->add(graphs);
  return builder->finish();
}

}  // namespace twofold::levels
