// Directed graphs in the exact tests: against the oracle, nauty's orbits, and each other.
#include <gtest/gtest.h>

#include "tests/support/certificate_line.h"
#include "tests/support/wl_oracle.h"
#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/wl/certificate_checker.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/coloring.h"
#include "twofold/wl/fingerprint.h"
#include "twofold/wl/pair_certificate.h"
#include "twofold/wl/symmetry.h"

namespace twofold::wl {
namespace {

Graph digraph(std::size_t n, const std::vector<Edge>& arcs) {
  GraphBuilder builder(n);
  builder.set_directed();
  for (const Edge arc : arcs) builder.add_arc(arc.u, arc.v);
  return std::move(builder).build();
}

// Arcs with the chance `density`; labels of nodes and edges, and self-loops, now and then.
Graph random_digraph(std::size_t n, double density, bool labels, Random& random) {
  GraphBuilder builder(n);
  builder.set_directed();
  std::vector<Label> edge_labels;
  for (Node u = 0; u < n; ++u)
    for (Node v = 0; v < n; ++v) {
      if (random.uniform() >= density) continue;
      builder.add_arc(u, v);
      // Both arcs of an edge have one label.
      edge_labels.push_back(static_cast<Label>((u + v) % 2));
    }
  if (labels) {
    std::vector<Label> node_labels;
    for (Node v = 0; v < n; ++v) node_labels.push_back(static_cast<Label>(random.below(2)));
    builder.set_node_labels(node_labels);
    builder.set_edge_labels(edge_labels);
  }
  return std::move(builder).build();
}

std::vector<WlTest> directed_tests() {
  std::vector<WlTest> tests;
  for (const char* word : {"1-wl", "2-wl", "2-fwl", "3-fwl"}) tests.push_back(parse_test(word));
  for (const graph::PowerRadius radius : {graph::PowerRadius(2), graph::PowerRadius::all()}) {
    tests.push_back(parse_test("2-wl"));
    tests.back().radius = radius;
  }
  for (const char* word : {"1-wl", "2-wl", "2-fwl"}) {
    tests.push_back(parse_test(word));
    tests.back().marks = 1;
  }
  return tests;
}

TEST(Directed, ClassesAreTheOraclesOnRandomGraphs) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Random random(seed);
    std::vector<Graph> graphs;
    for (int i = 0; i < 6; ++i) graphs.push_back(random_digraph(4, 0.35, seed % 2 == 0, random));
    for (int i = 0; i < 2; ++i) {
      std::vector<Node> names = {0, 1, 2, 3};
      random.shuffle(names);
      graphs.push_back(relabeled(graphs[static_cast<std::size_t>(i)], names));
    }
    for (const WlTest& test : directed_tests()) {
      const auto expected = testing::wl_oracle_classes(graphs, test);
      const Classes found = classify(graphs, test);
      EXPECT_EQ(std::vector<std::size_t>(found.class_of.begin(), found.class_of.end()), expected)
          << describe(test) << ", seed " << seed;
      ClassifyOptions plain;
      plain.shortcuts = false;
      plain.hash_mask = 0;
      EXPECT_EQ(classify(graphs, test, plain).class_of, found.class_of) << describe(test) << ", seed " << seed;
    }
  }
}

TEST(Directed, RegularTournamentsAreToldApartByTheOraclesTests) {
  // The circulant tournaments of 7 nodes with the steps {1, 2, 4} (Paley's) and {1, 2, 3}: every node has 3
  // arcs out and 3 in, so 1-wl sees nothing.
  std::vector<Graph> graphs;
  for (const std::vector<Node>& steps : {std::vector<Node>{1, 2, 4}, std::vector<Node>{1, 2, 3}}) {
    std::vector<Edge> arcs;
    for (Node v = 0; v < 7; ++v)
      for (const Node step : steps) arcs.push_back({v, (v + step) % 7});
    graphs.push_back(digraph(7, arcs));
  }
  EXPECT_FALSE(distinguishes(parse_test("1-wl"), graphs[0], graphs[1]));
  for (const char* word : {"2-wl", "2-fwl", "3-fwl"}) {
    EXPECT_TRUE(distinguishes(parse_test(word), graphs[0], graphs[1])) << word;
    EXPECT_TRUE(testing::wl_oracle_distinguishes(parse_test(word), graphs[0], graphs[1])) << word;
  }
}

TEST(Directed, DirectionsAreSeen) {
  // Out of a hub, and into it.
  const Graph out = digraph(3, {{0, 1}, {0, 2}});
  const Graph in = digraph(3, {{1, 0}, {2, 0}});
  const Graph path = digraph(3, {{1, 0}, {0, 2}});
  for (const WlTest& test : directed_tests()) {
    EXPECT_TRUE(distinguishes(test, out, in)) << describe(test);
    EXPECT_TRUE(distinguishes(test, out, path)) << describe(test);
    EXPECT_FALSE(distinguishes(test, path, digraph(3, {{0, 1}, {1, 2}}))) << describe(test);
    EXPECT_NE(fingerprint(out, test, {}), fingerprint(in, test, {})) << describe(test);
  }
  EXPECT_FALSE(find_isomorphism(out, in, true).has_value());
}

TEST(Directed, RelabelledGraphsAreOneClassAndNautyFindsTheMapping) {
  Random random(3);
  for (int i = 0; i < 60; ++i) {
    const Graph g = random_digraph(7, 0.3, i % 2 == 0, random);
    std::vector<Node> names = {0, 1, 2, 3, 4, 5, 6};
    random.shuffle(names);
    const Graph h = relabeled(g, names);
    h.check();
    for (const WlTest& test : directed_tests()) {
      EXPECT_FALSE(distinguishes(test, g, h)) << describe(test);
      EXPECT_EQ(fingerprint(g, test, {}), fingerprint(h, test, {})) << describe(test);
    }
    const auto image = find_isomorphism(g, h, true);
    ASSERT_TRUE(image.has_value());
    EXPECT_EQ(relabeled(g, *image), h);
  }
}

TEST(Directed, CertificatesAreVerified) {
  Random random(5);
  int told_apart = 0;
  for (int i = 0; i < 20; ++i) {
    const std::vector<Graph> two = {random_digraph(5, 0.4, i % 2 == 0, random),
                                    random_digraph(5, 0.4, i % 2 == 0, random)};
    for (const WlTest& test : directed_tests()) {
      const PairCertificate found = certify_pair(two, test, {});
      if (found.verdict == PairCertificate::Verdict::kDistinguished) ++told_apart;
      EXPECT_EQ(check_certificate(two[0], two[1], testing::line_of(found)), "") << describe(test);
    }
  }
  EXPECT_GT(told_apart, 50);
}

TEST(Directed, OrbitsFollowDirections) {
  // A directed cycle of 5 has rotations and no reflections: all ordered pairs at one distance forward are one
  // orbit.
  std::vector<Edge> arcs;
  for (Node v = 0; v < 5; ++v) arcs.push_back({v, (v + 1) % 5});
  const Symmetry all = find_symmetry(digraph(5, arcs), true, {});
  EXPECT_EQ(all.num_orbits(), 1u);
  const Node marked = 0;
  EXPECT_EQ(find_symmetry(digraph(5, arcs), true, {&marked, 1}).num_orbits(), 5u);
}

TEST(Directed, MixedGraphsAndEdgeNeighborhoodsAreRefused) {
  const Graph directed = digraph(2, {{0, 1}});
  const Graph undirected = GraphBuilder(2).build();
  const std::vector<Graph> both = {directed, undirected};
  EXPECT_THROW(classify(both, parse_test("1-wl")), InputError);
  EXPECT_THROW(refine(both, parse_test("2-wl")), InputError);
  EXPECT_THROW(classify(Span<const Graph>(&directed, 1), parse_test("2-gnn")), InputError);
}

}  // namespace
}  // namespace twofold::wl
