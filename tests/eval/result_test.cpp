#include "twofold/eval/result.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/support/toy_run.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/eval/task_file.h"

namespace twofold::eval {
namespace {

using model::Config;
using testing::ToyRun;

TEST(Result, HasEveryMetricOfEveryRun) {
  ToyRun run;
  run.start();
  run.work();
  const Config result = run.result().json;
  double mean = 0;
  for (std::size_t f = 0; f < 3; ++f) {
    const Config& fold = result.at("folds")[f];
    const model::LabeledGraphs test = run.targets.of(run.plan.splits[f].test);
    for (std::size_t r = 0; r < 2; ++r) {
      const Config task = run.folder.read(fmt::format("tasks/final-f0{}-r{}.json", f, r + 1));
      model::Predictions said;
      said.class_of = task.at("predictions").get<std::vector<std::uint32_t>>();
      for (const Config& row : task.at("scores"))
        for (const Config& value : row) said.scores.push_back(value.get<double>());
      const Config& metrics = fold.at("runs")[r].at("metrics");
      ASSERT_EQ(metrics.at("test").size(), 5u);
      for (const model::Metric metric : model::metrics_of(run.targets.task()))
        EXPECT_DOUBLE_EQ(metrics.at("test").at(metric_name(metric)).get<double>(), score(metric, test, said));
      EXPECT_EQ(metrics.at("test").at("accuracy"), task.at("test"));
      EXPECT_EQ(metrics.at("train"), task.at("metrics").at("train"));
      EXPECT_EQ(metrics.at("validation").at("accuracy"), task.at("validation"));
    }
    EXPECT_EQ(fold.at("metrics").at("test").at("accuracy"), fold.at("test"));
    mean += fold.at("metrics").at("test").at("f1").get<double>() / 3;
  }
  EXPECT_EQ(result.at("metrics").at("accuracy").at("test_mean"), result.at("test_mean"));
  EXPECT_EQ(result.at("metrics").at("accuracy").at("validation_std"), result.at("validation_std"));
  EXPECT_NEAR(result.at("metrics").at("f1").at("test_mean").get<double>(), mean, 1e-9);
}

TEST(Result, HasTheConfusionOfAllFoldsAsAMeanOfTheRuns) {
  ToyRun run;
  run.start();
  run.work();
  const Config confusion = run.result().json.at("confusion");
  EXPECT_EQ(confusion.at("classes"), Config(run.dataset.class_names));
  double counts[2][2] = {};
  for (std::size_t f = 0; f < 3; ++f)
    for (int r = 1; r <= 2; ++r) {
      const Config task = run.folder.read(fmt::format("tasks/final-f0{}-r{}.json", f, r));
      const model::LabeledGraphs test = run.targets.of(run.plan.splits[f].test);
      for (std::size_t i = 0; i < test.size(); ++i)
        counts[test.class_of[i]][task.at("predictions")[i].get<std::size_t>()] += 0.5;
    }
  double sum = 0;
  for (std::size_t c = 0; c < 2; ++c)
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(confusion.at("counts")[c][k].get<double>(), counts[c][k]);
      sum += counts[c][k];
    }
  EXPECT_EQ(sum, 60);
}

TEST(Result, HasOneLineOfPredictionsPerTestedGraph) {
  ToyRun run;
  run.start();
  run.work();
  std::istringstream lines(run.result().predictions);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "graph,fold,truth,predicted,score:even,score:odd");
  std::vector<std::size_t> fold_of(60);
  for (std::size_t f = 0; f < 3; ++f)
    for (const std::uint32_t g : run.plan.splits[f].test) fold_of[g] = f + 1;
  for (std::size_t g = 0; g < 60; ++g) {
    ASSERT_TRUE(std::getline(lines, line));
    const std::string truth = run.dataset.class_names[run.dataset.class_of[g]];
    EXPECT_EQ(line.rfind(fmt::format("{},{},{},", g + 1, fold_of[g], truth), 0), 0u) << line;
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST(Result, OfRealTargetsHasMeansAndNoConfusion) {
  ToyRun run;
  run.dataset.class_names.clear();
  run.dataset.class_of.clear();
  run.dataset.num_real_targets = 1;
  for (const Graph& g : run.dataset.graphs)
    run.dataset.real_targets.push_back(0.1 * static_cast<double>(g.num_nodes()));
  run.targets = model::Targets(run.dataset);
  run.plan.metric = model::Metric::kR2;
  run.start();
  run.work();
  const Result result = run.result();
  EXPECT_FALSE(result.json.contains("confusion"));
  EXPECT_EQ(result.json.at("metrics").size(), 3u);
  EXPECT_EQ(result.json.at("metrics").at("r2").at("test_mean"), result.json.at("test_mean"));
  EXPECT_EQ(result.predictions.rfind("graph,fold,truth,predicted\n1,", 0), 0u);
}

// Folders of before scores and metrics were recorded.
TEST(Result, OfAnOlderRunLeavesOutWhatItDoesNotTell) {
  ToyRun run;
  run.start();
  run.work();
  const Config before = run.result().json;
  for (const TaskId& task : list_tasks(run.plan)) {
    if (!task.is_final) continue;
    Config content = run.folder.read(task_file(task));
    content.erase("scores");
    content.erase("metrics");
    run.folder.write(task_file(task), content);
  }
  const Result result = run.result();
  EXPECT_EQ(result.json.at("test_mean"), before.at("test_mean"));
  EXPECT_EQ(result.json.at("metrics").at("f1").at("test_mean"), before.at("metrics").at("f1").at("test_mean"));
  EXPECT_TRUE(result.json.at("metrics").at("roc-auc").at("test_mean").is_null());
  EXPECT_TRUE(result.json.at("metrics").at("accuracy").at("train_mean").is_null());
  EXPECT_EQ(result.predictions.rfind("graph,fold,truth,predicted\n", 0), 0u);
}

TEST(Result, OfABlindRunIsTheSameOnceItIsOpened) {
  ToyRun open, blind(true);
  open.start();
  open.work();
  blind.start();
  blind.work();
  EXPECT_EQ(blind.result().json.dump(), open.result().json.dump());
  EXPECT_EQ(blind.result().predictions, open.result().predictions);
}

TEST(Result, OfABlindRunTellsNothingOfTests) {
  ToyRun blind(true);
  blind.evaluate();
  const Config told = blind.folder.read("result.json");
  EXPECT_EQ(told.at("sealed"), true);
  const Config flat = told.flatten();
  for (const auto& item : flat.items()) {
    if (item.key().find("/graphs/") != std::string::npos) continue;  // how many they are
    EXPECT_EQ(item.key().find("test"), std::string::npos) << item.key();
    EXPECT_EQ(item.key().find("confusion"), std::string::npos) << item.key();
  }
  EXPECT_FALSE(blind.folder.has("predictions.csv"));
  EXPECT_EQ(told.at("validation_mean"), blind.result().json.at("validation_mean"));
  for (const TaskId& task : list_tasks(blind.plan)) {
    const Config content = blind.folder.read(task_file(task));
    EXPECT_EQ(content.contains("sealed"), task.is_final);
    for (const char* key : {"test", "predictions", "scores"}) EXPECT_FALSE(content.contains(key));
  }
}

}  // namespace
}  // namespace twofold::eval
