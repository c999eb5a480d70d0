#include "cli/learner_factories.h"

#include "twofold/eval/kernel_learner.h"
#include "twofold/train/network_learner.h"

namespace twofold::cli {

std::vector<model::LearnerFactory> learner_factories() {
  std::vector<model::LearnerFactory> all = eval::kernel_learners();
  for (model::LearnerFactory& network : train::network_learners()) all.push_back(std::move(network));
  return all;
}

}  // namespace twofold::cli
