#pragma once

#include "twofold/train/model_file.h"

namespace twofold::train {

/// The 2-wl-gnn of radius 1 that predicts as a trained gcn, gin or sage does (train/simulate.h): a network like
/// any other, for graphs with the same labels and attributes. Numbers are rounded to float once, at the end.
/// Throws UsageError for other models.
Network simulated_network(const Network& network);

}  // namespace twofold::train
