#include "twofold/wl/fingerprint.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/file.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::wl {
namespace {

using graph::PowerRadius;

using namespace testing;  // NOLINT

Graph labelled_path() {
  GraphBuilder builder(4);
  builder.add_edge(0, 1);
  builder.add_edge(1, 2);
  builder.add_edge(2, 3);
  builder.add_edge(3, 3);
  builder.set_edge_labels({1, -2, 1, 7});
  builder.set_node_labels({3, 0, 0, -1});
  return std::move(builder).build();
}

// All that goes into the golden file, a line each.
std::string all_fingerprints() {
  const std::vector<std::pair<std::string, Graph>> graphs = {
      {"nothing", empty_graph(0)}, {"node", empty_graph(1)},
      {"hexagon", cycle(6)},       {"two triangles", two_triangles()},
      {"petersen", petersen()},    {"shrikhande", shrikhande()},
      {"decalin", decalin()},      {"labelled path", labelled_path()}};
  std::vector<WlTest> tests = {{Kind::kVertices},
                               {Kind::kEdges},
                               {Kind::kRows, 2, 1},
                               {Kind::kRows, 2, 2},
                               {Kind::kTuples, 2},
                               {Kind::kTuples, 3},
                               {Kind::kRows, 2, PowerRadius::all()}};
  std::string text;
  for (const auto& [name, graph] : graphs) {
    for (const WlTest& test : tests) text += name + ": " + fingerprint(graph, test) + "\n";
    if (graph.num_nodes() > 0) text += name + ": " + fingerprint(graph, {Kind::kRows, 2, 1, 1}) + "\n";
  }
  return text;
}

// A difference here is a broken promise to everyone who has stored a fingerprint: raise the version in front
// instead.
TEST(Fingerprint, IsFrozen) {
  EXPECT_EQ(all_fingerprints(), read_file(std::string(TWOFOLD_SOURCE_DIR) + "/tests/wl/fingerprints.golden"));
}

RC_GTEST_PROP(Fingerprint, IsTheSameForRelabelledGraphs, ()) {
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  const Graph g = random_decorated(random, 1 + random.below(12), random.uniform());
  const Graph h = shuffled(g, random);
  for (const WlTest& test : std::vector<WlTest>{
           {Kind::kVertices}, {Kind::kEdges}, {Kind::kRows, 2, 2}, {Kind::kTuples, 2}, {Kind::kRows, 2, 1, 1}})
    RC_ASSERT(fingerprint(g, test, {/*threads=*/2}) == fingerprint(h, test));
}

TEST(Fingerprint, TellsAllSmallGraphsApartThatTheTestDoes) {
  const std::vector<Graph> graphs = all_graphs(7);
  if (graphs.empty()) GTEST_SKIP() << "nauty-geng is not installed";
  for (const WlTest& test : std::vector<WlTest>{{Kind::kVertices}, {Kind::kRows}}) {
    std::vector<std::string> hashes = fingerprints(graphs, test);
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    EXPECT_EQ(hashes.size(), classify(graphs, test).num_classes);
  }
}

}  // namespace
}  // namespace twofold::wl
