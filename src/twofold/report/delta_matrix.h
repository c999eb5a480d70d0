#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twofold/eval/comparison.h"
#include "twofold/report/table.h"
#include "twofold/report/text.h"

namespace twofold::report {

/// From so many learners on, columns of a learner have to be narrow for the table to fit a page.
inline constexpr std::size_t kManyLearners = 6;

/// The matrix of the paper's appendix F: row minus column, fold by fold, mean ± standard deviation, colored by
/// the 2σ rule (green: the row is better; red: worse). deltas[a][b] is a against b; the diagonal is not looked
/// at. An entry without folds (NaN) is a dash. Decimals as Column has them.
Table delta_matrix(const std::string& table_name, const std::vector<std::string>& names,
                   const std::vector<std::vector<eval::Delta>>& deltas, int decimals, int most_decimals = 99);

/// All pairs of runs, which must be comparable (eval::require_comparable).
std::vector<std::vector<eval::Delta>> all_deltas(const std::vector<record::RunRecord>& runs);

/// What the colors mean, in one sentence.
Text two_sigma_meaning(std::size_t num_folds);

}  // namespace twofold::report
