#pragma once

#include <cstdint>

#include "twofold/eval/splits.h"
#include "twofold/graph/dataset.h"
#include "twofold/model/targets.h"

namespace twofold::eval {

/// A dataset as it is learnt, and its folds if these come with it.
struct LinkData {
  Dataset dataset;
  Splits splits;
};

/// For --task links on a dataset without pair targets, its own edges are what is to be predicted: they are
/// taken out of the graphs (graph/link_split.h), so many hold-outs of 85 % / 5 % / 10 % drawn from the seed.
/// All else gives the dataset as it is, without folds. Throws as hold_out_links, and
/// InputError for pair targets of two classes that only say which pairs are edges of their graph.
LinkData with_links_held_out(Dataset dataset, const model::TargetChoice& choice, int folds, std::uint64_t seed);

}  // namespace twofold::eval
