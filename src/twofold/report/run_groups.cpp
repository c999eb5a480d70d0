#include "twofold/report/run_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "twofold/model/metrics.h"
#include "twofold/report/delta_matrix.h"
#include "twofold/report/figures.h"

namespace twofold::report {
namespace {

constexpr double kLikelyBelow = 0.05;

bool pair_up(const record::RunRecord& a, const record::RunRecord& b) {
  return a.metric == b.metric && a.folds.size() == b.folds.size() && a.dataset == b.dataset &&
         a.dataset_checksum == b.dataset_checksum && a.splits_checksum == b.splits_checksum &&
         a.is_sealed == b.is_sealed;
}

// The better first; NaN last; of equals the one named first.
bool is_better(const record::RunRecord& a, const record::RunRecord& b) {
  const double one = a.score_mean(), other = b.score_mean();
  if (std::isnan(one) || std::isnan(other)) return !std::isnan(one) && std::isnan(other);
  return model::higher_is_better(a.metric) ? one > other : one < other;
}

void compare_all(RunGroup& group) {
  std::vector<record::RunRecord> records;
  for (const RunView* run : group.runs) {
    record::RunRecord record;  // what compare_runs looks at, no more
    record.metric = run->record.metric;
    record.folds = run->record.folds;
    record.is_sealed = run->record.is_sealed;
    records.push_back(std::move(record));
  }
  group.deltas = all_deltas(records);
}

std::string p_words(double p) {
  if (std::isnan(p)) return "";
  return p < 0.001 ? ", p < 0.001" : fmt::format(", p = {:.3f}", p);
}

}  // namespace

const char* RunGroup::items() const { return common_items(runs); }

const char* common_items(const std::vector<const RunView*>& runs) {
  const std::string first = runs.empty() ? "graphs" : runs[0]->items();
  for (const RunView* run : runs)
    if (run->items() != first) return "graphs";
  return first == "nodes" ? "nodes" : first == "links" ? "links" : "graphs";
}

bool RunGroup::is_in_percent() const { return model::is_in_percent(metric); }

std::string RunGroup::metric_name() const {
  const model::MetricRow* row = model::find_metric(metric);
  return row == nullptr ? metric : row->title;
}

std::string describe_refit(const RunGroup& group) {
  std::vector<std::string> names, parted;
  for (const RunView* run : group.runs)
    if (run->record.run.is_object() && run->record.run.contains("refit") && run->record.run["refit"] == true)
      names.push_back(run->name);
  if (names.empty()) return "";
  std::string text = fmt::format("{} learnt from training and validation {} together once the choice was made",
                                 join_names(names), group.items());
  for (const RunView* run : group.runs)
    if (run->inner_folds() > 1) parted.push_back(fmt::format("{} in {} parts", run->name, run->inner_folds()));
  if (!parted.empty())
    text += fmt::format(", which was made by cross-validation over both ({})", join_names(parted));
  return text;
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
              groups[other].num_folds == group.num_folds && groups[other].is_sealed() == group.is_sealed();
    if (group.is_sealed()) group.title += ", sealed";
    if (same > 1) group.title += fmt::format(" (other data or splits, {})", same);
    const auto is_same_data = [&](const RunGroup& other) { return other.dataset == group.dataset; };
    group.short_title =
        std::count_if(groups.begin(), groups.end(), is_same_data) > 1 ? group.title : group.dataset;
    std::stable_sort(group.runs.begin(), group.runs.end(),
                     [](const RunView* a, const RunView* b) { return is_better(a->record, b->record); });
    compare_all(group);
  }
  return groups;
}

Lead lead_of(const RunGroup& group, std::size_t other) {
  const eval::Delta& delta = group.deltas[0][other];
  if (delta.verdict > 0) return Lead::kClear;
  const bool is_ahead = model::higher_is_better(group.metric) ? delta.mean > 0 : delta.mean < 0;
  return is_ahead && delta.p < kLikelyBelow ? Lead::kLikely : Lead::kOpen;
}

std::vector<std::string> runs_behind(const RunGroup& group, Lead lead) {
  std::vector<std::string> names;
  for (std::size_t b = 1; b < group.runs.size(); ++b)
    if (lead_of(group, b) == lead) names.push_back(group.runs[b]->name);
  return names;
}

Text describe_briefly(const RunGroup& group) {
  const record::RunRecord& best = group.runs[0]->record;
  Text words = Text("On ").plain(group.short_title).plain(", ").strong(group.runs[0]->name);
  if (group.runs.size() == 1)
    words.plain(fmt::format(" reaches a {} {} of ", group.part(), group.metric_name()));
  else
    words.plain(fmt::format(" {}: {} {} ",
                            runs_behind(group, Lead::kOpen).empty() ? "is best" : "has the best mean",
                            group.part(), group.metric_name()));
  return words.plain(format_result(group, best.score_mean(), best.score_std()));
}

std::vector<Text> describe_answer(const RunGroup& group) {
  const std::string spread =
      fmt::format("mean ± standard deviation over {} fold{}", group.num_folds, group.num_folds == 1 ? "" : "s");
  std::vector<Text> answer = {describe_briefly(group).plain(" (" + spread + ").")};
  if (group.runs.size() == 1) return answer;
  const std::vector<std::string> clear = runs_behind(group, Lead::kClear);
  const std::vector<std::string> likely = runs_behind(group, Lead::kLikely);
  const std::vector<std::string> open = runs_behind(group, Lead::kOpen);
  const std::string rule = "two standard deviations of the fold-wise differences";
  std::vector<std::string> parts;
  if (!clear.empty())
    parts.push_back((clear.size() > 1 && clear.size() + 1 == group.runs.size()
                         ? fmt::format("it beats all {} others", clear.size())
                         : "it beats " + join_names(clear)) +
                    " by more than " + rule);
  if (!likely.empty())
    parts.push_back("it is ahead of " + join_names(likely) +
                    fmt::format(" by the t-test (p < {}), though by less than ", kLikelyBelow) +
                    (clear.empty() ? rule : "that"));
  if (!open.empty())
    parts.push_back(parts.empty() ? "not decided. On these folds no difference to " + join_names(open) +
                                        " is larger than " + rule +
                                        (std::isnan(group.deltas[0][1].p)
                                             ? ""
                                             : fmt::format(", and no t-test has p < {}", kLikelyBelow))
                                  : "against " + join_names(open) + " the folds do not decide");
  Text sure = "How certain: ";
  for (std::size_t i = 0; i < parts.size(); ++i) sure.plain((i == 0 ? "" : "; ") + parts[i]);
  sure.plain(".");
  const eval::Delta& next = group.deltas[0][1];
  if (next.mean == 0 && next.std == 0) {
    sure.plain(" ").plain(group.runs[1]->name).plain(" scores the same in every fold.");
    answer.push_back(std::move(sure));
    return answer;
  }
  sure.plain(" Next comes ")
      .plain(group.runs[1]->name)
      .plain(fmt::format(" with a difference of {}\u00a0±\u00a0{}, better in {} of {} folds{}.",
                         format_figure(next.mean, group.decimals(), true),
                         format_figure(next.std, group.decimals()), next.won, group.num_folds,
                         p_words(next.p)));
  answer.push_back(std::move(sure));
  return answer;
}

}  // namespace twofold::report
