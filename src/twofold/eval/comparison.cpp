#include "twofold/eval/comparison.h"

#include <cmath>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/eval/mean_std.h"
#include "twofold/model/metrics.h"

namespace twofold::eval {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

// The continued fraction of the incomplete beta function by Lentz's method (Abramowitz and Stegun 26.5.8).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  const auto nonzero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
  double c = 1, d = 1 / nonzero(1 - (a + b) * x / (a + 1)), result = d;
  for (int m = 1; m <= 1000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    result *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    result *= d * c;
    if (std::abs(d * c - 1) < 1e-15) break;
  }
  return result;
}

// I_x(a, b), regularized.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double two_sided_p(double t, double degrees) {
  if (std::isnan(t)) return kUndefined;
  if (std::isinf(t)) return 0;
  return incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t));
}

int two_sigma_verdict(double mean, double std) { return mean - 2 * std > 0 ? 1 : mean + 2 * std < 0 ? -1 : 0; }

Delta compare_runs(const record::RunRecord& a, const record::RunRecord& b) {
  TWOFOLD_CHECK(a.folds.size() == b.folds.size() && !a.folds.empty() && a.is_sealed == b.is_sealed);
  const auto k = static_cast<double>(a.folds.size());
  std::vector<double> differences;
  double ratio = 0;
  for (std::size_t f = 0; f < a.folds.size(); ++f) {
    differences.push_back(a.score(f) - b.score(f));
    ratio += static_cast<double>(a.folds[f].num_test) / static_cast<double>(a.folds[f].num_train) / k;
  }
  const MeanStd spread = mean_std(differences);
  Delta delta;
  delta.mean = spread.mean;
  delta.std = spread.std;
  const int better = model::higher_is_better(a.metric) ? 1 : -1;
  delta.verdict = better * two_sigma_verdict(spread.mean, spread.std);
  for (const double difference : differences) {
    delta.won += better * difference > 0;
    delta.lost += better * difference < 0;
  }
  delta.t = delta.p = kUndefined;
  if (differences.size() < 2) return delta;
  const double variance = spread.std * spread.std * k / (k - 1);
  delta.t = spread.mean / std::sqrt((1 / k + ratio) * variance);
  delta.p = two_sided_p(delta.t, k - 1);
  return delta;
}

void require_comparable(const std::vector<record::RunRecord>& runs, bool any_splits) {
  for (const record::RunRecord& run : runs) {
    const record::RunRecord& first = runs[0];
    const auto need_same = [&](const std::string& what, const std::string& one, const std::string& other) {
      if (one != other)
        throw UsageError(fmt::format("{} and {} differ in their {}: {} and {}", first.folder, run.folder, what,
                                     in_quotes(one), in_quotes(other)));
    };
    need_same("metric", first.metric, run.metric);
    if (first.is_sealed != run.is_sealed)
      throw UsageError(fmt::format(
          "{} is sealed and {} is open, so their scores do not pair up: reveal both or none",
          first.is_sealed ? first.folder : run.folder, first.is_sealed ? run.folder : first.folder));
    need_same("number of folds", std::to_string(first.folds.size()), std::to_string(run.folds.size()));
    if (any_splits) continue;
    if (first.dataset_checksum != run.dataset_checksum)
      throw UsageError(
          fmt::format("{} and {} are on different data ({} and {}): compare with --any-splits if you must",
                      first.folder, run.folder, in_quotes(first.dataset), in_quotes(run.dataset)));
    if (first.splits_checksum != run.splits_checksum)
      throw UsageError(fmt::format(
          "{} and {} are on different splits, so their folds do not pair up: compare with --any-splits "
          "if you must",
          first.folder, run.folder));
  }
}

}  // namespace twofold::eval
