// Automorphisms, and the shortcuts that stand on them: they must change no verdict.
#include "twofold/wl/symmetry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "tests/support/nauty.h"
#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/hashed_run.h"
#include "twofold/wl/ladder.h"
#include "twofold/wl/weaker_tests.h"

namespace twofold::wl {
namespace {

using graph::PowerRadius;
using namespace testing;  // NOLINT

std::vector<Graph> sample(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  std::vector<Graph> graphs = {cycle(6),   two_triangles(), rook_4x4(), shrikhande(),
                               petersen(), path(1),         Graph()};
  graphs.push_back(cfi(complete(3), false));
  graphs.push_back(cfi(complete(3), true));
  while (graphs.size() < count) graphs.push_back(random_decorated(random, 2 + random.below(9), 0.35));
  return graphs;
}

// How many of something a test takes: `usual`, or what TWOFOLD_RELABELINGS says.
std::size_t asked_for(std::size_t usual) {
  const char* const asked = std::getenv("TWOFOLD_RELABELINGS");
  return asked == nullptr ? usual : static_cast<std::size_t>(std::atoll(asked));
}

// The same graph with marks as labels that no node had before.
Graph with_marks(const Graph& g, const std::vector<Node>& marked) {
  GraphBuilder builder(g.num_nodes());
  std::vector<Label> labels(g.num_nodes(), 0);
  if (g.has_node_labels()) labels.assign(g.node_labels().begin(), g.node_labels().end());
  for (std::size_t m = 0; m < marked.size(); ++m) labels[marked[m]] = 1'000'000 + static_cast<Label>(m);
  builder.set_node_labels(labels);
  for (const Edge e : g.edges()) builder.add_edge(e.u, e.v);
  for (const Node v : g.self_loops()) builder.add_edge(v, v);
  if (g.has_edge_labels()) builder.set_edge_labels({g.edge_labels().begin(), g.edge_labels().end()});
  return std::move(builder).build();
}

TEST(Symmetry, GeneratorsAreAutomorphismsAndOrbitsAreTheirs) {
  for (const Graph& g : sample(1, 120)) {
    const Symmetry symmetry = find_symmetry(g, true);
    const auto objects = make_objects(g, WlTest{});
    for (const auto& image : symmetry.generators) {
      EXPECT_TRUE(is_isomorphism(*objects, *objects, image));
      for (Node v = 0; v < g.num_nodes(); ++v) EXPECT_EQ(symmetry.orbit_of[v], symmetry.orbit_of[image[v]]);
    }
    for (Node v = 0; v < g.num_nodes(); ++v) EXPECT_LE(symmetry.orbit_of[v], v);
  }
}

TEST(Symmetry, OrbitsHaveTheSizeThatStabilizersGive) {
  for (const Graph& g : sample(2, 80)) {
    std::uint64_t total = 0;
    for (const MarkOrbit& orbit : mark_orbits(g, true, std::min<int>(2, static_cast<int>(g.num_nodes())))) {
      total += orbit.size;
      EXPECT_EQ(static_cast<double>(orbit.size),
                num_automorphisms(g) / num_automorphisms(with_marks(g, orbit.nodes)));
    }
    EXPECT_EQ(total, count_copies(g.num_nodes(), std::min<int>(2, static_cast<int>(g.num_nodes()))));
  }
}

TEST(Symmetry, LeavesEdgeLabelsOutWhenAsked) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1);
  builder.add_edge(1, 2);
  builder.set_edge_labels({5, 6});
  const Graph g = std::move(builder).build();
  EXPECT_EQ(find_symmetry(g, true).num_orbits(), 3u);
  EXPECT_EQ(find_symmetry(g, false).num_orbits(), 2u);
}

TEST(Symmetry, StopsWhereOrbitsAreTooMany) {
  EXPECT_EQ(mark_orbits(complete(6), true, 3, true, 1).size(), 1u);
  EXPECT_THROW(mark_orbits(complete(6), true, 3, false, 119), TooManyOrbits);
  EXPECT_EQ(mark_orbits(complete(6), true, 3, false, 120).size(), 120u);
}

TEST(Isomorphism, IsFoundIffNautyOfTheTestsSaysSo) {
  Random random(3);
  const std::vector<Graph> graphs = sample(4, 60);
  for (const Graph& a : graphs) {
    const Graph copy = shuffled(a, random);
    EXPECT_TRUE(find_isomorphism(a, copy, true).has_value());
    for (const Graph& b : graphs) EXPECT_EQ(find_isomorphism(a, b, true).has_value(), isomorphic(a, b));
  }
}

std::vector<WlTest> shortcut_tests() {
  return {{Kind::kVertices, 2, 1, 1},
          {Kind::kVertices, 2, 1, 2},
          {Kind::kEdges, 2, 1, 1},
          {Kind::kRows, 2, 1, 0},
          {Kind::kRows, 2, 1, 1},
          {Kind::kRows, 2, 2, 2},
          {Kind::kRows, 2, PowerRadius::all(), 1},
          {Kind::kTuples, 2},
          {Kind::kTuples, 2, 1, 1},
          {Kind::kTuples, 3}};
}

ClassifyOptions plainly() {
  ClassifyOptions options;
  options.threads = 0;
  options.shortcuts = false;
  return options;
}

TEST(Shortcuts, ChangeNoClassOfAllGraphsUpToSevenNodes) {
  for (int n = 1; n <= 7; ++n) {
    const std::vector<Graph> graphs = all_graphs(n);
    if (graphs.empty()) GTEST_SKIP() << "nauty-geng is not installed";
    for (const WlTest& test : shortcut_tests()) {
      if (test.marks > n) continue;
      ClassifyOptions options;
      options.threads = 0;
      EXPECT_EQ(classify(graphs, test, options).class_of, classify(graphs, test, plainly()).class_of)
          << describe(test) << ", " << n << " nodes";
    }
  }
}

TEST(Shortcuts, ChangeNoVerdictOfAThousandRandomPairs) {
  Random random(5);
  std::vector<Graph> graphs;
  while (graphs.size() < 2000) {
    const std::size_t n = 4 + 2 * random.below(4);
    const auto draw = [&] {
      return n >= 8 && random.chance(0.5) ? random_regular(random, n, 3) : random_decorated(random, n, 0.3);
    };
    graphs.push_back(draw());
    const Graph first = graphs.back();
    graphs.push_back(random.chance(0.3) ? shuffled(first, random)
                     : n >= 8           ? random_regular(random, n, 3)
                                        : draw());
  }
  for (const WlTest& test : shortcut_tests()) {
    // Slow; small graphs have it above, and TWOFOLD_RELABELINGS asks for it.
    if (test.kind == Kind::kRows && test.marks == 2 && asked_for(0) == 0) continue;
    ClassifyOptions options;
    options.threads = 0;
    EXPECT_EQ(distinguish_pairs(graphs, test, options), distinguish_pairs(graphs, test, plainly()))
        << describe(test);
  }
}

TEST(Shortcuts, ChangeNoVerdictUnderTerribleHashes) {
  const std::vector<Graph> graphs = {
      rook_4x4(), shrikhande(), cfi(complete(3), false), cfi(complete(3), true), cycle(6), two_triangles()};
  for (const WlTest& test : shortcut_tests()) {
    ClassifyOptions options;
    options.hash_mask = 0x7;
    EXPECT_EQ(distinguish_pairs(graphs, test, options), distinguish_pairs(graphs, test, plainly()))
        << describe(test);
  }
}

TEST(Shortcuts, AskOnlyWeakerTests) {
  std::vector<WlTest> tests = shortcut_tests();
  tests.push_back({Kind::kTuples, 4});
  tests.push_back({Kind::kTuples, 3, 1, 2});
  for (const WlTest& test : tests)
    for (const WlTest& weaker : weaker_tests(test)) {
      EXPECT_TRUE(is_at_most(weaker, test)) << describe(weaker) << " and " << describe(test);
      EXPECT_FALSE(weaker == test) << describe(test);
    }
}

TEST(OrbitTuples, ShowThePicturesOfAllTuplesInEveryRound) {
  for (const Graph& g : sample(6, 60))
    for (const int k : {3, 4}) {
      if (k == 4 && g.num_nodes() > 10) continue;
      const WlTest test = {Kind::kTuples, k};
      const auto all = make_objects(g, test);
      const auto some = make_orbit_tuples(g, test, find_symmetry(g, true));
      HashedRun run;
      HashedRun by_orbits;
      run.start(*all);
      by_orbits.start(*some);
      for (;;) {
        ASSERT_TRUE(run.picture() == by_orbits.picture()) << g.num_nodes() << " nodes, k = " << k;
        ASSERT_EQ(run.is_stable(), by_orbits.is_stable());
        if (run.is_stable()) break;
        run.step();
        by_orbits.step();
      }
      EXPECT_TRUE(certify_equal(by_orbits, by_orbits, false, 1));
    }
}

// 10,000 relabelings, each asked of ten tests; with TWOFOLD_RELABELINGS=100000 so many (docs/power.md). Under a
// sanitizer, which looks at memory and not at answers, a tenth.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kUsualCopies = 1000;
#else
constexpr std::size_t kUsualCopies = 10'000;
#endif
TEST(Soundness, NoRelabelledCopyInAHundredThousandIsToldApart) {
  Random random(7);
  const std::vector<WlTest> tests = shortcut_tests();
  const std::size_t copies = asked_for(kUsualCopies);
  std::vector<Graph> graphs;
  for (std::size_t i = 0; i < 2 * copies; i += 2) {
    const std::size_t n = 3 + random.below(6);
    graphs.push_back(random.chance(0.5) ? random_decorated(random, n, 0.4)
                                        : random_regular(random, 2 * (n / 2) + 2, 2 + random.below(2)));
    graphs.push_back(shuffled(graphs.back(), random));
    ASSERT_TRUE(isomorphic(graphs[i], graphs[i + 1]));
  }
  // Without shortcuts, which would ask nauty; a sample of the graphs for each test would do, all are taken.
  for (const WlTest& test : tests) {
    const std::vector<bool> verdicts = distinguish_pairs(graphs, test, plainly());
    EXPECT_EQ(std::count(verdicts.begin(), verdicts.end(), true), 0) << describe(test);
    EXPECT_EQ(verdicts.size(), copies);
  }
}

}  // namespace
}  // namespace twofold::wl
