#include "twofold/levels/neighbor_levels.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "tests/support/data_folder.h"
#include "tests/support/named_graphs.h"
#include "tests/support/rich_dataset.h"
#include "twofold/base/error.h"
#include "twofold/io/dataset_file.h"
#include "twofold/levels/neighbor_cutter.h"
#include "twofold/wl/coloring.h"

namespace twofold::levels {
namespace {

using Values = std::vector<std::uint64_t>;

// Whole numbers modulo 2^64, so that every order of adding gives the same.
std::uint64_t next_value(std::uint64_t own, std::uint64_t start, std::uint64_t sum) {
  const std::uint64_t x = 3 * own + 5 * start + sum;
  return x * x + 7 * x;
}

std::uint64_t node_value(const Graph& g, Node v) {
  std::uint64_t value = 11;
  if (g.has_node_labels()) value = value * 1000003 + static_cast<std::uint32_t>(g.node_labels()[v]);
  for (const double x : g.node_attributes(v))
    value =
        value * 1000003 + static_cast<std::uint64_t>(static_cast<std::int64_t>(1000 * static_cast<float>(x)));
  return value;
}

std::uint64_t degree_of(const Graph& g, Node v, bool self_loops) {
  return g.degree(v) + (self_loops && g.has_self_loop(v));
}

// Sums over all nodes after T layers; with degrees an edge weighs the product of its ends' degrees.
std::uint64_t plain_vertex_sum(const Graph& g, int rounds, bool self_loops, bool degrees) {
  Values start(g.num_nodes());
  for (Node v = 0; v < start.size(); ++v) start[v] = node_value(g, v);
  Values z = start;
  for (int round = 0; round < rounds; ++round) {
    Values next(z.size());
    for (Node v = 0; v < z.size(); ++v) {
      std::uint64_t sum = 0;
      for (Node u = 0; u < z.size(); ++u) {
        if (!(u == v ? self_loops && g.has_self_loop(v) : g.has_edge(u, v))) continue;
        sum += z[u] * (degrees ? degree_of(g, u, self_loops) * degree_of(g, v, self_loops) : 1);
      }
      next[v] = next_value(z[v], start[v], sum);
    }
    z = next;
  }
  return std::accumulate(z.begin(), z.end(), std::uint64_t{0});
}

// Over all loops and edges, whose neighbors are those they share a node with: a loop and an edge at it, two
// edges, never two loops.
std::uint64_t plain_edge_sum(const Graph& g, int rounds, bool loops_only) {
  std::vector<Edge> rows;
  Values start;
  for (Node v = 0; v < g.num_nodes(); ++v) {
    rows.push_back({v, v});
    start.push_back(node_value(g, v));
  }
  std::size_t number = 0;
  for (const Edge e : g.edges()) {
    rows.push_back(e);
    start.push_back(g.has_edge_labels() ? 77 + static_cast<std::uint32_t>(g.edge_labels()[number]) : 77);
    ++number;
  }
  Values z = start;
  for (int round = 0; round < rounds; ++round) {
    Values next(z.size());
    for (std::size_t f = 0; f < z.size(); ++f) {
      std::uint64_t sum = 0;
      for (std::size_t other = 0; other < z.size(); ++other) {
        const Edge a = rows[f], b = rows[other];
        if (other != f && (a.u == b.u || a.u == b.v || a.v == b.u || a.v == b.v)) sum += z[other];
      }
      next[f] = next_value(z[f], start[f], sum);
    }
    z = next;
  }
  const auto end = loops_only ? z.begin() + static_cast<std::ptrdiff_t>(g.num_nodes()) : z.end();
  return std::accumulate(z.begin(), end, std::uint64_t{0});
}

std::uint64_t start_value(const InitialRow& row, Span<const Graph> graphs) {
  const Graph& g = graphs[row.graph];
  if (row.u == row.v) return node_value(g, row.u);
  if (!g.has_edge_labels()) return 77;
  const auto edges = g.edges();
  const auto at = std::find(edges.begin(), edges.end(), Edge{row.u, row.v}) - edges.begin();
  return 77 + static_cast<std::uint32_t>(g.edge_labels()[static_cast<std::size_t>(at)]);
}

struct Sums {
  Values rows;
  Values loops;
};

Sums level_sums(const NeighborBatch& batch, const NeighborLevels& levels, Span<const Graph> graphs,
                bool self_loops, bool degrees) {
  Values start, degree;
  for (const Row row : batch.rows[0]) {
    const InitialRow& initial = levels.initial[row];
    start.push_back(start_value(initial, graphs));
    degree.push_back(degrees ? degree_of(graphs[initial.graph], initial.u, self_loops) : 1);
  }
  std::vector<Values> z = {start};
  for (std::size_t k = 1; k < batch.rows.size(); ++k) {
    const NeighborLevel& level = batch.levels[k - 1];
    Values next(level.num_rows());
    for (std::size_t row = 0; row < next.size(); ++row) {
      std::uint64_t sum = 0;
      const bool is_edges = batch.kind == NeighborRows::kEdges;
      for (std::uint64_t at = level.offsets[row]; at < level.offsets[row + 1]; ++at) {
        const Row source = level.sources[at];
        std::uint64_t value = z[k - 1][source];
        if (is_edges && k % 2 == 0) value -= z[k - 2][level.own[row]];
        if (degrees) value *= degree[batch.origins[k - 1][source]] * degree[batch.origins[k][row]];
        sum += level.multiplicity[at] * value;
      }
      if (is_edges && k % 2 == 1)
        next[row] = sum;
      else
        next[row] = next_value(z[k - (is_edges ? 2 : 1)][level.own[row]], start[batch.origins[k][row]], sum);
    }
    z.push_back(next);
  }
  Sums sums;
  for (std::size_t g = 0; g < batch.num_graphs(); ++g) {
    std::uint64_t rows = 0, loops = 0;
    for (std::uint64_t at = batch.pool_offsets[g]; at < batch.pool_offsets[g + 1]; ++at) {
      rows += batch.pool_counts[at] * z.back()[batch.pool_rows[at]];
      loops += batch.pool_loops[at] * z.back()[batch.pool_rows[at]];
    }
    sums.rows.push_back(rows);
    sums.loops.push_back(loops);
  }
  return sums;
}

void expect_sums(Span<const Graph> graphs, const NeighborLevelOptions& options, std::uint64_t seed) {
  const NeighborLevels levels = build_neighbor_levels(graphs, options);
  levels.check();
  const bool is_edges = options.kind == NeighborRows::kEdges;
  Values rows, loops;
  for (const Graph& g : graphs) {
    rows.push_back(is_edges ? plain_edge_sum(g, options.rounds, false)
                            : plain_vertex_sum(g, options.rounds, options.self_loops, options.degrees));
    loops.push_back(is_edges ? plain_edge_sum(g, options.rounds, true) : rows.back());
  }
  NeighborCutter cutter(levels);
  NeighborBatch batch;
  Random random(seed);
  for (int k = 0; k < 4; ++k) {
    std::vector<std::size_t> some(k == 0 ? graphs.size() : random.below(5));
    Sums expected;
    for (std::size_t at = 0; at < some.size(); ++at) {
      some[at] = k == 0 ? at : random.below(graphs.size());
      expected.rows.push_back(rows[some[at]]);
      expected.loops.push_back(loops[some[at]]);
    }
    cutter.cut(some, batch, k != 2);
    batch.check();
    const Sums found = level_sums(batch, levels, graphs, options.self_loops, options.degrees);
    EXPECT_EQ(found.rows, expected.rows) << "seed " << seed << ", batch " << k;
    EXPECT_EQ(found.loops, expected.loops) << "seed " << seed << ", batch " << k;
  }
}

TEST(NeighborLevels, OfVerticesPoolWhatTheVerticesPool) {
  for (std::uint64_t seed = 0; seed < 32; ++seed)
    for (const bool self_loops : {true, false})
      for (const bool degrees : {true, false}) {
        NeighborLevelOptions options;
        options.rounds = static_cast<int>(seed % 4);
        options.self_loops = self_loops;
        options.degrees = degrees;
        expect_sums(testing::rich_dataset(seed).graphs, options, seed);
      }
}

TEST(NeighborLevels, OfEdgesPoolWhatLoopsAndEdgesPool) {
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    NeighborLevelOptions options;
    options.kind = NeighborRows::kEdges;
    options.rounds = static_cast<int>(seed % 4);
    options.attributes = seed % 2 == 0 ? AttributeUse::kFloat : AttributeUse::kDouble;
    expect_sums(testing::rich_dataset(seed).graphs, options, seed);
  }
}

std::vector<Graph> random_graphs(std::uint64_t seed) {
  Random random(seed);
  std::vector<Graph> graphs;
  for (int k = 0; k < 12; ++k) graphs.push_back(testing::random_graph(random, random.below(12), 0.25, 2));
  graphs.push_back(testing::star(7));
  return graphs;
}

std::vector<std::size_t> colors_of_test(Span<const Graph> graphs, const char* test, int rounds) {
  std::vector<std::size_t> colors;
  wl::RefineOptions how;
  how.max_rounds = rounds;
  how.after_round = [&](const wl::Coloring& round) {
    colors.push_back(round.num_colors);
    return true;
  };
  wl::refine(graphs, wl::parse_test(test), how);
  while (colors.size() <= static_cast<std::size_t>(rounds)) colors.push_back(colors.back());
  return colors;
}

TEST(NeighborLevels, HaveTheColorsOfTheTests) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    std::vector<Graph> graphs = random_graphs(seed);
    graphs.pop_back();  // the star has no labels
    NeighborLevelOptions options;
    options.rounds = 4;
    const NeighborLevels vertices = build_neighbor_levels(graphs, options);
    const auto expected = colors_of_test(graphs, "1-wl", 4);
    for (std::size_t k = 0; k <= 4; ++k) EXPECT_EQ(vertices.levels[k].num_rows(), expected[k]) << "round " << k;
    options.kind = NeighborRows::kEdges;
    const NeighborLevels edges = build_neighbor_levels(graphs, options);
    const auto coarser = colors_of_test(graphs, "2-gnn", 4);
    EXPECT_EQ(edges.levels[0].num_rows(), coarser[0]);
    for (std::size_t k = 1; k <= 4; ++k) EXPECT_GE(edges.levels[2 * k].num_rows(), coarser[k]) << "round " << k;
  }
}

TEST(NeighborLevels, OfAStarAreThreeColorsOfRows) {
  NeighborLevelOptions options;
  options.kind = NeighborRows::kEdges;
  const std::vector<Graph> graphs = {testing::star(7)};
  const NeighborLevels levels = build_neighbor_levels(graphs, options);
  levels.check();
  // Loops of leaves, the loop of the hub, edges; and two kinds of vertices.
  EXPECT_EQ(levels.levels[5].num_rows(), 2u);
  EXPECT_EQ(levels.levels[6].num_rows(), 3u);
  EXPECT_EQ(levels.graph_rows[0], 15u);
}

TEST(NeighborLevels, OfNothingAreEmptyAndLimitsAreObeyed) {
  const NeighborLevels none = build_neighbor_levels({});
  none.check();
  EXPECT_EQ(none.levels.size(), 4u);
  NeighborLevelOptions options;
  options.max_memory = 1000;
  const std::vector<Graph> graphs = random_graphs(3);
  const std::vector<Graph> labeled(graphs.begin(), graphs.end() - 1);
  EXPECT_THROW(build_neighbor_levels(labeled, options), Error);
  EXPECT_THROW(build_neighbor_levels(graphs), InputError);  // only some have labels
}

TEST(NeighborLevels, OfRedditAreSmallForTheTwoGnn) {
  if (testing::data_folder().empty()) GTEST_SKIP() << testing::kNeedsData;
  const Dataset data = io::read_dataset(testing::data_folder() + "/REDDIT-BINARY");
  NeighborLevelOptions options;
  options.kind = NeighborRows::kEdges;
  const NeighborLevels levels = build_neighbor_levels(data.graphs, options);
  levels.check();
  // Loops and edges, as many as pairs at radius 1.
  EXPECT_EQ(std::accumulate(levels.graph_rows.begin(), levels.graph_rows.end(), std::uint64_t{0}), 1854762u);
  EXPECT_LT(levels.levels.back().num_rows(), 1854762u / 2);
}

}  // namespace
}  // namespace twofold::levels
