#include "twofold/gram/vertex_colors.h"

#include <algorithm>
#include <utility>

#include "twofold/base/error.h"

namespace twofold::gram {
namespace {

// Says that the items behind it are pairs of edge label and color; no color has that number.
constexpr std::uint32_t kWithEdgeLabels = 0xfffffffeu;

// Most lists are of two to five items, where std::sort's bookkeeping is the larger part.
template <typename T>
void sort_short(T* begin, T* end) {
  if (end - begin > 24) {
    std::sort(begin, end);
    return;
  }
  for (T* at = begin; at < end; ++at) {
    T value = *at;
    T* to = at;
    for (; to > begin && value < to[-1]; --to) *to = to[-1];
    *to = value;
  }
}

// (edge label, color) of each neighbor of v, the label in the high half.
void labeled_neighbors(const Graph& g, Node v, const std::uint32_t* colors, std::vector<std::uint64_t>& items) {
  items.clear();
  const auto item = [&](std::size_t edge, std::uint32_t color) {
    items.push_back(std::uint64_t{static_cast<std::uint32_t>(g.edge_labels()[edge])} << 32 | color);
  };
  for (std::size_t i = 0; i < g.degree(v); ++i) item(g.incident_edges(v)[i], colors[g.neighbors(v)[i]]);
  const auto loops = g.self_loops();
  const auto loop = std::lower_bound(loops.begin(), loops.end(), v);
  if (loop != loops.end() && *loop == v)
    item(g.num_edges() + static_cast<std::size_t>(loop - loops.begin()), colors[v]);
}

}  // namespace

VertexColors::VertexColors(const Kernel& kernel)
    : kernel_(kernel), rounds_(static_cast<std::size_t>(kernel.iterations) + 1) {}

template <typename Intern>
std::vector<std::uint32_t> VertexColors::color(const Graph& g, const Intern& intern) const {
  const std::size_t n = g.num_nodes();
  std::vector<std::uint32_t> colors(rounds_.size() * n);
  std::vector<std::uint32_t> key;
  std::vector<std::uint64_t> items;
  for (Node v = 0; v < n; ++v) {
    key.clear();
    if (g.has_node_labels()) key.push_back(static_cast<std::uint32_t>(g.node_labels()[v]));
    colors[v] = intern(0, key);
  }
  const bool with_labels = kernel_.edge_labels && g.has_edge_labels();
  for (std::size_t t = 1; t < rounds_.size(); ++t) {
    const std::uint32_t* before = colors.data() + (t - 1) * n;
    for (Node v = 0; v < n; ++v) {
      key.assign(1, before[v]);
      if (with_labels) {
        labeled_neighbors(g, v, before, items);
        sort_short(items.data(), items.data() + items.size());
        key.push_back(kWithEdgeLabels);
        for (const std::uint64_t item : items) {
          key.push_back(static_cast<std::uint32_t>(item >> 32));
          key.push_back(static_cast<std::uint32_t>(item));
        }
      } else {
        for (const Node u : g.neighbors(v)) key.push_back(before[u]);
        if (g.num_self_loops() > 0 && g.has_self_loop(v)) key.push_back(before[v]);
        sort_short(key.data() + 1, key.data() + key.size());
      }
      colors[t * n + v] = intern(t, key);
    }
  }
  return colors;
}

std::vector<std::uint32_t> VertexColors::add(const Graph& g) {
  return color(
      g, [&](std::size_t t, const std::vector<std::uint32_t>& key) { return rounds_[t].find_or_add(key); });
}

// A key with kNoColor in it is never found, since none was ever added.
std::vector<std::uint32_t> VertexColors::find(const Graph& g) const {
  return color(g, [&](std::size_t t, const std::vector<std::uint32_t>& key) { return rounds_[t].find(key); });
}

std::uint64_t VertexColors::bytes() const {
  std::uint64_t sum = 0;
  for (const WordTable& table : rounds_) sum += table.bytes();
  return sum;
}

VertexColors VertexColors::from_tables(const Kernel& kernel, std::vector<WordTable> rounds,
                                       const std::string& source) {
  VertexColors colors(kernel);
  TWOFOLD_CHECK(rounds.size() == colors.rounds_.size());
  for (std::size_t t = 0; t < rounds.size(); ++t)
    for (std::uint32_t id = 0; id < rounds[t].size(); ++id) {
      const auto words = rounds[t].words(id);
      bool sound = t == 0 ? words.size() <= 1 : !words.empty();
      if (t > 0 && sound) {
        const bool with_labels = words.size() > 1 && words[1] == kWithEdgeLabels;
        sound = words[0] < rounds[t - 1].size() && (!with_labels || words.size() % 2 == 0);
        for (std::size_t i = with_labels ? 3 : 1; sound && i < words.size(); i += with_labels ? 2 : 1)
          sound = words[i] < rounds[t - 1].size();
      }
      if (!sound)
        throw_input_error(source, 0, fmt::format("colors of round {} made of those before", t),
                          fmt::format("another content in color {}", id));
    }
  colors.rounds_ = std::move(rounds);
  return colors;
}

}  // namespace twofold::gram
