#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "tests/support/toy_learner.h"
#include "twofold/base/random.h"
#include "twofold/eval/result.h"
#include "twofold/eval/run_folder.h"
#include "twofold/eval/seal.h"
#include "twofold/eval/work.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::testing {

/// An evaluation of the toy learner on graphs without edges, in a folder of its own: three folds, three
/// configurations, two final runs.
struct ToyRun {
  explicit ToyRun(bool blind = false) : dataset(make_dataset()), targets(dataset), folder(place.path("run")) {
    plan.dataset = "parity";
    plan.checksum = "0123456789abcdef0123456789abcdef";
    plan.num_graphs = targets.num_items();
    plan.model = "toy";
    plan.version = "0.1.0";
    plan.repeats = 2;
    plan.blind = blind;
    plan.metric = model::Metric::kAccuracy;
    plan.grid = {{{"noise", 100.0}}, {{"noise", 30.0}}, {{"noise", 50.0}}};
    plan.splits = eval::make_splits(targets, 3, 1);
  }

  /// Writes run.json and splits.json, and the key of a blind run.
  void start() {
    folder.create();
    folder.write_text("splits.json", eval::format_splits(plan.splits));
    folder.write("run.json", eval::to_json(plan), 1);
    if (plan.blind) eval::make_seal(folder);
  }
  void work() {
    eval::work(plan, folder, targets, [&] {
      return std::make_unique<ToyLearner>(model::LearnerInput{dataset.graphs, targets.task()});
    });
  }
  eval::Result result() const { return eval::summarize(plan, folder, targets, std::nullopt); }
  /// Everything that `twofold evaluate` does.
  void evaluate() {
    start();
    work();
    eval::write_result(folder, plan, result());
  }

  static Dataset make_dataset() {
    Dataset dataset;
    dataset.name = "parity";
    std::vector<std::string> names;
    Random random(5);
    for (std::size_t i = 0; i < 60; ++i) {
      const std::size_t n = 3 + random.below(10);
      dataset.graphs.push_back(GraphBuilder(n).build());
      names.push_back((n % 2 == 0) != random.chance(0.2) ? "even" : "odd");
    }
    dataset.set_classes(names);
    return dataset;
  }

  TemporaryFolder place;
  Dataset dataset;
  model::Targets targets;
  eval::Plan plan;
  eval::RunFolder folder;
};

}  // namespace twofold::testing
