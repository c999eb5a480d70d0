#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "twofold/eval/plan.h"
#include "twofold/eval/run_folder.h"

namespace twofold::eval {

/// What an evaluation found to be best.
struct ChosenConfig {
  model::Config config;
  std::size_t index = 0;      // in the grid
  std::size_t num_folds = 0;  // that chose it
  // The epochs that the final runs of these folds kept, ascending; none for learners without epochs.
  std::vector<int> kept_epochs;
};

/// The configuration that most folds chose, of several the one with the better mean validation score in the
/// folds that chose it, then the first of the grid; or that of one fold, from 0. Looks at no test score. Throws
/// Error naming the folder unless all tasks are finished, InputError for files that were changed.
ChosenConfig chosen_config(const Plan& plan, const RunFolder& folder,
                           std::optional<std::size_t> fold = std::nullopt);

}  // namespace twofold::eval
