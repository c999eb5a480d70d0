#include "twofold/gram/set_colors.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/gram/word_table.h"
#include "twofold/wl/mix.h"

namespace twofold::gram {
namespace {

std::uint64_t place_of(std::uint64_t a, std::uint64_t b) {
  return a <= b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b;
}

std::uint64_t color_value(std::uint32_t color, std::uint64_t salt) {
  return (color & kPrivate) != 0 ? wl::mix(color, salt) : wl::mix(color);
}

}  // namespace

std::uint64_t SetColors::Groups::bytes() const {
  return 4 * (group_of.capacity() + places.capacity()) + 8 * (counts.capacity() + hashes.capacity());
}

SetColors::SetColors(const Graph& g, const Kernel& kernel)
    : graph_(g), kernel_(kernel), twins_(find_twins(g, kernel.edge_labels)) {
  if (num_places() >= 0xffffffffu)
    throw Error(fmt::format("{}: a graph of {} different vertices has too many vertex sets",
                            kernel_name(kernel.kind), twins_.num_classes()));
}

std::size_t SetColors::num_places() const { return twins_.num_classes() * (twins_.num_classes() + 1) / 2; }

std::size_t SetColors::place(Node u, Node v) const { return place_of(twins_.class_of[u], twins_.class_of[v]); }

std::uint64_t SetColors::weight(std::uint32_t a, std::uint32_t b) const {
  return a == b ? twins_.sizes[a] * (twins_.sizes[a] - 1) / 2 : twins_.sizes[a] * twins_.sizes[b];
}

// Gives every place of weight > 0 a group: that of the first place with the same hash for which
// same(first place, place, group) holds.
template <typename Same>
SetColors::Groups SetColors::group(const std::vector<std::uint64_t>& hashes, const Same& same) const {
  Groups groups;
  groups.group_of.assign(hashes.size(), kNoColor);
  HashIndex index;
  std::size_t place = 0;
  for (std::uint32_t b = 0; b < twins_.num_classes(); ++b)
    for (std::uint32_t a = 0; a <= b; ++a, ++place) {
      const std::uint64_t count = weight(a, b);
      if (count == 0) continue;
      std::uint32_t id = index.find(
          hashes[place], [&](std::uint32_t group) { return same(groups.places[group], place, group); });
      if (id == kNoColor) {
        id = index.add(hashes[place]);
        groups.places.push_back(static_cast<std::uint32_t>(place));
        groups.counts.push_back(0);
      }
      groups.counts[id] += count;
      groups.group_of[place] = id;
    }
  groups.hashes = index.take_hashes();
  return groups;
}

namespace {

// The two classes of a place: the largest b with b (b + 1) / 2 <= place.
std::pair<std::uint32_t, std::uint32_t> classes_of(std::uint64_t place) {
  std::uint64_t low = 0, high = 1u << 17;
  while (low + 1 < high) {
    const std::uint64_t middle = (low + high) / 2;
    (middle * (middle + 1) / 2 <= place ? low : high) = middle;
  }
  return {static_cast<std::uint32_t>(place - low * (low + 1) / 2), static_cast<std::uint32_t>(low)};
}

}  // namespace

void SetColors::start_words(std::size_t place, std::vector<std::uint32_t>& words) const {
  const auto [a, b] = classes_of(place);
  const Node u = twins_.members[a], v = twins_.members[b];
  words.clear();
  if (graph_.has_node_labels()) {
    const auto x = static_cast<std::uint32_t>(graph_.node_labels()[u]);
    const auto y = static_cast<std::uint32_t>(graph_.node_labels()[v]);
    words.push_back(std::min(x, y));
    words.push_back(std::max(x, y));
  }
  const bool is_edge = a == b ? twins_.is_clique[a] : graph_.has_edge(u, v);
  words.push_back(is_edge ? 1 : 0);
  // Twins that are adjacent are not put together where edge labels count, so u and v differ here.
  if (is_edge && kernel_.edge_labels && graph_.has_edge_labels()) {
    const auto neighbors = graph_.neighbors(u);
    const auto at = std::lower_bound(neighbors.begin(), neighbors.end(), v) - neighbors.begin();
    words.push_back(static_cast<std::uint32_t>(
        graph_.edge_labels()[graph_.incident_edges(u)[static_cast<std::size_t>(at)]]));
  }
}

SetColors::Groups SetColors::start() const {
  std::vector<std::uint64_t> hashes(num_places());
  std::vector<std::uint32_t> key, other;
  for (std::size_t place = 0; place < hashes.size(); ++place) {
    start_words(place, key);
    hashes[place] = hash_words(key);
  }
  return group(hashes, [&](std::size_t first, std::size_t place, std::uint32_t) {
    start_words(first, key);
    start_words(place, other);
    return key == other;
  });
}

// The colors of all sets that contain a vertex of class a.
void SetColors::row_items(const std::vector<std::uint32_t>& colors, std::uint32_t a,
                          std::vector<Item>& items) const {
  for (std::uint32_t c = 0; c < twins_.num_classes(); ++c) {
    const std::uint64_t count = twins_.sizes[c] - (c == a ? 1 : 0);
    if (count > 0) items.push_back({colors[place_of(a, c)], count});
  }
}

// The multiset around {i, j}, i in a, j in b. 2-gwl: that of all sets at i and all sets at j. It holds the own
// color twice too often, which changes nothing, since the own color stands beside it. 2-lwl: i exchanged for a
// neighbor k of it, k != j, and the same for j.
void SetColors::items(const std::vector<std::uint32_t>& colors, std::uint32_t a, std::uint32_t b,
                      std::vector<Item>& items) const {
  items.clear();
  if (kernel_.kind == KernelKind::kGlobalSets) {
    row_items(colors, a, items);
    row_items(colors, b, items);
    return;
  }
  const auto exchange = [&](std::uint32_t out, std::uint32_t stays) {
    const auto item = [&](std::uint32_t in, std::uint64_t count) {
      if (count > 0) items.push_back({colors[place_of(in, stays)], count});
    };
    for (const std::uint32_t c : twins_.neighbors(out)) item(c, twins_.sizes[c] - (c == stays ? 1 : 0));
    if (twins_.is_clique[out]) item(out, twins_.sizes[out] - (out == stays ? 2 : 1));
  };
  exchange(a, b);
  exchange(b, a);
}

void SetColors::words(const std::vector<std::uint32_t>& colors, std::size_t place,
                      std::vector<std::uint32_t>& words) const {
  thread_local std::vector<Item> multiset;
  const auto [a, b] = classes_of(place);
  items(colors, a, b, multiset);
  std::sort(multiset.begin(), multiset.end(), [](const Item& x, const Item& y) { return x.color < y.color; });
  words.assign(1, colors[place]);
  for (std::size_t i = 0; i < multiset.size();) {
    const std::uint32_t color = multiset[i].color;
    std::uint64_t count = 0;
    for (; i < multiset.size() && multiset[i].color == color; ++i) count += multiset[i].count;
    words.push_back(color);
    words.push_back(static_cast<std::uint32_t>(count));
  }
}

// A sum over the multiset, so that the sums of parts can be shared: for 2-gwl the sum of a row, for 2-lwl that
// of the neighbors of `a` in row b.
std::vector<std::uint64_t> SetColors::set_hashes(const std::vector<std::uint32_t>& colors,
                                                 std::uint64_t salt) const {
  const auto q = static_cast<std::uint32_t>(twins_.num_classes());
  std::vector<std::uint64_t> sums(colors.size(), 0);
  std::vector<std::uint64_t> row(q), row_sums(q, 0);
  for (std::uint32_t b = 0; b < q; ++b) {
    for (std::uint32_t c = 0; c < q; ++c) {
      row[c] = color_value(colors[place_of(b, c)], salt) * (twins_.sizes[c] - (c == b ? 1 : 0));
      row_sums[b] += row[c];
    }
    if (kernel_.kind == KernelKind::kGlobalSets) continue;
    for (std::uint32_t a = 0; a < q; ++a) {
      std::uint64_t sum = 0;
      for (const std::uint32_t c : twins_.neighbors(a)) sum += row[c];
      if (twins_.is_clique[a]) {
        // row[a] counts the other members of a; from {i, i'} within a class both stay out.
        const std::uint64_t value = color_value(colors[place_of(a, b)], salt);
        sum += value * (twins_.sizes[a] - (a == b ? 2 : 1));
      }
      sums[place_of(a, b)] += a == b ? 2 * sum : sum;
    }
  }
  std::size_t place = 0;
  for (std::uint32_t b = 0; b < q; ++b)
    for (std::uint32_t a = 0; a <= b; ++a, ++place) {
      if (kernel_.kind == KernelKind::kGlobalSets) sums[place] = row_sums[a] + row_sums[b];
      sums[place] = wl::mix(color_value(colors[place], salt) ^ wl::mix(sums[place]));
    }
  return sums;
}

SetColors::Groups SetColors::refine(const std::vector<std::uint32_t>& colors, std::uint64_t salt) const {
  const std::vector<std::uint64_t> hashes = set_hashes(colors, salt);
  std::vector<std::uint32_t> words_here;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> words_of;  // of groups that were compared
  const auto same_words = [&](std::size_t first, std::size_t place, std::uint32_t group) {
    std::vector<std::uint32_t>& expected = words_of[group];
    if (expected.empty()) words(colors, first, expected);
    words(colors, place, words_here);
    return words_here == expected;
  };
  if (kernel_.kind == KernelKind::kLocalSets) return group(hashes, same_words);

  // 2-gwl: vertices by the multiset of their sets, exactly; sets of the same two classes have the same union.
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> sorted_rows(twins_.num_classes());
  const auto sorted_row = [&](std::uint32_t a) -> const auto& {
    auto& row = sorted_rows[a];
    if (row.empty() && graph_.num_nodes() > 1) {
      std::vector<Item> multiset;
      row_items(colors, a, multiset);
      std::sort(multiset.begin(), multiset.end(),
                [](const Item& x, const Item& y) { return x.color < y.color; });
      for (const Item& item : multiset) {
        if (row.empty() || row.back().first != item.color) row.emplace_back(item.color, 0);
        row.back().second += item.count;
      }
      row.shrink_to_fit();
    }
    return row;
  };
  HashIndex rows;
  std::vector<std::uint32_t> first_of_row, row_of(twins_.num_classes());
  for (std::uint32_t a = 0; a < twins_.num_classes(); ++a) {
    std::uint64_t sum = 0;
    for (std::uint32_t c = 0; c < twins_.num_classes(); ++c)
      sum += color_value(colors[place_of(a, c)], salt) * (twins_.sizes[c] - (c == a ? 1 : 0));
    row_of[a] = rows.find(sum, [&](std::uint32_t id) { return sorted_row(first_of_row[id]) == sorted_row(a); });
    if (row_of[a] != kNoColor) continue;
    row_of[a] = rows.add(sum);
    first_of_row.push_back(a);
  }
  return group(hashes, [&](std::size_t first, std::size_t place, std::uint32_t id) {
    if (colors[first] != colors[place]) return false;
    const auto [a, b] = classes_of(first);
    const auto [c, d] = classes_of(place);
    if (std::minmax(row_of[a], row_of[b]) == std::minmax(row_of[c], row_of[d])) return true;
    return same_words(first, place, id);
  });
}

}  // namespace twofold::gram
