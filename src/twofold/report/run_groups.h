#pragma once

#include <string>
#include <vector>

#include "twofold/eval/comparison.h"
#include "twofold/report/run_view.h"
#include "twofold/report/text.h"

namespace twofold::report {

/// Runs whose folds pair up, the best first.
struct RunGroup {
  std::string dataset;
  std::string metric;
  std::size_t num_folds = 0;
  std::string title;        // `TRIANGLE, accuracy, 10 folds`; unique among the groups
  std::string short_title;  // the dataset alone where that is unique
  std::string key;          // for names of tables: empty, or `-2` of the second group and so on
  std::vector<const RunView*> runs;
  std::vector<std::vector<eval::Delta>> deltas;  // runs[a] against runs[b]

  /// All of its runs are, or none.
  bool is_sealed() const { return runs[0]->record.is_sealed; }
  /// The graphs that the scores are of: `test`, or `validation` while sealed.
  const char* part() const { return runs[0]->record.scored_part(); }
  /// What was learnt about, of all its runs: `graphs` where they differ.
  const char* items() const;
  bool is_accuracy() const { return metric == "accuracy"; }
  bool is_in_percent() const;
  int decimals() const { return is_in_percent() ? 1 : -4; }
  /// As people write it: `accuracy`, `MAE`.
  std::string metric_name() const;
  const char* unit() const { return is_in_percent() ? " %" : ""; }
};

/// What runs were learnt about: `graphs`, `nodes` or `links`; `graphs` where they differ or there are none.
const char* common_items(const std::vector<const RunView*>& runs);

/// In the order in which their first runs come. The views must outlive them.
std::vector<RunGroup> group_runs(const std::vector<RunView>& runs);

/// How much of a difference there is between the first run of a group and another.
enum class Lead {
  kClear,   // better by the 2σ rule
  kLikely,  // not by that, yet better with p < 0.05 in the corrected resampled t-test
  kOpen,
};
Lead lead_of(const RunGroup& group, std::size_t other);
/// The names of the runs against which the first has that lead.
std::vector<std::string> runs_behind(const RunGroup& group, Lead lead);

/// Which learner, and how certain: a few sentences.
std::vector<Text> describe_answer(const RunGroup& group);
/// The same in one sentence, without how certain.
Text describe_briefly(const RunGroup& group);

/// What to know before runs are compared: `a and b learnt from training and validation graphs together once the
/// choice was made`; empty where none did.
std::string describe_refit(const RunGroup& group);

/// `a`, `a and b`, `a, b and c`.
std::string join_names(const std::vector<std::string>& names);

/// `97.8 ± 2.1 %`.
std::string format_result(const RunGroup& group, double mean, double std);

}  // namespace twofold::report
