#include "twofold/eval/link_data.h"

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/graph/link_split.h"

namespace twofold::eval {

namespace {

// Targets that say no more than the graph does, which the learner sees: edges were meant to be held out.
void require_hidden(const Dataset& dataset) {
  const ItemTargets& targets = dataset.pair_targets;
  if (targets.class_names.size() != 2) return;
  // Of each class: pairs that are edges, and pairs that are none.
  std::size_t edges[2] = {0, 0}, others[2] = {0, 0};
  for (std::size_t i = 0; i < targets.items.size(); ++i) {
    if (!targets.is_known(i)) continue;
    const Item item = targets.items[i];
    ++(dataset.graphs[item.graph].has_edge(item.u, item.v) ? edges : others)[targets.class_of[i]];
  }
  for (const std::size_t c : {0, 1})
    if (edges[c] > 0 && others[c] == 0 && edges[1 - c] == 0)
      throw InputError(fmt::format(
          "{}: needed pairs whose target the graph does not tell, found that all {} of class {} are its edges "
          "and none "
          "of the {} others: take them out of \"edges\", or leave out \"pair_targets\" and give --task links",
          dataset.name, edges[c], in_quotes(targets.class_names[c]), others[1 - c]));
}

}  // namespace

LinkData with_links_held_out(Dataset dataset, const model::TargetChoice& choice, int folds,
                             std::uint64_t seed) {
  const bool has_pairs = !dataset.pair_targets.empty();
  if (has_pairs && (choice.task == "links" || (choice.task.empty() && dataset.node_targets.empty())))
    require_hidden(dataset);
  if (choice.task != "links" || has_pairs) return {std::move(dataset), {}};
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
