#pragma once

#include <cstddef>

#include "twofold/record/run_record.h"

namespace twofold::eval {

/// Counts of each fold only the `most` final runs with the best validation scores, of equals the earlier ones:
/// scores of the folds, their means and deviations become those of what is left. No test score takes part in
/// the choice. `record.result` stays as it is.
///
/// Needs most > 0. Folds that have no more runs keep all. Throws InputError where runs to choose from have no
/// validation score: those of refit learn from the validation graphs.
void keep_best_runs(record::RunRecord& record, std::size_t most);

}  // namespace twofold::eval
