// Section 3 of the paper, statement by statement: what a 2-GNN cannot do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/graph/cycle_counts.h"
#include "twofold/graph/generate_ring.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/coloring.h"
#include "twofold/wl/counterexample.h"

namespace twofold {
namespace {

using namespace testing;  // NOLINT: the graphs' names are the words of this file

const wl::WlTest kOneWl = wl::parse_test("1-wl");
const wl::WlTest kTwoGnn = wl::parse_test("2-gnn");
const wl::WlTest kTwoWl = wl::parse_test("2-wl");
const wl::WlTest kTwoFwl = wl::parse_test("2-fwl");

#define SKIP_WITHOUT_GENG() \
  if (all_graphs(3).size() != 4) GTEST_SKIP() << "nauty-geng is not installed"

// Loops {v,v} in front, then the edges. Two of them are neighbors iff they share exactly one element.
std::vector<Edge> rows_of(const Graph& g) {
  std::vector<Edge> rows;
  for (Node v = 0; v < g.num_nodes(); ++v) rows.push_back({v, v});
  for (const Edge e : g.edges()) rows.push_back(e);
  return rows;
}
bool share_one(Edge a, Edge b) {
  if (a == b) return false;
  return a.u == b.u || a.u == b.v || a.v == b.u || a.v == b.v;
}

// Definition 3.1 word by word; the label says loop or edge.
Graph edge_neighborhood_graph(const Graph& g) {
  const std::vector<Edge> rows = rows_of(g);
  GraphBuilder builder(rows.size());
  std::vector<Label> labels;
  for (Node a = 0; a < rows.size(); ++a) {
    labels.push_back(rows[a].u == rows[a].v ? 0 : 1);
    for (Node b = 0; b < a; ++b)
      if (share_one(rows[a], rows[b])) builder.add_edge(a, b);
  }
  builder.set_node_labels(labels);
  return std::move(builder).build();
}

std::vector<Graph> edge_neighborhood_graphs(const std::vector<Graph>& graphs) {
  std::vector<Graph> result;
  for (const Graph& g : graphs) result.push_back(edge_neighborhood_graph(g));
  return result;
}

// A 2-GNN of random integer weights with relu, summed over all rows: every number is exact.
std::vector<double> random_two_gnn(const Graph& g, std::uint64_t seed) {
  constexpr std::size_t kWidth = 3;
  constexpr int kLayers = 3;
  Random random(seed);
  const std::vector<Edge> rows = rows_of(g);
  std::vector<std::vector<double>> z;
  for (const Edge row : rows)
    z.push_back(row.u == row.v ? std::vector<double>{1, 0, 0} : std::vector<double>{0, 1, 0});
  for (int layer = 0; layer < kLayers; ++layer) {
    double own[kWidth][kWidth];
    double around[kWidth][kWidth];
    for (auto* matrix : {&own, &around})
      for (auto& line : *matrix)
        for (double& weight : line) weight = static_cast<double>(random.below(5)) - 2;
    std::vector<std::vector<double>> next(rows.size(), std::vector<double>(kWidth, 0));
    for (std::size_t a = 0; a < rows.size(); ++a) {
      for (std::size_t b = 0; b < rows.size(); ++b) {
        if (a != b && !share_one(rows[a], rows[b])) continue;
        for (std::size_t i = 0; i < kWidth; ++i)
          for (std::size_t o = 0; o < kWidth; ++o) next[a][o] += z[b][i] * (a == b ? own : around)[i][o];
      }
      for (double& value : next[a]) value = std::max(value, 0.0);
    }
    z = next;
  }
  std::vector<double> pooled(kWidth, 0);
  for (const auto& row : z)
    for (std::size_t o = 0; o < kWidth; ++o) pooled[o] += row[o];
  return pooled;
}

TEST(Definition31, TheTwoGnnTestIsOneWlOnTheEdgeNeighborhoodGraph) {
  SKIP_WITHOUT_GENG();
  for (int n = 1; n <= 7; ++n) {
    const std::vector<Graph> graphs = all_graphs(n);
    EXPECT_EQ(wl::classify(graphs, kTwoGnn, {0}).class_of,
              wl::classify(edge_neighborhood_graphs(graphs), kOneWl, {0}).class_of);
  }
}

TEST(Proposition32, A2GnnGivesOneValueToWhatOneWlOnEdgeNeighborhoodGraphsDoesNotTellApart) {
  SKIP_WITHOUT_GENG();
  std::size_t num_compared = 0;
  std::size_t num_told_apart = 0;
  for (int n = 6; n <= 7; ++n) {
    const std::vector<Graph> graphs = all_graphs(n);
    const wl::Classes classes = wl::classify(edge_neighborhood_graphs(graphs), kOneWl, {0});
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      std::map<std::uint32_t, std::vector<double>> value_of;
      std::map<std::vector<double>, int> values;
      for (std::size_t g = 0; g < graphs.size(); ++g) {
        const std::vector<double> value = random_two_gnn(graphs[g], seed);
        ++values[value];
        const auto [place, is_first] = value_of.emplace(classes.class_of[g], value);
        EXPECT_EQ(place->second, value) << "graph " << g;
        num_compared += !is_first;
      }
      num_told_apart = std::max(num_told_apart, values.size());
    }
  }
  EXPECT_GT(num_compared, 50u);     // the proposition had something to say
  EXPECT_GT(num_told_apart, 100u);  // and the networks were not constant
}

// All regular graphs of up to 8 nodes, and random ones of more.
std::map<std::pair<std::size_t, std::size_t>, std::vector<Graph>> regular_graphs() {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Graph>> graphs;
  for (std::size_t n = 2; n <= 8; ++n)
    for (std::size_t d = 0; d < n; ++d) {
      const auto some = all_graphs(static_cast<int>(n), fmt::format("-d{} -D{}", d, d));
      if (!some.empty()) graphs[{n, d}] = some;
    }
  Random random(7);
  for (const std::size_t d : {2u, 3u, 4u, 5u})
    for (int i = 0; i < 8; ++i) graphs[{14, d}].push_back(random_regular(random, 14, d));
  return graphs;
}

TEST(Lemma33, OneWlDoesNotTellEdgeNeighborhoodGraphsOfRegularGraphsApart) {
  SKIP_WITHOUT_GENG();
  for (const auto& [size, graphs] : regular_graphs()) {
    const auto [n, d] = size;
    const std::vector<Graph> of_edges = edge_neighborhood_graphs(graphs);
    EXPECT_EQ(wl::classify(of_edges, kOneWl).num_classes, 1u) << n << " nodes of degree " << d;
    // Loops have one color and edges another, from the start to the end, as the proof says.
    const wl::Coloring coloring = wl::refine(of_edges, kOneWl);
    EXPECT_EQ(coloring.num_colors, d == 0 ? 1u : 2u);
    for (const Graph& g : of_edges) EXPECT_EQ(g.num_nodes(), n + n * d / 2);
  }
}

TEST(Proposition34, A2GnnDoesNotTellRegularGraphsApartAnd2WlTellsMost) {
  SKIP_WITHOUT_GENG();
  std::size_t num_graphs = 0;
  std::size_t num_two_wl = 0;
  for (const auto& [size, graphs] : regular_graphs()) {
    EXPECT_EQ(wl::classify(graphs, kTwoGnn).num_classes, 1u) << size.first << " " << size.second;
    for (const Graph& g : graphs) EXPECT_EQ(random_two_gnn(g, 5), random_two_gnn(graphs[0], 5));
    if (size.first > 8) continue;  // random ones may be isomorphic
    num_graphs += graphs.size();
    num_two_wl += wl::classify(graphs, kTwoFwl).num_classes;
  }
  EXPECT_EQ(num_two_wl, num_graphs);
}

// The proof's graphs: lcm(3, m) nodes, in triangles or in m-cycles.
TEST(Proposition35, A2GnnDetectsNoCycleOfAnyLength) {
  for (std::size_t m = 4; m <= 12; ++m) {
    const std::size_t n = std::lcm(std::size_t{3}, m);
    const std::vector<Graph> graphs = {graph::union_of_cycles(std::vector<std::size_t>(n / 3, 3)),
                                       graph::union_of_cycles(std::vector<std::size_t>(n / m, m))};
    const int length = static_cast<int>(m);
    const auto counts = graph::count_cycles(graphs, {3, length});
    EXPECT_EQ(counts[0].in_graph[0], n / 3);
    EXPECT_EQ(counts[1].in_graph[m - 3], n / m);
    const wl::CycleKnowledge gnn = wl::cycle_knowledge(graphs, counts, kTwoGnn);
    EXPECT_FALSE(gnn.lengths.front().detects()) << m;
    EXPECT_FALSE(gnn.lengths.back().detects()) << m;
    EXPECT_EQ(random_two_gnn(graphs[0], m), random_two_gnn(graphs[1], m));
    EXPECT_TRUE(wl::distinguishes(kTwoWl, graphs[0], graphs[1]));
  }
}

}  // namespace
}  // namespace twofold
