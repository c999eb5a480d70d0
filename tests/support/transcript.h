#pragma once

#include <string>
#include <vector>

namespace twofold::testing {

/// One command of a transcript and what it must print.
struct TranscriptStep {
  std::size_t line = 0;             // of the command, from 1
  std::size_t end = 0;              // the line after the step's last one
  std::string command;              // behind "$ "; goes to bash
  std::vector<std::string> output;  // a line "..." stands for any number of lines
  int exit_code = 0;                // from a last line "[exit N]"
};

/// The steps of a golden file: lines `$ command`, then its output.
std::vector<TranscriptStep> parse_transcript(const std::string& text);

/// The steps of all ```console blocks of a page in Markdown.
std::vector<TranscriptStep> parse_markdown_transcript(const std::string& text);

/// Runs the steps one after the other in a fresh empty folder, with the programs of this build on the PATH, and
/// fails the current test for each that does not print and return what it should. A command that succeeds must
/// leave standard error empty; of one that fails, standard output comes first, then standard error. With
/// TWOFOLD_UPDATE=1 in the environment the file is rewritten to what was seen instead (look at the
/// difference!).
///
/// A step that this build cannot run is left out and named: it needs twofold-torch, which a build without
/// libtorch does not have, or a --max-memory that the sanitizer alone passes, or tells measured memory, or a
/// file that such a step would have written. The current test counts as skipped if no step is left.
void run_transcript(const std::string& file, const std::vector<TranscriptStep>& steps);

/// All files below `folder` (relative to the source folder) that end with `ending`, ascending, relative to it
/// too.
std::vector<std::string> files_below(const std::string& folder, const std::string& ending);

}  // namespace twofold::testing
