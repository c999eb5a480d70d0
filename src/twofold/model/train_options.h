#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace twofold::model {

/// What training makes small. kCrossEntropy is that of one logit (binary) or of a logit per class.
enum class Loss { kCrossEntropy, kSquared, kAbsolute };
Loss parse_loss(const std::string& word);
const char* to_string(Loss loss);

/// How a network is computed.
enum class EngineKind {
  kAuto,           // whichever is expected to be faster
  kColors,         // rows of equal color computed once, CPU
  kFused,          // our own loops, row by row, CPU
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
};

struct AdamOptions {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  /// Keras adds epsilon before the correction of the second moment, torch after it (Kingma and Ba 2015, end of
  /// section 2, and Algorithm 1).
  bool keras_form = false;
  /// L2: added to the gradient as weight_decay * parameter.
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

/// What early stopping watches on the validation graphs; for regression always the loss.
enum class Monitor { kLoss, kAccuracy };

struct TrainOptions {
  int epochs = 1000;
  double learning_rate = 0.001;
  /// The learning rate is halved after every so many epochs; 0: never.
  int halve_every = 0;
  BatchLimits batch;
  /// A new order of the graphs every epoch, from the seed; else always the given one.
  bool shuffle = true;
  AdamOptions adam;
  /// Gradients longer than this (all parameters together) are shortened to it; 0: never.
  double clip = 0;

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

}  // namespace twofold::model
