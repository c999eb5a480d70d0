#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/toy_learner.h"
#include "twofold/base/file.h"
#include "twofold/base/random.h"
#include "twofold/eval/task_file.h"
#include "twofold/eval/work.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::testing {

/// Graphs without edges whose class is the parity of their number of nodes, but for about that share of them.
inline Dataset parity_dataset(std::size_t count, double wrong, std::uint64_t seed) {
  Dataset dataset;
  std::vector<std::string> names;
  Random random(seed);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t n = 3 + random.below(10);
    dataset.graphs.push_back(GraphBuilder(n).build());
    names.push_back((n % 2 == 0) != random.chance(wrong) ? "even" : "odd");
  }
  dataset.set_classes(names);
  return dataset;
}

/// Does all tasks of the shard with ToyLearner, in a run folder at `path` that is made if need be.
inline void run_toy(const Dataset& dataset, const eval::Plan& plan, const std::string& path,
                    eval::Shard shard = {}) {
  eval::RunFolder folder(path);
  folder.create();
  const model::Targets targets(dataset);
  eval::WorkOptions options;
  options.shard = shard;
  work(
      plan, folder, targets,
      [&] {
        return std::make_unique<ToyLearner>(model::LearnerInput{dataset.graphs, targets.task()});
      },
      options);
}

/// The file of every task, which must all be there, by the task's name.
inline std::map<std::string, std::string> task_texts(const eval::Plan& plan, const eval::RunFolder& folder) {
  std::map<std::string, std::string> texts;
  for (const eval::TaskId& task : list_tasks(plan))
    texts[task_name(task)] = read_file(folder.file(eval::task_file(task)));
  return texts;
}

}  // namespace twofold::testing
