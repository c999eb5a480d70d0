#include "twofold/model/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::model {
namespace {

using Flags = std::vector<std::uint8_t>;

// All pairs of a positive and another graph.
double plain_auc(const std::vector<double>& scores, const Flags& is_positive) {
  double right = 0, pairs = 0;
  for (std::size_t i = 0; i < scores.size(); ++i)
    for (std::size_t j = 0; j < scores.size(); ++j)
      if (is_positive[i] != 0 && is_positive[j] == 0) {
        right += scores[i] > scores[j] ? 1 : scores[i] == scores[j] ? 0.5 : 0;
        ++pairs;
      }
  return right / pairs;
}

// Every distinct score as a threshold, each time counted from scratch.
double plain_average_precision(const std::vector<double>& scores, const Flags& is_positive) {
  const std::set<double> thresholds(scores.begin(), scores.end());
  double positives = 0, sum = 0, recall = 0;
  for (const std::uint8_t flag : is_positive) positives += flag;
  for (auto at = thresholds.rbegin(); at != thresholds.rend(); ++at) {
    double hits = 0, taken = 0;
    for (std::size_t i = 0; i < scores.size(); ++i)
      if (scores[i] >= *at) {
        ++taken;
        hits += is_positive[i];
      }
    sum += (hits / positives - recall) * hits / taken;
    recall = hits / positives;
  }
  return sum;
}

TEST(Metrics, RankingsAreThoseOfThePlainOracle) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t n = 2 + random.below(30), distinct = 1 + random.below(12);  // few: many ties
    std::vector<double> scores;
    Flags is_positive = {1, 0};
    for (std::size_t i = 0; i < n; ++i) {
      scores.push_back(static_cast<double>(random.below(distinct)) - 3);
      if (i >= 2) is_positive.push_back(random.chance(0.3) ? 1 : 0);
    }
    EXPECT_NEAR(roc_auc(scores, is_positive), plain_auc(scores, is_positive), 1e-12);
    EXPECT_NEAR(average_precision(scores, is_positive), plain_average_precision(scores, is_positive), 1e-12);
  }
}

// scikit-learn's own example: 0.75 and 0.8333.
TEST(Metrics, RankingsOfAKnownExample) {
  const std::vector<double> scores = {0.1, 0.4, 0.35, 0.8};
  const Flags is_positive = {0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(roc_auc(scores, is_positive), 0.75);
  EXPECT_NEAR(average_precision(scores, is_positive), 0.8333333333333333, 1e-12);
}

TEST(Metrics, RankingsThatAreNotDefined) {
  EXPECT_TRUE(std::isnan(roc_auc(std::vector<double>{1, 2}, Flags{1, 1})));
  EXPECT_TRUE(std::isnan(roc_auc(std::vector<double>{1, 2}, Flags{0, 0})));
  EXPECT_TRUE(std::isnan(roc_auc({}, {})));
  EXPECT_TRUE(std::isnan(roc_auc(std::vector<double>{1, NAN}, Flags{0, 1})));
  EXPECT_TRUE(std::isnan(average_precision(std::vector<double>{1, 2}, Flags{0, 0})));
  EXPECT_TRUE(std::isnan(average_precision(std::vector<double>{1, NAN}, Flags{0, 1})));
  EXPECT_EQ(average_precision(std::vector<double>{1, 2}, Flags{1, 1}), 1);
  EXPECT_EQ(roc_auc(std::vector<double>{5, 5, 5}, Flags{0, 1, 1}), 0.5);
}

LabeledGraphs classes(std::vector<std::uint32_t> class_of) {
  LabeledGraphs truth;
  truth.class_of = std::move(class_of);
  truth.graphs.resize(truth.class_of.size());
  return truth;
}

TEST(Metrics, OfTwoClassesAreThoseOfTheSecond) {
  const LabeledGraphs truth = classes({0, 0, 0, 1, 1, 0});
  Predictions said;
  said.class_of = {0, 1, 0, 1, 0, 0};
  said.scores = {.9, .1, .2, .8, .7, .3, .1, .9, .6, .4, .5, .5};
  EXPECT_DOUBLE_EQ(score(Metric::kAccuracy, truth, said), 100 * 4.0 / 6);
  EXPECT_DOUBLE_EQ(score(Metric::kBalancedAccuracy, truth, said), 100 * (3.0 / 4 + 1.0 / 2) / 2);
  EXPECT_DOUBLE_EQ(score(Metric::kF1, truth, said), 50);  // one hit, one false alarm, one miss
  const std::vector<double> second = {.1, .8, .3, .9, .4, .5};
  const Flags is_second = {0, 0, 0, 1, 1, 0};
  EXPECT_NEAR(score(Metric::kRocAuc, truth, said), 100 * plain_auc(second, is_second), 1e-9);
  EXPECT_NEAR(score(Metric::kAveragePrecision, truth, said), 100 * plain_average_precision(second, is_second),
              1e-9);
}

TEST(Metrics, OfManyClassesAreMeansOverThoseThatOccur) {
  Random random(2);
  LabeledGraphs truth = classes({});
  Predictions said;
  constexpr std::size_t kClasses = 4;  // the last does not occur
  for (int i = 0; i < 40; ++i) {
    truth.class_of.push_back(static_cast<std::uint32_t>(random.below(3)));
    truth.graphs.push_back(0);
    said.class_of.push_back(static_cast<std::uint32_t>(random.below(kClasses)));
    for (std::size_t c = 0; c < kClasses; ++c) said.scores.push_back(static_cast<double>(random.below(5)));
  }
  double auc = 0, precision = 0, f1 = 0, found = 0;
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<double> scores;
    Flags is_class;
    double hits = 0, of_class = 0, predicted = 0;
    for (std::size_t i = 0; i < 40; ++i) {
      scores.push_back(said.scores[i * kClasses + c]);
      is_class.push_back(truth.class_of[i] == c ? 1 : 0);
      hits += truth.class_of[i] == c && said.class_of[i] == c;
      of_class += truth.class_of[i] == c;
      predicted += said.class_of[i] == c;
    }
    auc += plain_auc(scores, is_class) / 3;
    precision += plain_average_precision(scores, is_class) / 3;
    found += hits / of_class / 3;
    const double p = hits / predicted, r = hits / of_class;
    f1 += (hits > 0 ? 2 * p * r / (p + r) : 0) / 3;
  }
  EXPECT_NEAR(score(Metric::kRocAuc, truth, said), 100 * auc, 1e-9);
  EXPECT_NEAR(score(Metric::kAveragePrecision, truth, said), 100 * precision, 1e-9);
  EXPECT_NEAR(score(Metric::kBalancedAccuracy, truth, said), 100 * found, 1e-9);
  EXPECT_NEAR(score(Metric::kF1, truth, said), 100 * f1, 1e-9);
}

TEST(Metrics, AreNoNumberWhereThereIsNoAnswer) {
  Predictions said;
  said.class_of = {0, 0};
  EXPECT_TRUE(std::isnan(score(Metric::kRocAuc, classes({0, 1}), said)));  // no scores
  EXPECT_TRUE(std::isnan(score(Metric::kF1, classes({0, 0}), said)));      // no graph of the second class
  EXPECT_EQ(score(Metric::kBalancedAccuracy, classes({0, 0}), said), 100);
  EXPECT_EQ(score(Metric::kF1, classes({0, 1}), said), 0);
  for (const MetricRow& row : metric_table()) EXPECT_TRUE(std::isnan(score(row.metric, {}, {}))) << row.word;
  EXPECT_FALSE(is_better(Metric::kF1, NAN, 1));
  EXPECT_TRUE(is_better(Metric::kRootMeanSquare, 1, NAN));
}

TEST(Metrics, OfRealTargetsPassOverUnknownOnes) {
  LabeledGraphs truth;
  truth.graphs = {0, 1, 2};
  truth.values = {1, 10, NAN, 20, 3, 30};
  Predictions said;
  said.values = {2, 10, 77, 23, 3, 30};
  EXPECT_DOUBLE_EQ(score(Metric::kMeanAbsoluteError, truth, said), (0.5 + 1) / 2);
  EXPECT_DOUBLE_EQ(score(Metric::kRootMeanSquare, truth, said), (std::sqrt(0.5) + std::sqrt(3)) / 2);
  EXPECT_DOUBLE_EQ(score(Metric::kR2, truth, said), ((1 - 1.0 / 2) + (1 - 9.0 / 200)) / 2);
}

TEST(Metrics, AreOneTable) {
  std::size_t i = 0;
  for (const MetricRow& row : metric_table()) {
    EXPECT_EQ(static_cast<std::size_t>(row.metric), i++);
    EXPECT_EQ(parse_metric(row.word), row.metric);
    EXPECT_EQ(metric_name(row.metric), row.word);
    EXPECT_EQ(higher_is_better(row.word), is_better(row.metric, 2, 1));
  }
  EXPECT_FALSE(higher_is_better("nonsense"));
  const auto said = [](const auto& act) -> std::string {
    try {
      act();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(said([] { parse_metric("auc"); }),
            "needed a metric accuracy, balanced-accuracy, f1, roc-auc, average-precision, hits@20, hits@50, "
            "mae, rmse or r2, found "
            "'auc'");
  Task task;
  task.class_names = {"a", "b"};
  EXPECT_EQ(said([&] { require_fit(Metric::kR2, task); }),
            "the metric r2 does not fit classes: take accuracy, balanced-accuracy, f1, roc-auc or "
            "average-precision");
  task.kind = TaskKind::kRegression;
  EXPECT_EQ(said([&] { require_fit(Metric::kF1, task); }),
            "the metric f1 does not fit real targets: take mae, rmse or r2");
  EXPECT_EQ(said([&] { require_fit(Metric::kR2, task); }), "nothing");
}

TEST(Metrics, HitsCountWhatScoresAboveTheKthBestOfTheOthers) {
  // By score: edge, other, edge and other (equal), edge.
  const std::vector<double> scores = {0.9, 0.8, 0.7, 0.7, 0.1};
  const std::vector<std::uint8_t> is_edge = {1, 0, 1, 0, 1};
  EXPECT_DOUBLE_EQ(hits_at(1, scores, is_edge), 1.0 / 3);
  // Equal to the second best is not above it.
  EXPECT_DOUBLE_EQ(hits_at(2, scores, is_edge), 1.0 / 3);
  EXPECT_DOUBLE_EQ(hits_at(3, scores, is_edge), 1);
  EXPECT_TRUE(std::isnan(hits_at(1, std::vector<double>{1}, std::vector<std::uint8_t>{0})));
}

TEST(Metrics, HitsAreOfLinksOfTwoClassesAlone) {
  Task task;
  task.class_names = {"0", "1"};
  EXPECT_EQ(metrics_of(task).size(), 5u);
  EXPECT_THROW(require_fit(Metric::kHits20, task), UsageError);
  task.about = TargetOf::kLinks;
  EXPECT_EQ(metrics_of(task).size(), 7u);
  EXPECT_EQ(default_metric(task), Metric::kRocAuc);
  require_fit(Metric::kHits20, task);
}

// Per question over the graphs whose answer is known; the mean of those that have both answers.
TEST(Metrics, OfQuestionsAreTheMeanOfTheirs) {
  const double nan = std::nan("");
  LabeledGraphs truth;
  truth.graphs = {0, 1, 2, 3};
  truth.values = {1, 0, nan, 0, 0, 0, 1, nan, nan, 0, 0, 0};  // three questions
  Predictions said;
  said.values = {0.9, 0.1, 0.5, 0.4, 0.2, 0.5, 0.3, 0.9, 0.1, 0.2, 0.8, 0.5};
  said.values_are_probabilities = true;
  // The first has yes 0.9 and 0.3, no 0.4 and 0.2; the others have no yes.
  const std::vector<double> each = target_scores(Metric::kRocAuc, truth, said);
  ASSERT_EQ(each.size(), 3u);
  EXPECT_DOUBLE_EQ(each[0], 75);
  EXPECT_TRUE(std::isnan(each[1]) && std::isnan(each[2]));
  EXPECT_DOUBLE_EQ(score(Metric::kRocAuc, truth, said), 75);
  EXPECT_NEAR(score(Metric::kAveragePrecision, truth, said), 100 * (1 + 2.0 / 3) / 2, 1e-9);
  Task task;
  task.kind = TaskKind::kYesNo;
  EXPECT_THROW(require_fit(Metric::kAccuracy, task), UsageError);
}

}  // namespace
}  // namespace twofold::model
