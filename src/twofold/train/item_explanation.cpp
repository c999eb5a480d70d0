#include "twofold/train/item_explanation.h"

#include "twofold/train/removal.h"

namespace twofold::train {

ItemExplanation explain_item(const Network& network, const Graph& graph, Item item, const ExplainBy* by,
                             std::size_t target, const EncodeLimits& limits, const Progress& progress) {
  const model::ModelOptions& model = network.settings.model;
  ItemExplanation found;
  found.field = field_of(graph, {&item, 1}, model);
  found.asked = {0, found.field.name_of(item.u), found.field.name_of(item.v)};
  const ExplainBy kind = by != nullptr ? *by : default_explanation(model, found.field.graph);
  if (!has_explanation(model, kind)) refuse_explanation(model, to_string(kind));
  if (kind == ExplainBy::kRemoval) {
    found.explanation = explain_by_removal(network, found.field.graph, {target, found.asked}, limits, progress);
    return found;
  }
  EncodedDataset data({&found.field.graph, 1}, model, network.layout, limits);
  data.items = {found.asked};
  found.explanation = explain(network, data, 0, kind, target);
  return found;
}

}  // namespace twofold::train
