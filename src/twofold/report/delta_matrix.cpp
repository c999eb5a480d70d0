#include "twofold/report/delta_matrix.h"

#include <fmt/format.h>

#include <limits>

namespace twofold::report {

Table delta_matrix(const std::string& table_name, const std::vector<std::string>& names,
                   const std::vector<std::vector<eval::Delta>>& deltas, int decimals, int most_decimals) {
  std::vector<Column> columns = {text_column("row", "row − column")};
  for (std::size_t b = 0; b < names.size(); ++b) {
    Column column = mean_std_column(names[b], names[b], decimals);
    // Names may be anything, keys must differ.
    for (const Column& other : columns)
      if (other.key == column.key) column.key = fmt::format("{} ({})", names[b], b + 1);
    column.with_sign = true;
    column.most_decimals = most_decimals;
    column.is_narrow = names.size() >= kManyLearners;
    columns.push_back(std::move(column));
  }
  Table table(table_name, std::move(columns));
  for (std::size_t a = 0; a < names.size(); ++a) {
    std::vector<Cell> row = {text_cell(names[a])};
    for (std::size_t b = 0; b < names.size(); ++b) {
      if (a == b) {
        row.push_back(empty_cell());
        continue;
      }
      const eval::Delta& delta = deltas[a][b];
      const Tone tone = delta.verdict > 0 ? Tone::kBetter : delta.verdict < 0 ? Tone::kWorse : Tone::kNone;
      row.push_back(mean_std_cell(delta.mean, delta.std).with(tone));
    }
    table.add_row(std::move(row));
  }
  return table;
}

std::vector<std::vector<eval::Delta>> all_deltas(const std::vector<record::RunRecord>& runs) {
  std::vector<std::vector<eval::Delta>> deltas(runs.size(), std::vector<eval::Delta>(runs.size()));
  for (std::size_t a = 0; a < runs.size(); ++a)
    for (std::size_t b = 0; b < runs.size(); ++b)
      if (a != b) deltas[a][b] = eval::compare_runs(runs[a], runs[b]);
  return deltas;
}

Text two_sigma_meaning(std::size_t num_folds) {
  return Text("Green where the row is better than the column by the 2σ rule (the mean of the ")
      .plain(num_folds == 0 ? "" : fmt::format("{} ", num_folds))
      .plain(
          "fold-wise differences lies more than two of their standard deviations from 0), red where it is "
          "worse, no "
          "color in between.");
}

}  // namespace twofold::report
