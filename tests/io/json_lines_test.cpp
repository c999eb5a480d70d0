#include "twofold/io/json_lines.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/named_graphs.h"
#include "tests/support/rich_dataset.h"
#include "twofold/base/error.h"

namespace twofold::io {
namespace {

std::string written(const Dataset& dataset) {
  std::string text;
  write_json_lines(dataset, [&](std::string_view line) { text += line; });
  return text;
}

TEST(JsonLines, ReadsTheExampleOfItsHeader) {
  const Dataset dataset = read_json_lines(
      "{\"nodes\": 3, \"edges\": [[0,1],[1,2]], \"node_labels\": [6,6,8], \"edge_labels\": [1,2], \"target\": "
      "\"active\"}\n",
      "x");
  dataset.check();
  ASSERT_EQ(dataset.graphs.size(), 1u);
  EXPECT_EQ(dataset.graphs[0].edges(), testing::path(3).edges());
  EXPECT_EQ(dataset.graphs[0].node_labels()[2], 8);
  EXPECT_EQ(dataset.graphs[0].edge_labels()[1], 2);
  EXPECT_EQ(dataset.class_names, std::vector<std::string>{"active"});
}

TEST(JsonLines, TargetsAreRealIfOneOfThemIs) {
  const Dataset classes = read_json_lines("{\"nodes\":1,\"target\":3}\n{\"nodes\":1,\"target\":-1}\n", "x");
  EXPECT_EQ(classes.class_names, (std::vector<std::string>{"-1", "3"}));
  const Dataset real = read_json_lines("{\"nodes\":1,\"target\":3}\n{\"nodes\":1,\"target\":0.5}\n", "x");
  EXPECT_FALSE(real.has_classes());
  EXPECT_EQ(real.real_targets, (std::vector<double>{3, 0.5}));
}

TEST(JsonLines, TakesKeysInAnyOrderAndGraphsWithoutEdges) {
  const Dataset dataset = read_json_lines("{\"edges\": [[1,0]], \"nodes\": 2}\n {\"nodes\": 0}\r\n\n", "x");
  ASSERT_EQ(dataset.graphs.size(), 2u);
  EXPECT_EQ(dataset.graphs[0], testing::path(2));
  EXPECT_EQ(dataset.graphs[1].num_nodes(), 0u);
}

TEST(JsonLines, ReadsBackWhatItWrote) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Dataset dataset = testing::rich_dataset(seed);
    dataset.name.clear();
    for (const int threads : {1, 3})
      EXPECT_EQ(read_json_lines(written(dataset), "x", threads), dataset) << seed;
  }
}

TEST(JsonLines, KeepsOddClassNames) {
  Dataset dataset;
  dataset.graphs = {testing::path(2), testing::path(3), testing::path(4)};
  dataset.set_classes({"a \"quoted\" <b>", "007", "\n"});
  EXPECT_EQ(read_json_lines(written(dataset), "x"), dataset);
}

TEST(JsonLines, WritesClassesOfManyDigitsAsText) {
  for (const char* name : {"8446744073709551615", "-1000000000000000000", "999999999999999999", "-0"}) {
    Dataset dataset;
    dataset.graphs = {testing::path(2)};
    dataset.set_classes({name});
    EXPECT_EQ(read_json_lines(written(dataset), "x"), dataset) << name;
  }
}

TEST(JsonLines, LimitsTheNodesOfAllLinesTogether) {
  ReadLimits limits;
  limits.max_nodes = 10;
  EXPECT_NO_THROW(read_json_lines("{\"nodes\":5}\n{\"nodes\":5}\n", "x", 1, limits));
  EXPECT_THROW(read_json_lines("{\"nodes\":5}\n{\"nodes\":6}\n", "x", 1, limits), InputError);
}

TEST(JsonLines, DeepNestingIsRefusedNotFollowed) {
  EXPECT_THROW(read_json_lines("{\"nodes\":1,\"edges\":" + std::string(100000, '['), "x"), InputError);
}

TEST(JsonLines, KeepsTargetsByNameAndThoseNotKnown) {
  const std::string text =
      "{\"nodes\": 1, \"edges\": [], \"target\": {\"logS\": -2.5, \"mass\": 18.0}}\n"
      "{\"nodes\": 1, \"edges\": [], \"target\": {\"logS\": null, \"mass\": 1.0}}\n";
  const Dataset dataset = read_json_lines(text, "x");
  dataset.check();
  EXPECT_EQ(dataset.target_names, (std::vector<std::string>{"logS", "mass"}));
  ASSERT_EQ(dataset.real_targets.size(), 4u);
  EXPECT_EQ(dataset.real_targets[1], 18);
  EXPECT_TRUE(std::isnan(dataset.real_targets[2]));
  EXPECT_EQ(written(dataset), text);
  // One that a line does not name is not known.
  const Dataset less = read_json_lines(
      "{\"nodes\": 1, \"target\": {\"a\": 1, \"b\": 2}}\n{\"nodes\": 1, \"target\": {\"b\": 3}}\n", "x");
  EXPECT_TRUE(std::isnan(less.real_targets[2]));
  EXPECT_EQ(less.real_targets[3], 3);
}

TEST(JsonLines, TakesNullForATargetThatIsNotKnown) {
  const Dataset one = read_json_lines("{\"nodes\": 1, \"target\": 3}\n{\"nodes\": 1, \"target\": null}\n", "x");
  EXPECT_EQ(one.num_real_targets, 1u);
  EXPECT_TRUE(std::isnan(one.real_targets[1]));
  const std::string text = "{\"nodes\": 1, \"edges\": [], \"graph_attributes\": [1.5,null]}\n";
  EXPECT_EQ(written(read_json_lines(text, "x")), text);
}

TEST(JsonLines, RefusesTargetsThatDoNotFit) {
  const auto message = [](const std::string& second) {
    try {
      read_json_lines("{\"nodes\": 1, \"target\": {\"a\": 1}}\n{\"nodes\": 1, \"target\": " + second + "}\n",
                      "x");
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("it was taken");
  };
  EXPECT_EQ(message("{\"b\": 1}"), "x:2: needed targets a, as on line 1, found 'b'");
  EXPECT_NE(message("1").find("an object as \"target\""), std::string::npos) << message("1");
  EXPECT_NE(message("{}").find("needed a target in the object of targets"), std::string::npos);
  EXPECT_NE(message("{\"a\": 1, \"a\": 2}").find("needed each target once"), std::string::npos);
  EXPECT_NE(message("{\"a\": \"x\"}").find("needed an integer, a number"), std::string::npos);
  EXPECT_NE(message("{\"a\": 1").find("x:2:"), std::string::npos);
  EXPECT_NE(message("nul").find("x:2:"), std::string::npos);
}

TEST(JsonLines, ArcsMakeDirectedGraphs) {
  const std::string text =
      "{\"nodes\": 4, \"arcs\": [[2,1],[0,1],[1,2],[3,3]], \"edge_labels\": [7,5,7,9]}\n"
      "{\"nodes\": 0, \"arcs\": [], \"edge_labels\": []}\n";
  const Dataset dataset = read_json_lines(text, "x");
  const Graph& g = dataset.graphs[0];
  g.check();
  EXPECT_TRUE(g.is_directed() && dataset.graphs[1].is_directed());
  EXPECT_EQ(g.arcs(), (std::vector<Edge>{{0, 1}, {1, 2}, {2, 1}}));
  EXPECT_EQ(std::vector<Label>(g.edge_labels().begin(), g.edge_labels().end()), (std::vector<Label>{5, 7, 9}));
  std::string written;
  write_json_lines(dataset, [&](std::string_view line) { written += line; });
  EXPECT_EQ(read_json_lines(written, "x"), dataset) << written;
  for (const char* wrong : {"{\"nodes\": 2, \"arcs\": [[0,1],[1,0]], \"edge_labels\": [1,2]}",
                            "{\"nodes\": 2, \"arcs\": [[0,1]], \"edges\": []}",
                            "{\"nodes\": 2, \"arcs\": [[0,1,1]]}", "{\"nodes\": 2, \"arcs\": [[0,2]]}",
                            "{\"nodes\": 2, \"arcs\": [[0,1]]}\n{\"nodes\": 2, \"edges\": [[0,1]]}"})
    EXPECT_THROW(read_json_lines(wrong, "x"), InputError) << wrong;
}

}  // namespace
}  // namespace twofold::io
