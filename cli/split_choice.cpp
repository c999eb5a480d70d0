#include "cli/split_choice.h"

#include <fmt/format.h>

#include <filesystem>

#include "twofold/base/error.h"
#include "twofold/eval/group_splits.h"
#include "twofold/io/graph_folder.h"
#include "twofold/io/rdkit.h"

namespace twofold::cli {

void declare_split(Options& flags, std::string& split) {
  flags
      .add("--split", split,
           "How graphs are held out: random, scaffold (molecules of one Bemis-Murcko scaffold stay together), "
           "column "
           "(the column split of a CSV) or a file as --splits [column if there is one; of nodes the split.json "
           "of their folder; else random]")
      .type_name("HOW");
}

SplitKind split_kind(const std::string& split, const std::string& splits_file, const Dataset& dataset) {
  if (!split.empty() && !splits_file.empty())
    throw UsageError("--split and --splits both say how graphs are held out: give one of them");
  if (!splits_file.empty()) return SplitKind::kFile;
  if (split == "random") return SplitKind::kRandom;
  if (split == "scaffold") {
    if (dataset.smiles.empty())
      throw UsageError(fmt::format(
          "--split scaffold: needed molecules (a CSV with SMILES), found {} without SMILES", dataset.name));
    return SplitKind::kScaffold;
  }
  if (split == "column" && dataset.parts.empty())
    throw UsageError(fmt::format(
        "--split column: needed a column split of train, validation and test, found none in {}", dataset.name));
  if (split == "column" || (split.empty() && !dataset.parts.empty())) return SplitKind::kColumn;
  return split.empty() ? SplitKind::kRandom : SplitKind::kFile;
}

std::string split_of_folder(const std::string& path, const model::Targets& targets) {
  const std::string file = (std::filesystem::path(path) / "split.json").string();
  std::error_code ignored;
  const bool is_there = targets.task().about == TargetOf::kNodes && io::is_graph_folder(path) &&
                        std::filesystem::is_regular_file(file, ignored);
  return is_there ? file : "";
}

std::vector<std::uint32_t> scaffold_groups(const Dataset& dataset, int threads) {
  std::vector<std::string> scaffolds = io::scaffolds(dataset.smiles, threads);
  for (std::size_t i = 0; i < scaffolds.size(); ++i)
    if (scaffolds[i].empty()) scaffolds[i] = fmt::format("#{}", i);
  return eval::groups_of(scaffolds);
}

}  // namespace twofold::cli
