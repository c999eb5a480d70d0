#include "cli/learn/learner_factories.h"

#include "cli/learn/network_learner.h"
#include "twofold/eval/kernel_learner.h"

namespace twofold::cli {

std::vector<eval::LearnerFactory> learner_factories() {
  std::vector<eval::LearnerFactory> all = eval::kernel_learners();
  for (eval::LearnerFactory& network : network_learners()) all.push_back(std::move(network));
  return all;
}

int run_evaluate_learn(const EvaluateOptions& options, std::ostream& out, std::ostream& err) {
  return evaluate_with(learner_factories(), options, out, err);
}

}  // namespace twofold::cli
