// How good are GIN and the WL kernel on TRIANGLE, fairly? Choices by validation graphs, scores on graphs not
// seen.
#include <iostream>

#include "twofold/eval/evaluation.h"
#include "twofold/graph/generate.h"
#include "twofold/train/learners.h"

int main() {
  using namespace twofold;
  const Dataset dataset = graph::generate_triangle();
  for (const model::LearnerFactory& learner : train::all_learners()) {
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
