// Search that stops where nothing can be better (plan.h, protocol.h).
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/toy_work.h"
#include "twofold/base/file.h"
#include "twofold/eval/protocol.h"
#include "twofold/eval/result.h"
#include "twofold/eval/status.h"
#include "twofold/eval/work.h"

namespace twofold::eval {
namespace {

using testing::parity_dataset;
using testing::run_toy;
using testing::task_texts;
using testing::TemporaryFolder;

Plan plan_with(const model::Targets& targets, const std::vector<double>& noises) {
  Plan plan;
  plan.num_graphs = targets.num_items();
  plan.model = "toy";
  plan.repeats = 2;
  plan.metric = model::default_metric(targets.task());
  plan.search = Search::kUntilPerfect;
  for (const double noise : noises) plan.grid.push_back({{"noise", noise}, {"epochs", 20}});
  plan.splits = make_splits(targets, 4, 1);
  return plan;
}

TEST(UntilPerfect, SparesWhatComesBehindAPerfectConfiguration) {
  const Dataset dataset = parity_dataset(80, 0, 7);
  const model::Targets targets(dataset);
  const Plan plan = plan_with(targets, {100, 0, 0, 50});
  const TemporaryFolder place;
  run_toy(dataset, plan, place.path("run"));
  const RunFolder folder(place.path("run"));
  for (std::size_t f = 0; f < plan.splits.size(); ++f) {
    EXPECT_EQ(choose(plan, folder, f), 1u);
    EXPECT_EQ(perfect_before(plan, folder, {false, f, 1}), std::nullopt);
    for (const std::size_t c : {2u, 3u}) {
      const model::Config spared = folder.read(task_file({false, f, c}));
      EXPECT_EQ(spared.at("spared_by"), 1);
      EXPECT_TRUE(spared.at("validation").is_null());
      EXPECT_FALSE(folder.has("timing/" + task_name({false, f, c}) + ".json"));
    }
  }
  const model::Config result = summarize(plan, folder, targets, std::nullopt).json;
  EXPECT_EQ(result.at("search"), "until-perfect");
  for (const model::Config& fold : result.at("folds")) EXPECT_EQ(fold.at("spared"), 2);
  EXPECT_EQ(read_status(plan, folder).best_validation, std::vector<double>(4, 100));
}

// On data that cannot be learnt whole, with ties, by all orders of the grid: whatever is spared, nothing of the
// answer changes.
TEST(UntilPerfect, FindsWhatTheGridFinds) {
  for (const double wrong : {0.0, 0.02, 0.1, 0.4})
    for (const std::vector<double>& noises :
         {std::vector<double>{60, 5, 30, 0, 0, 5}, {0, 0, 90}, {5, 60, 10, 5}, {100, 90}, {20}}) {
      const Dataset dataset = parity_dataset(80, wrong, 7);
      const model::Targets targets(dataset);
      Plan plan = plan_with(targets, noises);
      const TemporaryFolder place;
      run_toy(dataset, plan, place.path("sparing"));
      const RunFolder sparing(place.path("sparing"));
      Plan grid = plan;
      grid.search = Search::kGrid;
      run_toy(dataset, grid, place.path("grid"));
      const RunFolder all(place.path("grid"));
      for (std::size_t f = 0; f < plan.splits.size(); ++f) {
        EXPECT_EQ(choose(plan, sparing, f), choose(grid, all, f)) << wrong << ", fold " << f;
        for (std::size_t r = 1; r <= 2; ++r) {
          const std::string file = task_file({true, f, 0, r});
          EXPECT_EQ(read_file(sparing.file(file)), read_file(all.file(file)));
        }
      }
      EXPECT_EQ(summarize(plan, sparing, targets, std::nullopt).predictions,
                summarize(grid, all, targets, std::nullopt).predictions);
    }
}

TEST(UntilPerfect, IsTheSameHoweverTheWorkIsShared) {
  const Dataset dataset = parity_dataset(80, 0.03, 7);
  const model::Targets targets(dataset);
  const Plan plan = plan_with(targets, {50, 10, 0, 5, 0, 20});
  const TemporaryFolder place;
  run_toy(dataset, plan, place.path("one"));
  const auto expected = task_texts(plan, RunFolder(place.path("one")));
  EXPECT_EQ(expected.size(), 4u * (6 + 2));
  for (std::size_t s = 1; s <= 3; ++s) run_toy(dataset, plan, place.path("shards"), {s, 3});
  EXPECT_EQ(task_texts(plan, RunFolder(place.path("shards"))), expected);
  // More shards than folds: tasks wait for those of other shards, and the last word is one process's.
  for (std::size_t s = 1; s <= 5; ++s) run_toy(dataset, plan, place.path("many"), {s, 5});
  run_toy(dataset, plan, place.path("many"));
  EXPECT_EQ(task_texts(plan, RunFolder(place.path("many"))), expected);
}

TEST(UntilPerfect, GoesThroughRecords) {
  const Dataset dataset = parity_dataset(80, 0, 7);
  const model::Targets targets(dataset);
  Plan plan = plan_with(targets, {0, 5});
  EXPECT_EQ(to_json(plan).at("search"), "until-perfect");
  EXPECT_EQ(parse_search("until-perfect"), Search::kUntilPerfect);
  // An error is perfect at 0, a share at all of it.
  EXPECT_TRUE(model::is_perfect(model::Metric::kAccuracy, 100));
  EXPECT_FALSE(model::is_perfect(model::Metric::kAccuracy, 99.9));
  EXPECT_TRUE(model::is_perfect(model::Metric::kRootMeanSquare, 0));
  EXPECT_FALSE(model::is_perfect(model::Metric::kRootMeanSquare, 0.1));
  EXPECT_TRUE(model::is_perfect(model::Metric::kR2, 1));
  EXPECT_FALSE(model::is_perfect(model::Metric::kAccuracy, std::nan("")));
}

}  // namespace
}  // namespace twofold::eval
