#pragma once

#include <string>
#include <vector>

namespace twofold::cli {

/// Throws UsageError if writing `output` would overwrite one of `inputs`, or would lie in one that is a folder
/// (a dataset's folder holds the dataset and nothing else). Links of both kinds are followed.
/// An output that is empty or `-` overwrites nothing; inputs that are empty or do not exist are passed over.
void require_output_apart(const std::string& output, const std::vector<std::string>& inputs);

/// The file or folder behind a DATASET, for require_output_apart: none for the built-in TRIANGLE.
std::string input_of_dataset(const std::string& dataset);

}  // namespace twofold::cli
