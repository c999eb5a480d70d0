#pragma once

#include <optional>
#include <string>

#include "twofold/eval/plan.h"
#include "twofold/eval/run_folder.h"
#include "twofold/model/targets.h"
#include "twofold/model/twins.h"

namespace twofold::eval {

/// What an evaluation gives once all its tasks are finished.
struct Result {
  /// As result.json and `evaluate --json` have it (docs/commands/evaluate.md). Scores of a fold are means over
  /// its final runs; the spread is that of the folds.
  model::Config json;
  /// The content of predictions.csv: every tested graph with what its fold's winner said. Classes are those
  /// that most final runs said (of equals the one with the higher mean score, then the first); scores and
  /// values are means.
  std::string predictions;
};
Result summarize(const Plan& plan, const RunFolder& folder, const model::Targets& targets,
                 const std::optional<model::TwinClasses>& twins);

/// What of a result may be told while the run is sealed: nothing about test graphs, and "sealed": true.
model::Config without_tests(const model::Config& result);

/// Writes the result to the folder, and returns what may be told: of a blind run that was not revealed
/// without_tests, while the rest goes to sealed.json.
model::Config write_result(RunFolder& folder, const Plan& plan, const Result& result);

}  // namespace twofold::eval
