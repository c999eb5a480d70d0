#pragma once

#include <vector>

#include "twofold/base/random.h"
#include "twofold/model/model_options.h"
#include "twofold/model/parameter_layout.h"
#include "twofold/train/encoded_dataset.h"

namespace twofold::train {

/// Starting values of a 2-wl-gnn that keep the colors of these graphs' rows apart, layer by layer.
///
/// By usual starting values colors that have only just split differ by little, and what tells graphs apart by
/// parities (Cai, Fürer and Immerman's) squares that little: after some layers nothing is left of it in 53
/// bits, nor a gradient to follow. So channels are chosen: of many random ones, each evened over all rows (mean
/// 0, deviation 1 of the sums over triples and of what goes into the activation; W_L takes off what sums have
/// in common: (z W_F) s = (z W_F) (s - m) + z (W_F m)), that is taken next which moves most of the pairs of
/// colors apart that lie closest together: those that split in this round, and those that split before.
/// Channels of one layer do not depend on each other, so this costs a pass over the colors for each. The first
/// layer of the head then is evened over the graphs. The network is an ordinary one of the same form.
///
/// Gives how far apart what the head reads of the graphs was before that: the largest deviation of a channel,
/// relative to its size; beyond some 1e-16 there is something to learn from.
/// Needs the paper's layers: linear gate, biases, no norm, no jumping knowledge, activation tanh, inner
/// logistic; the mean over the last layer's rows, and a head of two layers. Computed on colors.
double spread_start(const EncodedDataset& data, const model::ModelOptions& model,
                    const model::ParameterLayout& layout, Random random, std::vector<double>& parameters);

}  // namespace twofold::train
