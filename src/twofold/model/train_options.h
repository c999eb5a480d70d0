#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "twofold/compute/graph_loss.h"

namespace twofold::model {

using compute::Loss;
Loss parse_loss(const std::string& word);
const char* to_string(Loss loss);

/// How a network is computed.
enum class EngineKind {
  kAuto,           // whichever is expected to be faster
  kColors,         // rows of equal color computed once, CPU
  kFused,          // our own loops, row by row, CPU
  kMixed,          // the first layers on colors, the others row by row, CPU
  kGatherScatter,  // the paper's Algorithm 1 by stock tensor operations, any device; the baseline
};
EngineKind parse_engine(const std::string& word);
const char* to_string(EngineKind kind);

struct EngineOptions {
  EngineKind kind = EngineKind::kAuto;
  /// As torch names it. Others than `cpu` need kGatherScatter, and a libtorch that has them.
  std::string device = "cpu";
  /// 0: all there are. Changes no bit, but of kGatherScatter.
  int threads = 1;
  /// Graphs per batch, as training will have; 0: all in one. What kAuto goes by.
  std::size_t batch_graphs = 32;
  /// Every graph goes through the network once, not epoch by epoch. kAuto then never takes kMixed, whose colors
  /// of rows take longer to find than they save in one pass.
  bool is_for_one_pass = false;
};

/// How weight decay enters the steps of Adam.
enum class Optimizer {
  kAdam,   // as an L2 penalty: added to the gradient of every parameter, through the moments
  kAdamW,  // beside the moments, and of matrices only (Loshchilov and Hutter 2019, Algorithm 2)
};
Optimizer parse_optimizer(const std::string& word);
const char* to_string(Optimizer optimizer);

struct AdamOptions {
  Optimizer optimizer = Optimizer::kAdam;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  /// Keras adds epsilon before the correction of the second moment, torch after it (Kingma and Ba 2015, end of
  /// section 2, and Algorithm 1).
  bool keras_form = false;
  /// kAdam: added to the gradient as weight_decay * parameter. kAdamW: a step takes rate * weight_decay *
  /// parameter off, where the rate is that of the step.
  double weight_decay = 0;
};

struct BatchLimits {
  /// Graphs per batch; 0: all in one.
  std::size_t graphs = 32;
  /// Rows of a batch at most, unless a single graph has more; 0: no limit.
  std::uint64_t rows = 0;
  /// A batch is closed as soon as it has so many rows; 0: no limit.
  std::uint64_t close_at_rows = 0;
};

/// What early stopping and the plateau schedule watch on the validation graphs; for regression always the loss.
enum class Monitor {
  kLoss,
  kAccuracy,
  kAccuracyThenLoss,  // of equal ones the one with the smaller loss: few validation graphs are soon all right
};
Monitor parse_monitor(const std::string& word);
const char* to_string(Monitor monitor);

/// How the learning rate changes.
enum class Schedule {
  kConstant,
  kCosine,   // falls along half a cosine over all epochs, to end_share
  kPlateau,  // falls when what is watched gets no better
};
Schedule parse_schedule(const std::string& word);
const char* to_string(Schedule schedule);

struct TrainOptions {
  int epochs = 1000;
  double learning_rate = 0.001;
  /// The learning rate is halved after every so many epochs, on top of any schedule; 0: never.
  int halve_every = 0;
  /// The learning rate rises linearly, step by step, over so many epochs; parts of one count. A cosine begins
  /// to fall and a plateau to count after them.
  double warmup = 0;
  Schedule schedule = Schedule::kConstant;
  /// The share of learning_rate that a cosine ends at and a plateau never falls below.
  double end_share = 0;
  /// kPlateau: the rate is multiplied by plateau_factor after so many epochs without a better value (by more
  /// than min_delta).
  int plateau_patience = 20;
  double plateau_factor = 0.5;
  BatchLimits batch;
  /// A new order of the graphs every epoch, from the seed; else always the given one.
  bool shuffle = true;
  AdamOptions adam;
  /// Gradients longer than this (all parameters together) are shortened to it; 0: never.
  double clip = 0;
  /// Validation and result take the weights averaged over the steps, a step counting this much less with each
  /// step after it; 0: the weights as they are.
  double average = 0;

  /// Training ends after so many epochs without a better validation value; 0: never.
  int patience = 100;
  Monitor monitor = Monitor::kLoss;
  /// How much better a value must be to count.
  double min_delta = 0;
  /// Classes: training ends once every training and every validation graph is right and both losses are below
  /// this, for then validation has nothing left to show; 0: never. Needs validation graphs.
  double stop_below = 0;
  /// The parameters of the best epoch are the result; else those of the last (as in the paper's experiments).
  bool restore_best = true;

  std::uint64_t seed = 1;
};

/// Throws UsageError naming the option, need and found.
void check_options(const TrainOptions& options);

}  // namespace twofold::model
