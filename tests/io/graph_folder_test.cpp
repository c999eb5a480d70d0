#include "twofold/io/graph_folder.h"

#include <gtest/gtest.h>

#include "tests/support/data_folder.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/io/dataset_file.h"
#include "twofold/io/json_lines.h"

namespace twofold::io {
namespace {

std::string error_of(const testing::TemporaryFolder& folder) {
  try {
    read_graph_folder(folder.path());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(GraphFolder, ReadsEdgesSparseFeaturesAndLabels) {
  const testing::TemporaryFolder folder;
  folder.write("edges.txt", "0 1\n2,1\n1 0\n");
  folder.write("features.txt", "4 0\n\n0 4:2.5\n");
  folder.write("labels.txt", "red\n?\nblue\n");
  const Dataset dataset = read_dataset(folder.path());
  dataset.check();
  const Graph& g = dataset.graphs.at(0);
  EXPECT_EQ(g.num_nodes(), 3u);
  EXPECT_EQ(g.num_edges(), 2u);
  ASSERT_NE(g.node_features(), nullptr);
  EXPECT_EQ(g.node_features()->columns, 5u);
  EXPECT_EQ(g.node_features()->num_rows(), 3u);
  const auto row = static_cast<std::size_t>(g.node_labels()[2]);
  EXPECT_EQ(g.node_features()->row_values(row)[1], 2.5f);
  EXPECT_EQ(dataset.node_targets.class_names, (std::vector<std::string>{"blue", "red"}));
  EXPECT_FALSE(dataset.node_targets.is_known(1));
  EXPECT_EQ(dataset.node_targets.num_known(), 2u);
}

TEST(GraphFolder, EqualFeaturesAreOneRow) {
  const testing::TemporaryFolder folder;
  folder.write("edges.txt", "0 1\n");
  folder.write("features.txt", "7 3\n3 7\n9\n");
  const Graph g = read_graph_folder(folder.path()).graphs[0];
  EXPECT_EQ(g.node_labels()[0], g.node_labels()[1]);
  EXPECT_NE(g.node_labels()[0], g.node_labels()[2]);
}

TEST(GraphFolder, ReadsDenseFeaturesAndRealTargets) {
  const testing::TemporaryFolder folder;
  folder.write("edges.txt", "0 1\n");
  folder.write("features.txt", "1.5, -2\n0,3\n");
  folder.write("labels.txt", "0.5\n?\n");
  const Dataset dataset = read_graph_folder(folder.path());
  EXPECT_EQ(dataset.graphs[0].num_node_attributes(), 2u);
  EXPECT_EQ(dataset.graphs[0].node_attributes(1)[1], 3);
  EXPECT_FALSE(dataset.node_targets.has_classes());
  EXPECT_EQ(dataset.node_targets.values[0], 0.5);
}

TEST(GraphFolder, SaysPlaceNeedAndFoundOfWhatIsWrong) {
  struct Broken {
    const char* edges;
    const char* features;  // null: no file
    const char* labels;
    const char* says;
  };
  const Broken all[] = {
      {"0 1\n0 1 2\n", nullptr, nullptr, "edges.txt:2: needed two nodes, found 3 values"},
      {"0 x\n", nullptr, nullptr, "edges.txt:1: needed a node in 0..99999999, found 'x'"},
      {"0 1\n1 3\n", nullptr, "a\nb\nc\n",
       "edges.txt:2: needed nodes in 0..2, as many as labels.txt has lines, found 3"},
      {"0 1\n", "1\n2\n3\n", "a\nb\n", "features.txt: needed 2 lines, as in labels.txt, one per node, found 3"},
      {"0 1\n", "1\n-2\n", nullptr, "features.txt:2: needed columns of features in 0..999999, found -2"},
      {"0 1\n", "1\n2000000\n", nullptr,
       "features.txt:2: needed columns of features in 0..999999, found 2000000"},
      {"0 1\n", "1\n2 5 2\n", nullptr, "features.txt:2: needed each column of a node once, found 2 twice"},
      {"0 1\n", "1\nword\n", nullptr,
       "features.txt:2: needed columns, or column:value, with blanks between them, found 'word'"},
      {"0 1\n", "1\n2:nan\n", nullptr,
       "features.txt:2: needed a finite number behind the colon, found '2:nan'"},
      {"0 1\n", "1,2\n1\n", nullptr, "features.txt:2: needed 2 numbers, as on line 1, found 1"},
      {"0 1\n", nullptr, "a\nb c\n", "labels.txt:2: needed one class, number or ?, found 2 values"},
      {"", nullptr, nullptr, "needed a graph of at least one node, found none"},
  };
  for (const Broken& broken : all) {
    const testing::TemporaryFolder folder;
    folder.write("edges.txt", broken.edges);
    if (broken.features != nullptr) folder.write("features.txt", broken.features);
    if (broken.labels != nullptr) folder.write("labels.txt", broken.labels);
    EXPECT_NE(error_of(folder).find(broken.says), std::string::npos) << error_of(folder) << "\n" << broken.says;
  }
}

TEST(GraphFolder, JsonLinesHoldTheSame) {
  const testing::TemporaryFolder folder;
  folder.write("edges.txt", "0 1\n1 2\n");
  folder.write("features.txt", "1 2\n\n2:0.5\n");
  folder.write("labels.txt", "1\n?\n0\n");
  Dataset dataset = read_graph_folder(folder.path());
  dataset.pair_targets.items = {{0, 0, 1}, {0, 0, 2}};
  dataset.pair_targets.set({{WrittenTarget::kInteger, "1", 1}, {}});
  std::string text;
  write_json_lines(dataset, [&](std::string_view part) { text += part; });
  Dataset again = read_json_lines(text, "again");
  again.name = dataset.name;
  EXPECT_TRUE(again == dataset) << text;
}

TEST(JsonLines, SaysWhatIsWrongWithTargetsOfNodesAndPairsAndWithFeatures) {
  const auto error_of_line = [](const std::string& members) -> std::string {
    try {
      read_json_lines("{\"nodes\": 3, \"edges\": [[0,1]], " + members + "}\n", "x");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const std::pair<const char*, const char*> all[] = {
      {"\"node_targets\": [0,1]", "x:1: needed 3 values in \"node_targets\", one per node, found 2"},
      {"\"node_targets\": [0,[1],1]",
       "x:1: needed a list of integers, numbers, texts or null as \"node_targets\""},
      {"\"node_targets\": [\"a\",0.5,null]", "needed classes or real numbers as \"node_targets\", found both"},
      {"\"pair_targets\": [[0,3,1]]", "x:1: needed nodes of \"pair_targets\" in 0..2, found 3"},
      {"\"pair_targets\": [[1,1,1]]", "x:1: needed pairs of two nodes in \"pair_targets\", found [1,1]"},
      {"\"pair_targets\": [[0,1,1],[1,0,0]]",
       "x:1: needed each pair once in \"pair_targets\", found [0,1] twice"},
      {"\"node_features\": [[1],[2]]", "x:1: needed 3 rows in \"node_features\", one per node, found 2"},
      {"\"node_features\": [[1],[2,2],[]]",
       "x:1: needed each column of a node once in \"node_features\", found 2 twice"},
      {"\"node_features\": [[1],[-2],[]]", "x:1: needed columns of features in 0..999999, found -2"},
      {"\"node_features\": [[1],[2],[]], \"node_labels\": [1,1,1]",
       "x:1: needed \"node_labels\" or \"node_features\", found both"},
      {"\"node_features\": [[1],[2],[]], \"node_feature_values\": [[1],[2,3],[]]",
       "x:1: needed as many \"node_feature_values\" of each node as \"node_features\", found others"},
  };
  for (const auto& [members, says] : all)
    EXPECT_NE(error_of_line(members).find(says), std::string::npos) << error_of_line(members) << "\n" << says;
}

TEST(GraphFolder, ReadsCora) {
  const std::string folder = testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << "TWOFOLD_DATA is not set";
  const Dataset cora = read_dataset(folder + "/CORA");
  cora.check();
  EXPECT_EQ(cora.name, "CORA");
  EXPECT_EQ(cora.graphs[0].num_nodes(), 2708u);
  EXPECT_EQ(cora.graphs[0].num_edges(), 5278u);
  EXPECT_EQ(cora.graphs[0].node_features()->columns, 1433u);
  EXPECT_EQ(cora.graphs[0].node_features()->indices.size() > 40000, true);
  EXPECT_EQ(cora.node_targets.class_names.size(), 7u);
  EXPECT_EQ(cora.node_targets.num_known(), 2708u);
}

}  // namespace
}  // namespace twofold::io
