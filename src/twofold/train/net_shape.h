#pragma once

#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/compute/net_shape.h"
#include "twofold/model/model_options.h"
#include "twofold/model/parameter_layout.h"
#include "twofold/train/objective.h"

namespace twofold::train {

/// Any model as compute::Net takes it. Needs the layout of these options and columns.
compute::NetShape net_shape(const model::ModelOptions& options, std::size_t columns,
                            const model::ParameterLayout& layout, const Objective& task);

/// The targets of a batch as compute::Net takes them: graphs weighted by their class, weights adding up to 1.
struct NetTargets {
  std::vector<std::uint32_t> classes;
  std::vector<float> values;
  std::vector<float> weights;

  /// `targets` are those of the whole dataset (EncodedDataset::targets).
  void fill(const Objective& task, const std::vector<double>& targets, Span<const std::uint32_t> graphs);
  compute::Targets<float> view() const;
};

}  // namespace twofold::train
