#include "twofold/io/graph6.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "tests/support/named_graphs.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::io {
namespace {

using namespace twofold::testing;

// The examples of nauty's formats.txt.
TEST(Graph6, ReadsTheExamplesOfItsDefinition) {
  const auto graphs = read_graph6("DQc\n:Fa@x^\n", "x");
  EXPECT_EQ(graphs[0], from_edges(5, {{0, 2}, {0, 4}, {1, 3}, {3, 4}}));
  EXPECT_EQ(graphs[1], from_edges(7, {{0, 1}, {0, 2}, {1, 2}, {5, 6}}));
  EXPECT_EQ(to_graph6(graphs[0]), "DQc");
  EXPECT_EQ(to_sparse6(graphs[1]), ":Fa@x^");
}

TEST(Graph6, SkipsAHeaderBeforeOrAboveTheFirstGraph) {
  for (const char* text : {">>graph6<<DQc\nDQc", ">>graph6<<\nDQc\nDQc\n", "DQc\r\nDQc\r\n"})
    EXPECT_EQ(read_graph6(text, "x").size(), 2u) << text;
  EXPECT_EQ(read_graph6(">>sparse6<<:Fa@x^\n", "x").size(), 1u);
}

TEST(Graph6, ReadsBackWhatItWroteAtEverySizeOfTheNumberOfNodes) {
  Random random(31);
  for (const std::size_t n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 61, 62, 63, 64, 65, 100, 400})
    for (int round = 0; round < 20; ++round) {
      const Graph g = random_graph(random, n, round == 0 ? 0 : round == 1 ? 1 : random.uniform());
      EXPECT_EQ(read_graph6(to_graph6(g), "x").at(0), g);
      EXPECT_EQ(read_graph6(to_sparse6(g), "x").at(0), g);
    }
  const Graph large = path(300000);
  EXPECT_EQ(read_graph6(to_sparse6(large), "x").at(0), large);
}

// The example of nauty's formats.txt.
TEST(Digraph6, ReadsTheExampleOfItsDefinition) {
  const Graph g = read_graph6("&DI?AO?\n", "x").at(0);
  EXPECT_TRUE(g.is_directed());
  EXPECT_EQ(g.arcs(), (std::vector<Edge>{{0, 2}, {0, 4}, {3, 1}, {3, 4}}));
  EXPECT_EQ(to_digraph6(g), "&DI?AO?");
  EXPECT_EQ(read_graph6(">>digraph6<<&DI?AO?", "x").at(0), g);
}

TEST(Digraph6, ReadsBackWhatItWroteAndRefusesWhatIsLongOrMixed) {
  Random random(32);
  for (const std::size_t n : {0, 1, 2, 3, 5, 6, 7, 12, 13, 62, 63, 64, 100})
    for (int round = 0; round < 10; ++round) {
      GraphBuilder builder(n);
      builder.set_directed();
      for (Node u = 0; u < n; ++u)
        for (Node v = 0; v < n; ++v)
          if (random.chance(0.3)) builder.add_arc(u, v);
      const Graph g = std::move(builder).build();
      g.check();
      EXPECT_EQ(read_graph6(to_digraph6(g), "x").at(0), g);
    }
  for (const char* text : {"&DI?AO", "&DI?AO??", "&DI?AO@", "&", "&DI?AO?\nDQc", "DQc\n&DI?AO?"})
    EXPECT_THROW(read_graph6(text, "x"), InputError) << text;
}

// Where padding could be read as one more edge, for n = 2, 4, 8, 16.
TEST(Graph6, KeepsSelfLoopsAndAddsNoneInSparse6) {
  Random random(5);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 1 + random.below(18);
    GraphBuilder builder(n);
    for (std::uint64_t i = random.below(2 * n); i > 0; --i)
      builder.add_edge(static_cast<Node>(random.below(n)), static_cast<Node>(random.below(n)));
    const Graph g = std::move(builder).build();
    EXPECT_EQ(read_graph6(to_sparse6(g), "x").at(0), g) << to_sparse6(g);
  }
}

// nauty writes the same graphs in both formats; we must read it the same, and write what it wrote.
TEST(Graph6, AgreesWithNauty) {
  const TemporaryFolder folder;
  const auto dense = run_in_shell("nauty-geng -q 6", folder.path());
  if (dense.exit_code == 127) GTEST_SKIP() << "nauty-geng is not installed";
  const auto sparse = run_in_shell("nauty-geng -q 6 | nauty-copyg -s -q", folder.path());
  const auto graphs = read_graph6(dense.out, "geng");
  ASSERT_EQ(graphs.size(), 156u);
  std::string again_dense;
  std::string again_sparse;
  for (const Graph& g : graphs) {
    again_dense += to_graph6(g) + "\n";
    again_sparse += to_sparse6(g) + "\n";
  }
  EXPECT_EQ(again_dense, dense.out);
  EXPECT_EQ(again_sparse,
            sparse.out.substr(sparse.out.find("<<") == std::string::npos ? 0 : sparse.out.find("<<") + 2));
  EXPECT_EQ(read_graph6(sparse.out, "copyg"), graphs);
}

}  // namespace
}  // namespace twofold::io
