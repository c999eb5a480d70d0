#include "twofold/report/run_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "twofold/report/delta_matrix.h"
#include "twofold/report/figures.h"

namespace twofold::report {
namespace {

bool pair_up(const record::RunRecord& a, const record::RunRecord& b) {
  return a.metric == b.metric && a.folds.size() == b.folds.size() && a.dataset == b.dataset &&
         a.dataset_checksum == b.dataset_checksum && a.splits_checksum == b.splits_checksum;
}

// The better first; NaN last; of equals the one named first.
bool is_better(const record::RunRecord& a, const record::RunRecord& b) {
  if (std::isnan(a.test_mean) || std::isnan(b.test_mean))
    return !std::isnan(a.test_mean) && std::isnan(b.test_mean);
  return record::higher_is_better(a.metric) ? a.test_mean > b.test_mean : a.test_mean < b.test_mean;
}

void compare_all(RunGroup& group) {
  std::vector<record::RunRecord> records;
  for (const RunView* run : group.runs) {
    record::RunRecord record;  // what compare_runs looks at, no more
    record.metric = run->record.metric;
    record.folds = run->record.folds;
    records.push_back(std::move(record));
  }
  group.deltas = all_deltas(records);
}

std::string p_words(double p) {
  if (std::isnan(p)) return "";
  return p < 0.001 ? ", p < 0.001" : fmt::format(", p = {:.3f}", p);
}

}  // namespace

std::string RunGroup::metric_name() const {
  if (metric == "r2") return "R²";
  if (metric == "mae") return "MAE";
  return metric == "rmse" ? "RMSE" : metric;
}

std::string join_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string format_result(const RunGroup& group, double mean, double std) {
  return fmt::format("{}\u00a0±\u00a0{}{}", format_figure(mean, group.decimals()),
                     format_figure(std, group.decimals()), group.unit());
}

std::vector<RunGroup> group_runs(const std::vector<RunView>& runs) {
  std::vector<RunGroup> groups;
  for (const RunView& run : runs) {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const RunGroup& group) {
      return pair_up(group.runs[0]->record, run.record);
    });
    if (found != groups.end()) {
      found->runs.push_back(&run);
      continue;
    }
    RunGroup group;
    group.dataset = run.record.dataset;
    group.metric = run.record.metric;
    group.num_folds = run.record.folds.size();
    group.runs.push_back(&run);
    groups.push_back(std::move(group));
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    RunGroup& group = groups[g];
    group.key = g == 0 ? "" : fmt::format("-{}", g + 1);
    group.title = fmt::format("{}, {}, {} fold{}", group.dataset, group.metric_name(), group.num_folds,
                              group.num_folds == 1 ? "" : "s");
    std::size_t same = 1;
    for (std::size_t other = 0; other < g; ++other)
      same += groups[other].dataset == group.dataset && groups[other].metric == group.metric &&
              groups[other].num_folds == group.num_folds;
    if (same > 1) group.title += fmt::format(" (other data or splits, {})", same);
    std::stable_sort(group.runs.begin(), group.runs.end(),
                     [](const RunView* a, const RunView* b) { return is_better(a->record, b->record); });
    compare_all(group);
  }
  return groups;
}

std::vector<Text> describe_answer(const RunGroup& group) {
  const record::RunRecord& best = group.runs[0]->record;
  const std::string result = format_result(group, best.test_mean, best.test_std);
  const std::string spread =
      fmt::format("mean ± standard deviation over {} fold{}", group.num_folds, group.num_folds == 1 ? "" : "s");
  std::vector<Text> answer;
  if (group.runs.size() == 1) {
    answer.push_back(Text("On ")
                         .plain(group.dataset)
                         .plain(", ")
                         .strong(group.runs[0]->name)
                         .plain(fmt::format(" reaches a test {} of ", group.metric_name()))
                         .strong(result)
                         .plain(" (" + spread + ")."));
    return answer;
  }
  answer.push_back(Text("On ")
                       .plain(group.dataset)
                       .plain(", ")
                       .strong(group.runs[0]->name)
                       .plain(" is best: test " + group.metric_name() + " ")
                       .strong(result)
                       .plain(" (" + spread + ")."));
  std::vector<std::string> beaten, open;
  for (std::size_t b = 1; b < group.runs.size(); ++b)
    (group.deltas[0][b].verdict > 0 ? beaten : open).push_back(group.runs[b]->name);
  Text sure = "How sure: ";
  if (open.empty())
    sure.plain(beaten.size() == 1 ? "it beats " + beaten[0]
                                  : fmt::format("it beats all {} others", beaten.size()))
        .plain(" by more than two standard deviations of the fold-wise differences.");
  else if (beaten.empty())
    sure.plain("not decided. On these folds no difference to ")
        .plain(join_names(open))
        .plain(" is larger than two standard deviations of the fold-wise differences.");
  else
    sure.plain("it beats ")
        .plain(join_names(beaten))
        .plain(" by more than two standard deviations of the fold-wise differences; against ")
        .plain(join_names(open))
        .plain(" the folds do not decide.");
  const eval::Delta& next = group.deltas[0][1];
  if (next.mean == 0 && next.std == 0) {
    sure.plain(" ").plain(group.runs[1]->name).plain(" scores the same in every fold.");
    answer.push_back(std::move(sure));
    return answer;
  }
  sure.plain(" Next comes ")
      .plain(group.runs[1]->name)
      .plain(fmt::format(" with a difference of {}\u00a0±\u00a0{}{}.",
                         format_figure(next.mean, group.decimals(), true),
                         format_figure(next.std, group.decimals()), p_words(next.p)));
  answer.push_back(std::move(sure));
  return answer;
}

}  // namespace twofold::report
