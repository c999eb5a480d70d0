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
