#include "twofold/train/learners.h"

#include "twofold/train/kernel_learner.h"
#include "twofold/train/network_learner.h"

namespace twofold::train {

std::vector<model::LearnerFactory> all_learners() {
  std::vector<model::LearnerFactory> all = kernel_learners();
  for (model::LearnerFactory& network : network_learners()) all.push_back(std::move(network));
  return all;
}

}  // namespace twofold::train
