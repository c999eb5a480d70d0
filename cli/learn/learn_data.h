#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/graph/dataset.h"
#include "twofold/model/model_options.h"

namespace twofold::cli {

/// What is to be learnt of a dataset.
struct LearnTargets {
  model::TaskKind task = model::TaskKind::kBinary;
  int outputs = 1;
  // One a graph: the index of its class, or the real target.
  std::vector<double> targets;
  // Of the real targets, from 0.
  std::size_t column = 0;
};

/// Classes if there are any and `column` is 0, else the column-th real target. Throws InputError naming
/// `source` for a dataset without targets and with one class only, UsageError for a column that it does not
/// have.
LearnTargets choose_targets(const Dataset& dataset, int column, const std::string& source);

/// Graphs by number from 0.
struct LearnSplit {
  std::vector<std::uint32_t> train;
  std::vector<std::uint32_t> validation;
  std::vector<std::uint32_t> test;
};

/// A part of the graphs held out for validation, drawn by seed; of every class the same part as near as can be.
LearnSplit hold_out(const Dataset& dataset, const LearnTargets& targets, double fraction, std::uint64_t seed);

/// Fold `fold`, counted from 1, of a file of splits (docs/formats.md). Throws InputError naming the file.
LearnSplit read_fold(const std::string& path, int fold, std::size_t num_graphs);

}  // namespace twofold::cli
