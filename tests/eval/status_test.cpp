#include "twofold/eval/status.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/toy_run.h"
#include "twofold/base/error.h"
#include "twofold/eval/task_file.h"

namespace twofold::eval {
namespace {

using testing::ToyRun;

TEST(Status, OfARunThatHasNotBegun) {
  ToyRun run;
  run.start();
  const RunStatus status = read_status(run.plan, run.folder);
  EXPECT_EQ(status.tasks.total, 15u);
  EXPECT_EQ(status.tasks.left(), 15u);
  EXPECT_EQ(status.folds.size(), 3u);
  EXPECT_FALSE(status.seconds_left.has_value());
  EXPECT_TRUE(std::isnan(status.best_validation[0]));
  EXPECT_FALSE(run.folder.has(".claims")) << "looking makes no file";
}

TEST(Status, SeesTheClaimsOfOthers) {
  ToyRun run;
  run.start();
  RunFolder worker(run.folder.path());
  const auto first = worker.try_claim(1), second = worker.try_claim(6);
  RunStatus status = read_status(run.plan, run.folder);
  EXPECT_EQ(status.tasks.running, 2u);
  EXPECT_EQ(status.running, (std::vector<std::string>{"select-f00-c001", "select-f01-c001"}));
  EXPECT_EQ(status.folds[0].running, 1u);
  EXPECT_EQ(status.folds[2].running, 0u);
  EXPECT_TRUE(run.folder.try_claim(0) != nullptr) << "looking takes no lock";
}

TEST(Status, OfAFinishedRun) {
  ToyRun run(true);
  run.start();
  run.work();
  EXPECT_FALSE(read_status(run.plan, run.folder).is_finished());
  write_result(run.folder, run.plan, run.result());
  const RunStatus status = read_status(run.plan, run.folder);
  EXPECT_TRUE(status.is_finished());
  EXPECT_TRUE(status.is_sealed);
  EXPECT_EQ(status.tasks.finished, 15u);
  EXPECT_FALSE(status.seconds_left.has_value());
  double best = 0;
  for (std::size_t c = 0; c < 3; ++c)
    best = std::max(best, read_selection(run.plan, run.folder, {false, 1, c, 0}).validation);
  EXPECT_EQ(status.best_validation[1], best);
}

TEST(Status, TellsFailuresAndHowLongTheRestTakes) {
  ToyRun run;
  run.plan.grid[1]["fail"] = true;
  run.start();
  run.work();
  const RunStatus status = read_status(run.plan, run.folder);
  EXPECT_EQ(status.tasks.failed, 3u);
  EXPECT_EQ(status.tasks.finished, 6u);
  EXPECT_EQ(status.tasks.left(), 6u);  // final runs without a winner
  ASSERT_EQ(status.failures.size(), 3u);
  EXPECT_EQ(status.failures[0].task, "select-f00-c001");
  EXPECT_EQ(status.failures[0].reason, "the toy broke");
  ASSERT_TRUE(status.seconds_left.has_value());
  for (const TaskId& task : list_tasks(run.plan))
    if (run.folder.has("timing/" + task_name(task) + ".json"))
      run.folder.write("timing/" + task_name(task) + ".json", {{"seconds", 10}});
  EXPECT_DOUBLE_EQ(read_status(run.plan, run.folder).seconds, 60);
  EXPECT_DOUBLE_EQ(read_status(run.plan, run.folder).seconds_left.value(), 60);
  // A time that cannot be read is none.
  run.place.write("run/timing/select-f00-c000.json", "{");
  EXPECT_DOUBLE_EQ(read_status(run.plan, run.folder).seconds, 50);
}

TEST(Status, NeedsARunFolder) {
  const testing::TemporaryFolder place;
  EXPECT_THROW(read_plan(RunFolder(place.path("nothing")), "0.1.0"), InputError);
}

}  // namespace
}  // namespace twofold::eval
