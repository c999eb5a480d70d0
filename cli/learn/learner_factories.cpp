#include "cli/learn/learner_factories.h"

#include "twofold/eval/kernel_learner.h"

namespace twofold::cli {

std::vector<eval::LearnerFactory> learner_factories() { return eval::kernel_learners(); }

int run_evaluate_learn(const EvaluateOptions& options, std::ostream& out, std::ostream& err) {
  return evaluate_with(learner_factories(), options, out, err);
}

}  // namespace twofold::cli
