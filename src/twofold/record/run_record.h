#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace twofold::record {

using Json = nlohmann::ordered_json;

/// The newest form of run folders that this version knows; run.json has it as "format".
inline constexpr int kRunFormat = 1;

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
  // run.json and result.json in full.
  Json run;
  Json result;
};

/// Whether more is better for that metric (accuracy, r2).
bool higher_is_better(const std::string& metric);

/// Reads a run folder. Throws InputError if it is none, or if the evaluation is not finished.
/// Histories and predictions stay in the folder's tasks/ and are read by read_task.
RunRecord read_run(const std::string& folder);

/// The record of one task, as `final-f00-r1`. Throws Error if it is not there.
Json read_task(const std::string& folder, const std::string& task);

/// The names of the tasks that are finished, ascending.
std::vector<std::string> list_finished_tasks(const std::string& folder);

}  // namespace twofold::record
