#include "twofold/io/dataset_file.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/named_graphs.h"
#include "tests/support/program.h"
#include "tests/support/rich_dataset.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"

namespace twofold::io {
namespace {

using namespace std::string_literals;
using testing::TemporaryFolder;

TEST(DatasetFile, TellsFormatsApartByContent) {
  const TemporaryFolder folder;
  Dataset dataset;
  dataset.graphs = {testing::petersen(), testing::cycle(60)};  // 60 nodes start with '{' in graph6
  for (const Format format : {Format::kGraph6, Format::kSparse6, Format::kJsonLines}) {
    std::reverse(dataset.graphs.begin(), dataset.graphs.end());
    write_dataset(dataset, folder.path("any.name"), format);
    const Dataset back = read_dataset(folder.path("any.name"));
    EXPECT_EQ(back.graphs, dataset.graphs);
    EXPECT_EQ(back.name, "any");
  }
}

TEST(DatasetFile, KnowsFormatsByTheirEndings) {
  EXPECT_EQ(format_of_path("a/b.jsonl"), Format::kJsonLines);
  EXPECT_EQ(format_of_path("b.g6"), Format::kGraph6);
  EXPECT_EQ(format_of_path("b.sparse6"), Format::kSparse6);
  EXPECT_EQ(format_of_path("MUTAG"), Format::kTu);
  EXPECT_EQ(parse_format("tu"), Format::kTu);
  EXPECT_THROW(parse_format("g7"), UsageError);
}

TEST(DatasetFile, LosesNothingUnasked) {
  const TemporaryFolder folder;
  const Dataset dataset = testing::rich_dataset(2);
  EXPECT_THROW(write_dataset(dataset, folder.path("x.g6"), Format::kGraph6), InputError);
  EXPECT_THROW(write_dataset(dataset, folder.path("x.s6"), Format::kSparse6), InputError);
  write_dataset(dataset, folder.path("x.g6"), Format::kGraph6, true);
  const Dataset bare = read_dataset(folder.path("x.g6"));
  EXPECT_EQ(bare.graphs.size(), dataset.graphs.size());
  EXPECT_EQ(bare.graphs[0].edges(), dataset.graphs[0].edges());
}

TEST(DatasetFile, PrintsToStreamsButNoFolders) {
  Dataset dataset;
  dataset.graphs = {testing::path(2)};
  std::ostringstream out;
  print_dataset(dataset, out, Format::kGraph6);
  EXPECT_EQ(out.str(), "A_\n");
  EXPECT_THROW(print_dataset(dataset, out, Format::kTu), UsageError);
}

TEST(DatasetFile, HasTriangleBuiltIn) {
  const Dataset triangle = read_dataset("TRIANGLE");
  EXPECT_EQ(triangle.name, "TRIANGLE");
  EXPECT_EQ(triangle.graphs.size(), 228u);
}

std::string message_of(const std::string& path) {
  try {
    read_dataset(path);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(DatasetFile, SaysWhatAFileOfAnotherKindLooksLike) {
  const TemporaryFolder folder;
  const std::string needed =
      ": needed a dataset (JSON lines: an object per line; graph6; sparse6; digraph6; .npy of graph6 strings; "
      "a CSV "
      "table with a column smiles; a zip or tar archive of a TU folder), found ";
  for (const auto& [content, kind] : {std::pair<std::string, std::string>{"id,label\n1,0\n", "a CSV table"},
                                      {"[{\"nodes\": 2}]", "a JSON array"},
                                      {"[[]]", "a JSON array"},
                                      {"<!DOCTYPE html>", "an HTML page"},
                                      {"0 1\n1 2\n", "an edge list"},
                                      {"\x89PNG\r\n\x1a\n\0"s, "a PNG image"},
                                      {"some words", "text that starts 'some words'"}}) {
    const std::string path = folder.write("x", content);
    EXPECT_EQ(message_of(path), path + needed + kind);
  }
  // One word may be a damaged graph6 line: both are said.
  const std::string word = folder.write("x", "CCO\n");
  EXPECT_EQ(
      message_of(word).rfind(word + ":1: needed 1 bytes for the edges of 4 nodes, found 2; if it is not", 0),
      0u)
      << message_of(word);
  const std::string named = folder.write("x.g6", "CCO\n");
  EXPECT_EQ(message_of(named), named + ":1: needed 1 bytes for the edges of 4 nodes, found 2");
}

TEST(DatasetFile, ReadsGraph6ThatLooksLikeSomethingElse) {
  const TemporaryFolder folder;
  Dataset dataset;
  dataset.graphs = {testing::cycle(28)};  // starts with '[', as a JSON array
  write_dataset(dataset, folder.path("x"), Format::kGraph6);
  EXPECT_EQ(read_file(folder.path("x"))[0], '[');
  EXPECT_EQ(read_dataset(folder.path("x")).graphs, dataset.graphs);
}

TEST(DatasetFile, DropsEdgeDataThatDiffersByDirectionIfAsked) {
  const TemporaryFolder folder;
  const auto dropped_of = [&](const std::string& labels, const std::string& attributes) {
    const std::string path =
        folder.write("x.jsonl", "{\"nodes\": 2, \"edges\": [[0,1],[1,0]], \"edge_labels\": " + labels +
                                    ", \"edge_attributes\": " + attributes + "}\n");
    std::string dropped = "unset";
    std::vector<std::string> notes;
    const Dataset dataset = read_dataset_dropping(path, dropped, {}, notes, 1);
    EXPECT_EQ(dataset.graphs[0].num_edges(), 1u);
    EXPECT_EQ(dataset.graphs[0].has_edge_labels(), dropped.empty() || dropped == "edge attributes");
    EXPECT_EQ(dataset.graphs[0].num_edge_attributes(), dropped.empty() || dropped == "edge labels" ? 1u : 0u);
    EXPECT_EQ(message_of(path) == "nothing was thrown", dropped.empty());
    return dropped;
  };
  EXPECT_EQ(dropped_of("[1,1]", "[[2],[2]]"), "");
  EXPECT_EQ(dropped_of("[1,1]", "[[2],[3]]"), "edge attributes");
  EXPECT_EQ(dropped_of("[1,2]", "[[2],[2]]"), "edge labels");
  EXPECT_EQ(dropped_of("[1,2]", "[[2],[3]]"), "edge labels and attributes");
}

// Every format from standard input, an archive of a TU folder included.
TEST(DatasetFile, ReadsStandardInput) {
  const TemporaryFolder folder;
  for (const char* command :
       {"twofold data convert TRIANGLE T && tar czf - T | twofold data info -",
        "twofold data convert TRIANGLE - --format jsonl | twofold data info -",
        "twofold data convert TRIANGLE - --format graph6 --drop-data | twofold data info -",
        "twofold data convert TRIANGLE - --format sparse6 --drop-data | twofold data info -"}) {
    const auto result = testing::run_in_shell(command, folder.path());
    EXPECT_EQ(result.exit_code, 0) << command << result.err;
    EXPECT_NE(result.out.find("   228  "), std::string::npos) << command << result.out;
  }
}

}  // namespace
}  // namespace twofold::io
