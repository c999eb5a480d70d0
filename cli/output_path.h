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

/// Whether a path ends so and has something before: `page.html`, `.html`.
bool ends_with(const std::string& path, const std::string& ending);

/// A path as a page may show it, as a word of the shell: absolute ones tell of this machine only, so their last
/// part must do.
std::string shown_path(const std::string& path);

}  // namespace twofold::cli
