#include "twofold/graph/label_names.h"

#include <algorithm>
#include <set>

#include "twofold/graph/graph_builder.h"

namespace twofold {
namespace {

std::vector<Label> mapped(Span<const Label> labels, const std::map<Label, Label>& numbers) {
  std::vector<Label> result(labels.begin(), labels.end());
  for (Label& label : result)
    if (const auto found = numbers.find(label); found != numbers.end()) label = found->second;
  return result;
}

}  // namespace

std::string label_text(const LabelNames& names, Label label) {
  const auto found = names.find(label);
  return found == names.end() ? std::to_string(label) : found->second;
}

Graph renumbered(const Graph& g, const std::map<Label, Label>& nodes, const std::map<Label, Label>& edges) {
  // Of sparse features labels are the rows: they have no names.
  std::vector<Label> of_nodes = g.node_features() != nullptr
                                    ? std::vector<Label>(g.node_labels().begin(), g.node_labels().end())
                                    : mapped(g.node_labels(), nodes);
  return GraphBuilder::with_labels(g, std::move(of_nodes), mapped(g.edge_labels(), edges));
}

std::map<Label, Label> numbers_as_in(const LabelNames& known, const LabelNames& names) {
  std::map<std::string, Label> number_of;
  Label next = 0;
  for (const auto& [label, name] : known) {
    number_of.emplace(name, label);
    next = std::max(next, label + 1);
  }
  for (const auto& [label, name] : names)
    if (number_of.count(name) == 0) next = std::max(next, label + 1);
  std::map<Label, Label> numbers;
  std::set<Label> used;
  for (const auto& [label, name] : known) used.insert(label);
  bool changes = false;
  for (const auto& [label, name] : names) {
    const auto found = number_of.find(name);
    const Label number = found != number_of.end() ? found->second : used.count(label) == 0 ? label : next++;
    used.insert(number);
    numbers.emplace(label, number);
    changes = changes || number != label;
  }
  return changes ? numbers : std::map<Label, Label>();
}

LabelNames renamed(const LabelNames& names, const std::map<Label, Label>& numbers) {
  LabelNames result;
  for (const auto& [label, name] : names) {
    const auto found = numbers.find(label);
    result.emplace(found == numbers.end() ? label : found->second, name);
  }
  return result;
}

}  // namespace twofold
