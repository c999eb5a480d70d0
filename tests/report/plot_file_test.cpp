#include "twofold/report/plot_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/program.h"
#include "tests/support/run_writer.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"
#include "twofold/report/filter.h"
#include "twofold/report/gnuplot_script.h"

namespace twofold::report {
namespace {

using twofold::testing::TemporaryFolder;

Plot named_plot(const std::string& words) {
  Plot plot;
  plot.x.label = words;
  plot.y.categories = {words, "100% " + words};
  Series points;
  points.name = words;
  points.style = Series::Style::kPoints;
  points.x = {1, 2};
  points.y = {0, 1};
  plot.series = {points};
  return plot;
}

TEST(PlotFiles, KeepHostileNamesText) {
  const TemporaryFolder folder;
  std::vector<std::string> names = twofold::testing::hostile_names();
  const std::string hacked = folder.path("hacked");
  names.insert(names.end(),
               {"'; system('touch " + hacked + "'); '", "`touch " + hacked + "`",
                "\nsystem('touch " + hacked + "')\n", "@x", "%s%n%d", "]]>", "\\", "'", "\xff\xfe"});
  for (const std::string& name : names) {
    const PlotFiles files = draw_plot_files(named_plot(name), "plot");
    EXPECT_EQ(files.svg.rfind("<?xml", 0), 0u) << name;
    EXPECT_EQ(files.pdf.rfind("%PDF", 0), 0u) << name;
    EXPECT_EQ(files.svg.find("<script"), std::string::npos) << name;
    EXPECT_EQ(files.svg.find("]]>"), std::string::npos) << name;
    EXPECT_FALSE(std::filesystem::exists(hacked)) << name;
  }
}

TEST(PlotFiles, ComeFromTheirSource) {
  const TemporaryFolder folder;
  const PlotFiles files = draw_plot_files(named_plot("it's 100% <b>"), "plot");
  folder.write("plot.gp", files.source);
  const auto done = twofold::testing::run_in_shell("gnuplot -d plot.gp", folder.path());
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(read_file(folder.path("plot.svg")), files.svg);
  EXPECT_EQ(read_file(folder.path("plot.pdf")).size(), files.pdf.size());
  EXPECT_NE(files.svg.find("it’s 100% &lt;b>"), std::string::npos) << "the legend and the axis name it";
}

TEST(PlotFiles, TellNoTime) {
  const std::string pdf = draw_plot_files(named_plot("x"), "plot").pdf;
  EXPECT_NE(pdf.find("/CreationDate (D:00000000000000"), std::string::npos);
}

TEST(QuoteText, LeavesNothingToBeRead) {
  EXPECT_EQ(quote_text("a'b"), "'a’b'");
  EXPECT_EQ(quote_text("'"), "'’'");
  EXPECT_EQ(quote_text("a\nb"),
            "'a\xEF\xBF\xBD"
            "b'");
  EXPECT_EQ(quote_text("\\"), "'\\'");
  EXPECT_EQ(quote_text(""), "''");
}

TEST(FileWord, TakesAnyWords) {
  EXPECT_EQ(file_word("loss of gin"), "loss-of-gin");
  EXPECT_EQ(file_word("../../etc/passwd"), "etc-passwd");
  EXPECT_EQ(file_word(""), "plot");
  EXPECT_EQ(file_word("é/"), "plot");
  EXPECT_EQ(file_word(std::string(300, 'a')).size(), 60u);
}

}  // namespace
}  // namespace twofold::report
