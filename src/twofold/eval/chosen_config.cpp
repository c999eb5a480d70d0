#include "twofold/eval/chosen_config.h"

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/eval/mean_std.h"
#include "twofold/eval/protocol.h"
#include "twofold/eval/work.h"

namespace twofold::eval {
namespace {

void require_finished(const Plan& plan, const RunFolder& folder) {
  const WorkState state = work_state(plan, folder);
  if (!state.failed.empty())
    throw Error(fmt::format("{}: needed a finished evaluation, found {} of {} tasks failed", folder.path(),
                            state.failed.size(), state.total));
  if (state.unfinished() > 0)
    throw Error(fmt::format("{}: needed a finished evaluation, found {} of {} tasks done", folder.path(),
                            state.finished, state.total));
}

}  // namespace

ChosenConfig chosen_config(const Plan& plan, const RunFolder& folder, std::optional<std::size_t> fold) {
  require_finished(plan, folder);
  std::vector<std::size_t> folds;
  for (std::size_t f = 0; f < plan.splits.size(); ++f)
    if (!fold || *fold == f) folds.push_back(f);
  TWOFOLD_CHECK(!folds.empty());
  std::vector<std::size_t> choice;
  std::vector<std::vector<double>> scores(plan.grid.size());
  for (const std::size_t f : folds) {
    choice.push_back(choose(plan, folder, f));
    std::vector<double> validation;
    for (std::size_t r = 1; r <= static_cast<std::size_t>(plan.repeats); ++r)
      validation.push_back(read_validation(plan, folder, {true, f, 0, r}).score);
    scores[choice.back()].push_back(mean_std(validation).mean);
  }
  ChosenConfig best;
  double best_score = 0;
  for (std::size_t c = 0; c < plan.grid.size(); ++c) {
    if (scores[c].empty() || scores[c].size() < best.num_folds) continue;
    const double score = mean_std(scores[c]).mean;
    if (scores[c].size() == best.num_folds && !model::is_better(plan.metric, score, best_score)) continue;
    best.index = c;
    best.num_folds = scores[c].size();
    best_score = score;
  }
  best.config = plan.grid[best.index];
  const bool keeps_last = best.config.contains("keep") && best.config["keep"] == "last";
  for (std::size_t i = 0; i < folds.size(); ++i)
    for (std::size_t r = 1; choice[i] == best.index && r <= static_cast<std::size_t>(plan.repeats); ++r) {
      const ValidationResult run = read_validation(plan, folder, {true, folds[i], 0, r});
      const int kept = keeps_last || run.best_epoch == 0 ? run.epochs : run.best_epoch;
      if (kept > 0) best.kept_epochs.push_back(kept);
    }
  std::sort(best.kept_epochs.begin(), best.kept_epochs.end());
  return best;
}

}  // namespace twofold::eval
