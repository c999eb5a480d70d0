// What 1-wl colors: the nodes.
#include <algorithm>

#include "twofold/base/parallel.h"
#include "twofold/wl/mix.h"
#include "twofold/wl/objects.h"

namespace twofold::wl {
namespace {

class VertexObjects : public Objects {
 public:
  VertexObjects(const Graph& graph, const WlTest& test) : Objects(graph, test) { size_ = graph.num_nodes(); }

  void start_values(Span<std::uint64_t> values) const override {
    for (Node v = 0; v < size_; ++v) values[v] = node_hash(v);
  }
  bool same_start(std::size_t i, const Objects& other, std::size_t j) const override {
    return same_node(static_cast<Node>(i), other, static_cast<Node>(j));
  }

  void neighborhood_sums(Span<const std::uint64_t> values, Span<std::uint64_t> sums, int) override {
    for (Node v = 0; v < size_; ++v) {
      const auto neighbors = graph_.neighbors(v);
      std::uint64_t sum = neighbors.size();
      if (has_edge_labels_ || graph_.is_directed()) {
        for (std::size_t i = 0; i < neighbors.size(); ++i) sum += mix(values[neighbors[i]], code_at(v, i));
      } else {
        for (const Node u : neighbors) sum += values[u];
      }
      sums[v] = sum;
    }
  }

  std::size_t item_words(int) const override { return 1; }
  void signature(std::size_t i, Span<const Color> colors, int,
                 std::vector<std::uint64_t>& items) const override {
    const auto v = static_cast<Node>(i);
    const auto neighbors = graph_.neighbors(v);
    items.resize(neighbors.size());
    for (std::size_t at = 0; at < neighbors.size(); ++at) {
      items[at] = colors[neighbors[at]];
      // 32 bits of label, one that there is a label, two of direction, 29 of color (joint_run.cpp sees to
      // that).
      if (!has_edge_labels_ && !graph_.is_directed()) continue;
      const std::uint64_t code = code_at(v, at);
      if (has_edge_labels_) items[at] |= code << 32 | std::uint64_t{1} << 31;
      items[at] |= (code >> 33) << 29;
    }
  }
  std::size_t object_of_node(Node v) const override { return v; }
};

}  // namespace

std::unique_ptr<Objects> make_vertex_objects(const Graph& graph, const WlTest& test) {
  return std::make_unique<VertexObjects>(graph, test);
}

}  // namespace twofold::wl
