#include "twofold/report/results_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace twofold::report {
namespace {

// The names of a run, from the shortest to one that no other run has.
std::string label_of(const RunView& run, int level) {
  if (level == 0) return run.record.model;
  if (level == 1) return std::filesystem::path(run.record.folder).lexically_normal().filename().string();
  return run.name;
}

// The first kind of label that no two runs of a group share.
int find_level(const std::vector<RunGroup>& groups) {
  for (int level = 0; level < 2; ++level) {
    const bool fits = std::all_of(groups.begin(), groups.end(), [&](const RunGroup& group) {
      std::set<std::string> labels;
      return std::all_of(group.runs.begin(), group.runs.end(), [&](const RunView* run) {
        const std::string label = label_of(*run, level);
        return !label.empty() && labels.insert(label).second;
      });
    });
    if (fits) return level;
  }
  return 2;
}

// The dataset, and which of its groups where there are several.
std::string row_name(const std::vector<RunGroup>& groups, const RunGroup& group) {
  std::size_t number = 0, count = 0;
  for (const RunGroup& other : groups) {
    if (other.dataset != group.dataset) continue;
    ++count;
    if (&other == &group) number = count;
  }
  return count == 1 ? group.dataset : fmt::format("{} ({})", group.dataset, number);
}

template <typename Get>
bool all_same(const std::vector<RunGroup>& groups, Get get) {
  return std::all_of(groups.begin(), groups.end(),
                     [&](const RunGroup& group) { return get(group) == get(groups[0]); });
}

}  // namespace

Table results_table(const std::vector<RunGroup>& groups, bool with_details) {
  const int level = find_level(groups);
  std::vector<std::string> learners;
  for (const RunGroup& group : groups)
    for (const RunView* run : group.runs)
      if (std::find(learners.begin(), learners.end(), label_of(*run, level)) == learners.end())
        learners.push_back(label_of(*run, level));
  const bool with_metric = with_details || !all_same(groups, [](const RunGroup& g) { return g.metric; });
  const bool with_folds = with_details || !all_same(groups, [](const RunGroup& g) { return g.num_folds; });
  const bool all_percent =
      std::all_of(groups.begin(), groups.end(), [](const RunGroup& g) { return g.is_in_percent(); });
  std::vector<Column> columns = {text_column("dataset", "dataset")};
  if (with_metric) columns.push_back(text_column("metric", "metric"));
  if (with_folds) columns.push_back(number_column("folds", "folds", 0));
  for (const std::string& learner : learners) {
    Column column = mean_std_column(learner, learner, all_percent ? 1 : -4);
    for (const Column& other : columns)
      if (other.key == column.key) column.key += " (learner)";
    columns.push_back(std::move(column));
  }
  Table table("results", std::move(columns));
  for (const RunGroup& group : groups) {
    std::vector<Cell> row = {text_cell(row_name(groups, group))};
    if (with_metric) row.push_back(text_cell(group.metric));
    if (with_folds) row.push_back(number_cell(static_cast<double>(group.num_folds)));
    for (const std::string& learner : learners) {
      const auto found = std::find_if(group.runs.begin(), group.runs.end(),
                                      [&](const RunView* run) { return label_of(*run, level) == learner; });
      if (found == group.runs.end()) {
        row.push_back(empty_cell());
        continue;
      }
      const record::RunRecord& record = (*found)->record;
      row.push_back(mean_std_cell(record.score_mean(), record.score_std()));
    }
    table.add_row(std::move(row));
  }
  return table;
}

Table overview_table(const std::vector<RunGroup>& groups) {
  const bool all_percent =
      std::all_of(groups.begin(), groups.end(), [](const RunGroup& g) { return g.is_in_percent(); });
  const int decimals = all_percent ? 1 : -4;
  const bool any_sealed =
      std::any_of(groups.begin(), groups.end(), [](const RunGroup& g) { return g.is_sealed(); });
  Table table("overview",
              {text_column("data", "data"), number_column("runs", "runs", 0), text_column("best", "best"),
               mean_std_column("test", any_sealed ? "test, of sealed runs validation" : "test", decimals),
               text_column("metric", "metric"), number_column("folds", "folds", 0),
               text_column("beats", "better by 2σ than"), text_column("likely", "better with p < 0.05 than"),
               text_column("open", "not decided against")});
  for (const RunGroup& group : groups) {
    const record::RunRecord& best = group.runs[0]->record;
    const bool is_alone = group.runs.size() == 1;
    const auto behind = [&](Lead lead) {
      return is_alone ? empty_cell() : text_cell(join_names(runs_behind(group, lead)));
    };
    table.add_row(
        {text_cell(group.short_title), number_cell(static_cast<double>(group.runs.size())),
         is_alone ? text_cell(group.runs[0]->name).with_note("the only one") : text_cell(group.runs[0]->name),
         mean_std_cell(best.score_mean(), best.score_std()), text_cell(group.metric_name()),
         number_cell(static_cast<double>(group.num_folds)), behind(Lead::kClear), behind(Lead::kLikely),
         behind(Lead::kOpen)});
  }
  return table;
}

std::string describe_results(const std::vector<RunGroup>& groups) {
  const bool one_metric = all_same(groups, [](const RunGroup& g) { return g.metric; });
  const bool one_size = all_same(groups, [](const RunGroup& g) { return g.num_folds; });
  const bool any_sealed =
      std::any_of(groups.begin(), groups.end(), [](const RunGroup& g) { return g.is_sealed(); });
  const bool all_sealed =
      std::all_of(groups.begin(), groups.end(), [](const RunGroup& g) { return g.is_sealed(); });
  return fmt::format("{} {}: mean ± standard deviation over {}.{}",
                     all_sealed   ? "Validation"
                     : any_sealed ? "Test (of sealed runs validation)"
                                  : "Test",
                     !one_metric                 ? "scores"
                     : groups[0].is_in_percent() ? groups[0].metric_name() + " in percent"
                                                 : groups[0].metric_name(),
                     one_size ? fmt::format("{} folds", groups[0].num_folds) : "the folds",
                     any_sealed ? fmt::format(" Test scores of blind runs are {}.", record::kSealedWords) : "");
}

}  // namespace twofold::report
