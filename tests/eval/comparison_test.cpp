#include "twofold/eval/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "twofold/base/error.h"

namespace twofold::eval {
namespace {

record::RunRecord run_of(const std::vector<double>& tests, const std::string& metric = "accuracy") {
  record::RunRecord run;
  run.metric = metric;
  run.folder = "run";
  for (const double test : tests) {
    record::RunFold fold;
    fold.test = test;
    fold.num_train = 80;
    fold.num_test = 10;
    run.folds.push_back(fold);
  }
  return run;
}

TEST(Comparison, FollowsThePapersTwoSigmaRule) {
  // Differences 4, 6, 5: mean 5, population deviation sqrt(2/3).
  const Delta delta = compare_runs(run_of({84, 86, 85}), run_of({80, 80, 80}));
  EXPECT_DOUBLE_EQ(delta.mean, 5);
  EXPECT_NEAR(delta.std, std::sqrt(2.0 / 3), 1e-12);
  EXPECT_EQ(delta.verdict, 1);
  EXPECT_EQ(compare_runs(run_of({80, 80, 80}), run_of({84, 86, 85})).verdict, -1);
  EXPECT_EQ(compare_runs(run_of({84, 76, 85}), run_of({80, 80, 80})).verdict, 0);
  // Of errors less is better.
  EXPECT_EQ(compare_runs(run_of({84, 86, 85}, "mae"), run_of({80, 80, 80}, "mae")).verdict, -1);
}

TEST(Comparison, CorrectsTheTTestForOverlappingTrainingSets) {
  const Delta delta = compare_runs(run_of({84, 86, 85}), run_of({80, 80, 80}));
  // Sample variance 1, three folds, a test graph for eight training graphs.
  EXPECT_NEAR(delta.t, 5 / std::sqrt((1.0 / 3 + 1.0 / 8) * 1), 1e-12);
  // With two degrees of freedom the distribution is elementary: p = 1 - t / sqrt(t² + 2).
  EXPECT_NEAR(delta.p, 1 - delta.t / std::sqrt(delta.t * delta.t + 2), 1e-12);
}

TEST(Comparison, KnowsStudentsT) {
  // Tables of the t distribution: two-sided 5 % points.
  EXPECT_NEAR(two_sided_p(12.7062, 1), 0.05, 1e-6);
  EXPECT_NEAR(two_sided_p(2.26216, 9), 0.05, 1e-6);
  EXPECT_NEAR(two_sided_p(-2.26216, 9), 0.05, 1e-6);
  EXPECT_NEAR(two_sided_p(1.98397, 100), 0.05, 1e-6);
  EXPECT_DOUBLE_EQ(two_sided_p(0, 9), 1);
  EXPECT_DOUBLE_EQ(two_sided_p(INFINITY, 9), 0);
}

TEST(Comparison, OfEqualRunsHasNoP) {
  const Delta delta = compare_runs(run_of({80, 70}), run_of({80, 70}));
  EXPECT_EQ(delta.verdict, 0);
  EXPECT_TRUE(std::isnan(delta.p));
}

TEST(Comparison, RefusesWhatDoesNotPairUp) {
  auto a = run_of({1, 2}), b = run_of({3, 4});
  EXPECT_NO_THROW(require_comparable({a, b}, false));
  b.splits_checksum = "other";
  EXPECT_THROW(require_comparable({a, b}, false), UsageError);
  EXPECT_NO_THROW(require_comparable({a, b}, true));
  EXPECT_THROW(require_comparable({a, run_of({3, 4}, "mae")}, true), UsageError);
  EXPECT_THROW(require_comparable({a, run_of({3})}, true), UsageError);
}

}  // namespace
}  // namespace twofold::eval
