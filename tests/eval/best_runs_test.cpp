#include "twofold/eval/best_runs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "twofold/base/error.h"

namespace twofold::eval {
namespace {

using record::Json;

struct Run {
  double validation;
  double test;
};

// Train scores are one above the test scores.
record::RunRecord record_of(const std::vector<std::vector<Run>>& folds,
                            const std::string& metric = "accuracy") {
  record::RunRecord record;
  record.folder = "run";
  record.metric = metric;
  record.run = Json::object();
  record.result["folds"] = Json::array();
  for (const std::vector<Run>& fold : folds) {
    Json runs = Json::array();
    for (const Run& run : fold)
      runs.push_back({{"validation", run.validation}, {"test", run.test}, {"train", run.test + 1}});
    record.result["folds"].push_back({{"runs", runs}});
    record.folds.emplace_back();
  }
  return record;
}

TEST(BestRuns, GoByValidationAndLeaveTheTestScoresAlone) {
  record::RunRecord record = record_of({{{50, 100}, {90, 60}, {80, 70}}, {{70, 10}, {60, 20}, {65, 40}}});
  keep_best_runs(record, 2);
  EXPECT_DOUBLE_EQ(record.folds[0].test, 65);
  EXPECT_DOUBLE_EQ(record.folds[0].validation, 85);
  EXPECT_DOUBLE_EQ(record.folds[0].train, 66);
  EXPECT_DOUBLE_EQ(record.folds[1].test, 25);
  EXPECT_DOUBLE_EQ(record.test_mean, 45);
  EXPECT_DOUBLE_EQ(record.test_std, 20);
  EXPECT_DOUBLE_EQ(record.train_mean, 46);
  EXPECT_DOUBLE_EQ(record.validation_mean, (85 + 67.5) / 2);
}

TEST(BestRuns, OfEqualsAreTheEarlierOnes) {
  record::RunRecord record = record_of({{{80, 1}, {90, 2}, {80, 4}, {80, 8}}});
  keep_best_runs(record, 2);
  EXPECT_DOUBLE_EQ(record.folds[0].test, 1.5);
}

TEST(BestRuns, HaveTheLeastErrorWhereLessIsBetter) {
  record::RunRecord record = record_of({{{3, 30}, {1, 10}, {2, 20}}}, "mae");
  keep_best_runs(record, 1);
  EXPECT_DOUBLE_EQ(record.folds[0].test, 10);
}

TEST(BestRuns, AreAllWhereThereAreNoMore) {
  record::RunRecord record = record_of({{{80, 60}, {90, 70}}, {{80, 40}}});
  keep_best_runs(record, 2);
  EXPECT_DOUBLE_EQ(record.folds[0].test, 65);
  EXPECT_DOUBLE_EQ(record.folds[1].test, 40);
}

TEST(BestRuns, OfASealedRunTellNoTestScore) {
  record::RunRecord record = record_of({{{80, 60}, {90, 70}}});
  for (Json& run : record.result["folds"][0]["runs"]) run.erase("test");
  record.is_sealed = true;
  keep_best_runs(record, 1);
  EXPECT_DOUBLE_EQ(record.folds[0].validation, 90);
  EXPECT_TRUE(std::isnan(record.folds[0].test));
  EXPECT_TRUE(std::isnan(record.test_mean));
}

TEST(BestRuns, NeedValidationScores) {
  record::RunRecord record = record_of({{{80, 60}, {90, 70}}});
  record.result["folds"][0]["runs"][1]["validation"] = nullptr;
  keep_best_runs(record, 2);  // nothing to choose
  EXPECT_DOUBLE_EQ(record.folds[0].test, 65);
  try {
    keep_best_runs(record, 1);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "run: fold 1: needed a validation score of each of its 2 final runs, found fewer");
  }
}

// Their records repeat the selection's score, by which no final run is better than another.
TEST(BestRuns, CannotBeToldOfRefit) {
  record::RunRecord record = record_of({{{80, 60}, {80, 70}}});
  record.run["refit"] = true;
  EXPECT_THROW(keep_best_runs(record, 1), InputError);
}

}  // namespace
}  // namespace twofold::eval
