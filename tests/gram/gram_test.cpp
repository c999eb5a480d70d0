#include "twofold/gram/gram.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/data_folder.h"
#include "tests/support/gram_oracle.h"
#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/io/dataset_file.h"
#include "twofold/wl/coloring.h"

namespace twofold::testing {
namespace {

using gram::gram_matrix;
using gram::GramMatrix;
using gram::Kernel;
using gram::KernelKind;
using gram::Wide;

constexpr KernelKind kKinds[] = {KernelKind::kWlSubtree, KernelKind::kWlShortestPath, KernelKind::kLocalSets,
                                 KernelKind::kGlobalSets, KernelKind::kRows};

// Random graphs of every kind, graphs full of twins, and the smallest ones; some twice under other numbers.
std::vector<Graph> sample(std::uint64_t seed) {
  Random random(seed);
  std::vector<Graph> graphs = {empty_graph(0), empty_graph(1), empty_graph(3), star(5), complete(5), path(4)};
  for (int i = 0; i < 6; ++i) {
    const std::size_t n = 1 + random.below(9);
    graphs.push_back(
        random_graph(random, n, 0.1 + 0.8 * random.uniform(), static_cast<Label>(random.below(3))));
    graphs.push_back(random_decorated(random, n, 0.1 + 0.8 * random.uniform()));
    graphs.push_back(shuffled(graphs[random.below(graphs.size())], random));
  }
  return graphs;
}

class EveryKernel : public ::testing::TestWithParam<KernelKind> {};

TEST_P(EveryKernel, EqualsTheOracleOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto graphs = sample(seed);
    for (const bool edge_labels : {false, true})
      for (const int iterations : {0, 1, 3}) {
        const Kernel kernel{GetParam(), iterations, edge_labels};
        const GramMatrix matrix = gram_matrix(graphs, kernel);
        matrix.check();
        ASSERT_EQ(matrix.values, oracle_gram(graphs, kernel).values) << describe(kernel) << ", seed " << seed;
      }
  }
}

TEST_P(EveryKernel, ByIntersectionEqualsTheOracleOnRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto graphs = sample(seed);
    for (const bool edge_labels : {false, true}) {
      const Kernel kernel{GetParam(), 2, edge_labels, 2, gram::Combine::kIntersection};
      const GramMatrix matrix = gram_matrix(graphs, kernel, {1, 0, {}});
      matrix.check();
      ASSERT_EQ(matrix.values, oracle_gram(graphs, kernel).values) << describe(kernel) << ", seed " << seed;
      if (seed == 1) {
        EXPECT_EQ(matrix.values, gram_matrix(graphs, kernel, {3, 0, {}}).values);
      }
    }
  }
}

// Every object finds a partner: what a graph has in common with itself is all of it.
TEST_P(EveryKernel, ByIntersectionHasTheNumberOfObjectsOnTheDiagonal) {
  const Kernel kernel{GetParam(), 3, false, graph::PowerRadius::all(), gram::Combine::kIntersection};
  const std::int64_t n = 7, rounds = 4;
  const std::int64_t objects = GetParam() == KernelKind::kWlSubtree        ? n
                               : GetParam() == KernelKind::kWlShortestPath ? n * (n - 1)
                               : GetParam() == KernelKind::kRows           ? n * (n + 1) / 2
                                                                           : n * (n - 1) / 2;
  EXPECT_EQ(gram_matrix(std::vector<Graph>{path(7)}, kernel).at(0, 0), rounds * objects);
}

TEST_P(EveryKernel, DoesNotSeeTheNumbersOfVertices) {
  Random random(7);
  for (int i = 0; i < 10; ++i) {
    const Graph g = random_decorated(random, 30, 0.1);
    const Graph h = shuffled(g, random);
    for (const bool edge_labels : {false, true}) {
      const GramMatrix matrix = gram_matrix(std::vector<Graph>{g, h}, {GetParam(), 4, edge_labels});
      EXPECT_EQ(matrix.at(0, 0), matrix.at(0, 1));
      EXPECT_EQ(matrix.at(0, 0), matrix.at(1, 1));
    }
  }
}

TEST_P(EveryKernel, IsPositiveSemidefinite) {
  Random random(11);
  const auto graphs = sample(3);
  const GramMatrix matrix = gram_matrix(graphs, {GetParam(), 3, false});
  for (int round = 0; round < 200; ++round) {
    std::vector<Wide> x(matrix.size);
    for (Wide& value : x) value = static_cast<Wide>(random.below(201)) - 100;
    Wide form = 0;
    for (std::size_t i = 0; i < matrix.size; ++i)
      for (std::size_t j = 0; j < matrix.size; ++j) form += x[i] * x[j] * matrix.at(i, j);
    ASSERT_TRUE(form >= 0) << gram::to_text(form);
  }
}

TEST_P(EveryKernel, IsTheSameForAnyNumberOfThreads) {
  Random random(5);
  std::vector<Graph> graphs;
  for (int i = 0; i < 150; ++i) graphs.push_back(random_graph(random, 2 + random.below(20), 0.2, 3));
  const Kernel kernel{GetParam(), 3, false};
  const GramMatrix one = gram_matrix(graphs, kernel, {1, 0, {}});
  EXPECT_EQ(one.values, gram_matrix(graphs, kernel, {2, 0, {}}).values);
  EXPECT_EQ(one.values, gram_matrix(graphs, kernel, {4, 0, {}}).values);
}

TEST_P(EveryKernel, IsTheSameInBlocks) {
  Random random(6);
  std::vector<Graph> graphs;
  for (int i = 0; i < 30; ++i) graphs.push_back(random_graph(random, 2 + random.below(9), 0.3, 3));
  struct Way {
    std::size_t most;
    int threads;
  };
  for (const gram::Combine combine : {gram::Combine::kProduct, gram::Combine::kIntersection}) {
    Kernel kernel{GetParam(), 2, false};
    kernel.combine = combine;
    const GramMatrix whole = gram_matrix(graphs, kernel, {1, 0, {}});
    for (const Way way : {Way{0, 1}, Way{30, 1}, Way{13, 1}, Way{13, 2}, Way{13, 4}, Way{1, 1}}) {
      std::vector<std::int64_t> values;
      std::size_t next = 0;
      gram::gram_blocks(graphs, kernel, {way.threads, 0, {}, way.most}, [&](const GramMatrix& block) {
        EXPECT_EQ(block.begin, next);
        EXPECT_LE(block.end() - block.begin, way.most == 0 ? 30 : way.most);
        EXPECT_EQ(block.diagonal, whole.diagonal);
        EXPECT_TRUE(block.trace() == whole.trace());
        next = block.end();
        values.insert(values.end(), block.values.begin(), block.values.end());
      });
      EXPECT_EQ(next, 30u);
      EXPECT_EQ(values, whole.values);
    }
  }
  bool is_empty = false;
  gram::gram_blocks({}, {GetParam(), 2, false}, {},
                    [&](const GramMatrix& block) { is_empty = block.size == 0; });
  EXPECT_TRUE(is_empty);
}

TEST_P(EveryKernel, MakesAsManyRowsAtOnceAsMemoryAllows) {
  const std::vector<Graph> graphs(4000, path(3));
  const Kernel kernel{GetParam(), 1, false};
  EXPECT_EQ(gram::rows_at_once(graphs, kernel, {1, std::uint64_t{1} << 30, {}}), 4000u);
  // 128 MB for all rows.
  std::size_t before = 0;
  for (const std::uint64_t megabytes : {80, 100, 140, 200}) {
    const std::size_t rows = gram::rows_at_once(graphs, kernel, {1, megabytes << 20, {}});
    EXPECT_GT(rows, before);
    EXPECT_LE(rows * 4000 * 8, (megabytes << 20) / 2);
    before = rows;
  }
  EXPECT_THROW(gram::rows_at_once(graphs, kernel, {1, 10000, {}}), Error);
}

TEST_P(EveryKernel, AnEntryDependsOnItsTwoGraphsAlone) {
  const auto graphs = sample(9);
  const Kernel kernel{GetParam(), 2, true};
  const GramMatrix all = gram_matrix(graphs, kernel);
  for (std::size_t i = 0; i < graphs.size(); i += 3)
    for (std::size_t j = 0; j < graphs.size(); j += 2) {
      const GramMatrix two = gram_matrix(std::vector<Graph>{graphs[i], graphs[j]}, kernel);
      EXPECT_EQ(two.at(0, 1), all.at(i, j));
    }
}

TEST_P(EveryKernel, TakesNoGraphsAndGraphsWithoutNodes) {
  EXPECT_EQ(gram_matrix(std::vector<Graph>{}, {GetParam(), 2, false}).size, 0u);
  EXPECT_EQ(gram_matrix(std::vector<Graph>{empty_graph(0)}, {GetParam(), 2, false}).at(0, 0), 0);
}

TEST_P(EveryKernel, ReportsProgressUpToTheTotal) {
  const auto graphs = sample(1);
  std::vector<Graph> many;
  while (many.size() < 600) many.insert(many.end(), graphs.begin(), graphs.end());
  std::uint64_t calls = 0, last = 0;
  gram_matrix(many, {GetParam(), 1, false}, {2, 0, [&](std::uint64_t done, std::uint64_t total) {
                                               ++calls;
                                               EXPECT_LE(last, done);
                                               EXPECT_LE(done, total);
                                               last = done;
                                             }});
  EXPECT_GT(calls, 0u);
}

TEST_P(EveryKernel, RefusesWhatDoesNotFitIntoMemory) {
  EXPECT_THROW(gram_matrix(std::vector<Graph>(100, path(3)), {GetParam(), 1, false}, {1, 1000, {}}), Error);
  Random random(1);
  const Graph cubic = random_regular(random, 400, 3);
  EXPECT_THROW(gram_matrix(std::vector<Graph>{cubic}, {GetParam(), 1, false}, {1, 1000, {}}), Error);
}

TEST_P(EveryKernel, RefusesNegativeIterations) {
  EXPECT_THROW(gram_matrix(std::vector<Graph>{path(3)}, {GetParam(), -1, false}), UsageError);
}

INSTANTIATE_TEST_SUITE_P(Gram, EveryKernel, ::testing::ValuesIn(kKinds), [](const auto& test) {
  std::string name = gram::kernel_name(test.param);
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return "Kernel" + name;
});

TEST(Gram, WlSubtreeCannotTellTwoTrianglesFromAHexagon) {
  const GramMatrix matrix =
      gram_matrix(std::vector<Graph>{two_triangles(), cycle(6)}, {KernelKind::kWlSubtree, 5});
  EXPECT_EQ(matrix.at(0, 0), 6 * 6 * 6);  // six rounds, one color of six vertices each
  EXPECT_EQ(matrix.at(0, 1), matrix.at(0, 0));
  EXPECT_EQ(matrix.at(1, 1), matrix.at(0, 0));
}

TEST(Gram, WlShortestPathTakesSeveralPassesWithLittleMemoryAndGivesTheSame) {
  Random random(3);
  std::vector<Graph> graphs;
  for (int i = 0; i < 12; ++i) graphs.push_back(random_graph(random, 900, 0.002, 400));
  const Kernel kernel{KernelKind::kWlShortestPath, 0, false};
  const GramMatrix plenty = gram_matrix(graphs, kernel);
  // 12 graphs with 400 shared labels: about 4.8 million entries of 48 bytes, 65 MiB hold a third of them at
  // once.
  const GramMatrix scarce = gram_matrix(graphs, kernel, {2, 66u << 20, {}});
  EXPECT_EQ(plenty.values, scarce.values);
}

TEST(Gram, AValueBeyond64BitsIsAnError) {
  // 70000 leaves: 4.9e9 pairs at distance 2, squared 2.4e19.
  const std::vector<Graph> graphs = {star(70000)};
  try {
    gram_matrix(graphs, {KernelKind::kWlShortestPath, 0, false});
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "graph 1: its kernel value with itself exceeds 2^63-1, the largest 64-bit integer");
  }
}

TEST(Gram, TwoWlEqualsTheOracleAtEveryRadius) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto graphs = sample(seed);
    for (const graph::PowerRadius radius :
         {graph::PowerRadius(2), graph::PowerRadius(3), graph::PowerRadius::all()})
      for (const bool edge_labels : {false, true}) {
        const Kernel kernel{KernelKind::kRows, 3, edge_labels, radius};
        ASSERT_EQ(gram_matrix(graphs, kernel, {1, 0, {}}).values, oracle_gram(graphs, kernel).values)
            << describe(kernel) << ", seed " << seed;
      }
  }
}

// The kernel counts what the WL test 2-wl colors, round by round, in code that shares nothing with it.
TEST(Gram, TwoWlCountsTheColorsOfTheWlTest) {
  for (std::uint64_t seed = 21; seed <= 23; ++seed) {
    const auto graphs = sample(seed);
    for (const graph::PowerRadius radius :
         {graph::PowerRadius(1), graph::PowerRadius(2), graph::PowerRadius::all()})
      for (const bool edge_labels : {false, true})
        for (const int iterations : {0, 2}) {
          wl::WlTest test = wl::parse_test("2-wl");
          test.radius = radius;
          test.edge_labels = edge_labels;
          std::vector<std::int64_t> expected(graphs.size() * graphs.size(), 0);
          // A coloring that is stable stays: the test may stop there, the kernel goes on counting.
          for (int t = 0; t <= iterations; ++t) {
            wl::RefineOptions options;
            options.max_rounds = t;
            const wl::Coloring coloring = wl::refine(graphs, test, options);
            for (std::size_t i = 0; i < graphs.size(); ++i)
              for (std::size_t j = 0; j < graphs.size(); ++j)
                for (const auto& [color, count] : coloring.histogram(i))
                  for (const auto& [other, times] : coloring.histogram(j))
                    if (color == other)
                      expected[i * graphs.size() + j] += static_cast<std::int64_t>(count * times);
          }
          const Kernel kernel{KernelKind::kRows, iterations, edge_labels, radius};
          ASSERT_EQ(gram_matrix(graphs, kernel, {1, 0, {}}).values, expected)
              << describe(kernel) << ", seed " << seed;
        }
  }
}

TEST(Gram, TwoWlTellsTwoTrianglesFromAHexagon) {
  const std::vector<Graph> graphs = {two_triangles(), cycle(6)};
  const GramMatrix one = gram_matrix(graphs, {KernelKind::kRows, 1, false, 1});
  // Round 0 has 6 loops and 6 edges in both; in round 1 the edges of triangles have a third common neighbor.
  EXPECT_EQ(one.at(0, 0), 2 * (36 + 36));
  EXPECT_EQ(one.at(0, 1), 36 + 36 + 36);
}

TEST(Gram, TwoWlRunsOnLargeStarsByTheirTwins) {
  // 50000 leaves: 1.25e9 pairs at radius 2, in three places.
  const std::vector<Graph> graphs = {star(50000)};
  const GramMatrix matrix = gram_matrix(graphs, {KernelKind::kRows, 0, false, 2}, {1, 64u << 20, {}});
  const std::int64_t leaves = 50000, pairs = leaves * (leaves - 1) / 2;
  EXPECT_EQ(matrix.at(0, 0), (leaves + 1) * (leaves + 1) + leaves * leaves + pairs * pairs);
}

// The sums are those of the paper's definitions (wl-st and wl-sp, raw counts); the oracle agrees.
TEST(Gram, KnownAnswersOnMutag) {
  const std::string data = data_folder();
  if (data.empty()) GTEST_SKIP() << kNeedsData;
  const Dataset mutag = io::read_dataset(data + "/MUTAG");
  const GramMatrix subtree = gram_matrix(mutag.graphs, {KernelKind::kWlSubtree, 3, false});
  EXPECT_EQ(gram::to_text(subtree.trace()), "69754");
  EXPECT_EQ(gram::to_text(subtree.total()), "9991994");
  const GramMatrix paths = gram_matrix(mutag.graphs, {KernelKind::kWlShortestPath, 3, false});
  EXPECT_EQ(gram::to_text(paths.trace()), "2287982");
  EXPECT_EQ(gram::to_text(paths.total()), "248363282");
  EXPECT_EQ(subtree.values, oracle_gram(mutag.graphs, {KernelKind::kWlSubtree, 3, false}).values);
}

TEST(Gram, SetKernelsEqualTheOracleOnMolecules) {
  const std::string data = data_folder();
  if (data.empty()) GTEST_SKIP() << kNeedsData;
  Dataset mutag = io::read_dataset(data + "/MUTAG");
  mutag.graphs.resize(30);
  for (const KernelKind kind : {KernelKind::kLocalSets, KernelKind::kGlobalSets})
    for (const bool edge_labels : {false, true})
      EXPECT_EQ(gram_matrix(mutag.graphs, {kind, 3, edge_labels}).values,
                oracle_gram(mutag.graphs, {kind, 3, edge_labels}).values);
}

}  // namespace
}  // namespace twofold::testing
