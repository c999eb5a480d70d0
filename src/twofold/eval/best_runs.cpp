#include "twofold/eval/best_runs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/eval/mean_std.h"
#include "twofold/model/metrics.h"

namespace twofold::eval {
namespace {

struct Scores {
  std::vector<double> train, validation, test;
};

// Of the final runs of a fold, in their order.
Scores read_scores(const record::JsonView& runs, bool is_sealed) {
  Scores scores;
  for (std::size_t r = 0; r < runs.size(); ++r) {
    const record::JsonView run = runs.item(r);
    scores.train.push_back(run.at("train").number_or_nan());
    scores.validation.push_back(run.at("validation").number_or_nan());
    scores.test.push_back(is_sealed ? std::numeric_limits<double>::quiet_NaN()
                                    : run.at("test").number_or_nan());
  }
  return scores;
}

double mean_over(const std::vector<double>& values, const std::vector<std::size_t>& places) {
  std::vector<double> taken;
  for (const std::size_t place : places) taken.push_back(values[place]);
  return mean_std(taken).mean;
}

// What records of refit say of validation graphs is the selection's, the same for all final runs.
void require_scores(const record::RunRecord& record, std::size_t fold, const std::vector<double>& validation) {
  const record::JsonView refit = record::JsonView(record.run, record.folder + "/run.json").at("refit");
  const bool is_refit = refit.is_there() && refit.flag();
  const bool has_all =
      std::none_of(validation.begin(), validation.end(), [](double x) { return std::isnan(x); });
  if (is_refit || !has_all)
    throw InputError(
        fmt::format("{}: fold {}: needed a validation score of each of its {} final runs, found {}",
                    record.folder, fold + 1, validation.size(),
                    is_refit ? "none: they learnt from the validation graphs too (refit)" : "fewer"));
}

}  // namespace

void keep_best_runs(record::RunRecord& record, std::size_t most) {
  TWOFOLD_CHECK(most > 0);
  const bool is_higher_better = model::higher_is_better(record.metric);
  const record::JsonView folds = record::JsonView(record.result, record.folder + "/result.json").at("folds");
  Scores of_folds;
  for (std::size_t f = 0; f < record.folds.size(); ++f) {
    const Scores scores = read_scores(folds.item(f).at("runs"), record.is_sealed);
    std::vector<std::size_t> places(scores.validation.size());
    std::iota(places.begin(), places.end(), 0);
    if (places.size() > most) {
      require_scores(record, f, scores.validation);
      std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        return is_higher_better ? scores.validation[a] > scores.validation[b]
                                : scores.validation[a] < scores.validation[b];
      });
      places.resize(most);
    }
    record::RunFold& fold = record.folds[f];
    of_folds.train.push_back(fold.train = mean_over(scores.train, places));
    of_folds.validation.push_back(fold.validation = mean_over(scores.validation, places));
    of_folds.test.push_back(fold.test = mean_over(scores.test, places));
  }
  const auto spread = [](const std::vector<double>& values, double& mean, double& std) {
    const MeanStd both = mean_std(values);
    mean = both.mean;
    std = both.std;
  };
  spread(of_folds.train, record.train_mean, record.train_std);
  spread(of_folds.validation, record.validation_mean, record.validation_std);
  spread(of_folds.test, record.test_mean, record.test_std);
}

}  // namespace twofold::eval
