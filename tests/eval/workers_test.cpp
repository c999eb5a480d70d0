#include "twofold/eval/workers.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"

namespace twofold::eval {
namespace {

// A run whose workers are shell scripts.
class Workers : public ::testing::Test {
 protected:
  Workers() : folder_(place_.path("run")) {
    folder_.create();
    plan_.grid = {model::Config::object()};
    plan_.splits.resize(2);
    plan_.repeats = 1;
  }
  void run(const std::string& script, int jobs = 1) {
    WorkersOptions options;
    options.jobs = jobs;
    options.command = {"/bin/sh", "-c", "cd " + folder_.path() + "; " + script};
    options.on_event = [&](const WorkEvent& event) { events_.push_back(event); };
    run_workers(plan_, folder_, options);
  }
  testing::TemporaryFolder place_;
  RunFolder folder_;
  Plan plan_;
  std::vector<WorkEvent> events_;
};

TEST_F(Workers, TellWhatTheyDo) {
  run("echo started 1 0 0 0 0; echo progress 1 0 0 5 100; echo finished 1 2.5 nan 0 0");
  ASSERT_EQ(events_.size(), 3u);
  EXPECT_EQ(events_[1].done, 5u);
  EXPECT_EQ(events_[1].total, 100u);
  EXPECT_EQ(events_[2].kind, WorkEvent::Kind::kFinished);
  EXPECT_EQ(events_[2].task, 1u);
  EXPECT_EQ(events_[2].seconds, 2.5);
  EXPECT_NE(events_[2].score, events_[2].score);
}

TEST_F(Workers, OneThatDiesInATaskMakesItAFailedOneAndIsReplaced) {
  run("if [ -e failed/final-f01-r1.json ]; then echo started 0 0 0 0 0; echo finished 0 1 1 0 0; "
      "else echo started 1 0 0 0 0; kill -9 $$; fi");
  EXPECT_EQ(folder_.read("failed/final-f01-r1.json").at("reason"), "the worker was ended by signal 9 (Killed)");
  ASSERT_EQ(events_.size(), 4u);
  EXPECT_EQ(events_[1].kind, WorkEvent::Kind::kFailed);
  EXPECT_EQ(events_[3].kind, WorkEvent::Kind::kFinished);
}

TEST_F(Workers, OneThatCannotGoOnEndsAll) {
  const auto message = [&](const std::string& script) -> std::string {
    try {
      run(script, 2);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(message("echo fatal the disk is full; exit 1"), "the disk is full");
  EXPECT_EQ(message("exit 3"), "the worker exited with code 3");
  EXPECT_EQ(message("exit 0"), "no error");
  WorkersOptions options;
  options.command = {"/no/such/program"};
  EXPECT_THROW(run_workers(plan_, folder_, options), Error);
}

TEST_F(Workers, AreEndedWhenTheirParentGivesUp) {
  // The second worker would sleep for an hour.
  EXPECT_THROW(run("if mkdir first 2> /dev/null; then sleep 0.1; echo fatal no; else exec sleep 3600; fi", 2),
               Error);
}

}  // namespace
}  // namespace twofold::eval
