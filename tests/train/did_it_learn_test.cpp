#include "twofold/train/did_it_learn.h"

#include <gtest/gtest.h>

#include <cmath>

namespace twofold::train {
namespace {

// These losses, the last one as long as it takes to be judged.
std::vector<EpochRecord> history(std::vector<double> losses, std::size_t epochs = kLeastEpochs) {
  std::vector<EpochRecord> records;
  losses.resize(epochs, losses.back());
  for (const double loss : losses) {
    EpochRecord record;
    record.epoch = static_cast<int>(records.size()) + 1;
    record.train_loss = loss;
    records.push_back(record);
  }
  return records;
}

TEST(DidItLearn, TheConstantAnswerHasTheEntropyOfTheClasses) {
  Objective task;
  task.kind = model::TaskKind::kBinary;
  const std::vector<double> targets = {0, 0, 0, 1};
  EXPECT_NEAR(constant_loss(task, targets), -(0.75 * std::log(0.75) + 0.25 * std::log(0.25)), 1e-6);
  task.kind = model::TaskKind::kMultiClass;
  task.outputs = 3;
  const std::vector<double> three = {0, 1, 2, 2};
  EXPECT_NEAR(constant_loss(task, three), 0.5 * std::log(4.0) + 0.5 * std::log(2.0), 1e-6);
  // Weights by inverse frequency make all classes alike.
  fit_targets(task, three, true);
  EXPECT_NEAR(constant_loss(task, three), std::log(3.0), 1e-6);
}

TEST(DidItLearn, TheConstantAnswerToRealTargetsIsTheirMean) {
  Objective task;
  task.kind = model::TaskKind::kRegression;
  task.loss = model::Loss::kSquared;
  task.outputs = 1;
  const std::vector<double> targets = {3, 5, 10, -2, std::nan("")};
  fit_targets(task, targets, false);
  EXPECT_NEAR(constant_loss(task, targets), 1, 1e-12);  // the variance, in units of itself
}

TEST(DidItLearn, NamesATrainingWhoseLossNeverFallsBelowIt) {
  // It fell, but only down to what always the same answer has.
  EXPECT_TRUE(did_not_learn(history({40, 3, 0.7, 0.694, 0.693}), 0.6931));
  EXPECT_TRUE(did_not_learn(history({0.69, 0.688}), 0.6931));
  EXPECT_FALSE(did_not_learn(history({40, 3, 0.7, 0.68, 0.693}), 0.6931));
  EXPECT_FALSE(did_not_learn({}, 0.6931));
  // Too short to tell.
  EXPECT_FALSE(did_not_learn(history({0.7}, kLeastEpochs - 1), 0.6931));
  EXPECT_FALSE(did_not_learn(history({0.001}), 0));  // one class: nothing to learn
  EXPECT_TRUE(did_not_learn(history({std::nan("")}), 0.6931));
}

TEST(DidItLearn, AlwaysTheSharesOfYesIsTheAnswerToQuestions) {
  Objective task;
  task.kind = model::TaskKind::kYesNo;
  task.outputs = 2;
  const double nan = std::nan("");
  const std::vector<double> targets = {1, 0, 0, 0, 0, 1, 1, nan};
  fit_targets(task, targets, false);
  // Shares of 1/2 of four and 1/3 of three.
  EXPECT_NEAR(constant_loss(task, targets), (4 * std::log(2.0) - std::log(1.0 / 3) - 2 * std::log(2.0 / 3)) / 7,
              1e-6);
}

}  // namespace
}  // namespace twofold::train
