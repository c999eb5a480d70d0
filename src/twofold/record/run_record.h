#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twofold/record/record_file.h"

namespace twofold::record {

/// The newest form of run folders that this version knows; run.json has it as "format".
/// 2: every record has a checksum.
inline constexpr int kRunFormat = 2;
/// What the files of a folder of that format need.
inline Checksum checksum_rule(int format) { return format >= 2 ? Checksum::kRequired : Checksum::kIfThere; }

/// run.json of a folder, and the format it says (1 if it says none). Throws InputError for one of a newer
/// format.
struct RunFile {
  Json content;
  int format = 1;
};
RunFile decode_run(std::string_view text, const std::string& source);

/// One fold of an evaluation.
struct RunFold {
  // Means over the final runs, in the run's metric.
  double train = 0;
  double validation = 0;
  double test = 0;
  // The configuration that was chosen.
  Json config;
  std::size_t num_train = 0;
  std::size_t num_validation = 0;
  std::size_t num_test = 0;
};

/// What is said of test scores that are hidden.
inline constexpr const char* kSealedWords = "sealed; twofold reveal RUN opens them";

/// A finished evaluation, as its folder holds it.
struct RunRecord {
  std::string folder;
  std::string dataset;
  std::string dataset_checksum;
  std::string splits_checksum;
  std::string model;
  std::string preset;
  std::string metric;
  std::vector<RunFold> folds;
  double test_mean = 0;
  double test_std = 0;
  double train_mean = 0;
  double train_std = 0;
  double validation_mean = 0;
  double validation_std = 0;
  // A blind run that nobody has revealed: all test scores are NaN.
  bool is_sealed = false;
  // run.json and result.json in full.
  Json run;
  Json result;

  /// What runs are compared by: the scores of test graphs, or of validation graphs while it is sealed.
  const char* scored_part() const { return is_sealed ? "validation" : "test"; }
  double score(std::size_t fold) const { return is_sealed ? folds[fold].validation : folds[fold].test; }
  double score_mean() const { return is_sealed ? validation_mean : test_mean; }
  double score_std() const { return is_sealed ? validation_std : test_std; }
};

/// Reads a run folder. Throws InputError if it is none, or if the evaluation is not finished.
/// Histories and predictions stay in the folder's tasks/.
RunRecord read_run(const std::string& folder);

/// The names of the tasks that are finished, ascending.
std::vector<std::string> list_finished_tasks(const std::string& folder);

}  // namespace twofold::record
