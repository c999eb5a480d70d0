#pragma once

#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace twofold::testing {

/// A finished evaluation to write to a folder, as today's evaluate would leave it.
struct WrittenRun {
  std::string name;  // of the folder
  std::string model = "gin";
  std::string dataset = "SAMPLE";
  std::string preset = "quick";
  std::string metric = "accuracy";
  std::vector<double> tests;    // a fold
  std::size_t num_epochs = 20;  // of the training curves; 0: none
  std::string splits = "0123456789abcdef0123456789abcdef";
  std::vector<std::string> classes = {"0", "1"};
  bool is_sealed = false;  // evaluated blind: its result tells no tests
};

/// Writes run.json, result.json, tasks/ and timing/ below `place`; returns the run's folder.
std::string write_run(const TemporaryFolder& place, const WrittenRun& run);

/// Names that would do harm if they were read as anything but text.
const std::vector<std::string>& hostile_names();

}  // namespace twofold::testing
