#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"

namespace twofold::testing {
namespace {

constexpr const char* kRun =
    "twofold evaluate small.jsonl --model wl-st --iterations 0,1 --penalty 1 --normalize false --folds 3 "
    "--quiet";

class Watch : public ::testing::Test {
 protected:
  void SetUp() override {
    const ProgramResult made = shell(
        "twofold data convert TRIANGLE all.jsonl --quiet && (head -30 all.jsonl; tail -30 all.jsonl) > "
        "small.jsonl");
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  ProgramResult shell(const std::string& command) const { return run_in_shell(command, place_.path()); }
  // A run of which a task and the result are missing.
  void start() const {
    ASSERT_EQ(shell(std::string(kRun) + " -o run && rm run/result.json run/tasks/final-f02-r1.json").exit_code,
              0);
  }
  std::string page() const { return read_file(place_.path("page.html")); }
  TemporaryFolder place_;
};

TEST_F(Watch, ShowsWhatIsLeftAndEndsWithTheRun) {
  start();
  const ProgramResult watched = shell(
      "twofold report run -o page.html --watch 1 & watcher=$!\n"
      "for i in $(seq 100); do test -e page.html && break; sleep 0.1; done\n"
      "cp page.html early.html\n" +
      std::string(kRun) + " -o run > /dev/null && wait $watcher");
  EXPECT_EQ(watched.exit_code, 0) << watched.err;
  EXPECT_EQ(watched.err, "twofold report: page.html is kept up to date until all runs are finished\n");
  EXPECT_NE(watched.out.find("page.html: 1 run\n"), std::string::npos) << watched.out;
  const std::string early = read_file(place_.path("early.html"));
  EXPECT_NE(early.find("<meta http-equiv=\"refresh\" content=\"1\">"), std::string::npos);
  EXPECT_NE(early.find("1 evaluation is not finished: 8 of 9 tasks are done."), std::string::npos);
  EXPECT_EQ(page().find("http-equiv=\"refresh\""), std::string::npos);
  // The last page is that of a report without watching.
  const std::string last = page();
  ASSERT_EQ(shell("twofold report run -o page.html").exit_code, 0);
  EXPECT_EQ(page(), last);
}

TEST_F(Watch, AnInterruptEndsItWith130) {
  start();
  const ProgramResult ended = shell(
      "twofold report run -o page.html --watch --quiet & watcher=$!\n"
      "for i in $(seq 100); do test -e page.html && break; sleep 0.1; done\n"
      "kill -TERM $watcher; wait $watcher");
  EXPECT_EQ(ended.exit_code, 130);
  EXPECT_NE(page().find("content=\"10\""), std::string::npos);
}

TEST_F(Watch, ShowsFinishedRunsBesideThoseThatGoOn) {
  start();
  ASSERT_EQ(shell(std::string(kRun) + " --seed 2 -o other").exit_code, 0);
  shell(
      "twofold report run other -o page.html --watch 1 --quiet & watcher=$!\n"
      "for i in $(seq 100); do test -e page.html && break; sleep 0.1; done\n"
      "kill -TERM $watcher; wait $watcher");
  EXPECT_NE(page().find("Going on"), std::string::npos);
  EXPECT_NE(page().find("Fold by fold"), std::string::npos);
}

TEST_F(Watch, EndsWhenTasksFailedAndNobodyWorksOnTheRun) {
  start();
  std::ofstream(place_.path("run/failed/final-f02-r1.json")) << R"({"reason":"it broke"})";
  const ProgramResult watched = shell("timeout 60 twofold report run -o page.html --watch 1");
  EXPECT_EQ(watched.exit_code, 1);
  EXPECT_NE(watched.err.find("run: 1 of 9 tasks failed and nobody works on it; final-f02-r1: it broke\n"),
            std::string::npos)
      << watched.err;
  EXPECT_EQ(page().find("http-equiv=\"refresh\""), std::string::npos);
}

TEST_F(Watch, StatusSeesWhoWorks) {
  // A worker that is stopped in a task holds its claim.
  const ProgramResult looked = shell(
      "twofold evaluate all.jsonl --model 2-gwl --iterations 3 --penalty 1 --normalize false --folds 3 --quiet "
      "-o run "
      "> out.txt & work=$!\n"
      "for i in $(seq 400); do\n"
      "  twofold status --json run > status.json 2> /dev/null && grep -q '\"running\":1' status.json && break\n"
      "  kill -0 $work 2> /dev/null || break\n"
      "done\n"
      "wait $work");
  ASSERT_EQ(looked.exit_code, 0) << looked.err;
  const auto seen = nlohmann::json::parse(read_file(place_.path("status.json")));
  EXPECT_EQ(seen["tasks"]["running"], 1);
  EXPECT_EQ(seen["state"], "running");
  const auto after = nlohmann::json::parse(shell("twofold status --json run").out);
  EXPECT_EQ(after["state"], "finished");
  EXPECT_EQ(after["tasks"]["finished"], 6);  // with refit each fold has a selection too
}

}  // namespace
}  // namespace twofold::testing
