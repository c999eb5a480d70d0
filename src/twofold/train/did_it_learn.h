#pragma once

#include <vector>

#include "twofold/base/span.h"
#include "twofold/train/objective.h"
#include "twofold/train/trainer.h"

namespace twofold::train {

/// The training loss of the answer that looks at no graph: for classes their frequencies (weighted as the loss
/// weighs them), for real targets their means.
double constant_loss(const Objective& task, Span<const double> training_targets);

/// Whether a training did not learn: it had kLeastEpochs or more, and no epoch's training loss was 1 % below
/// that of the constant answer. Nothing that can be learnt (a constant loss of 0) is no failure.
inline constexpr std::size_t kLeastEpochs = 20;
bool did_not_learn(const std::vector<EpochRecord>& history, double constant_loss);

}  // namespace twofold::train
