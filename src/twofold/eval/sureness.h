#pragma once

#include <vector>

#include "twofold/model/config.h"
#include "twofold/model/targets.h"
#include "twofold/record/json_reader.h"

namespace twofold::eval {

/// What the file of a final run keeps of its validation graphs, so that intervals and probabilities can be
/// measured on the test graphs: {"levels": [0.5, …], "distances": a list per value of one number per level}, or
/// {"levels", "temperature", "misses": one per level}, or {"temperatures": one per question}. A distance is
/// null where too few graphs were held out for a level. Null where there is nothing to calibrate by
/// (model::calibrate).
model::Config sureness_json(const model::LabeledGraphs& validation, const model::Predictions& said);

/// Measures on test graphs, run by run, what the validation graphs promised.
class Sureness {
 public:
  /// So many runs are added per fold: numbers of graphs are divided by it.
  explicit Sureness(int repeats) : repeats_(static_cast<std::size_t>(repeats)) {}

  /// `kept` is what sureness_json gave for the run; not there: the run is passed over. Throws InputError naming
  /// the place if it does not fit the predictions.
  void add(std::size_t fold, const record::JsonView& kept, const model::LabeledGraphs& test,
           const model::Predictions& said);

  /// Writes into a result, unless no run had anything:
  ///
  ///   "coverage": [{"level": 90, "found_mean", "found_std": over the folds, in percent, "size_mean"}]: how
  ///     often the truth lies within intervals (or sets of classes) of that level, and how wide these are (or
  ///     of how many classes). The width is null where one is unbounded.
  ///   "reliability": {"bins": [{"from", "to", "graphs", "said", "found"}], "error", "error_before"}: test
  ///     graphs by the calibrated probability of the second of two classes (of more: of the class said; of
  ///     questions: of yes, all of them together), the
  ///     mean of it and how often it was right, in percent; the mean distance of both, weighted by graphs, with
  ///     and without calibration.
  void write(model::Config& result) const;

 private:
  struct LevelRun {
    std::size_t fold = 0;
    double found = 0;
    double size = 0;
  };
  struct Bin {
    double graphs = 0, said = 0, found = 0;
  };
  using Bins = std::vector<Bin>;  // of equal width

  void add_values(std::size_t fold, const record::JsonView& kept, const model::LabeledGraphs& test,
                  const model::Predictions& said);
  void add_questions(const record::JsonView& kept, const model::LabeledGraphs& test,
                     const model::Predictions& said);
  void add_classes(std::size_t fold, const record::JsonView& kept, const model::LabeledGraphs& test,
                   const model::Predictions& said);
  static void add_to(Bins& bins, double probability, bool is_right);
  static double error_of(const Bins& bins);

  std::vector<double> levels_;
  std::vector<std::vector<LevelRun>> runs_;  // a level
  Bins calibrated_, plain_;
  std::size_t num_runs_ = 0;
  std::size_t repeats_;
};

}  // namespace twofold::eval
