#include "twofold/model/train_options.h"

#include <cmath>

#include "twofold/base/error.h"

namespace twofold::model {

Loss parse_loss(const std::string& word) {
  for (const Loss loss : {Loss::kCrossEntropy, Loss::kSquared, Loss::kAbsolute})
    if (word == to_string(loss)) return loss;
  throw UsageError(fmt::format("needed a loss cross-entropy, mse or mae, found {}", in_quotes(word)));
}

const char* to_string(Loss loss) {
  switch (loss) {
    case Loss::kCrossEntropy:
      return "cross-entropy";
    case Loss::kSquared:
      return "mse";
    case Loss::kAbsolute:
      return "mae";
    case Loss::kLogistic:
      return "logistic";
  }
  return "";
}

EngineKind parse_engine(const std::string& word) {
  for (const EngineKind kind : {EngineKind::kAuto, EngineKind::kColors, EngineKind::kFused, EngineKind::kMixed,
                                EngineKind::kGatherScatter})
    if (word == to_string(kind)) return kind;
  throw UsageError(
      fmt::format("needed an engine auto, colors, fused, mixed or gather-scatter, found {}", in_quotes(word)));
}

const char* to_string(EngineKind kind) {
  switch (kind) {
    case EngineKind::kAuto:
      return "auto";
    case EngineKind::kColors:
      return "colors";
    case EngineKind::kFused:
      return "fused";
    case EngineKind::kMixed:
      return "mixed";
    case EngineKind::kGatherScatter:
      return "gather-scatter";
  }
  return "";
}

Optimizer parse_optimizer(const std::string& word) {
  for (const Optimizer optimizer : {Optimizer::kAdam, Optimizer::kAdamW})
    if (word == to_string(optimizer)) return optimizer;
  throw UsageError(fmt::format("needed an optimizer adam or adamw, found {}", in_quotes(word)));
}

const char* to_string(Optimizer optimizer) {
  switch (optimizer) {
    case Optimizer::kAdam:
      return "adam";
    case Optimizer::kAdamW:
      return "adamw";
  }
  return "";
}

Monitor parse_monitor(const std::string& word) {
  for (const Monitor monitor : {Monitor::kLoss, Monitor::kAccuracy, Monitor::kAccuracyThenLoss})
    if (word == to_string(monitor)) return monitor;
  throw UsageError(
      fmt::format("needed what to stop on, loss, metric or metric+loss, found {}", in_quotes(word)));
}

const char* to_string(Monitor monitor) {
  switch (monitor) {
    case Monitor::kLoss:
      return "loss";
    case Monitor::kAccuracy:
      return "metric";
    case Monitor::kAccuracyThenLoss:
      return "metric+loss";
  }
  return "";
}

Schedule parse_schedule(const std::string& word) {
  for (const Schedule schedule : {Schedule::kConstant, Schedule::kCosine, Schedule::kPlateau})
    if (word == to_string(schedule)) return schedule;
  throw UsageError(fmt::format("needed a schedule constant, cosine or plateau, found {}", in_quotes(word)));
}

const char* to_string(Schedule schedule) {
  switch (schedule) {
    case Schedule::kConstant:
      return "constant";
    case Schedule::kCosine:
      return "cosine";
    case Schedule::kPlateau:
      return "plateau";
  }
  return "";
}

void check_options(const TrainOptions& o) {
  const auto require = [](bool holds, const char* need, double found) {
    if (!holds) throw UsageError(fmt::format("needed {}, found {}", need, found));
  };
  require(o.epochs >= 1, "epochs from 1 on", o.epochs);
  require(o.learning_rate > 0 && std::isfinite(o.learning_rate), "a learning rate above 0", o.learning_rate);
  require(o.halve_every >= 0, "an interval of halving from 0 on", o.halve_every);
  require(o.warmup >= 0 && std::isfinite(o.warmup), "epochs of warm-up from 0 on", o.warmup);
  require(o.end_share >= 0 && o.end_share <= 1, "a share of the learning rate in 0..1", o.end_share);
  require(o.plateau_patience >= 1, "patience of a plateau from 1 on", o.plateau_patience);
  require(o.plateau_factor > 0 && o.plateau_factor < 1, "a factor of a plateau between 0 and 1",
          o.plateau_factor);
  require(o.average >= 0 && o.average < 1, "a decay of averaged weights from 0 to below 1", o.average);
  require(o.patience >= 0, "patience from 0 on", o.patience);
  require(o.clip >= 0, "a length to clip to from 0 on", o.clip);
  require(o.stop_below >= 0 && std::isfinite(o.stop_below), "a loss to stop below from 0 on", o.stop_below);
  require(o.min_delta >= 0, "a least improvement from 0 on", o.min_delta);
  require(o.adam.beta1 >= 0 && o.adam.beta1 < 1, "beta1 from 0 to below 1", o.adam.beta1);
  require(o.adam.beta2 >= 0 && o.adam.beta2 < 1, "beta2 from 0 to below 1", o.adam.beta2);
  require(o.adam.epsilon > 0, "an epsilon above 0", o.adam.epsilon);
  require(o.adam.weight_decay >= 0, "a weight decay from 0 on", o.adam.weight_decay);
  if (o.schedule == Schedule::kPlateau && o.patience > 0 && o.plateau_patience >= o.patience)
    throw UsageError(
        fmt::format("--plateau-patience: needed less than --patience {}, which would end the training before "
                    "the rate falls, found {}",
                    o.patience, o.plateau_patience));
}

}  // namespace twofold::model
