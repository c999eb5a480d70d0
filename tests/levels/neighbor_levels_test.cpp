#include "twofold/levels/neighbor_levels.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>

#include "tests/support/data_folder.h"
#include "tests/support/level_blocks.h"
#include "tests/support/named_graphs.h"
#include "tests/support/neighbor_oracle.h"
#include "tests/support/rich_dataset.h"
#include "twofold/base/error.h"
#include "twofold/io/dataset_file.h"
#include "twofold/levels/level_cutter.h"
#include "twofold/wl/coloring.h"

namespace twofold::levels {
namespace {

using Values = std::vector<std::uint64_t>;

struct Sums {
  Values rows;
  Values loops;
};

Sums level_sums(const BatchLevels<Row>& batch, const NeighborLevels& levels, Span<const Graph> graphs,
                bool self_loops, bool degrees) {
  const Values z = testing::neighbor_values(batch, levels, graphs, self_loops, degrees).back();
  Sums sums;
  for (std::size_t g = 0; g < batch.num_graphs(); ++g) {
    std::uint64_t rows = 0, loops = 0;
    for (std::uint64_t at = batch.pool_offsets[g]; at < batch.pool_offsets[g + 1]; ++at) {
      rows += batch.pool_counts[at] * z[batch.pool_rows[at]];
      loops += batch.pool_loops[at] * z[batch.pool_rows[at]];
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
    rows.push_back(is_edges
                       ? testing::plain_edge_sum(g, options.rounds, false)
                       : testing::plain_vertex_sum(g, options.rounds, options.self_loops, options.degrees));
    loops.push_back(is_edges ? testing::plain_edge_sum(g, options.rounds, true) : rows.back());
  }
  Cutter<Row> cutter(levels);
  BatchLevels<Row> batch;
  Random random(seed);
  for (int k = 0; k < 4; ++k) {
    std::vector<std::size_t> some(k == 0 ? graphs.size() : random.below(5));
    Sums expected;
    for (std::size_t at = 0; at < some.size(); ++at) {
      some[at] = k == 0 ? at : random.below(graphs.size());
      expected.rows.push_back(rows[some[at]]);
      expected.loops.push_back(loops[some[at]]);
    }
    cutter.cut(some, batch);
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
        options.threads = 1;
        options.rounds = static_cast<int>(seed % 4);
        options.self_loops = self_loops;
        options.degrees = degrees;
        expect_sums(testing::rich_dataset(seed).graphs, options, seed);
      }
}

TEST(NeighborLevels, OfEdgesPoolWhatLoopsAndEdgesPool) {
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    NeighborLevelOptions options;
    options.threads = 1;
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
    options.threads = 1;
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
  options.threads = 1;
  options.kind = NeighborRows::kEdges;
  const std::vector<Graph> graphs = {testing::star(7)};
  const NeighborLevels levels = build_neighbor_levels(graphs, options);
  levels.check();
  // Loops of leaves, the loop of the hub, edges; and two kinds of vertices.
  EXPECT_EQ(levels.levels[5].num_rows(), 2u);
  EXPECT_EQ(levels.levels[6].num_rows(), 3u);
  EXPECT_EQ(levels.graph_rows[0], 15u);
}

// More than a chunk of graphs, with pairs that are asked about.
struct ManyGraphs {
  std::vector<Graph> graphs;
  std::vector<twofold::Item> pairs;
};

ManyGraphs many_graphs() {
  Random random(5);
  ManyGraphs many;
  for (std::uint32_t k = 0; k < 300; ++k) {
    many.graphs.push_back(testing::random_graph(random, random.below(16), 0.2, 2));
    if (many.graphs.back().num_nodes() > 1) many.pairs.push_back({k, 0, 1});
  }
  return many;
}

std::vector<NeighborLevelOptions> all_kinds(const ManyGraphs& many) {
  std::vector<NeighborLevelOptions> kinds(3);
  kinds[1].degrees = true;
  kinds[2].kind = NeighborRows::kEdges;
  kinds[2].pairs = many.pairs;
  for (NeighborLevelOptions& options : kinds) options.loop_rows = true;
  return kinds;
}

TEST(NeighborLevels, AreTheSameForAnyNumberOfThreads) {
  const ManyGraphs many = many_graphs();
  for (NeighborLevelOptions options : all_kinds(many)) {
    options.threads = 1;
    const NeighborLevels one = build_neighbor_levels(many.graphs, options);
    one.check();
    for (const int threads : {2, 5}) {
      options.threads = threads;
      EXPECT_TRUE(testing::is_same(build_neighbor_levels(many.graphs, options), one)) << threads;
    }
  }
}

TEST(NeighborLevels, OfBlocksAreThoseOfAllGraphs) {
  const ManyGraphs many = many_graphs();
  for (NeighborLevelOptions options : all_kinds(many)) {
    options.threads = 1;
    const NeighborLevels whole = build_neighbor_levels(many.graphs, options);
    for (const std::size_t size : {1, 13, 300}) {
      const auto builder =
          neighbor_level_builder(pairs::feature_layout(many.graphs, true), many.graphs.size(), options);
      testing::add_in_blocks(*builder, many.graphs, size);
      EXPECT_TRUE(testing::is_same(builder->finish(), whole)) << size;
    }
  }
}

TEST(NeighborLevels, OfNothingAreEmptyAndLimitsAreObeyed) {
  const NeighborLevels none = build_neighbor_levels({});
  none.check();
  EXPECT_EQ(none.levels.size(), 4u);
  NeighborLevelOptions options;
  options.threads = 1;
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
  options.threads = 1;
  options.kind = NeighborRows::kEdges;
  const NeighborLevels levels = build_neighbor_levels(data.graphs, options);
  levels.check();
  // Loops and edges, as many as pairs at radius 1.
  EXPECT_EQ(std::accumulate(levels.graph_rows.begin(), levels.graph_rows.end(), std::uint64_t{0}), 1854762u);
  EXPECT_LT(levels.levels.back().num_rows(), 1854762u / 2);
}

}  // namespace
}  // namespace twofold::levels
