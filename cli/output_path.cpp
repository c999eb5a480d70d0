#include "cli/output_path.h"

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/output_target.h"
#include "twofold/report/run_command.h"

namespace twofold::cli {

void require_output_apart(const std::string& output, const std::vector<std::string>& inputs) {
  if (output.empty() || output == "-") return;
  for (const std::string& input : inputs) {
    if (input.empty()) continue;
    const std::string shown = input == "-" ? "standard input" : input;
    if (is_same_file(output, input))
      throw UsageError(
          fmt::format("the output {} is the input {} and would overwrite it: name another", output, shown));
    if (input != "-" && lies_in_folder(output, input))
      throw UsageError(
          fmt::format("the output {} lies in the folder of the input {}: name a place outside", output, shown));
  }
}

std::string input_of_dataset(const std::string& dataset) { return dataset == "TRIANGLE" ? "" : dataset; }

bool ends_with(const std::string& path, const std::string& ending) {
  return path.size() > ending.size() && path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

std::string shown_path(const std::string& path) {
  return report::shell_word(!path.empty() && path[0] == '/' ? file_name(path) : path);
}

}  // namespace twofold::cli
