// Search by successive halving (plan.h, protocol.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "tests/support/temporary_folder.h"
#include "tests/support/toy_work.h"
#include "twofold/base/error.h"
#include "twofold/eval/forecast.h"
#include "twofold/eval/protocol.h"
#include "twofold/eval/result.h"
#include "twofold/eval/work.h"

namespace twofold::eval {
namespace {

using testing::parity_dataset;
using testing::run_toy;
using testing::task_texts;
using testing::TemporaryFolder;
using testing::ToyLearner;

Plan halving_plan(const model::Targets& targets, std::size_t configs) {
  Plan plan;
  plan.num_graphs = targets.num_items();
  plan.model = "toy";
  plan.repeats = 1;
  plan.metric = model::default_metric(targets.task());
  plan.search = Search::kHalving;
  for (std::size_t c = 0; c < configs; ++c)
    plan.grid.push_back({{"noise", 10.0 * static_cast<double>((c * 7) % configs)}, {"epochs", 20}});
  plan.splits = make_splits(targets, 3, 1);
  return plan;
}

TEST(Halving, GivesTheBetterThirdThreeTimesTheEpochs) {
  const Dataset dataset = parity_dataset(60, 0.2, 5);
  const model::Targets targets(dataset);
  const auto rungs = [&](std::size_t configs) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    for (const Rung& rung : rungs_of(halving_plan(targets, configs)))
      found.push_back({rung.configs, rung.share});
    return found;
  };
  using Rungs = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(rungs(1), Rungs());
  EXPECT_EQ(rungs(3), (Rungs{{3, 1}}));
  EXPECT_EQ(rungs(4), (Rungs{{4, 3}, {2, 1}}));
  EXPECT_EQ(rungs(24), (Rungs{{24, 9}, {8, 3}, {3, 1}}));
  Plan grid = halving_plan(targets, 24);
  grid.search = Search::kGrid;
  ASSERT_EQ(rungs_of(grid).size(), 1u);
  EXPECT_EQ(rungs_of(grid)[0].share, 1u);
}

TEST(Halving, TakesTheBestOfEachRungFurther) {
  const Dataset dataset = parity_dataset(60, 0.2, 5);
  const model::Targets targets(dataset);
  const Plan plan = halving_plan(targets, 10);  // 10, 4, 2
  const TemporaryFolder place;
  run_toy(dataset, plan, place.path("run"));
  const RunFolder folder(place.path("run"));
  for (std::size_t f = 0; f < plan.splits.size(); ++f) {
    std::vector<std::size_t> survivors;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::vector<TaskScores> ranked = ranked_rung(plan, folder, f, k);
      std::vector<std::size_t> configs;
      for (const TaskScores& one : ranked) configs.push_back(one.config);
      std::vector<std::size_t> sorted = configs;
      std::sort(sorted.begin(), sorted.end());
      if (k > 0) {
        std::sort(survivors.begin(), survivors.end());
        EXPECT_EQ(sorted, survivors) << "fold " << f << ", rung " << k;
      }
      const std::size_t next = k == 0 ? 4 : 2;
      survivors.assign(configs.begin(), configs.begin() + static_cast<std::ptrdiff_t>(next));
      for (std::size_t i = 1; i < ranked.size(); ++i) {
        EXPECT_FALSE(model::is_better(plan.metric, ranked[i].validation, ranked[i - 1].validation));
        const bool is_tie = ranked[i].validation == ranked[i - 1].validation;
        EXPECT_TRUE(!is_tie || ranked[i - 1].config < ranked[i].config);
      }
    }
    EXPECT_EQ(choose(plan, folder, f), ranked_rung(plan, folder, f, 2)[0].config);
  }
  // A ninth of 20 epochs, a third, all.
  EXPECT_EQ(folder.read("tasks/select-f00-c003.json").at("most_epochs"), 3);
  EXPECT_EQ(folder.read("tasks/select-f00-h1-p000.json").at("most_epochs"), 7);
  EXPECT_FALSE(folder.read("tasks/select-f00-h2-p000.json").contains("most_epochs"));
}

TEST(Halving, IsTheSameHoweverTheWorkIsShared) {
  const Dataset dataset = parity_dataset(60, 0.2, 5);
  const model::Targets targets(dataset);
  const Plan plan = halving_plan(targets, 10);
  const TemporaryFolder place;
  run_toy(dataset, plan, place.path("one"));
  const auto expected = task_texts(plan, RunFolder(place.path("one")));
  EXPECT_EQ(expected.size(), 3u * (10 + 4 + 2 + 1));

  // More shards than folds: later rungs wait for other shards, and the last word is one process's.
  for (std::size_t s = 1; s <= 5; ++s) run_toy(dataset, plan, place.path("shards"), {s, 5});
  run_toy(dataset, plan, place.path("shards"));
  EXPECT_EQ(task_texts(plan, RunFolder(place.path("shards"))), expected);

  std::vector<std::thread> workers;
  for (int i = 0; i < 3; ++i) workers.emplace_back([&] { run_toy(dataset, plan, place.path("three")); });
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(task_texts(plan, RunFolder(place.path("three"))), expected);
}

TEST(Halving, GoesOnWhereItWasKilled) {
  const Dataset dataset = parity_dataset(60, 0.2, 5);
  const model::Targets targets(dataset);
  const Plan plan = halving_plan(targets, 10);
  const TemporaryFolder place;
  run_toy(dataset, plan, place.path("run"));
  RunFolder folder(place.path("run"));
  const auto expected = task_texts(plan, folder);
  for (const char* task : {"select-f00-c009", "select-f01-h1-p001", "select-f02-h2-p000", "final-f00-r1"})
    folder.remove(std::string("tasks/") + task + ".json");
  run_toy(dataset, plan, place.path("run"));
  EXPECT_EQ(task_texts(plan, folder), expected);
}

TEST(Halving, StandsInTheRecord) {
  const Dataset dataset = parity_dataset(60, 0.2, 5);
  const model::Targets targets(dataset);
  Plan plan = halving_plan(targets, 10);
  EXPECT_EQ(to_json(plan).at("search"), "halving");
  const Plan read =
      parse_plan(record::encode_record(to_json(plan)), format_splits(plan.splits), "run.json", "9.0.0");
  EXPECT_EQ(read.search, Search::kHalving);
  Plan grid = plan;
  grid.search = Search::kGrid;
  EXPECT_FALSE(to_json(grid).contains("search"));
  EXPECT_NE(describe_difference(plan, grid).find("search"), std::string::npos);

  const TemporaryFolder place;
  run_toy(dataset, plan, place.path("run"));
  const model::Config result = summarize(plan, RunFolder(place.path("run")), targets, std::nullopt).json;
  EXPECT_EQ(result.at("search"), "halving");
  const model::Config& rungs = result.at("folds")[0].at("rungs");
  ASSERT_EQ(rungs.size(), 3u);
  EXPECT_EQ(rungs[1].at("configs").size(), 4u);
  EXPECT_EQ(rungs[1].at("epochs_of"), 3);
}

TEST(Forecast, AddsUpTheRungsAndTheFinalRuns) {
  const Dataset dataset = parity_dataset(60, 0.2, 5);
  const model::Targets targets(dataset);
  Plan plan = halving_plan(targets, 9);  // 9 for a third of their epochs, 3 for all
  plan.repeats = 2;
  GridCosts costs;
  model::FitCost cost;
  cost.once = 0.25;
  cost.epoch = 0.5;
  cost.epochs = 20;
  costs.of_config.assign(9, cost);
  costs.prepare = 4;
  // 20 epochs, a third of them is 7; 3 folds.
  EXPECT_DOUBLE_EQ(forecast_seconds(plan, costs), 4 + 3 * (9 * 3.75 + (3 + 2) * 10.25));
  plan.search = Search::kGrid;
  EXPECT_DOUBLE_EQ(forecast_seconds(plan, costs), 4 + 3 * (9 + 2) * 10.25);
  // A shard of one of three folds.
  EXPECT_DOUBLE_EQ(forecast_seconds(plan, costs, {2, 3}), 4 + (9 + 2) * 10.25);
  // Each configuration its own; who wins is not known, so it may be the dearest.
  costs.of_config[8].epoch = 5;
  const std::vector<double> seconds = task_seconds(plan, costs);
  ASSERT_EQ(seconds.size(), list_tasks(plan).size());
  EXPECT_DOUBLE_EQ(seconds[0], 10.25);
  EXPECT_DOUBLE_EQ(seconds[8], 100.25);
  EXPECT_DOUBLE_EQ(seconds[9], 100.25);
  // Inner folds train a configuration as often as there are parts, final runs once.
  plan.inner_folds = 4;
  const std::vector<double> parted = task_seconds(plan, costs);
  EXPECT_DOUBLE_EQ(parted[8], 4 * 100.25);
  EXPECT_DOUBLE_EQ(parted[9], seconds[9]);
  plan.inner_folds = 1;
  // In a later rung are at worst as many of the dearest as it has places.
  plan.search = Search::kHalving;
  const std::vector<double> halved = task_seconds(plan, costs);
  EXPECT_DOUBLE_EQ(halved[8], 7 * 5 + 0.25);
  EXPECT_DOUBLE_EQ(halved[9], 100.25);
  EXPECT_DOUBLE_EQ(halved[10], 10.25);
  EXPECT_DOUBLE_EQ(halved[12], 100.25);
  // Final runs that learn from the validation graphs too have more to do.
  plan.search = Search::kGrid;
  plan.refit = true;
  const Fold& fold = plan.splits[0];
  EXPECT_DOUBLE_EQ(task_seconds(plan, costs)[9],
                   100.25 * static_cast<double>(fold.train.size() + fold.validation.size()) /
                       static_cast<double>(fold.train.size()));
}

// The first configurations of a grid may be its cheapest: those of one layer.
TEST(Forecast, MeasuresAllOverTheGrid) {
  class Measured : public ToyLearner {
   public:
    using ToyLearner::ToyLearner;
    model::FitCost measure(const model::Config& config, const model::LabeledGraphs&,
                           const model::LabeledGraphs&, Clock) override {
      order.push_back(config.at("noise").get<std::size_t>());
      model::FitCost cost;
      cost.once = config.at("noise").get<double>();
      return cost;
    }
    std::vector<std::size_t> order;
  };
  const Dataset dataset = parity_dataset(60, 0.2, 5);
  const model::Targets targets(dataset);
  for (const std::size_t configs : {1, 2, 3, 24, 64}) {
    Plan plan = halving_plan(targets, static_cast<int>(configs));
    for (std::size_t c = 0; c < configs; ++c) plan.grid[c]["noise"] = c;
    Measured learner({dataset.graphs, targets.task()});
    const GridCosts costs = measure_grid(plan, learner, targets);
    for (std::size_t c = 0; c < configs; ++c) EXPECT_EQ(costs.of_config[c].once, static_cast<double>(c));
    std::vector<std::size_t> sorted = learner.order;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(std::unique(sorted.begin(), sorted.end()) - sorted.begin(), static_cast<long>(configs));
    if (configs < 24) continue;
    std::vector<bool> third(3, false);
    for (std::size_t i = 0; i < 4; ++i) third[3 * learner.order[i] / configs] = true;
    EXPECT_EQ(third, std::vector<bool>(3, true)) << configs;
  }
}

TEST(Forecast, MeasuresAWholeFitWhereThereAreNoEpochs) {
  const Dataset dataset = parity_dataset(60, 0.2, 5);
  const model::Targets targets(dataset);
  Plan plan = halving_plan(targets, 3);
  for (model::Config& config : plan.grid) config.erase("epochs");
  ToyLearner toy({dataset.graphs, targets.task()});
  std::vector<std::uint64_t> told;
  MeasureOptions how;
  how.clock = Clock::kCpu;
  how.progress = [&](std::uint64_t done, std::uint64_t) { told.push_back(done); };
  const GridCosts costs = measure_grid(plan, toy, targets, how);
  EXPECT_EQ(costs.measured, 3u);
  EXPECT_EQ(told, (std::vector<std::uint64_t>{0, 1, 2}));
  for (const model::FitCost& cost : costs.of_config) {
    EXPECT_GT(cost.once, 0);
    EXPECT_EQ(cost.epoch, 0);
    EXPECT_EQ(cost.epochs, 0);
  }
  // It was shown what selection may see, and no more.
  EXPECT_EQ(toy.seen_train.graphs, targets.of(plan.splits[0].train).graphs);
  EXPECT_EQ(toy.seen_validation.graphs, targets.of(plan.splits[0].validation).graphs);
}

}  // namespace
}  // namespace twofold::eval
