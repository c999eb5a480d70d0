#pragma once

#include <memory>

#include "twofold/levels/color_levels.h"
#include "twofold/train/engine.h"

namespace twofold::train {

/// An engine for 2-wl-gnn on colors: compute::PairNet on the levels of the dataset, of which each batch is cut.
/// Rows that no network of so many layers can tell apart are computed once (docs/colors.md). The result is that
/// of the rows but for the order in which numbers are added.
///
/// `levels` are those of data.graphs() with the model's radius and layers as rounds.
std::unique_ptr<Engine> make_color_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                          const Objective& task, levels::ColorLevels levels, int threads);

}  // namespace twofold::train
