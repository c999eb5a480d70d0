#pragma once

#include "twofold/gram/kernel.h"
#include "twofold/model/model_options.h"
#include "twofold/model/train_options.h"
#include "twofold/svm/solver.h"

namespace twofold::model {

/// What to learn with and how: everything but data, seeds and files. A configuration (config.h) says the same
/// in words; option_table.h turns one into the other.
struct LearnSettings {
  // A graph kernel with a support vector machine, or a network.
  bool is_kernel = false;

  ModelOptions model;
  TrainOptions train;
  EngineOptions engine;
  // Of real targets.
  Loss loss = Loss::kSquared;
  // Classes count by the inverse of their frequency.
  bool class_weights = false;
  // Attributes are brought to mean 0 and deviation 1 over the training graphs.
  bool standardize = true;
  // So many networks are trained, each from a seed of its own; their answers are averaged.
  int ensemble = 1;

  gram::Kernel kernel;
  bool normalize = false;
  // Above 0: a Gaussian of the kernel's distances (svm/gaussian.h).
  double gamma = 0;
  double penalty = 1;
  double tolerance = 0.001;
  svm::Solver solver = svm::Solver::kAuto;
};

/// Gives the network the outputs that the task needs.
inline void set_task(LearnSettings& settings, const Task& task) {
  settings.model.task = task.kind;
  settings.model.about = task.about;
  settings.model.outputs = task.kind == TaskKind::kBinary ? 1 : static_cast<int>(task.num_outputs());
}

}  // namespace twofold::model
