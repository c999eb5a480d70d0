#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "twofold/eval/plan.h"
#include "twofold/model/learner.h"

namespace twofold::cli {

struct EvaluatePlanOptions {
  std::vector<std::uint64_t> workers;  // numbers to plan for
  std::uint64_t cores = 0;             // that they share; 0: each has its own
  double read_seconds = 0;             // of computing, that reading the dataset took
  double most_seconds = 0;             // to measure; 0: as long as it takes
  std::string output;                  // the run folder, for the calls
  bool json = false;
  bool quiet = false;
};

/// What an evaluation will take on many workers, from one measured epoch per configuration: tasks, CPU time,
/// memory per worker, simulated schedules, and the shape of an mpirun and of a Slurm call. Nothing is written.
void plan_evaluation(const eval::Plan& plan, model::Learner& learner, const model::Targets& targets,
                     const EvaluatePlanOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
