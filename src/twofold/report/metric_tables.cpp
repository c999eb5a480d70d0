#include "twofold/report/metric_tables.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "twofold/model/metrics.h"

namespace twofold::report {
namespace {

const RunMetric* metric_of(const std::vector<RunMetric>& metrics, const std::string& word) {
  for (const RunMetric& metric : metrics)
    if (metric.word == word) return &metric;
  return nullptr;
}

}  // namespace

Table metrics_table(const RunGroup& group) {
  std::vector<Column> columns = {text_column("run", "run")};
  std::vector<const model::MetricRow*> rows;
  for (const model::MetricRow& row : model::metric_table())
    if (std::any_of(group.runs.begin(), group.runs.end(),
                    [&](const RunView* run) { return metric_of(run->metrics, row.word) != nullptr; })) {
      rows.push_back(&row);
      columns.push_back(mean_std_column(row.word, row.title, row.is_in_percent ? 1 : -4));
    }
  Table table("metrics" + group.key, columns);
  for (const RunView* run : group.runs) {
    std::vector<Cell> cells = {text_cell(run->name)};
    for (const model::MetricRow* row : rows) {
      const RunMetric* metric = metric_of(run->metrics, row->word);
      cells.push_back(metric == nullptr ? empty_cell() : mean_std_cell(metric->mean, metric->std));
    }
    table.add_row(std::move(cells));
  }
  return table;
}

Table targets_table(const RunView& run, const std::string& name) {
  std::vector<Column> columns = {text_column("target", "target")};
  std::vector<std::string> words;
  for (const model::MetricRow& row : model::metric_table())
    if (metric_of(run.targets[0].metrics, row.word) != nullptr) {
      words.emplace_back(row.word);
      columns.push_back(mean_std_column(row.word, row.title, row.is_in_percent ? 1 : -4));
    }
  Table table(name, columns);
  for (const RunTarget& target : run.targets) {
    std::vector<Cell> cells = {text_cell(target.name)};
    for (const std::string& word : words) {
      const RunMetric* metric = metric_of(target.metrics, word);
      cells.push_back(metric == nullptr ? empty_cell() : mean_std_cell(metric->mean, metric->std));
    }
    table.add_row(std::move(cells));
  }
  return table;
}

Table confusion_table(const RunView& run, const std::string& name) {
  const RunConfusion& all = *run.confusion;
  std::vector<Column> columns = {text_column("true class", "true class")};
  std::set<std::string> keys = {"true class", "found"};
  for (const std::string& taken : all.classes) {
    std::string key = "as " + taken;
    while (!keys.insert(key).second) key += "'";
    columns.push_back(number_column(key, "as " + taken, run.repeats > 1 ? 1 : 0));
  }
  columns.push_back(number_column("found", "found %", 1));
  Table table(name, columns);
  for (std::size_t c = 0; c < all.classes.size(); ++c) {
    std::vector<Cell> cells = {text_cell(all.classes[c])};
    double sum = 0;
    for (const double count : all.counts[c]) sum += count;
    for (std::size_t k = 0; k < all.counts[c].size(); ++k) cells.push_back(number_cell(all.counts[c][k]));
    cells.push_back(number_cell(sum > 0 ? 100 * all.counts[c][c] / sum : std::nan("")));
    table.add_row(std::move(cells));
  }
  return table;
}

}  // namespace twofold::report
