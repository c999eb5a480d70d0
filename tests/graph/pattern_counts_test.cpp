#include "twofold/graph/pattern_counts.h"

#include <gtest/gtest.h>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/graph/cycle_counts.h"
#include "twofold/graph/generate_count.h"

namespace twofold::graph {
namespace {

using namespace testing;  // NOLINT: the graphs' names are the words of this file
using Edges = std::vector<std::pair<Node, Node>>;

// The pattern itself, drawn by hand.
Graph shape_of(const Pattern& pattern) {
  const auto size = static_cast<std::size_t>(pattern.size);
  switch (pattern.kind) {
    case Pattern::Kind::kCycle:
      return cycle(size);
    case Pattern::Kind::kChordal:
      return size == 4 ? from_edges(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {0, 2}})
                       : from_edges(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {0, 4}, {0, 2}});
    case Pattern::Kind::kClique:
      return complete(size);
    case Pattern::Kind::kStar:
      return star(size);
    case Pattern::Kind::kPath:
      return path(size + 1);
    case Pattern::Kind::kTailedTriangle:
      return from_edges(4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}});
  }
  return {};
}

// Ways to place the nodes of `shape` one after the other, so that its edges are edges of `g`.
std::uint64_t placements(const Graph& shape, const Graph& g, std::vector<Node>& placed) {
  if (placed.size() == shape.num_nodes()) return 1;
  std::uint64_t ways = 0;
  const auto next = static_cast<Node>(placed.size());
  for (Node v = 0; v < g.num_nodes(); ++v) {
    bool fits = true;
    for (Node u = 0; u < next && fits; ++u)
      fits = placed[u] != v && (!shape.has_edge(u, next) || g.has_edge(placed[u], v));
    if (!fits) continue;
    placed.push_back(v);
    ways += placements(shape, g, placed);
    placed.pop_back();
  }
  return ways;
}

std::uint64_t counted_plainly(const Pattern& pattern, const Graph& g) {
  const Graph shape = shape_of(pattern);
  std::vector<Node> placed;
  const std::uint64_t symmetries = placements(shape, shape, placed);
  return placements(shape, g, placed) / symmetries;
}

std::uint64_t count_one(const std::string& word, const Graph& g) {
  return count_patterns({&g, 1}, parse_patterns(word))[0][0];
}

TEST(PatternCounts, AreWhatPlacingNodeByNodeGives) {
  Random random(3);
  std::vector<Graph> graphs = {empty_graph(0), empty_graph(3), path(2),  complete(6), petersen(),
                               star(5),        rook_4x4(),     cycle(9), shrikhande()};
  for (int i = 0; i < 40; ++i)
    graphs.push_back(random_graph(random, 3 + random.below(6), 0.2 + 0.6 * random.uniform()));
  for (int i = 0; i < 5; ++i) graphs.push_back(random_decorated(random, 7, 0.5));
  const std::vector<Pattern> patterns = parse_patterns("all,star-1,path-1,clique-3,path-6");
  const auto counts = count_patterns(graphs, patterns, {2});
  for (std::size_t g = 0; g < graphs.size(); ++g)
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      if (graphs[g].num_nodes() > 10 && patterns[i].size > 5) continue;  // the plain way takes long
      EXPECT_EQ(counts[g][i], counted_plainly(patterns[i], graphs[g]))
          << pattern_name(patterns[i]) << " in " << g;
    }
}

TEST(PatternCounts, OfCompleteGraphsAreTheClosedForm) {
  const Graph g = complete(12);
  EXPECT_EQ(count_one("clique-5", g), 792u);
  EXPECT_EQ(count_one("star-4", g), 12u * 330);
  EXPECT_EQ(count_one("path-3", g), 12u * 11 * 10 * 9 / 2);
  EXPECT_EQ(count_one("chordal-4", g), 495u * 6);
  EXPECT_EQ(count_one("chordal-5", g), 792u * 60);
  EXPECT_EQ(count_one("tailed-triangle", g), 220u * 3 * 9);
}

TEST(PatternCounts, WordsAreReadAndWritten) {
  const std::vector<Pattern> patterns = parse_patterns("cycle-3-5,tailed-triangle,cycle-4,star-3");
  std::string names;
  for (const Pattern& pattern : patterns) names += pattern_name(pattern) + " ";
  EXPECT_EQ(names, "cycle-3 cycle-4 cycle-5 tailed-triangle star-3 ");
  EXPECT_EQ(parse_patterns("all").size(), 18u);
  for (const char* word : {"", "cycle", "cycle-2", "cycle-17", "cycle-5-3", "chordal-6", "clique-x", "house",
                           "star-1-", "cycle-3,", "path-13"})
    EXPECT_THROW(parse_patterns(word), UsageError) << word;
}

TEST(PatternCounts, ThatExceed64BitsAreRefused) { EXPECT_THROW(count_one("star-16", star(200)), Error); }

TEST(GenerateCount, TargetsAreTheCountsAndAShortDatasetBeginsALongOne) {
  CountTaskOptions options;
  options.num_graphs = 20;
  const Dataset dataset = generate_count(options, 5);
  dataset.check();
  EXPECT_EQ(dataset.target_names, (std::vector<std::string>{"cycle-3", "cycle-4", "cycle-5", "cycle-6"}));
  for (std::size_t g = 0; g < 20; ++g)
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_EQ(dataset.real_targets[4 * g + i],
                static_cast<double>(count_one(dataset.target_names[i], dataset.graphs[g])));
  options.num_graphs = 7;
  const Dataset shorter = generate_count(options, 5);
  for (std::size_t g = 0; g < 7; ++g) EXPECT_EQ(shorter.graphs[g], dataset.graphs[g]);
  options.min_nodes = 6;
  EXPECT_THROW(generate_count(options), UsageError);
}

TEST(GenerateCount, PerNodeTargetsAreNormalizedCountsOfCyclesThroughNodes) {
  CountTaskOptions options;
  options.patterns = {{Pattern::Kind::kCycle, 4}};
  options.num_graphs = 20;
  options.per_node = true;
  const Dataset dataset = generate_count(options, 3);
  dataset.check();
  EXPECT_EQ(dataset.num_real_targets, 0u);
  const auto counts = count_cycles(dataset.graphs, {4, 4});
  double scale = 0, squares = 0, sum = 0;
  for (std::size_t i = 0; i < dataset.node_targets.items.size(); ++i) {
    const Item item = dataset.node_targets.items[i];
    const auto count = static_cast<double>(counts[item.graph].at_node[item.u]);
    const double value = dataset.node_targets.values[i];
    if (count > 0 && scale == 0) scale = value / count;
    EXPECT_NEAR(value, scale * count, 1e-12);
    sum += value;
    squares += value * value;
  }
  const auto n = static_cast<double>(dataset.node_targets.items.size());
  EXPECT_NEAR(squares / n - sum / n * (sum / n), 1, 1e-9);
  options.patterns.push_back({Pattern::Kind::kCycle, 3});
  EXPECT_THROW(generate_count(options), UsageError);
  options.patterns = {{Pattern::Kind::kStar, 3}};
  EXPECT_THROW(generate_count(options), UsageError);
}

}  // namespace
}  // namespace twofold::graph
