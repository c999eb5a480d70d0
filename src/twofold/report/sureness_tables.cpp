#include "twofold/report/sureness_tables.h"

#include <fmt/format.h>

namespace twofold::report {

Table coverage_table(const RunView& run, const std::string& name) {
  const bool has_classes = run.confusion.has_value();
  Table table(name, {number_column("level", "promised %", 0), mean_std_column("found", "held %", 1),
                     number_column("size", has_classes ? "mean number of classes" : "mean width", -4)});
  for (const RunCoverage& one : run.coverage)
    table.add_row(
        {number_cell(one.level), mean_std_cell(one.found_mean, one.found_std), number_cell(one.size)});
  return table;
}

std::string coverage_caption(const RunView& run) {
  return fmt::format(
      ": how often {} hold for test graphs (mean ± standard deviation over the folds). They are conformal, "
      "from the "
      "validation graphs of each fold: where folds are drawn by scaffold, test graphs are of another kind and "
      "may "
      "lie outside more often.",
      run.confusion ? "sets of classes" : "intervals");
}

Table reliability_table(const RunView& run, const std::string& name) {
  Table table(name, {text_column("probability", "probability %"),
                     number_column("graphs", "test graphs", run.repeats > 1 ? 1 : 0),
                     number_column("said", "said %", 1), number_column("found", "found %", 1)});
  for (const RunReliability& bin : run.reliability)
    table.add_row({text_cell(fmt::format("{:g}–{:g}", bin.from, bin.to)), number_cell(bin.graphs),
                   number_cell(bin.said), number_cell(bin.found)});
  return table;
}

std::string reliability_caption(const RunView& run) {
  const bool is_of_second = run.confusion && run.confusion->classes.size() == 2;
  return fmt::format(
      ": test graphs by the calibrated probability of {}, its mean, and how often it came true. Good "
      "probabilities have equal numbers in the last two columns.",
      !run.confusion ? "yes, all targets together"
      : is_of_second ? fmt::format("the class {}", run.confusion->classes[1])
                     : "the class that was said");
}

}  // namespace twofold::report
