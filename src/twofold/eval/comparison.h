#pragma once

#include <string>
#include <vector>

#include "twofold/record/run_record.h"

namespace twofold::eval {

/// How one run differs from another, fold by fold.
struct Delta {
  // Of a - b over the folds: mean and population standard deviation.
  double mean = 0;
  double std = 0;
  // By two_sigma_verdict: 1 if a is better, -1 if b is, else 0.
  int verdict = 0;
  // Folds in which a is better, and in which b is.
  std::size_t won = 0;
  std::size_t lost = 0;
  // The corrected resampled t-test (Nadeau and Bengio, 2003), two-sided:
  //     t = mean / sqrt((1/k + n_test/n_train) s²),   k - 1 degrees of freedom,
  // with k folds and s² the sample variance of the differences. The factor allows for training sets that
  // overlap. NaN with fewer than two folds, or where the folds do not differ in their difference and that is 0.
  double t = 0;
  double p = 1;
};

/// The paper's rule for fold-wise differences: 1 if they lie more than two of their standard deviations above
/// 0, -1 if as far below, else 0.
int two_sigma_verdict(double mean, double std);

/// By the test scores, or those of validation graphs if the runs are sealed. Needs as many folds in both, at
/// least one, and both sealed or none.
Delta compare_runs(const record::RunRecord& a, const record::RunRecord& b);

/// Throws UsageError, naming what differs, unless the runs are of the same metric, dataset and folds, all
/// sealed or none. With `any_splits` only the metric and the number of folds count.
void require_comparable(const std::vector<record::RunRecord>& runs, bool any_splits);

/// The chance that Student's t with that many degrees of freedom lies further from 0 than `t`.
double two_sided_p(double t, double degrees);

}  // namespace twofold::eval
