#include "twofold/graph/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/data_folder.h"
#include "tests/support/named_graphs.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/dataset_file.h"

namespace twofold::graph {
namespace {

using testing::data_folder;
using testing::kNeedsData;

TEST(Statistics, CountASelfLoopAsOneEdgeAndOneDegree) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1);
  builder.add_edge(1, 1);
  Dataset dataset;
  dataset.graphs.push_back(std::move(builder).build());
  const auto s = describe(dataset);
  EXPECT_EQ(s.edges.mean, 2);
  EXPECT_EQ(s.degree.max, 2);
  EXPECT_EQ(s.degree.mean, 1);
  EXPECT_EQ(s.self_loops, 1u);
  EXPECT_EQ(s.isolated_nodes, 1u);
  EXPECT_EQ(s.radius.count, 0u);
}

TEST(Statistics, CountLabelColumnsWithTheirGaps) {
  const auto columns = [](const std::vector<Label>& labels) {
    GraphBuilder builder(labels.size());
    builder.set_node_labels(labels);
    Dataset dataset;
    dataset.graphs.push_back(std::move(builder).build());
    return describe(dataset).node_labels.columns;
  };
  EXPECT_EQ(columns({1, 3}), 3u);
  EXPECT_EQ(columns({0, 3}), 4u);
  EXPECT_EQ(columns({-1, 3}), 5u);
  EXPECT_EQ(columns({5}), 5u);
  EXPECT_EQ(columns({0}), 1u);
  EXPECT_EQ(columns({-4, -2}), 3u);
}

TEST(Statistics, OfNoGraphsAreZero) {
  const auto s = describe(Dataset());
  EXPECT_EQ(s.graphs, 0u);
  EXPECT_EQ(s.nodes.max, 0);
}

TEST(Statistics, AreTheSameForAnyNumberOfThreads) {
  Random random(2);
  Dataset dataset;
  for (int i = 0; i < 60; ++i) dataset.graphs.push_back(testing::random_graph(random, 20, 0.2));
  StatisticsOptions one;
  one.threads = 1;
  StatisticsOptions four;
  four.threads = 4;
  EXPECT_EQ(describe(dataset, one).radius.std, describe(dataset, four).radius.std);
  EXPECT_EQ(describe(dataset, one).radius.count, describe(dataset, four).radius.count);
}

// The table of the paper's Appendix C, to its one decimal.
struct PaperRow {
  const char* name;
  std::size_t graphs;
  double nodes[3];
  double edges[3];
  std::size_t attributes, labels;
  double degree[4];  // min, mean, std, max
  double radius[2];  // mean, std
};

constexpr PaperRow kPaperTable[] = {
    {"TRIANGLE", 228, {6, 18.3, 32}, {5, 52.1, 164}, 0, 2, {0, 5.7, 2.8, 19}, {2.3, 0.5}},
    {"NCI1", 4110, {3, 29.9, 111}, {2, 32.3, 119}, 0, 37, {0, 2.2, 0.8, 4}, {7.0, 2.8}},
    {"PROTEINS_full", 1113, {4, 39.1, 620}, {5, 72.8, 1049}, 29, 3, {0, 3.7, 1.1, 25}, {6.1, 4.0}},
    {"DD", 1178, {30, 284.3, 5748}, {63, 715.7, 14267}, 0, 89, {1, 5.0, 1.7, 19}, {10.8, 3.8}},
    {"REDDIT-BINARY", 2000, {6, 429.6, 3782}, {4, 497.8, 4071}, 0, 0, {0, 2.3, 20.7, 3062}, {4.6, 1.6}},
    {"IMDB-BINARY", 1000, {12, 19.8, 136}, {26, 96.5, 1249}, 0, 0, {1, 9.8, 7.4, 135}, {1.0, 0.0}},
};

TEST(Statistics, EqualThePapersTable) {
  const std::string data = data_folder();
  if (data.empty()) GTEST_SKIP() << kNeedsData;
  const auto rounded = [](double x) { return std::round(x * 10) / 10; };
  for (const PaperRow& row : kPaperTable) {
    SCOPED_TRACE(row.name);
    const auto s = describe(io::read_dataset(data + "/" + row.name));
    EXPECT_EQ(s.graphs, row.graphs);
    EXPECT_EQ(s.nodes.min, row.nodes[0]);
    EXPECT_EQ(rounded(s.nodes.mean), row.nodes[1]);
    EXPECT_EQ(s.nodes.max, row.nodes[2]);
    EXPECT_EQ(s.edges.min, row.edges[0]);
    EXPECT_EQ(rounded(s.edges.mean), row.edges[1]);
    EXPECT_EQ(s.edges.max, row.edges[2]);
    EXPECT_EQ(s.node_attributes, row.attributes);
    EXPECT_EQ(s.node_labels.columns, row.labels);
    EXPECT_EQ(s.degree.min, row.degree[0]);
    EXPECT_EQ(rounded(s.degree.mean), row.degree[1]);
    EXPECT_EQ(rounded(s.degree.std), row.degree[2]);
    EXPECT_EQ(s.degree.max, row.degree[3]);
    EXPECT_EQ(rounded(s.radius.mean), row.radius[0]);
    EXPECT_EQ(rounded(s.radius.std), row.radius[1]);
  }
}

TEST(Statistics, KnowThatDdUses82Of89Labels) {
  const std::string data = data_folder();
  if (data.empty()) GTEST_SKIP() << kNeedsData;
  StatisticsOptions quick;
  quick.with_radius = false;
  EXPECT_EQ(describe(io::read_dataset(data + "/DD"), quick).node_labels.used, 82u);
}

TEST(Statistics, SeeTheTrapsOfTheRealFiles) {
  const std::string data = data_folder();
  if (data.empty()) GTEST_SKIP() << kNeedsData;
  StatisticsOptions quick;
  quick.with_radius = false;
  const auto of = [&](const char* name) { return describe(io::read_dataset(data + "/" + name), quick); };
  const auto triangle = of("TRIANGLE");  // each edge listed once, with self-loops
  EXPECT_EQ(triangle.self_loops, 164u);
  const auto nci1 = of("NCI1");
  EXPECT_EQ(nci1.isolated_nodes, 428u);
  const auto mutag = of("MUTAG");
  EXPECT_EQ(mutag.edge_labels.used, 4u);
  EXPECT_EQ(mutag.classes[0].first, "-1");
  EXPECT_EQ(mutag.classes[0].second, 63u);
  const auto enzymes = of("ENZYMES");
  EXPECT_EQ(enzymes.classes.size(), 6u);
  EXPECT_EQ(enzymes.node_attributes, 18u);
  EXPECT_EQ(of("PROTEINS").node_attributes, 1u);
}

}  // namespace
}  // namespace twofold::graph
