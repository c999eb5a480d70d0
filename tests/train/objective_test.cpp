#include "twofold/train/objective.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/support/learning_sample.h"
#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::train {
namespace {

Objective binary() { return {}; }
Objective classes(std::size_t count) {
  Objective task;
  task.kind = model::TaskKind::kMultiClass;
  task.outputs = count;
  return task;
}
Objective regression(model::Loss loss) {
  Objective task;
  task.kind = model::TaskKind::kRegression;
  task.loss = loss;
  task.target_mean = {3};
  task.target_scale = {2};
  return task;
}

TEST(Loss, OfKnownOutputs) {
  EXPECT_NEAR(loss_and_slope(binary(), std::vector<float>{0, 0}, std::vector<double>{0, 1}), std::log(2),
              1e-12);
  // -log of the logistic of 2, and of -2.
  EXPECT_NEAR(loss_and_slope(binary(), std::vector<float>{2, -2}, std::vector<double>{1, 1}),
              (std::log1p(std::exp(-2)) + std::log1p(std::exp(2))) / 2, 1e-12);
  EXPECT_NEAR(loss_and_slope(binary(), std::vector<float>{1000}, std::vector<double>{0}), 1000, 1e-9);
  EXPECT_NEAR(loss_and_slope(classes(4), std::vector<float>{5, 5, 5, 5}, std::vector<double>{2}), std::log(4),
              1e-12);
  // The target 7 is (7 - 3) / 2 = 2 for the network.
  EXPECT_NEAR(loss_and_slope(regression(model::Loss::kSquared), std::vector<float>{5}, std::vector<double>{7}),
              9, 1e-12);
  EXPECT_NEAR(loss_and_slope(regression(model::Loss::kAbsolute), std::vector<float>{5}, std::vector<double>{7}),
              3, 1e-12);
  EXPECT_EQ(loss_and_slope(binary(), std::vector<float>{}, std::vector<double>{}), 0);
}

TEST(Loss, HasTheSlopeOfFiniteDifferences) {
  Random random(1);
  Objective weighted = classes(3);
  weighted.class_weights = {1, 5, 0.25};
  Objective weighted_binary = binary();
  weighted_binary.class_weights = {3, 1};
  for (const Objective& task : {binary(), weighted_binary, classes(3), weighted,
                                regression(model::Loss::kSquared), regression(model::Loss::kAbsolute)}) {
    std::vector<double> targets;
    std::vector<float> outputs, slope(6 * task.outputs);
    for (int g = 0; g < 6; ++g) {
      targets.push_back(static_cast<double>(random.below(std::max<std::size_t>(2, task.outputs))));
      for (std::size_t c = 0; c < task.outputs; ++c) outputs.push_back(static_cast<float>(random.normal()));
    }
    loss_and_slope(task, outputs, targets, slope);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const float step = 1.0f / 1024;
      std::vector<float> above = outputs, below = outputs;
      above[i] += step;
      below[i] -= step;
      const double width = static_cast<double>(above[i]) - below[i];
      EXPECT_NEAR(slope[i],
                  (loss_and_slope(task, above, targets) - loss_and_slope(task, below, targets)) / width, 1e-5);
    }
  }
}

TEST(Scores, OfKnownPredictions) {
  // Classes 0 0 0 1, predicted 0 0 1 1.
  const Scores scores = score(binary(), std::vector<float>{-2, -1, 0.5, 3}, std::vector<double>{0, 0, 0, 1});
  EXPECT_EQ(scores.accuracy, 0.75);
  EXPECT_NEAR(scores.balanced_accuracy, (2.0 / 3 + 1) / 2, 1e-12);
  EXPECT_EQ(scores.auc, 1);
  EXPECT_EQ(scores.confusion, (std::vector<std::uint64_t>{2, 1, 0, 1}));
  // One pair of three in the right order, one tied.
  EXPECT_NEAR(score(binary(), std::vector<float>{1, 2, 3, 2}, std::vector<double>{0, 0, 0, 1}).auc, 0.5, 1e-12);
  const Scores many = score(classes(3), std::vector<float>{3, 1, 2, 0, 0, 1}, std::vector<double>{0, 1});
  EXPECT_EQ(many.accuracy, 0.5);
  EXPECT_EQ(many.confusion, (std::vector<std::uint64_t>{1, 0, 0, 0, 0, 1, 0, 0, 0}));
  const Scores real =
      score(regression(model::Loss::kSquared), std::vector<float>{0, 1}, std::vector<double>{4, 1});
  EXPECT_EQ(real.mean_absolute_error, 2.5);
  EXPECT_NEAR(real.root_mean_squared_error, std::sqrt((1 + 16) / 2.0), 1e-12);
}

// Trainings go by the one, results by the other.
TEST(EpochScores, AreTheLossAndTheFirstOfTheScoresToTheLastBit) {
  Random random(11);
  Objective questions;
  questions.kind = model::TaskKind::kYesNo;
  questions.outputs = 2;
  questions.target_mean = {0, 0};
  questions.target_scale = {1, 1};
  for (const Objective& task :
       {binary(), classes(2), classes(5), regression(model::Loss::kAbsolute), questions})
    for (const std::size_t graphs : {0, 1, 30}) {
      std::vector<float> outputs(graphs * task.outputs);
      for (float& output : outputs) output = static_cast<float>(random.normal());
      std::vector<double> targets(graphs * task.num_targets());
      for (double& target : targets)
        target = static_cast<double>(
            random.below(task.is_yes_no() ? 2 : std::max<std::size_t>(num_classes(task), 2)));
      const Scores all = score(task, outputs, targets);
      const EpochScores found = epoch_scores(task, outputs, targets);
      EXPECT_EQ(found.loss, all.loss);
      const double wanted = task.is_yes_no()       ? all.auc
                            : task.is_regression() ? all.mean_absolute_error
                                                   : all.accuracy;
      EXPECT_TRUE(found.metric == wanted || (std::isnan(found.metric) && std::isnan(wanted)))
          << found.metric << " " << wanted << " of " << graphs;
    }
}

TEST(Scores, HaveNoAucWhereAllGraphsAreOfOneClass) {
  EXPECT_TRUE(std::isnan(score(binary(), std::vector<float>{1, 2}, std::vector<double>{1, 1}).auc));
  EXPECT_TRUE(std::isnan(score(binary(), std::vector<float>{1, 2}, std::vector<double>{0, 0}).auc));
}

TEST(FitTargets, RefusesTargetsWhoseSquaresAreInfinite) {
  Objective task = regression(model::Loss::kSquared);
  EXPECT_THROW(fit_targets(task, std::vector<double>{1, 1e308}, false), InputError);
  fit_targets(task, std::vector<double>{-1e150, 1e150}, false);
  EXPECT_EQ(task.target_scale, std::vector<double>{1e150});
}

TEST(ScaledAttribute, RefusesWhatIsTooFarFromTheTrainingGraphs) {
  EXPECT_EQ(pairs::scaled_attribute(5, 1, 2), 2.0f);
  EXPECT_THROW(pairs::scaled_attribute(1e30, 0, 1e-20), InputError);
  EXPECT_THROW(pairs::scaled_attribute(1e308, -1e308, 1), InputError);
}

TEST(Scores, OfOneGraph) {
  EXPECT_EQ(predicted_class(binary(), std::vector<float>{0}), 0u);
  EXPECT_NEAR(predicted_scores(binary(), std::vector<float>{1})[1], 1 / (1 + std::exp(-1)), 1e-12);
  const auto three = predicted_scores(classes(3), std::vector<float>{1000, 1000, -1000});
  EXPECT_NEAR(three[0], 0.5, 1e-12);
  EXPECT_NEAR(three[2], 0, 1e-12);
  EXPECT_EQ(predicted_scores(regression(model::Loss::kSquared), std::vector<float>{2}), std::vector<double>{7});
}

TEST(FitTargets, ComesFromTheTrainingTargets) {
  Objective real = regression(model::Loss::kSquared);
  fit_targets(real, std::vector<double>{1, 3}, true);
  EXPECT_EQ(real.target_mean, std::vector<double>{2});
  EXPECT_EQ(real.target_scale, std::vector<double>{1});
  Objective three = classes(3);
  fit_targets(three, std::vector<double>{0, 0, 0, 2}, true);
  EXPECT_EQ(three.class_weights, (std::vector<double>{4.0 / 9, 0, 4.0 / 3}));
  fit_targets(three = classes(3), std::vector<double>{0, 0, 0, 2}, false);
  EXPECT_TRUE(three.class_weights.empty());
}

TEST(AttributeScaling, ComesFromTheGivenGraphsAlone) {
  GraphBuilder a(2), b(1);
  a.set_node_attributes(2, {1, 7, 3, 7});
  b.set_node_attributes(2, {100, 100});
  std::vector<Graph> graphs;
  graphs.push_back(std::move(a).build());
  graphs.push_back(std::move(b).build());
  const FeatureScaling scaling = attribute_scaling(graphs, std::vector<std::uint32_t>{0});
  EXPECT_EQ(scaling.node_mean, (std::vector<double>{2, 7}));
  EXPECT_EQ(scaling.node_scale, (std::vector<double>{1, 1}));
}

TEST(Objective, OfSeveralValuesLeavesOutWhatIsNotKnown) {
  const double nan = std::nan("");
  Objective task;
  task.kind = model::TaskKind::kRegression;
  task.loss = model::Loss::kSquared;
  task.outputs = 2;
  fit_targets(task, std::vector<double>{1, 10, 3, nan, nan, 30}, false);
  EXPECT_EQ(task.target_mean, (std::vector<double>{2, 20}));
  EXPECT_EQ(task.target_scale, (std::vector<double>{1, 10}));
  // Four values are known: the loss is the mean of their squares.
  const std::vector<float> outputs = {0, 0, 3, 7, 9, 1};
  std::vector<float> slope(6);
  const std::vector<double> targets = {1, 10, 3, nan, nan, 30};
  EXPECT_DOUBLE_EQ(loss_and_slope(task, outputs, targets, slope), (1 + 1 + 4 + 0) / 4.0);
  EXPECT_EQ(slope, (std::vector<float>{0.5f, 0.5f, 1, 0, 0, 0}));
  const Scores scores = score(task, outputs, targets);
  EXPECT_EQ(scores.absolute_errors, (std::vector<double>{(1 + 2) / 2.0, 5}));
  EXPECT_DOUBLE_EQ(scores.mean_absolute_error, (1.5 + 5) / 2);
  EXPECT_EQ(predicted_scores(task, Span<const float>(outputs.data(), 2)), (std::vector<double>{2, 20}));
  EXPECT_THROW(fit_targets(task, std::vector<double>{1, nan, 3, nan}, false), InputError);
}

// Two questions with holes; one output each, the logit of yes.
TEST(Objective, OfQuestionsIsTheLogisticLossOfWhatIsKnown) {
  const double nan = std::nan("");
  Objective task;
  task.kind = model::TaskKind::kYesNo;
  task.outputs = 2;
  const std::vector<double> targets = {1, 0, nan, 1, 0, 1, 1, nan};
  fit_targets(task, targets, false);
  EXPECT_EQ(task.target_mean, (std::vector<double>{0, 0}));
  EXPECT_EQ(task.target_scale, (std::vector<double>{1, 1}));
  const std::vector<float> outputs = {2, -1, 5, 0, 3, -2, 1, 9};
  const auto loss = [](double logit, double yes) { return std::log1p(std::exp(yes > 0 ? -logit : logit)); };
  std::vector<float> slope(8);
  EXPECT_NEAR(loss_and_slope(task, outputs, targets, slope),
              (loss(2, 1) + loss(-1, 0) + loss(0, 1) + loss(3, 0) + loss(-2, 1) + loss(1, 1)) / 6, 1e-12);
  EXPECT_EQ(slope[2], 0);
  EXPECT_EQ(slope[7], 0);
  EXPECT_NEAR(slope[3], (0.5 - 1) / 6, 1e-7);
  const Scores scores = score(task, outputs, targets);
  // First: yes has 2 and 1, no has 3. Second: yes has 0 and -2, no has -1.
  EXPECT_EQ(scores.aucs, (std::vector<double>{0, 0.5}));
  EXPECT_DOUBLE_EQ(scores.auc, 0.25);
  EXPECT_NEAR(scores.average_precisions[1], (1 + 2.0 / 3) / 2, 1e-12);
  EXPECT_EQ(predicted_scores(task, Span<const float>(outputs.data() + 2, 2))[1], 0.5);
  // A question whose answers are all the same has no AUC and does not count.
  const Scores one = score(task, std::vector<float>{1, 1, 2, 1}, std::vector<double>{0, 1, 1, 1});
  EXPECT_EQ(one.aucs[0], 1);
  EXPECT_TRUE(std::isnan(one.aucs[1]));
  EXPECT_EQ(one.auc, 1);
}

TEST(Objective, OfQuestionsHasTheSlopeOfFiniteDifferences) {
  Random random(4);
  Objective task;
  task.kind = model::TaskKind::kYesNo;
  task.outputs = 3;
  std::vector<double> targets;
  std::vector<float> outputs;
  for (int i = 0; i < 15; ++i) {
    targets.push_back(i % 4 == 1 ? std::nan("") : static_cast<double>(random.below(2)));
    outputs.push_back(static_cast<float>(random.normal()));
  }
  fit_targets(task, targets, false);
  std::vector<float> slope(15);
  loss_and_slope(task, outputs, targets, slope);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::vector<float> up = outputs, down = outputs;
    up[i] += 1e-2f;
    down[i] -= 1e-2f;
    const double difference = (loss_and_slope(task, up, targets) - loss_and_slope(task, down, targets)) /
                              (static_cast<double>(up[i]) - static_cast<double>(down[i]));
    EXPECT_NEAR(slope[i], difference, 1e-5);
  }
}

}  // namespace
}  // namespace twofold::train
