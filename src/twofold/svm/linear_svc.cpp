#include "twofold/svm/linear_svc.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/base/interrupt.h"
#include "twofold/base/random.h"

namespace twofold::svm {
namespace {

constexpr std::size_t kMostPasses = 10'000;
constexpr std::uint64_t kOrderSeed = 1;

// One row with its factor.
struct ScaledRow {
  const std::uint32_t* columns;
  const std::uint64_t* counts;
  std::size_t size;
  double scale;
  double square;  // |x|²

  template <typename Visit>
  void each(const Visit& visit) const {
    for (std::size_t i = 0; i < size; ++i) visit(columns[i], scale * static_cast<double>(counts[i]));
  }
};

ScaledRow scaled_row(const gram::SparseCounts& counts, std::uint32_t row, bool normalize) {
  const std::uint64_t begin = counts.starts[row];
  ScaledRow result{counts.columns.data() + begin, counts.counts.data() + begin,
                   static_cast<std::size_t>(counts.starts[row + 1] - begin), 1, 0};
  double square = 0;
  result.each([&](std::uint32_t, double value) { square += value * value; });
  if (normalize) {
    result.scale = square > 0 ? 1 / std::sqrt(square) : 0;
    square = square > 0 ? 1 : 0;
  }
  result.square = square;
  return result;
}

// One pair of classes. `signs`: 1 for the first class, -1 for the second.
class TwoClasses {
 public:
  TwoClasses(std::vector<ScaledRow> rows, std::vector<signed char> signs, std::size_t columns,
             const SvcOptions& options)
      : rows_(std::move(rows)),
        signs_(std::move(signs)),
        options_(options),
        alpha_(rows_.size(), 0),
        weights_(columns, 0) {
    double sum = 0;
    for (const ScaledRow& row : rows_) sum += row.square;
    step_ = std::max(sum / static_cast<double>(rows_.size()), 1e-6);
  }

  // Hsieh et al. 2008: each step minimizes the dual in one coordinate; coordinates that stay at a bound are
  // left out (shrinking) until all others are done. That the signed sum of alpha is 0, which makes rho free, is
  // the work of a multiplier (the constant) with a penalty of step_: it moves each time the coordinates are
  // done, until it moves no more.
  std::size_t run() {
    std::vector<std::uint32_t> active(rows_.size());
    for (std::uint32_t i = 0; i < active.size(); ++i) active[i] = i;
    Random random(kOrderSeed);
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    double upper = kInfinite, lower = -kInfinite;  // projected gradients of the pass before
    for (std::size_t pass = 1; pass <= kMostPasses; ++pass) {
      check_interrupt();
      random.shuffle(active);
      double most = -kInfinite, least = kInfinite;
      std::size_t kept = 0;
      for (std::size_t at = 0; at < active.size(); ++at) {
        const std::uint32_t i = active[at];
        const double gradient = signs_[i] * product(rows_[i]) - 1;
        double projected = gradient;
        if (alpha_[i] == 0) {
          if (gradient > upper) continue;  // shrunk
          projected = std::min(gradient, 0.0);
        } else if (alpha_[i] == options_.penalty) {
          if (gradient < lower) continue;
          projected = std::max(gradient, 0.0);
        }
        active[kept++] = i;
        most = std::max(most, projected);
        least = std::min(least, projected);
        if (std::abs(projected) < 1e-12) continue;
        const double before = alpha_[i];
        alpha_[i] = std::min(std::max(before - gradient / (rows_[i].square + step_), 0.0), options_.penalty);
        add(rows_[i], (alpha_[i] - before) * signs_[i]);
      }
      active.resize(kept);
      if (kept == 0 || std::max(most, 0.0) - std::min(least, 0.0) <= options_.tolerance) {
        if (kept == rows_.size()) {
          if (std::abs(step_ * signed_sum_) <= options_.tolerance) return pass;
          offset_ += step_ * signed_sum_;
        }
        // What was left out is looked at once more.
        active.resize(rows_.size());
        for (std::uint32_t i = 0; i < active.size(); ++i) active[i] = i;
        upper = kInfinite;
        lower = -kInfinite;
        continue;
      }
      upper = most > 0 ? most : kInfinite;
      lower = least < 0 ? least : -kInfinite;
    }
    return kMostPasses;
  }

  std::vector<double> take_weights() { return std::move(weights_); }
  double rho() const { return -constant(); }

 private:
  double product(const ScaledRow& row) const {
    double sum = constant();
    row.each([&](std::uint32_t column, double value) { sum += weights_[column] * value; });
    return sum;
  }
  void add(const ScaledRow& row, double times) {
    row.each([&](std::uint32_t column, double value) { weights_[column] += times * value; });
    signed_sum_ += times;
  }

  std::vector<ScaledRow> rows_;
  std::vector<signed char> signs_;
  SvcOptions options_;
  std::vector<double> alpha_;
  std::vector<double> weights_;
  double constant() const { return offset_ + step_ * signed_sum_; }

  double step_ = 1;
  double offset_ = 0;
  double signed_sum_ = 0;  // Σ y alpha
};

}  // namespace

std::vector<double> LinearSvc::decisions(const gram::SparseCounts& counts, std::uint32_t row,
                                         bool normalize) const {
  const ScaledRow scaled = scaled_row(counts, row, normalize);
  std::vector<double> result;
  for (std::size_t pair = 0; pair < num_pairs(); ++pair) {
    const std::vector<double>& of_pair = weights[pair];
    double sum = -rho[pair];
    scaled.each([&](std::uint32_t column, double value) {
      if (column < of_pair.size()) sum += of_pair[column] * value;
    });
    result.push_back(sum);
  }
  return result;
}

LinearSvc train_linear(const LinearRows& data, Span<const std::uint32_t> class_of, std::size_t num_classes,
                       const SvcOptions& options) {
  TWOFOLD_CHECK(data.rows.size() == class_of.size());
  if (!(options.penalty > 0) || !std::isfinite(options.penalty))
    throw UsageError(fmt::format("the penalty must be positive, not {}", options.penalty));
  if (class_of.empty()) throw InputError("training needed graphs, found none");
  std::vector<std::vector<std::uint32_t>> members(num_classes);
  for (std::uint32_t i = 0; i < class_of.size(); ++i) members.at(class_of[i]).push_back(i);
  LinearSvc svc;
  svc.num_classes = num_classes;
  for (std::size_t a = 0; a < num_classes; ++a)
    for (std::size_t b = a + 1; b < num_classes; ++b) {
      if (members[a].empty() || members[b].empty()) {
        svc.weights.emplace_back(data.counts->num_columns, 0.0);
        svc.rho.push_back(members[a].empty() && !members[b].empty() ? 1 : -1);
        continue;
      }
      std::vector<std::uint32_t> both;
      std::merge(members[a].begin(), members[a].end(), members[b].begin(), members[b].end(),
                 std::back_inserter(both));
      std::vector<ScaledRow> rows;
      std::vector<signed char> signs;
      for (const std::uint32_t i : both) {
        rows.push_back(scaled_row(*data.counts, data.rows[i], data.normalize));
        signs.push_back(class_of[i] == a ? 1 : -1);
      }
      TwoClasses machine(std::move(rows), std::move(signs), data.counts->num_columns, options);
      svc.passes = std::max(svc.passes, machine.run());
      svc.weights.push_back(machine.take_weights());
      svc.rho.push_back(machine.rho());
    }
  return svc;
}

}  // namespace twofold::svm
