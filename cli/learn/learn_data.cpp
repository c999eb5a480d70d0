#include "cli/learn/learn_data.h"

#include <algorithm>
#include <cmath>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/random.h"
#include "twofold/eval/splits.h"

namespace twofold::cli {
LearnTargets choose_targets(const Dataset& dataset, int column, const std::string& source) {
  LearnTargets result;
  if (dataset.has_classes() && column == 0) {
    if (dataset.class_names.size() < 2)
      throw InputError(fmt::format("{}: needed graphs of two classes or more, found one class {}", source,
                                   in_quotes(dataset.class_names[0])));
    result.targets.assign(dataset.class_of.begin(), dataset.class_of.end());
    if (dataset.class_names.size() > 2) {
      result.task = model::TaskKind::kMultiClass;
      result.outputs = static_cast<int>(dataset.class_names.size());
    }
    return result;
  }
  if (dataset.num_real_targets == 0)
    throw InputError(fmt::format("{}: needed a {} of every graph, found none", source,
                                 column == 0 ? "class or real target" : "real target"));
  result.task = model::TaskKind::kRegression;
  result.column = column == 0 ? 0 : static_cast<std::size_t>(column) - 1;
  if (result.column >= dataset.num_real_targets)
    throw UsageError(fmt::format("--target: needed 1..{}, found {}", dataset.num_real_targets, column));
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g)
    result.targets.push_back(dataset.real_targets[g * dataset.num_real_targets + result.column]);
  return result;
}

LearnSplit hold_out(const Dataset& dataset, const LearnTargets& targets, double fraction, std::uint64_t seed) {
  constexpr std::uint64_t kHoldOutStream = 3;  // the trainer has the others
  const std::size_t count = dataset.graphs.size();
  std::vector<std::uint32_t> order(count);
  for (std::size_t g = 0; g < count; ++g) order[g] = static_cast<std::uint32_t>(g);
  Random(seed).stream(kHoldOutStream).shuffle(order);
  if (targets.task != model::TaskKind::kRegression)
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return dataset.class_of[a] < dataset.class_of[b];
    });
  // Along the classes, every 1/fraction-th graph is held out.
  LearnSplit split;
  double held = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const double wanted = std::floor(fraction * static_cast<double>(i + 1) + 0.5);
    const bool hold = wanted > held;
    if (hold) ++held;
    (hold ? split.validation : split.train).push_back(order[i]);
  }
  std::sort(split.train.begin(), split.train.end());
  std::sort(split.validation.begin(), split.validation.end());
  return split;
}

LearnSplit read_fold(const std::string& path, int fold, std::size_t num_graphs) {
  const eval::Splits splits = eval::parse_splits(read_file(path), num_graphs, path);
  if (fold < 1 || static_cast<std::size_t>(fold) > splits.size())
    throw UsageError(fmt::format("--fold: needed 1..{}, found {}", splits.size(), fold));
  const eval::Fold& one = splits[static_cast<std::size_t>(fold) - 1];
  return {one.train, one.validation, one.test};
}

}  // namespace twofold::cli
