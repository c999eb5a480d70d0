#include "twofold/report/run_report.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "tests/support/run_writer.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/report/run_command.h"
#include "twofold/report/run_groups.h"

namespace twofold::report {
namespace {

using twofold::testing::hostile_names;
using twofold::testing::TemporaryFolder;
using twofold::testing::write_run;
using twofold::testing::WrittenRun;

const RunReportOptions kOptions = {"", "twofold report runs -o page.html", "twofold"};

WrittenRun named(const std::string& name, std::vector<double> tests) {
  WrittenRun run;
  run.name = name;
  run.tests = std::move(tests);
  return run;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string answer_of(const RunGroup& group) {
  std::string text;
  for (const Text& words : describe_answer(group)) text += words.html() + "\n";
  return text;
}

TEST(RunReport, SaysWhichLearnerIsBestAndHowSure) {
  const TemporaryFolder place;
  write_run(place, named("poor", {50, 52, 51, 49}));
  write_run(place, named("good", {90, 91, 90, 93}));
  write_run(place, named("near", {89, 92, 88, 94}));
  const RunViews views = read_run_views({place.path()});
  const std::vector<RunGroup> groups = group_runs(views.runs);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].runs[0]->name, "good");
  EXPECT_EQ(groups[0].runs[2]->name, "poor");
  const std::string answer = answer_of(groups[0]);
  EXPECT_TRUE(has(answer, "<strong>good</strong> has the best mean: test accuracy 91.0\u00a0±\u00a01.2 %"))
      << answer;
  EXPECT_TRUE(has(answer, "it beats poor by more than two standard deviations")) << answer;
  EXPECT_TRUE(has(answer, "against near the folds do not decide")) << answer;
}

// Most gaps are smaller than the spread of the folds.
TEST(RunReport, HasNoFigureInBold) {
  const TemporaryFolder place;
  write_run(place, named("poor", {50, 52, 51, 49}));
  write_run(place, named("good", {90, 91, 90, 93}));
  const RunViews views = read_run_views({place.path()});
  EXPECT_TRUE(has(answer_of(group_runs(views.runs)[0]), "<strong>good</strong> is best: test accuracy 91.0"));
  const Page page = make_run_report(views, kOptions);
  for (const Table& table : page.tables()) {
    EXPECT_FALSE(has(table.html(), "<strong>")) << table.html();
    EXPECT_FALSE(has(table.json(), "\"best\": \"best\"")) << table.json();
  }
  EXPECT_FALSE(has(page.html(), "class=\"figure best"));
}

TEST(RunReport, DoesNotCallAPairUndecidedThatWinsEveryFold) {
  const TemporaryFolder place;
  const std::vector<double> lower = {70, 71, 72, 73, 74, 75, 76, 77, 78, 79};
  const std::vector<double> by = {1, 5, 1, 5, 1, 5, 1, 5, 1, 5};  // 3 ± 2
  std::vector<double> higher;
  for (std::size_t f = 0; f < lower.size(); ++f) higher.push_back(lower[f] + by[f]);
  write_run(place, named("ahead", higher));
  write_run(place, named("behind", lower));
  const RunViews views = read_run_views({place.path()});
  const std::vector<RunGroup> groups = group_runs(views.runs);
  const std::string answer = answer_of(groups.at(0));
  EXPECT_LT(groups[0].deltas[0][1].p, 0.05);
  EXPECT_EQ(groups[0].deltas[0][1].verdict, 0);
  EXPECT_FALSE(has(answer, "not decided")) << answer;
  EXPECT_TRUE(
      has(answer, "it is ahead of behind by the t-test (p &lt; 0.05), though by less than two standard"))
      << answer;
  EXPECT_TRUE(has(answer, "better in 10 of 10 folds, p = 0.0")) << answer;
}

TEST(RunReport, CallsNoRunBestThatIsAlone) {
  const TemporaryFolder place;
  for (const char* data : {"ONE", "TWO", "THREE"}) {
    WrittenRun run = named(std::string("gin-") + data, {80, 85});
    run.dataset = data;
    write_run(place, run);
  }
  const Page page = make_run_report(read_run_views({place.path()}), kOptions);
  EXPECT_FALSE(has(page.html(), "is best"));
  EXPECT_FALSE(has(page.html(), "Best on"));
  EXPECT_TRUE(has(page.html(), "On THREE, <strong>gin-THREE</strong> reaches a test accuracy of "));
  EXPECT_TRUE(has(page.html(), "No two of these evaluations can be compared fold by fold."));
  EXPECT_TRUE(has(page.html(), "the only one"));
}

TEST(RunReport, SaysOfWhichFoldsWhereADatasetHasSeveral) {
  const TemporaryFolder place;
  for (const char* splits : {"aaaa", "bbbb", "cccc"})
    for (const double test : {70.0, 80.0}) {
      WrittenRun run = named(fmt::format("{}-{}", splits, test), {test, test + 1});
      run.splits = splits;
      write_run(place, run);
    }
  const std::string html = make_run_report(read_run_views({place.path()}), kOptions).html();
  EXPECT_TRUE(has(html, "accuracy, 2 folds, <strong>aaaa-80</strong> is best")) << html.substr(0, 9000);
  EXPECT_TRUE(has(html, "(other data or splits, 2), <strong>bbbb-80</strong> is best"));
  EXPECT_TRUE(has(html, "(other data or splits, 3), <strong>cccc-80</strong> is best"));
}

TEST(RunReport, SaysWhatALearnerPassesOver) {
  const TemporaryFolder place;
  write_run(place, named("kernel", {80, 85}));
  record::Json result = record::Json::parse(read_file(place.path("kernel/result.json")));
  result["ignores"] = {"node attributes", "edge labels"};
  place.write("kernel/result.json", result.dump());
  const std::string html = make_run_report(read_run_views({place.path()}), kOptions).html();
  EXPECT_TRUE(has(html, " does not see the node attributes and edge labels of ")) << html.substr(0, 9000);
}

TEST(RunReport, TakesTheLowestErrorAsBest) {
  const TemporaryFolder place;
  WrittenRun low = named("low", {0.1, 0.2}), high = named("high", {0.8, 0.9});
  low.metric = high.metric = "mae";
  write_run(place, low);
  write_run(place, high);
  const std::vector<RunView> runs = read_run_views({place.path()}).runs;
  EXPECT_EQ(group_runs(runs)[0].runs[0]->name, "low");
}

TEST(RunReport, GivesTheSameBytesForTheSameRecords) {
  const TemporaryFolder place, other;
  for (const TemporaryFolder* folder : {&place, &other}) {
    write_run(*folder, named("a", {80, 85}));
    write_run(*folder, named("b", {70, 75}));
  }
  const std::string html = make_run_report(read_run_views({place.path()}), kOptions).html();
  EXPECT_EQ(html, make_run_report(read_run_views({other.path()}), kOptions).html());
  EXPECT_FALSE(has(html, place.path())) << "no place on this machine";
  EXPECT_FALSE(has(html, "somewhere")) << "no host";
}

TEST(RunReport, HasRoomForManyRuns) {
  const TemporaryFolder place;
  std::string command = "twofold report";
  for (int i = 0; i < 12; ++i) {
    const std::string name = fmt::format("learner-number-{}", i);
    write_run(place, named(name, {70.0 + i, 72.0 + i}));
    command += " runs/" + name;
  }
  command += " -o page.html";
  const std::string html = make_run_report(read_run_views({place.path()}), {"", command, "twofold"}).html();
  EXPECT_TRUE(has(html, "<code>$ twofold report … -o page.html</code>"));
  const std::size_t whole = html.find(command);
  ASSERT_NE(whole, std::string::npos);
  EXPECT_EQ(html.find(command, whole + 1), std::string::npos) << "once is enough";
  EXPECT_TRUE(has(html, "<th scope=\"col\" class=\"figure narrow\">learner-number-3</th>"));
}

TEST(RunReport, ComparesOnlyWhatPairsUp) {
  const TemporaryFolder place;
  write_run(place, named("a", {80, 85}));
  WrittenRun other = named("b", {70, 75});
  other.splits = "ffff";
  write_run(place, other);
  WrittenRun data = named("c", {70, 75});
  data.dataset = "OTHER";
  write_run(place, data);
  const RunViews views = read_run_views({place.path()});
  EXPECT_EQ(group_runs(views.runs).size(), 3u);
  const Page page = make_run_report(views, kOptions);
  EXPECT_TRUE(has(page.html(), "they form 3 groups"));
  EXPECT_FALSE(has(page.html(), "row − column"));
}

TEST(RunReport, NamesDamagedRunsAndGoesOn) {
  const TemporaryFolder place;
  write_run(place, named("good", {80, 85}));
  for (const char* name : {"no-json", "cut", "wrong", "newer", "unfinished", "no-scores"})
    write_run(place, named(name, {70, 75}));
  place.write("no-json/result.json", "not JSON");
  place.write("cut/run.json", "{\"format\": 1, \"twofold\": \"0.");
  place.write("wrong/result.json", "[1, 2]");
  place.write("newer/run.json", "{\"format\": 99, \"twofold\": \"9.0.0\"}");
  std::filesystem::remove(place.path("unfinished/result.json"));
  place.write("no-scores/result.json", "{\"folds\": [{\"train\": 3}], \"model\": \"gin\"}");
  const RunViews views = read_run_views({place.path()});
  ASSERT_EQ(views.runs.size(), 1u);
  ASSERT_EQ(views.skipped.size(), 6u);
  const std::string html = make_run_report(views, kOptions).html();
  for (const SkippedRun& run : views.skipped)
    EXPECT_TRUE(has(html, "<strong>" + run.name + "</strong> is left out: ")) << run.name;
  EXPECT_TRUE(has(html, "result.json:1: needed JSON, found "));
  EXPECT_TRUE(has(html, "made by a newer twofold"));
  EXPECT_TRUE(has(html, "not finished (2 tasks are done)"));
  EXPECT_FALSE(has(html, place.path()));
}

TEST(RunReport, NamesDamagedTasksAndKeepsTheRun) {
  const TemporaryFolder place;
  write_run(place, named("a", {80, 85}));
  place.write("a/tasks/final-f01-r1.json", "{\"history\": ");
  place.write("a/timing/final-f00-r1.json", "");
  const RunViews views = read_run_views({place.path("a")});
  ASSERT_EQ(views.runs.size(), 1u);
  EXPECT_EQ(views.runs[0].curves.size(), 1u);
  EXPECT_EQ(views.runs[0].times->num_tasks, 1u);
  EXPECT_EQ(views.runs[0].gaps.size(), 2u);
  const std::string html = make_run_report(views, kOptions).html();
  EXPECT_TRUE(
      has(html, "<strong>a</strong>: tasks/final-f01-r1.json:1: needed JSON, found the end of the text"))
      << html;
}

TEST(RunReport, ShowsRecordsOfAllVersionsAndThoseThatTellLess) {
  // tests/data/runs: `bare` has no format, folds that are plain scores, a dataset that is a plain name, no
  // tasks and no times; the others are what evaluate of 0.1.0 (format 1) wrote. A new format adds its own and
  // keeps these.
  const RunViews views = read_run_views({std::string(TWOFOLD_SOURCE_DIR) + "/tests/data/runs"});
  EXPECT_TRUE(views.skipped.empty()) << views.skipped[0].reason;
  std::vector<std::string> names;
  for (const RunView& run : views.runs) names.push_back(run.name);
  EXPECT_EQ(names, (std::vector<std::string>{"bare", "format-1-gin", "format-1-wl-st"}));
  EXPECT_DOUBLE_EQ(views.runs[0].record.test_mean, 75);
  EXPECT_EQ(views.runs[0].record.dataset, "SAMPLE");
  EXPECT_FALSE(views.runs[0].times.has_value());
  EXPECT_FALSE(views.runs[1].curves.empty());
  EXPECT_TRUE(views.runs[1].times.has_value());
  const Page page = make_run_report(views, kOptions);
  EXPECT_TRUE(has(page.html(), "bare"));
  EXPECT_TRUE(has(page.html(), "not recorded"));
}

TEST(RunReport, KeepsHostileRecordsText) {
  const TemporaryFolder place;
  for (const std::string& name : hostile_names()) {
    WrittenRun run = named(name, {80, 85});
    std::replace(run.name.begin(), run.name.end(), '/', '|');
    run.dataset = "data " + hostile_names()[0];
    run.model = run.preset = name;
    run.classes = {name, name, hostile_names()[0]};
    write_run(place, run);
  }
  const RunViews views = read_run_views({place.path()});
  EXPECT_EQ(views.runs.size(), hostile_names().size());
  const std::string html = make_run_report(views, kOptions).html();
  EXPECT_FALSE(has(html, "<script"));
  EXPECT_FALSE(has(html, "]]><!--"));
  EXPECT_TRUE(has(html, "&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_FALSE(std::filesystem::exists("hacked"));
}

TEST(RunReport, HasEveryMetricAndWhichClassesWereTakenForWhich) {
  const TemporaryFolder place;
  WrittenRun one = named("one", {90, 91, 92});
  one.classes = {"no", "yes", "perhaps"};
  write_run(place, one);
  write_run(place, named("two", {80, 81, 82}));
  const RunViews views = read_run_views({place.path()});
  const Page page = make_run_report(views, kOptions);
  std::map<std::string, std::string> tables;
  for (const Table& table : page.tables()) tables[table.name()] = table.csv();
  EXPECT_EQ(tables["metrics"],
            "run,accuracy_mean,accuracy_std,roc-auc_mean,roc-auc_std\r\none,61.5,2.5,61.5,2.5\r\n"
            "two,61.5,2.5,61.5,2.5\r\n");
  EXPECT_EQ(tables["confusion"],
            "true class,as no,as yes,as perhaps,found\r\nno,10,10,10,33.333333333333336\r\n"
            "yes,11,11,11,33.333333333333336\r\nperhaps,12,12,12,33.333333333333336\r\n");
  EXPECT_EQ(tables.count("confusion-2"), 1u);
}

TEST(RunReport, ShowsSealedRunsByTheirValidationScores) {
  const TemporaryFolder place;
  write_run(place, named("open", {90, 91, 92}));
  WrittenRun sealed = named("sealed", {77.123, 78.123, 79.123});
  sealed.is_sealed = true;
  write_run(place, sealed);
  const RunViews views = read_run_views({place.path()});
  const std::vector<RunGroup> groups = group_runs(views.runs);
  ASSERT_EQ(groups.size(), 2u) << "sealed and open scores do not pair up";
  EXPECT_TRUE(has(answer_of(groups[1]), "reaches a validation accuracy of 88.0")) << answer_of(groups[1]);
  const Page page = make_run_report(views, kOptions);
  EXPECT_TRUE(
      has(page.html(), "Test scores of <strong>sealed</strong> are sealed; twofold reveal RUN opens them."));
  for (const Table& table : page.tables())
    EXPECT_FALSE(has(table.csv(), "77.123") || has(table.csv(), "78.123")) << table.name();
}

TEST(RunReport, SaysHowManyWereRevealedBefore) {
  const TemporaryFolder place;
  write_run(place, named("run", {90, 91, 92}));
  place.write("run/revealed.json", record::encode_record({{"time", "2026-05-01T12:00:00Z"}, {"before", 7}}));
  EXPECT_TRUE(
      has(make_run_report(read_run_views({place.path()}), kOptions).html(),
          "was evaluated blind and revealed on 2026-05-01T12:00:00Z; 7 runs of the same data and splits had "
          "been revealed before."));
  place.write("run/revealed.json", "{}");
  const RunViews damaged = read_run_views({place.path()});
  ASSERT_EQ(damaged.runs.size(), 1u);
  EXPECT_EQ(damaged.runs[0].gaps.size(), 1u);
}

TEST(RunReport, FindsRunsWithinFoldersOnce) {
  const TemporaryFolder place;
  write_run(place, named("one/gin", {80, 85}));
  write_run(place, named("two/gin", {70, 75}));
  const RunViews views = read_run_views({place.path("one"), place.path(), place.path("one/gin/")});
  ASSERT_EQ(views.runs.size(), 2u);
  EXPECT_EQ(views.runs[0].name, "one/gin");
  EXPECT_EQ(views.runs[1].name, "two/gin");
  EXPECT_THROW(read_run_views({place.path("nothing")}), InputError);
  std::filesystem::create_directory(place.path("empty"));
  EXPECT_THROW(read_run_views({place.path("empty")}), InputError);
}

TEST(EvaluateCommand, SaysWhatGivesTheRunAgain) {
  const RunViews views = read_run_views({std::string(TWOFOLD_SOURCE_DIR) + "/tests/data/runs/format-1-wl-st"});
  EXPECT_EQ(evaluate_command(views.runs.at(0)),
            "twofold evaluate TRIANGLE --model wl-st --preset default --iterations 1,3 --combine product "
            "--normalize false --gamma 0 --penalty 1,0.1 --refit false --repeats 1 --splits "
            "format-1-wl-st/splits.json -o again/format-1-wl-st");
}

// What `default` means for the 2-WL-GNN depends on graphs that a record does not have.
TEST(EvaluateCommand, KnowsAPresetByFewTriplesAndByMany) {
  RunView run =
      read_run_views({std::string(TWOFOLD_SOURCE_DIR) + "/tests/data/runs/format-1-wl-st"}).runs.at(0);
  run.record.model = "2-wl-gnn";
  eval::GridRequest request;
  request.model = run.record.model;
  for (const double growth : {3.5, 10.0}) {
    request.growth = [growth] { return growth; };
    request.overrides.clear();
    run.record.run["grid"] = eval::make_grid(request);
    EXPECT_TRUE(has(evaluate_command(run), "--model 2-wl-gnn --preset default --r")) << evaluate_command(run);
    EXPECT_FALSE(has(evaluate_command(run), "--radius")) << evaluate_command(run);
    request.overrides = {{"width", {16}}};
    run.record.run["grid"] = eval::make_grid(request);
    EXPECT_TRUE(has(evaluate_command(run), "--model 2-wl-gnn --preset default --width 16 --r"))
        << evaluate_command(run);
  }
}

TEST(EvaluateCommand, NamesTheDatasetAsItWasGiven) {
  const std::string source = std::string(TWOFOLD_SOURCE_DIR) + "/tests/data/runs/format-1-wl-st";
  RunView run = read_run_views({source}).runs.at(0);
  const auto with = [&](const record::Json& given) {
    run.record.run["given"] = given;
    return evaluate_command(run);
  };
  const std::string options =
      " --model wl-st --preset default --iterations 1,3 --combine product --normalize false --gamma 0 "
      "--penalty 1,0.1 "
      "--refit false --repeats 1";
  const std::string end = " -o again/format-1-wl-st";
  const std::string folds = fmt::format(" --folds {}", run.record.folds.size());
  EXPECT_EQ(with({{"dataset", "tri.jsonl"}}), "twofold evaluate tri.jsonl" + options + folds + end);
  EXPECT_EQ(with({{"dataset", "my data/it's.jsonl"}}),
            "twofold evaluate 'my data/it'\\''s.jsonl'" + options + folds + end);
  EXPECT_EQ(with({{"dataset", "a"}, {"splits", "folds of a.json"}}),
            "twofold evaluate a" + options + " --splits 'folds of a.json'" + folds + end);
  EXPECT_EQ(with({{"dataset", "-"}}),
            "twofold evaluate -" + options + folds + end + "  # the data came from standard input");
  // Records of another maker may hold anything.
  EXPECT_EQ(with({{"dataset", 3}}).rfind("twofold evaluate TRIANGLE", 0), 0u);
  EXPECT_EQ(with("text").rfind("twofold evaluate TRIANGLE", 0), 0u);
  run.record.dataset = "tri";
  EXPECT_NE(with(nullptr).find("  # the record has the name of the data only: give its path instead"),
            std::string::npos);
}

TEST(EvaluateCommand, NamesTheFileOfAGridThatNoOptionsMake) {
  const std::string source = std::string(TWOFOLD_SOURCE_DIR) + "/tests/data/runs/format-1-wl-st";
  RunView run = read_run_views({source}).runs.at(0);
  run.record.run["grid"].erase(1);
  run.record.run["given"] = {
      {"dataset", "a"}, {"config", "my grid.toml"}, {"options", {{"normalize", "true"}}}};
  EXPECT_NE(evaluate_command(run).find(" --config 'my grid.toml' --normalize true"), std::string::npos)
      << evaluate_command(run);
}

TEST(ShellWord, QuotesWhatAShellWouldRead) {
  EXPECT_EQ(shell_word("runs/a-b_1.html"), "runs/a-b_1.html");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's `x` $y"), "'it'\\''s `x` $y'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace twofold::report
