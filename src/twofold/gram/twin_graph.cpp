#include "twofold/gram/twin_graph.h"

#include <algorithm>

#include "twofold/gram/word_table.h"
#include "twofold/graph/twins.h"

namespace twofold::gram {
namespace {

// One color per node for all that twins agree in besides neighbors: label, self-loop and the label of that.
std::vector<std::uint32_t> own_colors(const Graph& g, bool edge_labels) {
  WordTable numbers;
  std::vector<std::uint32_t> colors(g.num_nodes()), key;
  const auto loops = g.self_loops();
  for (Node v = 0; v < g.num_nodes(); ++v) {
    key.clear();
    if (g.has_node_labels()) key.push_back(static_cast<std::uint32_t>(g.node_labels()[v]));
    const auto loop = std::lower_bound(loops.begin(), loops.end(), v);
    const bool has_loop = loop != loops.end() && *loop == v;
    key.push_back(has_loop ? 1 : 0);
    if (has_loop && edge_labels)
      key.push_back(static_cast<std::uint32_t>(
          g.edge_labels()[g.num_edges() + static_cast<std::size_t>(loop - loops.begin())]));
    colors[v] = numbers.find_or_add(key);
  }
  return colors;
}

}  // namespace

TwinGraph twin_graph(const Graph& g, bool edge_labels) {
  const bool with_labels = edge_labels && g.has_edge_labels();
  std::vector<std::uint32_t> edge_colors;
  if (with_labels)
    for (std::size_t e = 0; e < g.num_edges(); ++e)
      edge_colors.push_back(static_cast<std::uint32_t>(g.edge_labels()[e]));
  const graph::Twins found = graph::find_twins(g, own_colors(g, with_labels), edge_colors);

  TwinGraph twins;
  twins.class_of.resize(g.num_nodes());
  std::vector<std::uint32_t> number(found.num_classes(), kNoColor);
  for (Node v = 0; v < g.num_nodes(); ++v) {
    const std::uint32_t found_class = found.class_of[v];
    std::uint32_t c = number[found_class];
    if (c == kNoColor || (with_labels && found.is_clique[found_class])) {
      c = number[found_class] = static_cast<std::uint32_t>(twins.sizes.size());
      twins.sizes.push_back(0);
      twins.members.push_back(v);
      twins.is_clique.push_back(!with_labels && found.is_clique[found_class]);
    }
    ++twins.sizes[c];
    twins.class_of[v] = c;
  }
  twins.offsets.push_back(0);
  for (std::uint32_t c = 0; c < twins.num_classes(); ++c) {
    const auto begin = static_cast<std::ptrdiff_t>(twins.neighbors_.size());
    for (const Node u : g.neighbors(twins.members[c]))
      if (twins.class_of[u] != c) twins.neighbors_.push_back(twins.class_of[u]);
    std::sort(twins.neighbors_.begin() + begin, twins.neighbors_.end());
    twins.neighbors_.erase(std::unique(twins.neighbors_.begin() + begin, twins.neighbors_.end()),
                           twins.neighbors_.end());
    twins.offsets.push_back(static_cast<std::uint32_t>(twins.neighbors_.size()));
  }
  return twins;
}

}  // namespace twofold::gram
