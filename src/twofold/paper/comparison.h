#pragma once

#include <optional>
#include <vector>

#include "twofold/paper/published.h"

namespace twofold::paper {

/// How far two figures lie apart, in standard deviations of their difference: (ours - theirs) / sqrt(σ² + σ²).
/// 0 where they are equal. NaN where one of them is missing, or both have no spread and differ.
double sigma_distance(const Figure& ours, const Figure& theirs);

/// What there is to say about a cell of a table.
enum class Standing {
  kCompared,     // both have a figure
  kNewlyFilled,  // ours alone: the paper ran out of memory, or has none
  kPaperOnly,    // not run, or not finished
  kOurs,         // a learner that the paper does not have
  kEmpty,        // neither
};

struct Comparison {
  Standing standing = Standing::kEmpty;
  double sigmas = 0;  // NaN unless compared
};
Comparison compare(const std::optional<Figure>& ours, const PublishedCell& theirs);

/// How many cells are compared, how many of them lie within one and two standard deviations, how many are new.
struct Agreement {
  std::size_t compared = 0;
  std::size_t within_one = 0;
  std::size_t within_two = 0;
  std::size_t newly_filled = 0;
};
Agreement count_agreement(const std::vector<Comparison>& cells);

/// The slope of log y over log x by least squares: the exponent of a power law. NaN with fewer than two points
/// of different x. Needs positive values.
double log_log_slope(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace twofold::paper
