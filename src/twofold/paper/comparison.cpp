#include "twofold/paper/comparison.h"

#include <cmath>

#include "twofold/base/error.h"

namespace twofold::paper {

double sigma_distance(const Figure& ours, const Figure& theirs) {
  const double difference = ours.mean - theirs.mean;
  if (difference == 0) return 0;
  const double spread = std::hypot(ours.std, theirs.std);
  return spread > 0 ? difference / spread : kNone;
}

Comparison compare(const std::optional<Figure>& ours, const PublishedCell& theirs) {
  const bool has_theirs = theirs.state == CellState::kMeasured && !std::isnan(theirs.test.mean);
  if (!ours) return {has_theirs ? Standing::kPaperOnly : Standing::kEmpty, kNone};
  if (theirs.state == CellState::kNotInPaper) return {Standing::kOurs, kNone};
  if (!has_theirs) return {Standing::kNewlyFilled, kNone};
  return {Standing::kCompared, sigma_distance(*ours, theirs.test)};
}

Agreement count_agreement(const std::vector<Comparison>& cells) {
  Agreement agreement;
  for (const Comparison& cell : cells) {
    if (cell.standing == Standing::kNewlyFilled) ++agreement.newly_filled;
    if (cell.standing != Standing::kCompared) continue;
    ++agreement.compared;
    if (std::fabs(cell.sigmas) <= 1) ++agreement.within_one;
    if (std::fabs(cell.sigmas) <= 2) ++agreement.within_two;
  }
  return agreement;
}

double log_log_slope(const std::vector<double>& x, const std::vector<double>& y) {
  TWOFOLD_CHECK(x.size() == y.size(), "log_log_slope: {} x, {} y", x.size(), y.size());
  const auto count = static_cast<double>(x.size());
  double sum_x = 0, sum_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum_x += std::log(x[i]);
    sum_y += std::log(y[i]);
  }
  double both = 0, square = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - sum_x / count;
    both += dx * (std::log(y[i]) - sum_y / count);
    square += dx * dx;
  }
  return square > 0 ? both / square : kNone;
}

}  // namespace twofold::paper
