#include "twofold/eval/link_data.h"

#include <algorithm>

#include "twofold/graph/link_split.h"

namespace twofold::eval {

LinkData with_links_held_out(Dataset dataset, const model::TargetChoice& choice, int folds,
                             std::uint64_t seed) {
  if (choice.task != "links" || !dataset.pair_targets.empty()) return {std::move(dataset), {}};
  graph::LinkSplitOptions options;
  options.folds = static_cast<std::size_t>(std::max(folds, 1));
  options.seed = seed;
  graph::LinkSplit split = graph::hold_out_links(dataset, options);
  LinkData data;
  data.dataset = std::move(split.dataset);
  for (graph::LinkFold& fold : split.folds)
    data.splits.push_back({std::move(fold.train), std::move(fold.validation), std::move(fold.test)});
  return data;
}

}  // namespace twofold::eval
