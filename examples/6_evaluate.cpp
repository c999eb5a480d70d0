// How good are GIN and the WL kernel on TRIANGLE, fairly? Choices by validation graphs, scores on graphs not
// seen.
#include <iostream>

#include "twofold/eval/evaluation.h"
#include "twofold/eval/kernel_learner.h"
#include "twofold/graph/generate.h"
#include "twofold/train/network_learner.h"

int main() {
  using namespace twofold;
  const Dataset dataset = graph::generate_triangle();
  std::vector<model::LearnerFactory> learners = train::network_learners();
  for (model::LearnerFactory& kernel : eval::kernel_learners()) learners.push_back(std::move(kernel));
  for (const model::LearnerFactory& learner : learners) {
    if (learner.model != "gin" && learner.model != "wl-st") continue;
    eval::EvaluationRequest request;
    request.model = learner.model;
    request.preset = "quick";
    request.folds = 3;
    request.repeats = 1;
    if (learner.model == "gin") request.overrides = {{"layers", {1, 2}}, {"epochs", {20}}};
    // Killed and started again, it goes on in that folder.
    const model::Config result = eval::evaluate(request, dataset, learner, "run-" + learner.model);
    std::cout << learner.model << ": " << result["test_mean"] << " ± " << result["test_std"] << " %\n";
  }
}
