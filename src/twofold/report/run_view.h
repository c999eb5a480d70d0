#pragma once

#include <optional>
#include <string>
#include <vector>

#include "twofold/eval/status.h"
#include "twofold/record/run_record.h"

namespace twofold::report {

/// One training of a winner, epoch by epoch. Columns that a record does not have are empty.
struct TrainingCurve {
  std::vector<double> train_loss;
  std::vector<double> validation_loss;
  std::vector<double> train;  // accuracy in percent, or MAE
  std::vector<double> validation;
};

/// From timing/: outside of what equal runs have in common.
struct RunTimes {
  std::size_t num_tasks = 0;
  double seconds = 0;         // of all tasks together
  double median_seconds = 0;  // of a training
  double peak_bytes = 0;      // of the task that took most
  int threads = 0;            // of a task; 0 if they differ
};

/// The scores that runs are compared by (RunRecord::scored_part), in one metric, over the folds.
struct RunMetric {
  std::string word;
  double mean = 0;
  double std = 0;
};

/// One of several targets, in one metric, over the folds.
struct RunTarget {
  std::string name;
  std::vector<RunMetric> metrics;
};

/// counts[true class][said class].
struct RunConfusion {
  std::vector<std::string> classes;
  std::vector<std::vector<double>> counts;
};

/// How often intervals, or sets of classes, of a level hold for test graphs, in percent.
struct RunCoverage {
  double level = 0;
  double found_mean = 0;
  double found_std = 0;
  double size = 0;  // the mean width, or number of classes; NaN without bounds
};

/// Test graphs whose calibrated probability lies between `from` and `to`, in percent.
struct RunReliability {
  double from = 0;
  double to = 0;
  double graphs = 0;
  double said = 0;   // the mean probability
  double found = 0;  // how many of them were right
};

/// A blind run that was opened.
struct RunRevealed {
  std::string time;
  std::size_t before = 0;  // runs of the same data and splits that were revealed earlier
};

/// A run as far as its records tell. Whatever a record lacks is empty or NaN; only the
/// model, the metric and the folds' test scores must be there.
struct RunView {
  std::string name;  // unique among those read together; the folder's last components
  record::RunRecord record;
  int format = 1;           // of its folder
  std::size_t repeats = 0;  // runs of a fold's winner; 0 if not told
  std::size_t num_configs = 0;
  std::vector<RunMetric> metrics;  // those that the record has
  std::vector<RunTarget> targets;  // of several; none while the run is sealed
  std::optional<RunConfusion> confusion;
  std::vector<RunCoverage> coverage;
  std::vector<RunReliability> reliability;
  std::optional<RunRevealed> revealed;
  std::vector<TrainingCurve> curves;  // of the final runs that have one
  std::optional<RunTimes> times;
  std::vector<std::string> gaps;  // what was damaged or missing, a sentence each

  /// What was learnt about: `graphs`, `nodes` or `links`.
  const char* items() const;
  /// In how many parts of the training and validation graphs it scored its configurations; 1: on one holdout.
  int inner_folds() const;
};

struct SkippedRun {
  std::string name;
  std::string reason;
  std::string folder;
  bool is_unfinished = false;
};

/// A run that is not finished, as far as it is.
struct GoingRun {
  std::string name;
  std::string dataset;
  std::string model;
  std::string metric;
  eval::RunStatus status;
};

struct RunViews {
  std::vector<RunView> runs;
  std::vector<SkippedRun> skipped;
  std::vector<GoingRun> going;  // filled by take_going
};

/// Whether the folder is that of an evaluation, finished or not.
bool is_run_folder(const std::string& folder);
/// The run folders within a folder that is none itself, ascending, three deep; the folder itself if it is one.
std::vector<std::string> find_run_folders(const std::string& folder);
/// Names that tell folders apart: as few of their last components as do.
std::vector<std::string> name_runs(const std::vector<std::string>& folders);
/// A message about a run without the place where it lies on this machine.
std::string without_place(std::string message, const std::string& folder);

/// Reads run folders, and all run folders within folders that are none themselves (ascending, three deep). A
/// run that cannot be read is skipped and named; a damaged task or time is a gap of its run. Throws InputError
/// if there is no run folder at all in one of the places. Folders named twice count once.
RunViews read_run_views(const std::vector<std::string>& folders);

/// Moves those that are skipped because they are not finished to `going`, with where they stand now. `version`
/// is that of this twofold.
void take_going(RunViews& views, const std::string& version);

}  // namespace twofold::report
