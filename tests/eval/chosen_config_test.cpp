#include "twofold/eval/chosen_config.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"

namespace twofold::eval {
namespace {

// A run of three folds and two configurations whose tasks are written by hand.
struct HandMade {
  testing::TemporaryFolder temporary;
  RunFolder folder{temporary.path() + "/run"};
  Plan plan;

  HandMade() {
    folder.create();
    plan.grid = {{{"lr", 0.1}}, {{"lr", 0.2}}};
    plan.repeats = 1;
    plan.splits.resize(3);
  }

  void select(std::size_t fold, double first, double second) {
    for (std::size_t c = 0; c < 2; ++c)
      folder.write("tasks/" + task_name({false, fold, c, 0}) + ".json",
                   {{"task", task_name({false, fold, c, 0})},
                    {"config", c},
                    {"train", 1},
                    {"validation", c == 0 ? first : second},
                    {"notes", model::Config::object()}});
  }
  void finish(std::size_t fold, double validation, int best_epoch) {
    folder.write("tasks/" + task_name({true, fold, 0, 1}) + ".json",
                 {{"task", task_name({true, fold, 0, 1})},
                  {"validation", validation},
                  {"notes", {{"epochs", 100}, {"best_epoch", best_epoch}}}});
  }
};

TEST(ChosenConfig, IsTheOneThatMostFoldsChose) {
  HandMade run;
  run.select(0, 80, 70);
  run.select(1, 60, 90);
  run.select(2, 50, 60);
  run.finish(0, 99, 5);
  run.finish(1, 70, 30);
  run.finish(2, 60, 10);
  const ChosenConfig chosen = chosen_config(run.plan, run.folder);
  EXPECT_EQ(chosen.index, 1u);
  EXPECT_EQ(chosen.config, run.plan.grid[1]);
  EXPECT_EQ(chosen.num_folds, 2u);
  EXPECT_EQ(chosen.kept_epochs, (std::vector<int>{10, 30}));
  EXPECT_EQ(chosen_config(run.plan, run.folder, 0).index, 0u);
}

TEST(ChosenConfig, OfEqualsIsTheOneWithTheBetterValidation) {
  HandMade run;
  run.plan.splits.resize(2);
  run.select(0, 80, 70);
  run.select(1, 60, 90);
  run.finish(0, 75, 5);
  run.finish(1, 85, 5);
  EXPECT_EQ(chosen_config(run.plan, run.folder).index, 1u);
  run.finish(0, 95, 5);
  EXPECT_EQ(chosen_config(run.plan, run.folder).index, 0u);
  run.finish(0, 85, 5);
  EXPECT_EQ(chosen_config(run.plan, run.folder).index, 0u);
}

TEST(ChosenConfig, NeedsAFinishedRun) {
  HandMade run;
  run.select(0, 80, 70);
  EXPECT_THROW(chosen_config(run.plan, run.folder), Error);
}

}  // namespace
}  // namespace twofold::eval
