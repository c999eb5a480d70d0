#include "twofold/report/table_markup.h"

#include <gtest/gtest.h>

#include "tests/support/run_writer.h"
#include "tests/support/temporary_folder.h"
#include "twofold/report/results_table.h"

namespace twofold::report {
namespace {

using twofold::testing::TemporaryFolder;
using twofold::testing::write_run;
using twofold::testing::WrittenRun;

void add(const TemporaryFolder& place, const std::string& name, const std::string& model,
         const std::string& dataset, std::vector<double> tests) {
  WrittenRun run;
  run.name = name;
  run.model = model;
  run.dataset = dataset;
  run.tests = std::move(tests);
  write_run(place, run);
}

TEST(ResultsTable, HasDatasetsByModels) {
  const TemporaryFolder place;
  add(place, "a", "gin", "MUTAG", {80, 82});
  add(place, "b", "wl-st", "MUTAG", {84, 86});
  add(place, "c", "gin", "NCI_1", {70, 72});
  const RunViews views = read_run_views({place.path()});
  const std::vector<RunGroup> groups = group_runs(views.runs);
  EXPECT_EQ(
      to_latex(results_table(groups, false), describe_results(groups)),
      "% Test accuracy in percent: mean ± standard deviation over 2 folds. Needs \\usepackage{booktabs}.\n"
      "\\begin{tabular}{lcc}\n"
      "\\toprule\n"
      "dataset & wl-st & gin \\\\\n"
      "\\midrule\n"
      "MUTAG & $85.0 \\pm 1.0$ & $81.0 \\pm 1.0$ \\\\\n"
      "NCI\\_1 & -- & $71.0 \\pm 1.0$ \\\\\n"
      "\\bottomrule\n"
      "\\end{tabular}\n");
  EXPECT_EQ(to_markdown(results_table(groups, false), describe_results(groups)),
            "| dataset | wl-st | gin |\n"
            "|---|---:|---:|\n"
            "| MUTAG | 85.0 ± 1.0 | 81.0 ± 1.0 |\n"
            "| NCI\\_1 | – | 71.0 ± 1.0 |\n"
            "\n"
            "Test accuracy in percent: mean ± standard deviation over 2 folds.\n");
  EXPECT_EQ(results_table(groups, true).csv(),
            "dataset,metric,folds,wl-st_mean,wl-st_std,gin_mean,gin_std\r\n"
            "MUTAG,accuracy,2,85,1,81,1\r\n"
            "NCI_1,accuracy,2,,,71,1\r\n");
}

TEST(ResultsTable, CallsRunsByTheirFolderWhereADatasetHasSeveralOfAModel) {
  const TemporaryFolder place;
  add(place, "MUTAG/r1", "2-wl-gnn", "MUTAG", {80, 82});
  add(place, "MUTAG/r2", "2-wl-gnn", "MUTAG", {84, 86});
  add(place, "NCI1/r2", "2-wl-gnn", "NCI1", {70, 72});
  const RunViews views = read_run_views({place.path()});
  const Table table = results_table(group_runs(views.runs), false);
  ASSERT_EQ(table.columns().size(), 3u);
  EXPECT_EQ(table.columns()[1].title, "r2");
  EXPECT_EQ(table.columns()[2].title, "r1");
}

TEST(ResultsTable, NumbersTheGroupsOfADataset) {
  const TemporaryFolder place;
  for (const char* splits : {"aaaa", "bbbb"}) {
    WrittenRun run;
    run.name = splits;
    run.tests = {80, 82};
    run.splits = splits;
    write_run(place, run);
  }
  const RunViews views = read_run_views({place.path()});
  const Table table = results_table(group_runs(views.runs), false);
  ASSERT_EQ(table.num_rows(), 2u);
  EXPECT_EQ(table.row(0)[0].text, "SAMPLE (1)");
  EXPECT_EQ(table.row(1)[0].text, "SAMPLE (2)");
}

TEST(EscapeLatex, KeepsEveryLetterText) {
  EXPECT_EQ(escape_latex("a_b & 50% #1 $x$ {y} \\z ~^"),
            "a\\_b \\& 50\\% \\#1 \\$x\\$ \\{y\\} \\textbackslash{}z \\textasciitilde{}\\textasciicircum{}");
  EXPECT_EQ(escape_latex("[a]*--b"), "{[}a]{*}-{}-b");
  EXPECT_EQ(escape_latex("a\nb\xff"), "a?b?");
}

TEST(EscapeMarkdown, KeepsEveryLetterText) {
  EXPECT_EQ(escape_markdown("a|b*c_d <e> & `f`"), "a\\|b\\*c\\_d &lt;e\\> &amp; \\`f\\`");
  EXPECT_EQ(escape_markdown("a\\|\nb"), "a\\\\\\|?b");
  EXPECT_EQ(escape_markdown("2-wl-gnn"), "2-wl-gnn");
}

TEST(Table, DisarmsFormulasInCsv) {
  Table table("t", {text_column("name", "name"), number_column("x", "x", 0)});
  for (const char* name : {"=1+1", "+a", "-b", "@c", "d"}) table.add_row({text_cell(name), number_cell(-1)});
  EXPECT_EQ(table.csv(), "name,x\r\n'=1+1,-1\r\n'+a,-1\r\n'-b,-1\r\n'@c,-1\r\nd,-1\r\n");
}

}  // namespace
}  // namespace twofold::report
