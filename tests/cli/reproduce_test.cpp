#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/reproduce_page.h"
#include "cli/reproduce_runs.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"

namespace twofold::cli {
namespace {

using testing::TemporaryFolder;
namespace fs = std::filesystem;

constexpr std::size_t kNci1 = 1;

void touch(const std::string& path) { std::ofstream(path) << "x"; }

TEST(FindDataset, TriangleIsBuiltInUnlessTheFolderHasIt) {
  EXPECT_EQ(find_dataset("", paper::kTriangle).path, "TRIANGLE");
  EXPECT_TRUE(find_dataset("", paper::kTriangle).is_built_in);
  const TemporaryFolder folder;
  EXPECT_TRUE(find_dataset(folder.path(), paper::kTriangle).is_built_in);
  fs::create_directory(folder.path() + "/TRIANGLE");
  EXPECT_FALSE(find_dataset(folder.path(), paper::kTriangle).is_built_in);
  EXPECT_EQ(find_dataset(folder.path(), paper::kTriangle).path, folder.path() + "/TRIANGLE");
}

TEST(FindDataset, TakesAFolderOrItsZipAndTheSplitsWithinOrBeside) {
  const TemporaryFolder folder;
  EXPECT_TRUE(find_dataset(folder.path(), kNci1).is_missing());
  touch(folder.path() + "/NCI1_splits.json");
  EXPECT_TRUE(find_dataset(folder.path(), kNci1).is_missing());
  EXPECT_EQ(find_dataset(folder.path(), kNci1).splits, "");
  touch(folder.path() + "/NCI1.zip");
  EXPECT_EQ(find_dataset(folder.path(), kNci1).path, folder.path() + "/NCI1.zip");
  EXPECT_EQ(find_dataset(folder.path(), kNci1).splits, folder.path() + "/NCI1_splits.json");
  fs::create_directory(folder.path() + "/NCI1");
  touch(folder.path() + "/NCI1/NCI1_splits.json");
  EXPECT_EQ(find_dataset(folder.path(), kNci1).path, folder.path() + "/NCI1");
  EXPECT_EQ(find_dataset(folder.path(), kNci1).splits, folder.path() + "/NCI1/NCI1_splits.json");
  EXPECT_THROW(find_dataset(folder.path() + "/nowhere", kNci1), UsageError);
}

TEST(Reproduce, InterruptedSaysWhichCommandGoesOn) {
  const TemporaryFolder place;
  const testing::ProgramResult result = testing::run_in_shell(
      "set -m; twofold reproduce wlst-depths -o p & "
      "until [ -e p/runs/TRIANGLE/wl-st-1/run.json ]; do sleep 0.02; done; kill -INT $!; wait $!",
      place.path());
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_NE(result.err.find("twofold reproduce wlst-depths: interrupted; the same command goes on from here"),
            std::string::npos)
      << result.err;
  EXPECT_EQ(result.err.find("twofold evaluate"), std::string::npos) << result.err;
}

TEST(Reproduce, TheCommandOnThePageCanBeTypedAgain) {
  ReproduceOptions options;
  options.output = "it's here";
  options.data = "data/tu";
  options.quick = true;
  EXPECT_EQ(reproduce_command("table1", options),
            "twofold reproduce table1 --quick --data data/tu -o 'it'\\''s here'");
}

TEST(Reproduce, TablesArePrintedAsThePageShowsThem) {
  report::Column sigmas = report::number_column("sigmas", "σ", 1);
  sigmas.with_sign = true;
  report::Table table(
      "t", {report::text_column("name", "name"), report::mean_std_column("test", "test", 1), sigmas});
  table.start_group("first");
  table.add_row({report::text_cell("a"), report::mean_std_cell(72.96, 3.04).with(report::Tone::kBetter),
                 report::number_cell(-0.04)});
  table.start_group("second");
  table.add_row({report::text_cell("b"), report::mark_cell("OOM"), report::number_cell(1.26)});
  table.add_row({report::text_cell("c"), report::mean_std_cell(8, 0).with(report::Tone::kNew).with_note("why"),
                 report::empty_cell()});
  std::ostringstream out;
  print_table(table, out);
  EXPECT_EQ(out.str(),
            "name                     test     σ\n"
            "first\n"
            "a                73.0 ± 3.0 >   0.0\n"
            "second\n"
            "b                         OOM  +1.3\n"
            "c       8.0 ± 0.0 (new) (why)\n");
}

}  // namespace
}  // namespace twofold::cli
