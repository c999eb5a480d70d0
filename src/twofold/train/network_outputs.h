#pragma once

#include <vector>

#include "twofold/train/encoded_dataset.h"
#include "twofold/train/engine.h"
#include "twofold/train/model_file.h"

namespace twofold::train {

/// The outputs of a network, of all members together, for some graphs (or nodes, or links) of its data.
std::vector<float> network_outputs(Engine& engine, const EncodedDataset& data, const Network& network,
                                   Span<const std::uint32_t> graphs);

/// Gives the network what its intervals and calibrated probabilities are made of, from graphs that were held
/// out; none, where there are none. Of nodes and links no intervals are given: they are not drawn one by one.
void calibrate_network(Engine& engine, const EncodedDataset& data, Network& network,
                       Span<const std::uint32_t> held_out);

}  // namespace twofold::train
