#pragma once

#include <cstddef>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/model/model_options.h"
#include "twofold/train/neighbor_weights.h"

namespace twofold::train {

/// A network of another kind as a 2-wl-gnn of radius 1.
struct Simulation {
  /// With forms of layers; pools loops only.
  model::ModelOptions options;
  /// Columns it reads: three indicators, those of the simulated network (none if that reads a constant), and
  /// the weights, in this order.
  std::size_t columns = 0;
  NeighborWeights weights = NeighborWeights::kNone;
  /// Laid out by model::parameter_layout(options, columns).
  std::vector<double> parameters;
};

/// Whether simulate takes it: gcn, gin and sage.
bool can_simulate(model::ModelKind model);

/// The 2-wl-gnn that gives the same outputs as a network in evaluation mode on every graph, but for rounding,
/// by the matrices of the proof of the paper's Theorem 4.5. `parameters` are laid out by
/// model::parameter_layout(options, columns); `is_constant` says that its one column is 1 on every node.
///
/// A convolution becomes two layers that add up neighbors (sage: three, the last divides), and one for each
/// layer of its MLP, with batch normalization folded in. What the proof leaves out:
/// - Biases would make rows of edges differ from 0: they are taken from the indicator of loops instead.
/// - So would activations that are not 0 at 0: a layer that multiplies by the indicator follows them.
/// - Indicator, weights and what is carried along pass each layer unchanged: activations differ by channel.
/// - Features that are read again later (jumping knowledge; gin's readout of every layer) are carried along.
/// Pooling where the indicator is 1 is pooling of loops.
///
/// The layers are a few times as wide as the network's own, those of gin also as many times as it has layers.
/// Throws UsageError for other models.
Simulation simulate(const model::ModelOptions& options, std::size_t columns, bool is_constant,
                    Span<const double> parameters);

}  // namespace twofold::train
