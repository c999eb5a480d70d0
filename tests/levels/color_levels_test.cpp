#include "twofold/levels/color_levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/level_blocks.h"
#include "tests/support/level_oracle.h"
#include "tests/support/named_graphs.h"
#include "tests/support/rich_dataset.h"
#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/levels/level_table.h"
#include "twofold/pairs/pair_counts.h"
#include "twofold/wl/coloring.h"

namespace twofold::levels {
namespace {

using pairs::Radius;

// Hubs with many leaves, cliques that know nobody else, isolated nodes: most nodes have twins.
Graph twin_graph(Random& random, Label labels) {
  const std::size_t hubs = 1 + random.below(4);
  std::vector<std::pair<Node, Node>> edges;
  auto n = static_cast<Node>(hubs);
  for (Node u = 0; u < hubs; ++u) {
    for (Node v = 0; v < u; ++v)
      if (random.chance(0.5)) edges.emplace_back(v, u);
    for (std::uint64_t k = random.below(6); k > 0; --k) edges.emplace_back(u, n++);
    if (random.chance(0.5)) {
      const Node begin = n;
      for (std::uint64_t k = random.below(4); k > 0; --k, ++n) {
        if (random.chance(0.8)) edges.emplace_back(u, n);
        for (Node v = begin; v < n; ++v) edges.emplace_back(v, n);
      }
    }
  }
  n += static_cast<Node>(random.below(4));
  GraphBuilder builder(n);
  for (const auto& [u, v] : edges) builder.add_edge(u, v);
  if (labels > 0) {
    std::vector<Label> of_node(n);
    for (Label& label : of_node) label = static_cast<Label>(random.below(static_cast<std::uint64_t>(labels)));
    builder.set_node_labels(of_node);
  }
  return testing::shuffled(std::move(builder).build(), random);
}

std::vector<Graph> some_graphs(std::uint64_t seed) {
  Random random(seed);
  std::vector<Graph> graphs;
  const auto labels = static_cast<Label>(seed % 3);
  for (int k = 0; k < 6; ++k) graphs.push_back(twin_graph(random, labels));
  for (int k = 0; k < 4; ++k)
    graphs.push_back(testing::random_graph(random, 1 + random.below(9), 0.1 + 0.5 * random.uniform(), labels));
  graphs.push_back(testing::shuffled(graphs[0], random));
  graphs.push_back(Graph());
  return graphs;
}

std::vector<std::size_t> all_of(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

std::vector<std::size_t> colors_by_round(const ColorLevels& levels) {
  std::vector<std::size_t> colors;
  for (const ColorLevels::Level& level : levels.levels) colors.push_back(level.num_rows());
  return colors;
}

void expect_sums_of_rows(Span<const Graph> graphs, Radius radius, int rounds, bool indicators, bool attributes,
                         std::uint64_t seed) {
  SCOPED_TRACE("radius " + pairs::to_string(radius) + ", seed " + std::to_string(seed));
  const auto expected = testing::plain_sums(graphs, radius, rounds, indicators, attributes);
  for (const bool twins : {true, false}) {
    ColorLevelOptions options;
    options.rounds = rounds;
    options.indicators = indicators;
    options.attributes = attributes ? AttributeUse::kFloat : AttributeUse::kNone;
    options.twins = twins;
    options.threads = 1;
    const ColorLevels levels = build_color_levels(graphs, radius, options);
    levels.check();
    const auto counts = pairs::count_pairs(graphs, radius, 1);
    EXPECT_EQ(std::accumulate(levels.graph_rows.begin(), levels.graph_rows.end(), std::uint64_t{0}),
              counts.rows);
    EXPECT_EQ(std::accumulate(levels.graph_items.begin(), levels.graph_items.end(), std::uint64_t{0}),
              counts.triples);
    const auto initial = testing::initial_values(levels, graphs, indicators, attributes);
    Cutter<RowPair> cutter(levels);
    BatchLevels<RowPair> batch;
    cutter.cut(all_of(graphs.size()), batch);
    batch.check();
    EXPECT_TRUE(testing::level_sums(batch, initial) == expected) << "twins " << twins;
    // And in batches, with repetitions, in memory used before.
    Random random(seed);
    for (int k = 0; k < 3; ++k) {
      std::vector<std::size_t> some(random.below(6));
      std::vector<testing::PooledSums> sums;
      for (std::size_t& g : some) {
        g = random.below(graphs.size());
        sums.push_back(expected[g]);
      }
      cutter.cut(some, batch);
      batch.check();
      EXPECT_TRUE(testing::level_sums(batch, initial) == sums);
    }
  }
}

TEST(ColorLevels, PoolWhatTheRowsPool) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::vector<Graph> graphs = some_graphs(seed);
    for (const Radius radius : {Radius(1), Radius(2), Radius(3), Radius::all()})
      expect_sums_of_rows(graphs, radius, static_cast<int>(1 + seed % 3), seed % 4 != 0, true, seed);
  }
}

TEST(ColorLevels, PoolWhatTheRowsPoolWithAllSortsOfLabelsAndAttributes) {
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const Dataset data = testing::rich_dataset(seed);
    for (const Radius radius : {Radius(1), Radius(2), Radius::all()})
      for (const bool attributes : {true, false})
        expect_sums_of_rows(data.graphs, radius, 2, seed % 3 != 0, attributes, seed);
  }
}

TEST(ColorLevels, HaveTheColorsOfTheTest) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::vector<Graph> graphs = some_graphs(seed);
    for (const Radius radius : {Radius(1), Radius(2), Radius(4), Radius::all()}) {
      wl::WlTest test = wl::parse_test("2-wl");
      test.radius = radius;
      ColorLevelOptions options;
      options.threads = 1;
      options.rounds = 4;
      std::vector<wl::Coloring> rounds;
      wl::RefineOptions how;
      how.max_rounds = options.rounds;
      how.after_round = [&](const wl::Coloring& round) {
        rounds.push_back(round);
        return true;
      };
      wl::refine(graphs, test, how);
      while (rounds.size() < 5) rounds.push_back(rounds.back());
      for (int last = 0; last <= options.rounds; ++last) {
        options.rounds = last;
        const ColorLevels levels = build_color_levels(graphs, radius, options);
        const wl::Coloring& round = rounds[static_cast<std::size_t>(last)];
        EXPECT_EQ(levels.levels.back().num_rows(), round.num_colors)
            << "radius " << to_string(radius) << ", round " << last;
        for (std::size_t g = 0; g < graphs.size(); ++g) {
          std::vector<std::size_t> expected, found;
          for (const auto& [color, count] : round.histogram(g)) expected.push_back(count);
          for (std::uint64_t at = levels.pool_offsets[g]; at < levels.pool_offsets[g + 1]; ++at)
            found.push_back(levels.pool_counts[at]);
          std::sort(expected.begin(), expected.end());
          std::sort(found.begin(), found.end());
          EXPECT_EQ(found, expected) << "radius " << to_string(radius) << ", round " << last << ", graph " << g;
        }
        options.rounds = 4;
      }
    }
  }
}

TEST(ColorLevels, AreAsLargeWithTwinsTogetherAsWithout) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const std::vector<Graph> graphs = some_graphs(seed);
    for (const Radius radius : {Radius(1), Radius(2), Radius(3), Radius::all()}) {
      ColorLevelOptions options;
      options.threads = 1;
      const ColorLevels together = build_color_levels(graphs, radius, options);
      options.twins = false;
      const ColorLevels apart = build_color_levels(graphs, radius, options);
      EXPECT_EQ(colors_by_round(together), colors_by_round(apart));
      for (std::size_t k = 0; k < together.levels.size(); ++k)
        EXPECT_EQ(together.levels[k].items.size(), apart.levels[k].items.size()) << "level " << k;
      EXPECT_TRUE(together.pool_offsets == apart.pool_offsets);
    }
  }
}

TEST(ColorLevels, CountRowsAsOftenAsTheirFirstNodeSays) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const std::vector<Graph> graphs = some_graphs(seed);
    Random random(seed);
    // Nodes of a component count alike; isolated ones, which are twins of each other, do not.
    std::vector<std::vector<std::uint32_t>> times(graphs.size());
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      const auto connected = static_cast<std::uint32_t>(1 + random.below(4));
      for (Node v = 0; v < graphs[g].num_nodes(); ++v)
        times[g].push_back(graphs[g].degree(v) > 0 ? connected
                                                   : static_cast<std::uint32_t>(1 + random.below(4)));
    }
    for (const Radius radius : {Radius(1), Radius(2)}) {
      ColorLevelOptions options;
      options.threads = 1;
      const ColorLevels once = build_color_levels(graphs, radius, options);
      options.node_times = times;
      const ColorLevels together = build_color_levels(graphs, radius, options);
      options.twins = false;
      const ColorLevels apart = build_color_levels(graphs, radius, options);
      EXPECT_EQ(colors_by_round(together), colors_by_round(once));
      together.check();
      for (std::size_t g = 0; g < graphs.size(); ++g) {
        std::uint64_t rows = 0;
        for (const std::uint32_t count : times[g]) rows += count;
        const graph::Balls balls = graph::find_balls(graphs[g], radius);
        for (Node u = 0; u < graphs[g].num_nodes(); ++u)
          for (const Node v : balls.of(u))
            if (u < v) rows += times[g][u];
        EXPECT_EQ(together.graph_rows[g], rows);
      }
      // The same counts, of colors that may have other numbers.
      const auto counts_of = [](const ColorLevels& levels, std::size_t g) {
        std::vector<std::pair<std::uint64_t, std::uint32_t>> counts;
        for (std::uint64_t k = levels.pool_offsets[g]; k < levels.pool_offsets[g + 1]; ++k)
          counts.emplace_back(levels.pool_counts[k], levels.pool_loops[k]);
        std::sort(counts.begin(), counts.end());
        return counts;
      };
      for (std::size_t g = 0; g < graphs.size(); ++g) EXPECT_EQ(counts_of(together, g), counts_of(apart, g));
    }
  }
}

TEST(ColorLevels, AreTheSameForAnyNumberOfThreads) {
  Random random(5);
  std::vector<Graph> graphs;
  for (int k = 0; k < 700; ++k) graphs.push_back(testing::random_graph(random, random.below(16), 0.2, 2));
  ColorLevelOptions options;
  options.threads = 1;
  const ColorLevels one = build_color_levels(graphs, Radius(2), options);
  for (const int threads : {2, 5}) {
    options.threads = threads;
    EXPECT_TRUE(testing::is_same(build_color_levels(graphs, Radius(2), options), one)) << threads;
  }
}

TEST(ColorLevels, OfBlocksAreThoseOfAllGraphs) {
  Random random(6);
  std::vector<Graph> graphs;
  std::vector<twofold::Item> pairs;
  for (std::uint32_t k = 0; k < 300; ++k) {
    graphs.push_back(testing::random_graph(random, random.below(12), 0.2, 2));
    if (graphs.back().num_nodes() > 1) pairs.push_back({k, 0, 1});
  }
  ColorLevelOptions options;
  options.threads = 1;
  options.loop_rows = true;
  options.pairs = pairs;
  const ColorLevels whole = build_color_levels(graphs, Radius(2), options);
  for (const std::size_t size : {1, 13, 300}) {
    const auto builder = color_level_builder(pairs::feature_layout(graphs, options.indicators), Radius(2),
                                             graphs.size(), options);
    testing::add_in_blocks(*builder, graphs, size);
    EXPECT_TRUE(testing::is_same(builder->finish(), whole)) << size;
  }
}

TEST(ColorLevels, OfAPathOfThreeAreTheseByHand) {
  ColorLevelOptions options;
  options.rounds = 1;
  const std::vector<Graph> graphs = {testing::path(3)};
  const ColorLevels levels = build_color_levels(graphs, Radius(1), options);
  levels.check();
  // Loops (0) and edges (1); then loops of the ends, of the middle, and edges.
  ASSERT_EQ(colors_by_round(levels), (std::vector<std::size_t>{2, 3}));
  EXPECT_TRUE(levels.pool_counts == Span<const std::uint64_t>(std::vector<std::uint64_t>{2, 1, 2}));
  EXPECT_TRUE(levels.pool_loops == Span<const std::uint32_t>(std::vector<std::uint32_t>{2, 1, 0}));
  const ColorLevels::Level& level = levels.levels[1];
  EXPECT_TRUE(level.own == Span<const Row>(std::vector<Row>{0, 0, 1}));
  EXPECT_TRUE(level.items == Span<const RowPair>(std::vector<RowPair>{{0, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}}));
  EXPECT_TRUE(level.multiplicity == Span<const std::uint32_t>(std::vector<std::uint32_t>{1, 1, 1, 2, 2}));
}

TEST(ColorLevels, KeepKeysApartWhoseHashesAreEqual) {
  TripleTable table;
  const std::vector<RowPair> first = {{0, 1}, {2, 2}}, second = {{0, 1}, {2, 3}};
  const std::vector<std::uint32_t> once = {1, 1}, twice = {1, 2};
  const std::vector<TripleKey> keys = {
      {0, first, once, 7}, {1, first, once, 7}, {0, second, once, 7}, {0, first, twice, 7}, {0, {}, {}, 7}};
  for (Row k = 0; k < keys.size(); ++k) EXPECT_EQ(table.find_or_add(keys[k]), k);
  for (Row k = 0; k < keys.size(); ++k) EXPECT_EQ(table.find(keys[k]), k);
  table.clear();
  EXPECT_EQ(table.find(keys[0]), pairs::kNoRow);
  EXPECT_EQ(table.find_or_add(keys[3]), 0u);
}

TEST(ColorLevels, AttributesAreComparedAsTheNetworkSeesThem) {
  GraphBuilder builder(3);
  builder.set_node_attributes(1, {1.0, 1.0 + 1e-12, 2.0});
  const std::vector<Graph> graphs = {std::move(builder).build()};
  const auto num_initial = [&](AttributeUse use) {
    ColorLevelOptions options;
    options.attributes = use;
    return build_color_levels(graphs, Radius(1), options).levels[0].num_rows();
  };
  EXPECT_EQ(num_initial(AttributeUse::kNone), 1u);
  EXPECT_EQ(num_initial(AttributeUse::kFloat), 2u);
  EXPECT_EQ(num_initial(AttributeUse::kDouble), 3u);
}

TEST(ColorLevels, OfNothingAreEmpty) {
  const ColorLevels none = build_color_levels({}, Radius(1));
  none.check();
  EXPECT_EQ(colors_by_round(none), (std::vector<std::size_t>{0, 0, 0, 0}));
  Cutter<RowPair> cutter(none);
  BatchLevels<RowPair> batch;
  cutter.cut({}, batch);
  batch.check();
  EXPECT_EQ(batch.num_graphs(), 0u);
  ColorLevelOptions options;
  options.rounds = 0;
  const ColorLevels start = build_color_levels(std::vector<Graph>{testing::path(3)}, Radius(2), options);
  start.check();
  EXPECT_EQ(colors_by_round(start), (std::vector<std::size_t>{3}));
  options.rounds = -1;
  EXPECT_THROW(build_color_levels({}, Radius(1), options), UsageError);
}

TEST(ColorLevels, ObeyTheMemoryLimitAndNameNeedAndLimit) {
  Random random(3);
  std::vector<Graph> graphs;
  for (int k = 0; k < 20; ++k) graphs.push_back(testing::random_graph(random, 60, 0.2, 3));
  ColorLevelOptions options;
  options.max_memory = 1 << 20;
  try {
    build_color_levels(graphs, Radius(2), options);
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the limit is 1.00 MiB"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("20 graphs at radius 2"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace twofold::levels
