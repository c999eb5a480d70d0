#pragma once

#include <cstdint>
#include <vector>

#include "twofold/graph/dataset.h"

namespace twofold::graph {

struct LinkSplitOptions {
  double validation = 0.05;  // the share of the edges held out to stop and choose by …
  double test = 0.10;        // … and to report
  /// Training edges are dealt into so many parts; those of a part are asked about in a graph without them.
  std::size_t parts = 5;
  std::size_t folds = 1;  // independent hold-outs
  std::uint64_t seed = 1;
};

/// A hold-out: pairs of LinkSplit::dataset by their index among its pair_targets.
struct LinkFold {
  std::vector<std::uint32_t> train;
  std::vector<std::uint32_t> validation;
  std::vector<std::uint32_t> test;
};

struct LinkSplit {
  Dataset dataset;
  std::vector<LinkFold> folds;
};

/// Edges of graphs as pairs to predict: a dataset in which no edge that is asked about is an edge of the graph
/// it is asked in, so that nobody who reads it (encoders, colors, normalizations, networks) can see one.
///
/// Every graph of the input becomes parts + 1 graphs in every fold. The last has all training edges and no
/// other; the validation and test edges (class 1) are asked about there, with as many pairs that are no edge
/// of the input (class 0). Graph k of the others has the training edges but those of part k, which are asked
/// about there, with as many pairs that are no training edge: what is held out has no say in training. No pair
/// is drawn twice. Nodes keep their data, edges theirs. Targets of the input are dropped. The same seed gives
/// the same pairs, on every machine.
///
/// Throws InputError naming the dataset for a graph with too few edges (10 for each share and part) or too few
/// pairs that are none; UsageError for shares that leave nothing to train on.
LinkSplit hold_out_links(const Dataset& dataset, const LinkSplitOptions& options = {});

}  // namespace twofold::graph
