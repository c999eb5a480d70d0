#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "cli/config_file.h"
#include "cli/learn_options.h"
#include "cli/options.h"
#include "twofold/io/molecules.h"
#include "twofold/model/learner.h"

namespace twofold::cli {

struct EvaluateOptions {
  std::string dataset;
  std::string model;
  std::string preset = "default";
  ConfigFile config;
  std::string split;   // random, scaffold, column or a file; empty: what the data says
  std::string splits;  // a splits file; empty: drawn from the split seed
  int folds = 0;       // 0: all of the splits file, or 10
  int repeats = 3;
  std::string search = "grid";
  std::string metric;  // empty: what fits the targets
  bool blind = false;  // seal test scores
  std::string refit = "auto";
  int inner_folds = 1;
  std::uint64_t seed = 1;
  std::uint64_t split_seed = 1;
  model::TargetChoice target;
  io::MoleculeOptions molecules;
  std::string output;
  // Options of the model as given, a comma between values.
  GivenOptions model_options;

  int jobs = 1;
  std::string shard;
  int threads = 0;
  std::uint64_t max_memory = 0;
  bool no_twins = false;
  bool dry_run = false;
  bool plan = false;                                     // tell what it takes, and stop
  std::vector<std::uint64_t> workers = {10, 100, 1000};  // to plan for
  std::uint64_t cores = 0;                               // that these share; 0: each has its own
  bool json = false;
  bool quiet = false;
  bool is_worker = false;  // started by run_workers

  // Set by commands that plan several evaluations: measure no longer than this; 0: every configuration.
  double most_plan_seconds = 0;
  // Set by commands that evaluate: who speaks, and what the progress is of [MODEL on DATASET].
  std::string caller = "twofold evaluate";
  std::string label;
};

void declare_evaluate(Options& flags, EvaluateOptions& options);

/// With every learner.
int run_evaluate(const EvaluateOptions& options, std::ostream& out, std::ostream& err);

/// The same with the learners given. Throws Error for a model that is not among them.
int evaluate_with(const std::vector<model::LearnerFactory>& learners, const EvaluateOptions& options,
                  std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
