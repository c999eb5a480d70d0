#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "cli/options.h"
#include "twofold/graph/dataset.h"
#include "twofold/paper/published.h"
#include "twofold/report/page.h"

namespace twofold::cli {

/// What all of `twofold reproduce` but the ladder takes; each command declares those that it reads.
struct ReproduceOptions {
  std::string output;  // a folder for pages and runs
  std::string data;    // the folder of the datasets; empty: none
  bool quick = false;
  std::vector<std::string> only;  // LEARNER, DATASET or LEARNER/DATASET
  bool plan = false;              // tell what it takes, and stop
  std::uint64_t seed = 1;
  std::string search = "grid";  // of full evaluations: or until-perfect
  int jobs = 1;
  int threads = 0;
  std::uint64_t max_memory = 0;
  bool json = false;
  bool quiet = false;
};

/// `-o`, `--json`, `--quiet`.
void declare_reproduce_page(Options& flags, ReproduceOptions& options);
/// `--data`.
void declare_reproduce_data(Options& flags, ReproduceOptions& options);
/// `--quick`, `--only`, `--plan`, `--search`, `--jobs`, `--seed`, `--threads`, `--max-memory`: for commands
/// that evaluate learners.
void declare_reproduce_runs(Options& flags, ReproduceOptions& options);

/// One of the paper's datasets, as far as it is there.
struct FoundDataset {
  std::size_t number = 0;    // of paper_datasets()
  std::string path;          // what io::read_dataset takes; empty if it is missing
  std::string splits;        // the file of the paper's folds; empty: there is none
  bool is_built_in = false;  // TRIANGLE, generated: other graphs than the paper's, made the same way

  const paper::PaperDataset& dataset() const { return paper::paper_datasets()[number]; }
  bool is_missing() const { return path.empty(); }
};

/// Looks for the folder (or .zip) of the dataset's name in `data`, and there or within for NAME_splits.json.
/// TRIANGLE is never missing. Throws UsageError if `data` is given and is no folder.
FoundDataset find_dataset(const std::string& data, std::size_t number);

/// Says on the page which datasets are missing and how to get them; nothing if none is.
void warn_of_missing(report::Page& page, const std::vector<FoundDataset>& datasets, const std::string& data);

/// Makes the output folder and tries whether it can be written. Throws Error: before the long work.
void require_output(const ReproduceOptions& options);

/// `twofold reproduce table1 --quick --data DIR -o DIR`: the command as it would be typed again.
std::string reproduce_command(const std::string& name, const ReproduceOptions& options);

/// A page with title, command and maker.
report::Page start_page(const std::string& title, const std::string& name, const ReproduceOptions& options);

/// Writes OUTPUT/NAME.html with its twins and prints the tables named in `shown` (all if empty), where the page
/// is and which of the `datasets` are missing; or, with
/// --json, one object
/// {"page", "tables": {NAME: …}} with all of them.
void finish_page(const report::Page& page, const std::string& name, const ReproduceOptions& options,
                 const std::vector<std::string>& shown, const std::vector<FoundDataset>& datasets,
                 std::ostream& out);

/// A table as text in columns: means ± deviations as on the page, notes in brackets, headings on lines of their
/// own, `>` and
/// `<` for better and worse.
void print_table(const report::Table& table, std::ostream& out);

}  // namespace twofold::cli
