#pragma once

#include <string>
#include <vector>

#include "cli/reproduce_runs.h"
#include "twofold/paper/comparison.h"
#include "twofold/report/plot.h"
#include "twofold/report/table.h"

namespace twofold::cli {

/// One of our figures beside the paper's.
struct ComparedRun {
  const RunOutcome* run = nullptr;
  paper::PublishedCell published;
  paper::Comparison comparison;
};
ComparedRun compare_run(const RunOutcome& run, const paper::PublishedCell& published);

/// `84.8 ± 1.6`, `OOM`.
std::string published_text(const paper::PublishedCell& cell);
/// `+0.3 σ`; empty where nothing is compared.
std::string sigma_text(const paper::Comparison& comparison);

/// Our test figure, or why there is none; blue where the paper has none.
report::Cell our_cell(const ComparedRun& compared);
/// The paper's, or OOM; grey where it is not its own.
report::Cell published_cell(const paper::PublishedCell& published);

/// Per run a row: dataset, learner, our and the paper's figures, the difference in σ, what it is.
/// Datasets that are missing are left out.
report::Table comparison_table(const std::string& name, const std::vector<ComparedRun>& runs);

/// `12 figures are compared: 10 lie within one σ of the paper's, all within two; 3 are new.`
std::string agreement_sentence(const std::vector<ComparedRun>& runs);
/// What σ is, in one sentence.
extern const char* const kSigmaMeaning;

/// Our and the paper's test figures of the learners on one dataset, with their spreads, from top to bottom.
report::Plot comparison_plot(const std::vector<ComparedRun>& runs);

}  // namespace twofold::cli
