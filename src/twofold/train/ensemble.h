#pragma once

#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/train/objective.h"

namespace twofold::train {

/// The seed of a member of an ensemble, from 0. The first has the training's own, so that one member is what a
/// training without an ensemble gives.
std::uint64_t member_seed(std::uint64_t seed, std::size_t member);

/// What the members say together, as outputs of one network: those whose probabilities (real targets: values)
/// are the mean of the members'. `members` has the outputs of one or more members, equally many. One member
/// gives its own bits.
std::vector<float> joined_outputs(const Objective& task, Span<const std::vector<float>> members);

/// How far the members lie apart, their standard deviation: of the probability of the class that they predict
/// together, one number per graph; of real targets one per value.
std::vector<double> member_spreads(const Objective& task, Span<const std::vector<float>> members);

}  // namespace twofold::train
