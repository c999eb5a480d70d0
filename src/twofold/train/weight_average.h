#pragma once

#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/model/parameter_layout.h"

namespace twofold::train {

/// Takes the parameters after a step, counted from 1, into their average (in double: what a step adds may be
/// less than a float resolves):
///
///   average = sum over steps s of decay^(steps - s) parameters_s / sum over steps s of decay^(steps - s)
///
/// so the start has no part in it. What is not trained (running statistics of batch normalization) is copied:
/// it is an average already. Needs 0 < decay < 1 and the same `average` for all steps; the first step makes it.
/// O(size).
void average_step(Span<const float> parameters, const model::ParameterLayout& layout, double decay,
                  std::uint64_t step, std::vector<double>& average);

}  // namespace twofold::train
