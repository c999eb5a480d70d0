#include "twofold/io/tu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "tests/support/as_other_user.h"
#include "tests/support/data_folder.h"
#include "tests/support/named_graphs.h"
#include "tests/support/rich_dataset.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"

namespace twofold::io {
namespace {

using testing::data_folder;
using testing::kNeedsData;
using testing::rich_dataset;
using testing::TemporaryFolder;

TEST(Tu, ReadsEdgesListedOnceTwiceOrFourTimesAlike) {
  const std::map<std::string, std::string> rest = {{"X_graph_indicator.txt", "1\n1\n1\n2\n"},
                                                   {"X_graph_labels.txt", "5\n7\n"}};
  const auto with_edges = [&](const std::string& edges) {
    auto files = rest;
    files["X_A.txt"] = edges;
    return read_tu_files("X", files);
  };
  const Dataset once = with_edges("1,2\n2,3\n");
  once.check();
  EXPECT_EQ(once.graphs[0], testing::path(3));
  EXPECT_EQ(once.graphs[1], testing::empty_graph(1));
  EXPECT_EQ(with_edges("1, 2\n2, 1\n2, 3\n3, 2\n"), once);
  EXPECT_EQ(with_edges("3, 2\r\n1,\t2 \r\n1, 2\r\n2, 1\r\n2, 3\r\n2, 3\r\n\r\n"), once);
}

TEST(Tu, KeepsClassesAsWrittenInTheOrderOfNumbers) {
  const Dataset dataset = read_tu_files(
      "X",
      {{"X_A.txt", ""}, {"X_graph_indicator.txt", "1\n2\n3\n4\n"}, {"X_graph_labels.txt", "10\n-1\n9\n-1\n"}});
  EXPECT_EQ(dataset.class_names, (std::vector<std::string>{"-1", "9", "10"}));
  EXPECT_EQ(dataset.class_of, (std::vector<std::uint32_t>{2, 0, 1, 0}));
}

TEST(Tu, ReadsEdgesOfGraphsInAnyOrder) {
  const Dataset dataset = read_tu_files("X", {{"X_A.txt", "3,4\n1,2\n4,5\n"},
                                              {"X_edge_labels.txt", "34\n12\n45\n"},
                                              {"X_graph_indicator.txt", "1\n1\n2\n2\n2\n"},
                                              {"X_graph_labels.txt", "0\n1\n"}});
  EXPECT_EQ(dataset.graphs[0].edge_labels()[0], 12);
  EXPECT_EQ(dataset.graphs[1].edge_labels()[1], 45);
}

TEST(Tu, ReadsRealTargetsAndPaddedAttributes) {
  const Dataset dataset = read_tu_files("X", {{"X_A.txt", "1,2\n"},
                                              {"X_graph_indicator.txt", "1\n1\n"},
                                              {"X_graph_attributes.txt", "0.5, -1e-3\n"},
                                              {"X_node_attributes.txt", "  1.0,     2\n+3,4e-400\n"}});
  EXPECT_FALSE(dataset.has_classes());
  EXPECT_EQ(dataset.num_real_targets, 2u);
  EXPECT_EQ(dataset.real_targets[1], -1e-3);
  EXPECT_EQ(dataset.graphs[0].node_attributes(1)[0], 3);
  EXPECT_EQ(dataset.graphs[0].node_attributes(1)[1], 0);
}

TEST(Tu, ReadsBackWhatItWrote) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Dataset dataset = rich_dataset(seed);
    dataset.name = "set" + std::to_string(seed);
    write_tu_dataset(dataset, folder.path(dataset.name));
    EXPECT_EQ(read_tu_dataset(folder.path(dataset.name), 1), dataset);
    EXPECT_EQ(read_tu_dataset(folder.path(dataset.name), 4), dataset);
  }
}

TEST(Tu, NumbersClassesThatAreNoIntegers) {
  const TemporaryFolder folder;
  Dataset dataset;
  dataset.graphs = {testing::path(2), testing::path(3)};
  dataset.set_classes({"toxic", "harmless"});
  EXPECT_FALSE(has_integer_classes(dataset));
  write_tu_dataset(dataset, folder.path("X"));
  const Dataset back = read_tu_dataset(folder.path("X"));
  EXPECT_EQ(back.class_names, (std::vector<std::string>{"0", "1"}));
  EXPECT_EQ(back.class_of, dataset.class_of);
}

TEST(Tu, WritesNothingThatTheFormatCannotHold) {
  const TemporaryFolder folder;
  Dataset dataset;
  dataset.graphs = {testing::path(2)};
  EXPECT_THROW(write_tu_dataset(dataset, folder.path("X")), InputError);
  dataset.graphs.emplace_back();
  dataset.set_classes({"0", "1"});
  EXPECT_THROW(write_tu_dataset(dataset, folder.path("X")), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder.path("X")));
}

TEST(Tu, KeepsTargetsOfNodes) {
  const TemporaryFolder folder;
  Dataset dataset;
  dataset.name = "X";
  dataset.graphs = {testing::path(2), testing::path(3)};
  dataset.node_targets.items = all_nodes(dataset.graphs);
  const WrittenTarget a{WrittenTarget::kText, "a", 0}, b{WrittenTarget::kText, "b", 0};
  dataset.node_targets.set({a, {}, b, a, b});
  write_tu_dataset(dataset, folder.path("X"));
  EXPECT_EQ(read_file(folder.path("X/X_node_targets.txt")), "a\n?\nb\na\nb\n");
  EXPECT_EQ(read_tu_dataset(folder.path("X")), dataset);

  // Whole values stay values.
  Dataset values = dataset;
  values.node_targets = {};
  values.node_targets.items = all_nodes(values.graphs);
  const auto real = [](double value) { return WrittenTarget{WrittenTarget::kReal, "", value}; };
  values.node_targets.set({real(1), {}, real(-2), real(0.1), real(1e300)});
  values.name = "Y";
  write_tu_dataset(values, folder.path("Y"));
  const Dataset back = read_tu_dataset(folder.path("Y"));
  EXPECT_FALSE(back.node_targets.has_classes());
  EXPECT_EQ(back.node_targets.values[0], 1);
  EXPECT_TRUE(std::isnan(back.node_targets.values[1]));
  EXPECT_EQ(back.node_targets.values[3], 0.1);

  dataset.node_targets.class_names = {"a", "two words"};
  EXPECT_THROW(write_tu_dataset(dataset, folder.path("Z")), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder.path("Z")));
}

TEST(Tu, SaysWhereTargetsOfNodesAreWrong) {
  const auto message = [](const std::string& targets) {
    try {
      read_tu_files(
          "X", {{"X_A.txt", "1, 2\n"}, {"X_graph_indicator.txt", "1\n1\n"}, {"X_node_targets.txt", targets}});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(message("a\nb\n"), "nothing was thrown");
  EXPECT_EQ(message("a\n"), "X_node_targets.txt:2: needed 2 lines, one per node, found only 1");
  EXPECT_EQ(message("a\nb\nc\n"), "X_node_targets.txt:3: needed 2 lines, one per node, found more");
  EXPECT_EQ(message("a\nb c\n"), "X_node_targets.txt:2: needed the end of the line, found 'c'");
  EXPECT_EQ(message("\nb\n"), "X_node_targets.txt:1: needed a class, a number or ?, found the end of the line");
}

TEST(Tu, TakesTheOnlyNameInAFolderThatIsCalledOtherwise) {
  const TemporaryFolder folder;
  Dataset dataset = rich_dataset(1);
  write_tu_dataset(dataset, folder.path("MUTAG"));
  std::filesystem::rename(folder.path("MUTAG"), folder.path("renamed"));
  EXPECT_EQ(read_tu_dataset(folder.path("renamed/")).name, "MUTAG");
}

TEST(Tu, NamesAFolderOrFileWithoutPermission) {
  const TemporaryFolder folder;
  write_tu_dataset(rich_dataset(1), folder.path("X"));
  namespace fs = std::filesystem;
  fs::permissions(folder.path(), fs::perms::all);
  fs::permissions(folder.path("X/X_A.txt"), fs::perms::none);
  const auto message = [&] {
    const testing::AsOtherUser other;
    try {
      read_tu_dataset(folder.path("X"));
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing was thrown");
  };
  EXPECT_EQ(message(), "cannot open " + folder.path("X/X_A.txt") + ": Permission denied");
  fs::permissions(folder.path("X"), fs::perms::none);
  EXPECT_EQ(message(), "cannot open " + folder.path("X") + ": Permission denied");
  fs::permissions(folder.path("X"), fs::perms::all);
}

TEST(Tu, ReadsEveryRealDatasetSoundly) {
  const std::string data = data_folder();
  if (data.empty()) GTEST_SKIP() << kNeedsData;
  for (const char* name : {"MUTAG", "NCI1", "PROTEINS_full", "ENZYMES", "IMDB-BINARY", "TRIANGLE"}) {
    SCOPED_TRACE(name);
    const Dataset dataset = read_tu_dataset(data + "/" + name);
    dataset.check();
    const TemporaryFolder folder;
    write_tu_dataset(dataset, folder.path(name));
    EXPECT_EQ(read_tu_dataset(folder.path(name)), dataset);
  }
}

}  // namespace
}  // namespace twofold::io
