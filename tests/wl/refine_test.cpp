#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/coloring.h"
#include "twofold/wl/row_numbers.h"

namespace twofold::wl {
namespace {

using graph::PowerRadius;

using namespace testing;  // NOLINT

std::vector<Color> colors_of(const Coloring& coloring, std::size_t g) {
  return {coloring.of_graph(g).begin(), coloring.of_graph(g).end()};
}

TEST(Refine, ColorsAPathFromItsEndsInwards) {
  const Coloring stable = refine(path(5), {});
  EXPECT_EQ(colors_of(stable, 0), (std::vector<Color>{0, 1, 2, 1, 0}));
  EXPECT_TRUE(stable.is_stable);
  RefineOptions one_round;
  one_round.max_rounds = 1;
  EXPECT_EQ(colors_of(refine(path(5), {}, one_round), 0), (std::vector<Color>{0, 1, 1, 1, 0}));
}

TEST(Refine, MakesAsManyRoundsAsAskedEvenWhenStable) {
  RefineOptions options;
  options.max_rounds = 4;
  std::size_t shown = 0;
  options.after_round = [&](const Coloring&) { return ++shown > 0; };
  const Coloring coloring = refine(cycle(4), {}, options);
  EXPECT_EQ(coloring.num_rounds, 4u);
  EXPECT_TRUE(coloring.is_stable);
  EXPECT_EQ(shown, 5u);
}

TEST(Refine, StopsWhenTheCallerHasSeenEnough) {
  RefineOptions options;
  options.after_round = [&](const Coloring& coloring) { return coloring.num_rounds < 2; };
  const Coloring coloring = refine(path(20), {}, options);
  EXPECT_EQ(coloring.num_rounds, 2u);
  EXPECT_FALSE(coloring.is_stable);
}

TEST(Refine, TakesGraphsWithoutNodesAndBatchesWithoutGraphs) {
  for (const char* word : {"1-wl", "2-wl", "2-gnn", "2-fwl", "4-fwl"}) {
    const std::vector<Graph> graphs = {empty_graph(0), empty_graph(1), empty_graph(0)};
    const Coloring coloring = refine(graphs, parse_test(word));
    coloring.check();
    EXPECT_EQ(coloring.num_colors, 1u) << word;
    EXPECT_EQ(coloring.num_rounds, 0u) << word;
    const Coloring nothing = refine(Span<const Graph>(), parse_test(word));
    EXPECT_TRUE(nothing.is_stable);
    EXPECT_EQ(nothing.num_graphs(), 0u);
    EXPECT_EQ(classify(Span<const Graph>(), parse_test(word)).num_classes, 0u);
    EXPECT_EQ(classify(graphs, parse_test(word)).class_of, (std::vector<std::uint32_t>{0, 1, 0}));
  }
}

TEST(Refine, ColorsRowsInTheOrderOfListRows) {
  const Graph g = path(3);
  EXPECT_EQ(list_rows(g, 1), (std::vector<Edge>{{0, 0}, {0, 1}, {1, 1}, {1, 2}, {2, 2}}));
  EXPECT_EQ(list_rows(g, 2).size(), 6u);
  EXPECT_EQ(list_rows(empty_graph(3), 5).size(), 3u);
  EXPECT_EQ(list_rows(empty_graph(3), PowerRadius::all()).size(), 6u);
  const Coloring coloring = refine(g, {Kind::kRows, 2, 1});
  EXPECT_EQ(colors_of(coloring, 0), (std::vector<Color>{0, 1, 2, 1, 0}));
}

// The quasi-linear way and the way by rounds must meet.
RC_GTEST_PROP(Refine, FindsTheSameStableColorsWithAndWithoutRounds, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<Graph> graphs;
  for (int i = 0; i < 5; ++i)
    graphs.push_back(random_decorated(random, random.below(40), 0.15 * random.uniform()));
  graphs.push_back(path(30));
  RefineOptions by_rounds;
  by_rounds.after_round = [](const Coloring&) { return true; };
  const Coloring stable = refine(graphs, {});
  stable.check();
  RC_ASSERT(stable.colors == refine(graphs, {}, by_rounds).colors);
}

TEST(Refine, TakesALongPathInQuasiLinearTime) {
  const Coloring coloring = refine(path(200001), {});
  EXPECT_EQ(coloring.num_colors, 100001u);
}

TEST(Refine, LeavesEdgeLabelsOutWhenAsked) {
  Random random(1);
  for (int i = 0; i < 50; ++i) {
    const Graph g = random_decorated(random, 6, 0.5);
    WlTest plain;
    plain.edge_labels = false;
    Graph without = from_edges(0, {});
    std::vector<std::pair<Node, Node>> edges;
    for (const Edge e : g.edges()) edges.emplace_back(e.u, e.v);
    if (g.has_node_labels() || g.num_self_loops() > 0) continue;
    without = from_edges(g.num_nodes(), edges);
    for (const char* word : {"1-wl", "2-wl", "2-gnn", "2-fwl"}) {
      WlTest test = parse_test(word);
      test.edge_labels = false;
      EXPECT_EQ(refine(g, test).colors, refine(without, test).colors);
    }
  }
}

TEST(Memory, SaysNeedAndLimitBeforeTheWork) {
  ClassifyOptions options;
  options.max_memory = 1 << 20;
  const std::vector<Graph> graphs = {cycle(3), path(300)};
  try {
    classify(graphs, {Kind::kTuples, 3}, options);
    FAIL() << "27 million tuples in a mebibyte";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("graph 2"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("1.00 MiB"), std::string::npos) << error.what();
  }
  EXPECT_THROW(distinguish_pairs(graphs, {Kind::kTuples, 40}), Error);
  RefineOptions refine_options;
  refine_options.max_memory = 1000;
  EXPECT_THROW(refine(path(1000), {}, refine_options), Error);
}

TEST(Marks, NeedThatManyNodes) {
  const std::vector<Graph> graphs = {cycle(3), path(2)};
  EXPECT_THROW(classify(graphs, {Kind::kRows, 2, 1, 3}), InputError);
  EXPECT_EQ(classify(graphs, {Kind::kRows, 2, 1, 2}).num_classes, 2u);
}

TEST(Marks, OneMarkTellsNodesApart) {
  const Classes classes = classify_marked(std::vector<Graph>{path(4)}, {Kind::kRows, 2, 1, 1});
  EXPECT_EQ(classes.class_of, (std::vector<std::uint32_t>{0, 1, 1, 0}));
  const Classes twice = classify_marked(std::vector<Graph>{path(3)}, {Kind::kVertices, 2, 1, 2});
  EXPECT_EQ(twice.class_of, (std::vector<std::uint32_t>{0, 1, 2, 2, 1, 0}));
}

TEST(WlTest, IsReadAndNamed) {
  EXPECT_EQ(parse_test("12-fwl").k, 12);
  EXPECT_EQ(describe(parse_test("3-fwl")), "3-fwl");
  EXPECT_EQ(describe({Kind::kRows, 2, PowerRadius::all(), 1}), "2-wl, radius all, 1 mark");
  for (const char* word : {"", "1-fwl", "0-fwl", "fwl", "-fwl", "2-fwlx", "3-wl", "x-fwl", "02-fwl"})
    EXPECT_THROW(parse_test(word), UsageError) << word;
}

}  // namespace
}  // namespace twofold::wl
