#pragma once

#include <vector>

#include "twofold/model/model_options.h"
#include "twofold/model/parameter_layout.h"
#include "twofold/train/encoded_dataset.h"

namespace twofold::train {

/// Changes starting values of a 2-wl-gnn so that, over all rows of these graphs, in every layer and channel the
/// sum over triples and what goes into the activation have mean 0 and deviation 1.
///
/// Sums of n terms of which one differs tell little: after T layers the difference is about n^-(2^T), which is
/// nothing from some twenty nodes on. What a channel of sums has in common is taken off by W_L, which can hold
/// it as (z W_F) s = (z W_F) (s - m) + z (W_F m), and the rest is scaled by W_F. So the network is an ordinary
/// one of the same form, and its start depends on the data as batch normalization would make it.
/// Channels that hardly vary are left alone: scaling them would make features of rounding. Computed on colors.
/// Needs the paper's layers: linear gate, biases, no norm, no jumping knowledge, activation tanh, inner
/// logistic.
void even_start(const EncodedDataset& data, const model::ModelOptions& model,
                const model::ParameterLayout& layout, std::vector<double>& parameters);

}  // namespace twofold::train
