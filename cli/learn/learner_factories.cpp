#include "cli/learn/learner_factories.h"

#include "cli/command_reproduce_studies.h"
#include "cli/command_reproduce_tables.h"
#include "twofold/eval/kernel_learner.h"
#include "twofold/train/network_learner.h"

namespace twofold::cli {

std::vector<model::LearnerFactory> learner_factories() {
  std::vector<model::LearnerFactory> all = eval::kernel_learners();
  for (model::LearnerFactory& network : train::network_learners()) all.push_back(std::move(network));
  return all;
}

int run_evaluate_learn(const EvaluateOptions& options, std::ostream& out, std::ostream& err) {
  return evaluate_with(learner_factories(), options, out, err);
}

int run_reproduce_table1_learn(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  return reproduce_table1_with(learner_factories(), options, out, err);
}

int run_reproduce_table2_learn(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  return reproduce_table2_with(learner_factories(), options, out, err);
}

int run_reproduce_radius_learn(const ReproduceOptions& options, std::ostream& out, std::ostream& err) {
  return reproduce_radius_with(learner_factories(), options, out, err);
}

}  // namespace twofold::cli
