#include "twofold/wl/random_net.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/wl/coloring.h"
#include "twofold/wl/ladder_families.h"

namespace twofold::wl {
namespace {

using namespace testing;  // NOLINT: the graphs' names are the words of this file

std::vector<WlTest> twins() {
  std::vector<WlTest> all = {parse_net("gin"), parse_net("2-gnn")};
  for (const graph::PowerRadius radius :
       {graph::PowerRadius(1), graph::PowerRadius(2), graph::PowerRadius::all()}) {
    all.push_back(parse_net("2-wl-gnn"));
    all.back().radius = radius;
  }
  return all;
}

ClassifyOptions all_threads() {
  ClassifyOptions options;
  options.threads = 0;
  return options;
}

// The law that matters most: by construction, not by luck.
TEST(RandomNet, TellsNoGraphFromItsRelabelledCopyInTenThousand) {
  Random random(1);
  std::vector<Graph> graphs;
  while (graphs.size() < 20'000) {
    const std::size_t n = 1 + random.below(7);
    const Graph g = random_decorated(random, n, random.uniform());
    graphs.push_back(shuffled(g, random));
    graphs.push_back(shuffled(g, random));
  }
  NetOptions net;
  net.nets = 1;
  for (const WlTest& twin : twins()) {
    const auto verdicts = distinguish_pairs_by_nets(graphs, twin, net, all_threads());
    for (std::size_t p = 0; p < verdicts.size(); ++p)
      EXPECT_FALSE(verdicts[p]) << net_name(twin) << " " << radius_name(twin) << ", pair " << p;
  }
}

TEST(RandomNet, TellsNoHardGraphFromItsRelabelledCopy) {
  Random random(2);
  std::vector<Graph> graphs;
  for (const LadderFamily& family : ladder_families())
    for (std::size_t g = 0; g < family.graphs.size(); g += 7) {
      graphs.push_back(family.graphs[g]);
      graphs.push_back(shuffled(family.graphs[g], random));
    }
  for (const WlTest& twin : twins()) {
    const auto verdicts = distinguish_pairs_by_nets(graphs, twin, {}, all_threads());
    for (std::size_t p = 0; p < verdicts.size(); ++p)
      EXPECT_FALSE(verdicts[p]) << net_name(twin) << " " << radius_name(twin) << ", pair " << p;
  }
}

// Objects of one color after so many rounds have one row after as many layers, to the last bit.
TEST(RandomNet, GivesObjectsOfOneColorOneRow) {
  Random random(3);
  for (const WlTest& given : twins()) {
    WlTest twin = given;
    if (twin.kind == Kind::kVertices) twin.edge_labels = false;
    std::size_t repeated = 0;
    for (int trial = 0; trial < 60; ++trial) {
      const Graph g = random_decorated(random, 2 + random.below(8), 0.4);
      const Coloring coloring = refine(std::vector<Graph>{g}, twin);
      const auto objects = make_objects(g, twin);
      const std::size_t width = 5;
      std::vector<double> rows;
      // Any start that goes by stable colors.
      for (std::size_t i = 0; i < objects->size(); ++i)
        for (std::size_t c = 0; c < width; ++c)
          rows.push_back(std::sin(1.0 + coloring.colors[i] * 1.7 + static_cast<double>(c)));
      for (std::uint64_t layer = 0; layer < 3; ++layer)
        rows = apply_layer(*objects, twin.kind, random_layer(twin.kind, width, 9, layer), rows);
      std::map<Color, std::vector<double>> of_color;
      for (std::size_t i = 0; i < objects->size(); ++i) {
        const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(i * width);
        const std::vector<double> row(begin, begin + static_cast<std::ptrdiff_t>(width));
        const auto [at, is_new] = of_color.emplace(coloring.colors[i], row);
        EXPECT_EQ(at->second, row);
        repeated += !is_new;
      }
    }
    EXPECT_GT(repeated, 40u);
  }
}

double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// Row x times column j of W.
double product(const std::vector<double>& x, const std::vector<double>& w, std::size_t j) {
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * w[k * x.size() + j];
  return sum;
}

// The formulas as they stand in the header, from the graph alone.
TEST(RandomNet, HasTheLayersThatItsHeaderStates) {
  Random random(5);
  const std::size_t width = 4;
  for (int trial = 0; trial < 20; ++trial) {
    const Graph g = random_graph(random, 2 + random.below(6), 0.5);
    for (const WlTest& twin : twins()) {
      const auto objects = make_objects(g, twin);
      // The ends of each object; twice the node itself for a node.
      std::vector<Edge> ends;
      if (twin.kind == Kind::kVertices)
        for (Node v = 0; v < g.num_nodes(); ++v) ends.push_back({v, v});
      else
        ends = list_rows(g, twin.kind == Kind::kEdges ? graph::PowerRadius(1) : twin.radius);
      ASSERT_EQ(ends.size(), objects->size());
      std::vector<double> from(ends.size() * width);
      for (double& value : from) value = 2 * random.uniform() - 1;
      const NetLayer layer = random_layer(twin.kind, width, 6, random.bits());
      const std::vector<double> found = apply_layer(*objects, twin.kind, layer, from);
      const auto row = [&](std::size_t i) {
        const auto begin = from.begin() + static_cast<std::ptrdiff_t>(i * width);
        return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(width));
      };
      const auto number = [&](Node u, Node v) {
        const Edge wanted{std::min(u, v), std::max(u, v)};
        return std::find(ends.begin(), ends.end(), wanted) - ends.begin();
      };
      for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto [u, v] = ends[i];
        std::vector<double> sum(width, 0), hidden(width), z = row(i);
        for (std::size_t j = 0; j < ends.size(); ++j) {
          const bool meets = twin.kind == Kind::kVertices ? g.has_edge(u, ends[j].u)
                                                          : i != j && (ends[j].u == u || ends[j].u == v ||
                                                                       ends[j].v == u || ends[j].v == v);
          if (twin.kind == Kind::kRows || !meets) continue;
          for (std::size_t c = 0; c < width; ++c) sum[c] += row(j)[c];
        }
        for (Node l = 0; twin.kind == Kind::kRows && l < g.num_nodes(); ++l) {
          const auto a = static_cast<std::size_t>(number(u, l)), b = static_cast<std::size_t>(number(l, v));
          if (a == ends.size() || b == ends.size()) continue;
          for (std::size_t c = 0; c < width; ++c)
            sum[c] += logistic(product(row(a), layer.inner, c) + product(row(b), layer.inner, c) +
                               layer.inner_bias[c]);
        }
        for (std::size_t c = 0; c < width; ++c) hidden[c] = (1 + layer.eps) * z[c] + sum[c];
        std::vector<double> first(width);
        for (std::size_t c = 0; c < width; ++c)
          first[c] = std::tanh(product(hidden, layer.inner, c) + layer.inner_bias[c]);
        for (std::size_t c = 0; c < width; ++c) {
          double value = product(z, layer.weight, c) + layer.bias[c];
          if (twin.kind == Kind::kVertices) value = product(first, layer.weight, c) + layer.bias[c];
          if (twin.kind == Kind::kEdges) value += product(sum, layer.inner, c);
          if (twin.kind == Kind::kRows) value += product(z, layer.factor, c) * sum[c];
          EXPECT_NEAR(found[i * width + c], std::tanh(value), 1e-12) << net_name(twin);
        }
      }
    }
  }
}

TEST(RandomNet, ReachesTheExactVerdictOnEveryFamilyAndRadius) {
  for (const LadderFamily& family : ladder_families()) {
    std::vector<WlTest> tests = {parse_net("gin"), parse_net("2-gnn")};
    for (const int r : {1, 2, 3, 5, 8}) {
      tests.push_back(parse_net("2-wl-gnn"));
      tests.back().radius = r;
    }
    tests.push_back(parse_net("2-wl-gnn"));
    tests.back().radius = graph::PowerRadius::all();
    for (const WlTest& twin : tests)
      EXPECT_EQ(distinguish_pairs_by_nets(family.graphs, twin, {}, all_threads()),
                distinguish_pairs(family.graphs, twin, all_threads()))
          << net_name(twin) << " " << radius_name(twin) << " on " << family.name;
  }
}

TEST(RandomNet, ReachesTheExactVerdictOnRandomPairs) {
  Random random(4);
  std::vector<Graph> graphs;
  while (graphs.size() < 600) {
    const std::size_t n = 6 + 2 * random.below(4);
    graphs.push_back(random_regular(random, n, 3));
    graphs.push_back(random_regular(random, n, 3));
    const std::size_t m = 2 + random.below(6);
    graphs.push_back(random_decorated(random, m, 0.5));
    graphs.push_back(random_decorated(random, m, 0.5));
  }
  for (const WlTest& given : twins()) {
    WlTest twin = given;
    if (twin.kind == Kind::kVertices) twin.edge_labels = false;
    EXPECT_EQ(distinguish_pairs_by_nets(graphs, given, {}, all_threads()),
              distinguish_pairs(graphs, twin, all_threads()))
        << net_name(twin) << " " << radius_name(twin);
  }
}

TEST(RandomNet, IsTheSameForAnyNumberOfThreadsAndTakesEmptyGraphs) {
  const std::vector<Graph> graphs = {Graph(), Graph(),  cycle(6), two_triangles(),
                                     Graph(), cycle(3), path(4),  path(4)};
  for (const WlTest& twin : twins()) {
    ClassifyOptions one, two;
    one.threads = 1;
    two.threads = 2;
    const auto verdicts = distinguish_pairs_by_nets(graphs, twin, {}, one);
    EXPECT_EQ(verdicts, distinguish_pairs_by_nets(graphs, twin, {}, two));
    EXPECT_EQ(verdicts, (std::vector<bool>{false, twin.kind == Kind::kRows, true, false}));
  }
}

TEST(RandomNet, NamesWhatItNeedsAndFinds) {
  EXPECT_EQ(net_name(parse_net("gin")), "gin");
  EXPECT_EQ(net_name(parse_net("2-gnn")), "2-gnn");
  EXPECT_EQ(net_name(parse_net("2-wl-gnn")), "2-wl-gnn");
  try {
    parse_net("gcn");
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "needed a network 2-wl-gnn, 2-gnn or gin, found 'gcn'");
  }
  ClassifyOptions small;
  small.max_memory = 1000;
  const std::vector<Graph> graphs = {cycle(30), cycle(30)};
  EXPECT_THROW(distinguish_pairs_by_nets(graphs, parse_net("2-wl-gnn"), {}, small), Error);
}

}  // namespace
}  // namespace twofold::wl
