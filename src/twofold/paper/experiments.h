#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "twofold/paper/published.h"

// Which evaluations make the paper's tables.
namespace twofold::paper {

/// Options of a model as the command line has them: name and value.
using RunOptions = std::vector<std::pair<std::string, std::string>>;

/// A learner as a row of a table, a point of a curve: what `evaluate` is to be called with.
struct Learner {
  std::string name;  // for people: `WL_ST (T = 3)`
  std::string key;   // for folders and --only: `wl-st-3`
  std::string model;
  RunOptions options;
  bool is_ours = false;  // not the paper's: presets `default` and `quick` instead of `paper` and `paper-quick`
  std::uint64_t seed = 0;  // 0: the command's
};

/// The learners of published_results(), row by row.
const std::vector<Learner>& table_learners();
/// WL subtree kernels of depth 1 to 5: those of published_depths().
const std::vector<Learner>& depth_learners();
/// The 2-WL-GNN without an MLP at a radius: those of published_radii().
Learner radius_learner(bool is_weighted, int radius);
/// What stands below the paper's rows in both tables: what we would take today.
const std::vector<Learner>& our_learners();
/// The 2-WL-GNN on TRIANGLE with ten seeds: first the paper's (weighted mean), then ours.
const std::vector<Learner>& steadiness_learners();
inline constexpr std::size_t kNumSteadinessSeeds = 10;

/// One evaluation.
struct RunPlan {
  std::size_t dataset = 0;  // of paper_datasets()
  Learner learner;
  std::string preset;  // `paper`, or `paper-quick`; of ours `default`, or `quick`
  RunOptions options;  // of the model, the learner's among them
  int folds = 0;       // 0: all
  int repeats = 3;
  /// Why a quick run leaves it out; else empty.
  std::string left_out;

  /// The value of an option; empty if the run does not name it.
  std::string option(const std::string& name) const;
};

/// The evaluation as the paper made it: its grid, ten folds, three runs of each winner. A learner with a seed
/// of its own is one of many: it is run once on four folds.
RunPlan full_run(std::size_t dataset, const Learner& learner);

/// A first answer: one fixed configuration (preset `paper-quick`), the first folds, few epochs, one run of
/// each. The radius is the paper's where a fold takes seconds (TRIANGLE, REDDIT-B, IMDB-B), else 1, unless the
/// learner names one. Kernels keep the paper's choice of C. All of Table 2 takes some 20 minutes on two cores.
RunPlan quick_run(std::size_t dataset, const Learner& learner);

/// What a quick run does otherwise than the paper, for people: `the first 3 folds, one configuration, …`.
std::string describe_quick(const RunPlan& plan);

}  // namespace twofold::paper
