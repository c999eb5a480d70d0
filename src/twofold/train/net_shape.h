#pragma once

#include <cstdint>
#include <vector>

#include "twofold/compute/gin_net.h"
#include "twofold/compute/pair_net.h"
#include "twofold/model/model_options.h"
#include "twofold/model/parameter_layout.h"
#include "twofold/train/encoded_dataset.h"
#include "twofold/train/engine.h"
#include "twofold/train/objective.h"

namespace twofold::train {

/// A 2-wl-gnn as compute::PairNet takes it. Needs the layout of these options.
compute::PairNetShape pair_net_shape(const model::ModelOptions& options, std::size_t columns,
                                     const model::ParameterLayout& layout, const Objective& task);

/// The same for a gin and compute::GinNet.
compute::GinNetShape gin_net_shape(const model::ModelOptions& options, const model::ParameterLayout& layout,
                                   const Objective& task);

/// The targets of a batch as compute::PairNet takes them: graphs weighted by their class, weights adding up to
/// 1.
struct NetTargets {
  std::vector<std::uint32_t> classes;
  std::vector<float> values;
  std::vector<float> weights;

  void fill(const Objective& task, const std::vector<double>& targets, Span<const std::uint32_t> graphs);
  compute::Targets<float> view() const;
};

/// Rows of features, the zeros left out.
struct SparseTable {
  std::vector<std::uint32_t> offsets = {0};
  std::vector<std::uint32_t> columns;
  std::vector<float> values;

  void clear();
  /// Appends a row.
  void add(Span<const float> row);
  /// Appends row number `row` of another table.
  void add(const SparseTable& other, std::size_t row);
  std::size_t num_rows() const { return offsets.size() - 1; }
  compute::SparseRows<float> view() const {
    return {num_rows(), offsets.data(), columns.data(), values.data()};
  }
};

}  // namespace twofold::train
