#include "twofold/report/page.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/folder_names.h"
#include "tests/support/run_writer.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/graph/generate.h"
#include "twofold/report/coloring_drawing.h"

namespace twofold::report {
namespace {

using twofold::testing::hostile_names;
using twofold::testing::TemporaryFolder;

// The PATH without any program, until the end of the block.
class EmptyPath {
 public:
  EmptyPath() {
    const char* old = std::getenv("PATH");
    if (old != nullptr) old_ = old;
    setenv("PATH", "/nowhere", 1);
  }
  ~EmptyPath() { setenv("PATH", old_.c_str(), 1); }

 private:
  std::string old_;
};

Plot small_plot() {
  Plot plot;
  plot.x.label = "epoch";
  plot.y.label = "loss";
  Series series;
  series.name = "one";
  series.x = {1, 2, 3};
  series.y = {3, 2, 1};
  plot.series = {series};
  return plot;
}

Page sample_page(const std::string& name) {
  Page page(name, "twofold report " + name + " -o page.html");
  page.answer(Text("Best is ").strong(name).plain("."));
  page.section(name);
  page.subsection(name);
  page.paragraph(Text(name).emphasis(name).code(name));
  page.list({name, name});
  page.note(name);
  page.warning(name);
  page.commands({name, name});
  Table table("results", {text_column(name, name), number_column("value", "value", 1)});
  table.start_group(name);
  table.add_row({text_cell(name).with_note(name), number_cell(1)});
  page.table(table, {name, name});
  Plot plot = small_plot();
  plot.x.label = plot.y.label = plot.series[0].name = name;
  page.plot(plot, {name, name});
  plot.y.categories = {name, name + "2", name + "3"};
  page.plots({plot, plot}, {{name, ""}, {name, ""}});
  page.made_by(name);
  return page;
}

TEST(Page, KeepsHostileNamesText) {
  const Page plain = sample_page("name");
  const auto count = [](const std::string& html, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = html.find(what); at != std::string::npos; at = html.find(what, at + 1)) ++found;
    return found;
  };
  for (const std::string& name : hostile_names()) {
    const std::string html = sample_page(name).html();
    // As many tags as with a harmless name: nothing of the name was read as one, or lost.
    EXPECT_EQ(count(html, "<"), count(plain.html(), "<")) << name;
    EXPECT_EQ(count(html, "<script"), 0u) << name;
    EXPECT_EQ(html.find("twofold-text"), std::string::npos) << name;
  }
  EXPECT_FALSE(std::filesystem::exists("hacked"));
}

TEST(Page, IsTheSameBytesEveryTime) { EXPECT_EQ(sample_page("x").html(), sample_page("x").html()); }

TEST(Page, AsksForNothingFromOutside) {
  const std::string html = sample_page("x").html();
  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  for (const char* word : {"<script", "src=", "@import", "<link", "href=\"http", "url(http", "<img"})
    EXPECT_EQ(html.find(word), std::string::npos) << word;
}

TEST(Page, WritesTwinsOfItsTablesBesideIt) {
  const TemporaryFolder folder;
  const Page page = sample_page("x");
  const std::vector<std::string> twins = write_page(page, folder.path("my.page.html")).tables;
  EXPECT_EQ(twins, (std::vector<std::string>{folder.path("my.page.tables/results.csv"),
                                             folder.path("my.page.tables/results.json")}));
  EXPECT_EQ(read_file(folder.path("my.page.html")), page.html());
  EXPECT_EQ(read_file(twins[0]), page.tables()[0].csv());
  EXPECT_EQ(read_file(twins[1]), page.tables()[0].json());
  EXPECT_EQ(twofold::testing::names_in(folder.path()),
            (std::set<std::string>{"my.page.html", "my.page.plots", "my.page.tables"}));
}

TEST(Page, WritesEveryPlotAsSvgPdfAndSource) {
  const TemporaryFolder folder;
  const Page page = sample_page("x");
  ASSERT_FALSE(page.plots().empty());
  const std::vector<std::string> files = write_page(page, folder.path("page.html")).plots;
  EXPECT_EQ(files.size(), 3 * page.plots().size());
  for (const Plot& plot : page.plots()) {
    const std::string stem = folder.path("page.plots/" + plot.name);
    EXPECT_EQ(read_file(stem + ".svg").rfind("<?xml", 0), 0u);
    EXPECT_EQ(read_file(stem + ".pdf").rfind("%PDF", 0), 0u);
    EXPECT_NE(read_file(stem + ".gp").find("set output '" + plot.name + ".pdf'"), std::string::npos);
  }
  // Once more: the same bytes.
  const std::string first = read_file(files.at(1)), second = read_file(files.at(2));
  write_page(page, folder.path("page.html"));
  EXPECT_EQ(read_file(files[1]), first);
  EXPECT_EQ(read_file(files[2]), second);
}

TEST(Page, GivesPlotsOfOneNameDifferentFiles) {
  Page page("two", "");
  Plot plot;
  plot.name = "loss of gin/../../x";
  page.plot(plot, {"", ""});
  page.plot(plot, {"", ""});
  EXPECT_EQ(page.plots()[0].name, "loss-of-gin-..-..-x");
  EXPECT_EQ(page.plots()[1].name, "loss-of-gin-..-..-x-2");
}

TEST(Page, LeavesNothingWhereItCannotBeWritten) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_page(sample_page("x"), folder.path("nowhere/page.html")), Error);
  EXPECT_TRUE(twofold::testing::names_in(folder.path()).empty());
}

TEST(Page, SaysWhatToInstallAndKeepsItsTables) {
  const EmptyPath path;
  Page page = sample_page("x");
  const Graph triangle = graph::complete_graph(3);
  page.drawing([&] { return draw_panels({{"t", &triangle, {0, 0, 0}, {}}}, 1); }, {"A triangle.", ""});
  EXPECT_EQ(page.missing(),
            (std::vector<std::string>{"gnuplot (package gnuplot-nox)", "Graphviz (package graphviz)"}));
  const std::string html = page.html();
  EXPECT_NE(html.find("install the package <code>gnuplot-nox</code>"), std::string::npos);
  EXPECT_NE(html.find("install the package <code>graphviz</code>"), std::string::npos);
  EXPECT_NE(html.find("gnuplot (package gnuplot-nox) is not installed here"), std::string::npos);
  EXPECT_NE(html.find("<table>"), std::string::npos);
}

TEST(Page, RefusesTwoTablesOfOneName) {
  Page page = sample_page("x");
  EXPECT_THROW(page.table(Table("results", {text_column("a", "a")}), {}), CheckError);
}

}  // namespace
}  // namespace twofold::report
