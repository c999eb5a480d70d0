#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "twofold/eval/grid.h"
#include "twofold/eval/splits.h"
#include "twofold/model/learner.h"
#include "twofold/model/metrics.h"
#include "twofold/record/run_record.h"

namespace twofold::eval {

/// How a fold's configuration is found.
enum class Search {
  kGrid,     // every configuration is trained to its end
  kHalving,  // all are trained for few epochs, the better third three times as long, and so on (rungs)
  // One after the other, until one has a score that none can beat: the winner of the grid, since of equals the
  // first wins.
  kUntilPerfect,
};
/// `grid`, `halving` or `until-perfect`; throws UsageError for another word.
Search parse_search(const std::string& word);
/// The word parse_search takes.
std::string to_string(Search search);

/// Plan::inner_folds at most.
inline constexpr int kMostInnerFolds = 100;

/// Everything that decides what an evaluation gives.
struct Plan {
  std::string dataset;   // its name
  std::string checksum;  // of the dataset (graph/checksum.h)
  std::size_t num_graphs = 0;
  // What is learnt about, and how many nodes or links there are if it is not the graphs.
  TargetOf about = TargetOf::kGraphs;
  std::size_t num_items = 0;
  std::string model;
  std::string preset;
  model::Metric metric = model::Metric::kAccuracy;
  std::uint64_t seed = 1;        // of training
  std::uint64_t split_seed = 1;  // of the folds, where they were drawn
  model::TargetChoice targets;   // as given
  int repeats = 3;               // fresh runs of a fold's winner
  Search search = Search::kGrid;
  // Test scores and predictions are sealed until someone reveals them (seal.h).
  bool blind = false;
  // Final runs learn from the validation graphs too, which have done their part by choosing. What is said of
  // validation graphs then comes from the selection that won.
  bool refit = false;
  // 1: configurations are scored on the fold's validation graphs. More: by cross-validation over training and
  // validation graphs in so many parts (splits.h), as often trained; then final runs learn from all of them.
  int inner_folds = 1;
  Grid grid;
  Splits splits;
  // The vector instructions (base/simd.h), on which the last bits of a network's results depend; empty in a run
  // of before they were recorded.
  std::string simd;
  // As it was typed, to be typed again: {"dataset": PATH, "splits": FILE, "config": FILE, "options": {NAME:
  // TEXT}}, without what was not given. Decides nothing: no difference between plans.
  model::Config given = model::Config::object();
  // Who made it.
  std::string version;
  std::string commit;
  // The libraries whose numbers go into the result.
  model::Libraries libraries;
  int format = record::kRunFormat;  // of the run folder
};

/// The content of run.json (the splits stand in a file of their own; here is their checksum).
model::Config to_json(const Plan& plan);
/// The reverse. Throws InputError naming `source` if it is no such text, or one of a newer twofold than
/// `version`.
Plan parse_plan(const std::string& run_text, const std::string& splits_text, const std::string& source,
                const std::string& version);

/// In what two plans differ, for messages: lines `  seed: 1 there, 2 now`, at most ten. Who made them does not
/// count, nor do vector instructions of which one is unknown or no result depends (kernels are exact). Empty if
/// they are the same.
std::string describe_difference(const Plan& there, const Plan& now);

/// Which libraries have other versions: `libsvm 324, this is 325`; empty if none has. Folders of before they
/// were recorded name none.
std::string describe_libraries(const Plan& there, const Plan& now);

/// One piece of work; independent of all others but that the final runs of a fold need its selection.
struct TaskId {
  bool is_final = false;
  std::size_t fold = 0;
  // Of a selection: the configuration tried. In a rung after the first: the place among those that were left,
  // best first; which configuration that is follows from the rung before.
  std::size_t config = 0;
  std::size_t run = 0;   // of a final run, from 1
  std::size_t rung = 0;  // of a selection by halving, from 0
};
/// `select-f03-c007`, by halving `select-f03-h1-p002` after the first rung, `final-f03-r1`.
std::string task_name(const TaskId& task);

/// One rung of a search by halving: how many configurations it has, and which part of their epochs they get.
struct Rung {
  std::size_t configs = 0;
  std::size_t share = 1;  // one in so many, rounded up
};
/// The rungs of a search: a third of the configurations (rounded up) goes on for three times the epochs, until
/// at most three are left, which get all of theirs. All other searches have one rung of all. None for a single
/// configuration, unless final runs learn from the validation graphs: then nothing else would be scored on
/// these.
std::vector<Rung> rungs_of(const Plan& plan);

/// Whether two tasks of one fold that follow each other in list_tasks must do so in time too, and all before
/// the first with them: one needs what the other found.
bool waits_for(const Plan& plan, const TaskId& task, const TaskId& before);

/// The epochs of a configuration in a rung of that share; nothing for a learner without epochs.
std::optional<int> most_epochs(const model::Config& config, std::size_t share);

/// All tasks of a plan, fold by fold, each fold's selection, rung by rung, before its final runs.
/// Where there are no rungs there is no selection.
std::vector<TaskId> list_tasks(const Plan& plan);

/// Whether learning with this configuration goes by validation graphs: to stop early, to keep the best epoch or
/// to lower the learning rate. Kernels never do. (Stopping where nothing is left to learn does not count:
/// without validation graphs the training goes on to its end.)
bool uses_validation(const model::Config& config);

/// Plan::refit where nobody says: with preset `default`, if no configuration goes by validation graphs.
bool refits_by_itself(const std::string& preset, const Grid& grid);

/// What is random in a task that trains this configuration follows from this: the same in every rung.
std::uint64_t task_seed(const Plan& plan, const TaskId& task, std::size_t config);

}  // namespace twofold::eval
