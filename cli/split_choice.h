#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options.h"
#include "twofold/graph/dataset.h"
#include "twofold/model/targets.h"

namespace twofold::cli {

/// How --split says that graphs are parted.
enum class SplitKind { kRandom, kScaffold, kColumn, kFile };

/// `--split random|scaffold|column|FILE`.
void declare_split(Options& flags, std::string& split);

/// What is meant: the word, a splits file by either option, else the column `split` of a table that has one,
/// else random. Throws UsageError for both options, for a column that is not there and for scaffolds of what
/// are no molecules.
SplitKind split_kind(const std::string& split, const std::string& splits_file, const Dataset& dataset);

/// Of a folder of one graph whose nodes are learnt: the split.json in it, if there is one; else empty.
std::string split_of_folder(const std::string& path, const model::Targets& targets);

/// A group per molecule: those of one Bemis-Murcko scaffold are one. Molecules without rings are each for
/// themselves.
std::vector<std::uint32_t> scaffold_groups(const Dataset& dataset, int threads);

}  // namespace twofold::cli
