#include "twofold/gram/twins.h"

#include <algorithm>

#include "twofold/gram/word_table.h"

namespace twofold::gram {
namespace {

// What twins agree in: label, self-loop, neighbors; `closed` counts v among its own neighbors.
void twin_key(const Graph& g, Node v, bool edge_labels, bool closed, std::vector<std::uint32_t>& key) {
  key.clear();
  if (g.has_node_labels()) key.push_back(static_cast<std::uint32_t>(g.node_labels()[v]));
  const auto loops = g.self_loops();
  const auto loop = std::lower_bound(loops.begin(), loops.end(), v);
  const bool has_loop = loop != loops.end() && *loop == v;
  key.push_back(has_loop ? 1 : 0);
  if (has_loop && edge_labels)
    key.push_back(static_cast<std::uint32_t>(
        g.edge_labels()[g.num_edges() + static_cast<std::size_t>(loop - loops.begin())]));
  const auto neighbors = g.neighbors(v);
  bool is_in = !closed;
  for (std::size_t i = 0; i < neighbors.size(); ++i) {
    if (!is_in && neighbors[i] > v) {
      key.push_back(v);
      is_in = true;
    }
    key.push_back(neighbors[i]);
    if (edge_labels) key.push_back(static_cast<std::uint32_t>(g.edge_labels()[g.incident_edges(v)[i]]));
  }
  if (!is_in) key.push_back(v);
}

}  // namespace

Twins find_twins(const Graph& g, bool edge_labels) {
  const std::size_t n = g.num_nodes();
  const bool with_labels = edge_labels && g.has_edge_labels();
  std::vector<std::uint32_t> key;
  // Classes of equal neighborhoods without v and, for those left alone, with v: no vertex has twins of both
  // kinds. Adjacent twins whose edge labels had to agree too are not looked for.
  WordTable open;
  std::vector<std::uint32_t> open_of(n), closed_of(n, kNoColor);
  for (Node v = 0; v < n; ++v) {
    twin_key(g, v, with_labels, false, key);
    open_of[v] = open.find_or_add(key);
  }
  std::vector<std::uint32_t> open_size(open.size(), 0);
  for (const std::uint32_t c : open_of) ++open_size[c];
  WordTable closed;
  for (Node v = 0; v < n; ++v) {
    if (with_labels || open_size[open_of[v]] > 1 || g.degree(v) == 0) continue;
    twin_key(g, v, false, true, key);
    closed_of[v] = closed.find_or_add(key);
  }

  Twins twins;
  twins.class_of.resize(n);
  std::vector<std::uint32_t> class_of_open(open.size(), kNoColor), class_of_closed(closed.size(), kNoColor);
  for (Node v = 0; v < n; ++v) {
    std::uint32_t& c = closed_of[v] != kNoColor ? class_of_closed[closed_of[v]] : class_of_open[open_of[v]];
    if (c == kNoColor) {
      c = static_cast<std::uint32_t>(twins.sizes.size());
      twins.sizes.push_back(0);
      twins.members.push_back(v);
      twins.is_clique.push_back(closed_of[v] != kNoColor);
    }
    ++twins.sizes[c];
    twins.class_of[v] = c;
  }
  twins.offsets.push_back(0);
  for (std::uint32_t c = 0; c < twins.num_classes(); ++c) {
    if (twins.sizes[c] == 1) twins.is_clique[c] = false;
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
