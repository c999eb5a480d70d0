#include "twofold/graph/dataset.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "twofold/base/error.h"

namespace twofold {

void Dataset::set_classes(const std::vector<std::string>& name_of_graph) {
  class_names = sorted_class_names(name_of_graph);
  std::unordered_map<std::string, std::uint32_t> number;
  for (const std::string& c : class_names) number.emplace(c, static_cast<std::uint32_t>(number.size()));
  class_of.clear();
  for (const std::string& c : name_of_graph) class_of.push_back(number.at(c));
}

void Dataset::number_labels_as(const LabelNames& nodes, const LabelNames& edges) {
  const std::map<Label, Label> of_nodes = numbers_as_in(nodes, node_label_names);
  const std::map<Label, Label> of_edges = numbers_as_in(edges, edge_label_names);
  if (of_nodes.empty() && of_edges.empty()) return;
  for (Graph& g : graphs) g = renumbered(g, of_nodes, of_edges);
  node_label_names = renamed(node_label_names, of_nodes);
  edge_label_names = renamed(edge_label_names, of_edges);
}

void Dataset::check() const {
  TWOFOLD_CHECK(class_of.empty() || class_of.size() == graphs.size());
  TWOFOLD_CHECK(class_of.empty() == class_names.empty());
  for (const std::uint32_t c : class_of) TWOFOLD_CHECK(c < class_names.size());
  TWOFOLD_CHECK(real_targets.size() == graphs.size() * num_real_targets);
  TWOFOLD_CHECK(target_names.empty() || target_names.size() == num_real_targets);
  node_targets.check(graphs, TargetOf::kNodes);
  pair_targets.check(graphs, TargetOf::kLinks);
  for (const std::vector<std::string>* names : {&ids, &smiles, &parts})
    TWOFOLD_CHECK(names->empty() || names->size() == graphs.size());
  for (const std::string& part : parts)
    TWOFOLD_CHECK(part == "train" || part == "validation" || part == "test");
  for (const Graph& g : graphs) g.check();
}

bool operator==(const Dataset& a, const Dataset& b) {
  // Values that are not known are the same.
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  return a.name == b.name && a.graphs == b.graphs && a.node_targets == b.node_targets &&
         a.pair_targets == b.pair_targets && a.class_names == b.class_names && a.class_of == b.class_of &&
         a.num_real_targets == b.num_real_targets && a.target_names == b.target_names &&
         a.node_label_names == b.node_label_names && a.edge_label_names == b.edge_label_names &&
         a.ids == b.ids && a.smiles == b.smiles && a.molecule_features == b.molecule_features &&
         a.parts == b.parts &&
         std::equal(a.real_targets.begin(), a.real_targets.end(), b.real_targets.begin(), b.real_targets.end(),
                    same);
}

void require_undirected(Span<const Graph> graphs, const std::string& who) {
  for (std::size_t i = 0; i < graphs.size(); ++i)
    if (graphs[i].is_directed())
      throw InputError(
          fmt::format("{}{} reads undirected graphs, found a directed one; the exact tests (twofold wl) "
                      "read those, and data convert --undirected makes edges of arcs",
                      graphs.size() > 1 ? fmt::format("graph {}: ", i + 1) : "", who));
}

}  // namespace twofold
