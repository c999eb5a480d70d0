#include "twofold/report/fold_tables.h"

#include <fmt/format.h>

#include <set>

#include "twofold/report/delta_matrix.h"

namespace twofold::report {

Plot plot_folds(const RunGroup& group) {
  Plot plot;
  plot.width = 560;
  plot.height = 70 + 46 * static_cast<double>(group.runs.size());
  plot.name = "folds" + group.key;
  plot.x.label = group.part() + (" " + group.metric_name()) + group.unit();
  for (std::size_t i = 0; i < group.runs.size(); ++i) {
    const RunView& run = *group.runs[i];
    plot.y.categories.push_back(run.name);
    Series points, mean;
    points.style = mean.style = Series::Style::kPoints;
    points.small = true;
    points.color = mean.color = static_cast<int>(i);
    // A fold has the same height in every row.
    for (std::size_t f = 0; f < run.record.folds.size(); ++f) {
      points.x.push_back(run.record.score(f));
      points.y.push_back(
          static_cast<double>(i) +
          0.5 * ((static_cast<double>(f) + 0.5) / static_cast<double>(run.record.folds.size()) - 0.5));
    }
    mean.x = {run.record.score_mean()};
    mean.y = {static_cast<double>(i)};
    mean.x_spread = {run.record.score_std()};
    plot.series.push_back(std::move(points));
    plot.series.push_back(std::move(mean));
  }
  return plot;
}

Table folds_table(const RunGroup& group) {
  std::vector<Column> columns = {number_column("fold", "fold", 0)};
  std::set<std::string> keys = {"fold"};
  for (const RunView* run : group.runs)
    columns.push_back(number_column(keys.insert(run->name).second ? run->name : run->name + " (run)", run->name,
                                    group.decimals()));
  columns.push_back(number_column("test_graphs", fmt::format("test {}", group.items()), 0));
  for (Column& column : columns) column.is_narrow = group.runs.size() >= kManyLearners;
  Table table("folds" + group.key, columns);
  for (std::size_t f = 0; f < group.num_folds; ++f) {
    std::vector<Cell> row = {number_cell(static_cast<double>(f + 1))};
    for (const RunView* run : group.runs) row.push_back(number_cell(run->record.score(f)));
    const std::size_t tests = group.runs[0]->record.folds[f].num_test;
    row.push_back(tests > 0 ? number_cell(static_cast<double>(tests)) : empty_cell());
    table.add_row(std::move(row));
  }
  return table;
}

}  // namespace twofold::report
