#include "twofold/train/seen_symmetry.h"

#include <map>

#include "twofold/graph/graph_builder.h"

namespace twofold::train {
namespace {

// Numbers what differs in its label or its attributes.
class Kinds {
 public:
  Label number(Label label, Span<const double> attributes) {
    const auto next = static_cast<Label>(numbers_.size());
    return numbers_
        .emplace(std::make_pair(label, std::vector<double>(attributes.begin(), attributes.end())), next)
        .first->second;
  }

 private:
  std::map<std::pair<Label, std::vector<double>>, Label> numbers_;
};

}  // namespace

wl::Symmetry seen_symmetry(const Graph& g, const InputLayout& layout) {
  const bool sees_labels = !layout.features.edge_labels.empty();
  const bool sees_nodes = layout.features.node_attributes > 0, sees_edges = layout.features.edge_attributes > 0;
  if (!sees_nodes && !sees_edges) return wl::find_symmetry(g, sees_labels);
  // The same graph, with a label for each kind of node and edge.
  GraphBuilder builder(g.num_nodes());
  for (const Edge e : g.edges()) builder.add_edge(e.u, e.v);
  for (const Node v : g.self_loops()) builder.add_edge(v, v);
  Kinds nodes, edges;
  std::vector<Label> node_labels, edge_labels;
  for (Node v = 0; v < g.num_nodes(); ++v)
    node_labels.push_back(nodes.number(g.has_node_labels() ? g.node_labels()[v] : 0,
                                       sees_nodes ? g.node_attributes(v) : Span<const double>()));
  builder.set_node_labels(std::move(node_labels));
  for (std::size_t e = 0; (sees_labels || sees_edges) && e < g.num_edges() + g.num_self_loops(); ++e)
    edge_labels.push_back(edges.number(sees_labels && g.has_edge_labels() ? g.edge_labels()[e] : 0,
                                       sees_edges ? g.edge_attributes(e) : Span<const double>()));
  if (!edge_labels.empty()) builder.set_edge_labels(std::move(edge_labels));
  return wl::find_symmetry(std::move(builder).build(), true);
}

}  // namespace twofold::train
