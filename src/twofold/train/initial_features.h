#pragma once

#include <vector>

#include "twofold/levels/color_levels.h"
#include "twofold/train/encoded_dataset.h"

namespace twofold::train {

/// The features of initial colors as a network reads them, data.columns() values each: labels, and attributes
/// scaled. `initial` is that of data.color_levels() or data.neighbor_levels(). O(rows * columns).
std::vector<float> initial_features(const EncodedDataset& data, Span<const levels::InitialRow> initial,
                                    const FeatureScaling& scaling);

}  // namespace twofold::train
