// How the tasks of an evaluation go on many workers, simulated (schedule.h).
#include "twofold/eval/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "twofold/base/random.h"

namespace twofold::eval {
namespace {

Plan plan_of(std::size_t folds, std::size_t configs, int repeats, Search search = Search::kGrid) {
  Plan plan;
  plan.repeats = repeats;
  plan.search = search;
  plan.grid.assign(configs, {{"epochs", 30}});
  plan.splits.resize(folds);
  return plan;
}

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

std::vector<double> random_seconds(const Plan& plan, Random& random) {
  std::vector<double> seconds(list_tasks(plan).size());
  for (double& value : seconds) value = static_cast<double>(1 + random.below(9));
  return seconds;
}

// Whether everything that the task waits for is among those that have ended.
bool may_start(const Plan& plan, const std::vector<TaskId>& tasks, std::size_t task,
               const std::vector<int>& left) {
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].fold != tasks[task].fold || tasks[i].is_final) continue;
    const bool is_before = tasks[task].is_final || tasks[i].rung < tasks[task].rung ||
                           (plan.search == Search::kUntilPerfect && tasks[i].config < tasks[task].config);
    if (is_before && left[i] > 0) return false;
  }
  return true;
}

// Second by second: whoever is free looks through all tasks.
double plain_schedule(const Plan& plan, const std::vector<double>& seconds, std::size_t workers) {
  const std::vector<TaskId> tasks = list_tasks(plan);
  std::vector<int> left(seconds.begin(), seconds.end());
  std::vector<bool> is_taken(tasks.size(), false);
  std::vector<std::size_t> at(workers, tasks.size());
  int now = 0;
  for (;; ++now) {
    for (std::size_t& task : at)
      if (task < tasks.size() && left[task] == 0) task = tasks.size();
    if (std::all_of(left.begin(), left.end(), [](int one) { return one == 0; })) return now;
    for (std::size_t& task : at)
      for (std::size_t i = 0; task == tasks.size() && i < tasks.size(); ++i)
        if (!is_taken[i] && may_start(plan, tasks, i, left)) {
          is_taken[i] = true;
          task = i;
        }
    for (const std::size_t task : at)
      if (task < tasks.size()) --left[task];
  }
}

TEST(Schedule, IsThatOfWorkersWhoLookForTheFirstTaskTheyCouldDo) {
  Random random(3);
  for (const Search search : {Search::kGrid, Search::kHalving, Search::kUntilPerfect})
    for (const std::size_t configs : {1, 2, 5, 12})
      for (const std::size_t folds : {1, 3}) {
        const Plan plan = plan_of(folds, configs, 3, search);
        const std::vector<double> seconds = random_seconds(plan, random);
        for (const std::size_t workers : {1, 2, 3, 8, 100})
          EXPECT_DOUBLE_EQ(simulate_schedule(plan, seconds, {workers}).seconds,
                           plain_schedule(plan, seconds, workers))
              << configs << " configurations, " << folds << " folds, " << workers << " workers";
      }
}

TEST(Schedule, KeepsGrahamsBounds) {
  Random random(4);
  const Plan plan = plan_of(10, 7, 3, Search::kHalving);
  const std::vector<double> seconds = random_seconds(plan, random);
  const double chain = shortest_schedule(plan, seconds, {}), sum = sum_of(seconds);
  double before = sum;
  for (const std::size_t workers : {1, 2, 4, 10, 100, 1000}) {
    const Schedule schedule = simulate_schedule(plan, seconds, {workers});
    const double share = sum / static_cast<double>(workers);
    EXPECT_GE(schedule.seconds, std::max(chain, share) - 1e-9);
    EXPECT_LE(schedule.seconds, share + chain + 1e-9);
    EXPECT_LE(schedule.seconds, before);
    EXPECT_DOUBLE_EQ(schedule.work, sum);
    EXPECT_LE(schedule.at_once, workers);
    before = schedule.seconds;
  }
  EXPECT_DOUBLE_EQ(simulate_schedule(plan, seconds, {1000}).seconds, chain);
  EXPECT_EQ(simulate_schedule(plan, seconds, {1000}).at_once, 70u);
}

TEST(Schedule, WaitsForWhatIsReadByEachAndPreparedByOne) {
  const Plan plan = plan_of(2, 3, 1);
  const std::vector<double> seconds(8, 10);
  ScheduleOptions options;
  options.start = 2;
  options.prepare = 5;
  EXPECT_DOUBLE_EQ(simulate_schedule(plan, seconds, options).seconds, 7 + 80);
  options.workers = 6;
  const Schedule six = simulate_schedule(plan, seconds, options);
  EXPECT_DOUBLE_EQ(six.seconds, 7 + 20);
  EXPECT_DOUBLE_EQ(six.work, 6 * 2 + 5 + 80);
  EXPECT_DOUBLE_EQ(shortest_schedule(plan, seconds, options), 27);
}

TEST(Schedule, OnFewerCoresThanWorkersAllGoSlower) {
  const Plan plan = plan_of(4, 6, 3);
  Random random(5);
  const std::vector<double> seconds = random_seconds(plan, random);
  // One core is never idle: the work decides, not who does it.
  for (const std::size_t workers : {1, 3, 8}) {
    ScheduleOptions options;
    options.workers = workers;
    options.cores = 1;
    options.start = 0.5;
    const Schedule schedule = simulate_schedule(plan, seconds, options);
    EXPECT_NEAR(schedule.seconds, schedule.work, 1e-9);
  }
  ScheduleOptions own, shared;
  own.workers = shared.workers = 8;
  shared.cores = 8;
  EXPECT_DOUBLE_EQ(simulate_schedule(plan, seconds, own).seconds,
                   simulate_schedule(plan, seconds, shared).seconds);
  shared.cores = 2;
  EXPECT_GE(simulate_schedule(plan, seconds, shared).seconds, sum_of(seconds) / 2 - 1e-9);
  // Two halves at half speed each: equal tasks end together.
  const Plan two = plan_of(1, 2, 1);
  ScheduleOptions one_core;
  one_core.workers = 2;
  one_core.cores = 1;
  const Schedule both = simulate_schedule(two, {3, 3, 1}, one_core);
  EXPECT_DOUBLE_EQ(both.ends[0], 6);
  EXPECT_DOUBLE_EQ(both.ends[1], 6);
  EXPECT_DOUBLE_EQ(both.ends[2], 7);
}

}  // namespace
}  // namespace twofold::eval
