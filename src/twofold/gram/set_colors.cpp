#include "twofold/gram/set_colors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/gram/word_table.h"
#include "twofold/wl/mix.h"

namespace twofold::gram {
namespace {

std::uint64_t place_of(std::uint64_t a, std::uint64_t b) {
  return a <= b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b;
}

// (color, how often), colors strictly ascending.
using SortedRow = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

// Goes through the union of two rows, color by color.
class Union {
 public:
  Union(const SortedRow& a, const SortedRow& b) : a_(a), b_(b) {}
  bool next(std::pair<std::uint32_t, std::uint64_t>& item) {
    const bool has_a = i_ < a_.size(), has_b = j_ < b_.size();
    if (!has_a && !has_b) return false;
    const bool take_a = has_a && (!has_b || a_[i_].first <= b_[j_].first);
    const bool take_b = has_b && (!has_a || b_[j_].first <= a_[i_].first);
    item = {take_a ? a_[i_].first : b_[j_].first, (take_a ? a_[i_].second : 0) + (take_b ? b_[j_].second : 0)};
    i_ += take_a ? 1 : 0;
    j_ += take_b ? 1 : 0;
    return true;
  }

 private:
  const SortedRow& a_;
  const SortedRow& b_;
  std::size_t i_ = 0, j_ = 0;
};

bool same_union(const SortedRow& a, const SortedRow& b, const SortedRow& c, const SortedRow& d) {
  Union left(a, b), right(c, d);
  std::pair<std::uint32_t, std::uint64_t> x, y;
  for (;;) {
    const bool more = left.next(x);
    if (more != right.next(y)) return false;
    if (!more) return true;
    if (x != y) return false;
  }
}

}  // namespace

SetColors::SetColors(const Graph& g, const Kernel& kernel)
    : graph_(g), kernel_(kernel), twins_(twin_graph(g, kernel.edge_labels)) {
  if (num_places() >= 0xffffffffu)
    throw Error(fmt::format("{}: a graph of {} different nodes has too many node sets",
                            kernel_name(kernel.kind), twins_.num_classes()));
}

std::size_t SetColors::num_places() const { return twins_.num_classes() * (twins_.num_classes() + 1) / 2; }

PairSizes SetColors::count(const Graph& g, const Kernel& kernel) {
  const TwinGraph twins = twin_graph(g, kernel.edge_labels);
  const std::uint64_t q = twins.num_classes();
  return {q * (q + 1) / 2, 20 * q + 4 * (twins.class_of.size() + twins.neighbors_.size())};
}

std::size_t SetColors::place(Node u, Node v) const {
  return u == v ? kNoPlace : place_of(twins_.class_of[u], twins_.class_of[v]);
}

bool SetColors::names_private(const std::vector<std::uint32_t>& words) const {
  bool found = (words[0] & kPrivate) != 0;
  for (std::size_t i = 1; i < words.size(); i += 2) found = found || (words[i] & kPrivate) != 0;
  return found;
}

std::uint64_t SetColors::weight(std::uint32_t a, std::uint32_t b) const {
  return a == b ? twins_.sizes[a] * (twins_.sizes[a] - 1) / 2 : twins_.sizes[a] * twins_.sizes[b];
}

namespace {

// The two classes of a place: b is the largest with b (b + 1) / 2 <= place; rounding may miss it by one.
std::pair<std::uint32_t, std::uint32_t> classes_of(std::uint64_t place) {
  auto b = static_cast<std::uint64_t>((std::sqrt(8.0 * static_cast<double>(place) + 1) - 1) / 2);
  while (b * (b + 1) / 2 > place) --b;
  while ((b + 1) * (b + 2) / 2 <= place) ++b;
  return {static_cast<std::uint32_t>(place - b * (b + 1) / 2), static_cast<std::uint32_t>(b)};
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

SetColors::Groups SetColors::start() const { return group_by_start(weights()); }

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
  return kernel_.kind == KernelKind::kLocalSets ? group_by_words(colors, hashes, weights())
                                                : group_global(colors, hashes, salt);
}

// Vertices by the multiset of their sets, exactly. Two sets of one color have the same multiset around them iff
// the multisets of their vertices have the same union: looked at only where the hashes say so and the vertices
// differ.
SetColors::Groups SetColors::group_global(const std::vector<std::uint32_t>& colors,
                                          const std::vector<std::uint64_t>& hashes, std::uint64_t salt) const {
  const auto q = static_cast<std::uint32_t>(twins_.num_classes());
  std::vector<SortedRow> sorted_rows(q);
  std::vector<Item> multiset;
  const auto sorted_row = [&](std::uint32_t a) -> const SortedRow& {
    SortedRow& row = sorted_rows[a];
    if (!row.empty()) return row;
    multiset.clear();
    row_items(colors, a, multiset);
    std::sort(multiset.begin(), multiset.end(), [](const Item& x, const Item& y) { return x.color < y.color; });
    for (const Item& item : multiset) {
      if (row.empty() || row.back().first != item.color) row.emplace_back(item.color, 0);
      row.back().second += item.count;
    }
    row.shrink_to_fit();
    return row;
  };

  HashIndex rows;
  std::vector<std::uint32_t> first_of_row, row_of(q);
  for (std::uint32_t a = 0; a < q; ++a) {
    std::uint64_t sum = 0;
    for (std::uint32_t c = 0; c < q; ++c)
      sum += color_value(colors[place_of(a, c)], salt) * (twins_.sizes[c] - (c == a ? 1 : 0));
    sum = wl::mix(sum);
    row_of[a] = rows.find(sum, [&](std::uint32_t id) { return sorted_row(first_of_row[id]) == sorted_row(a); });
    if (row_of[a] != kNoColor) continue;
    row_of[a] = rows.add(sum);
    first_of_row.push_back(a);
  }
  return group(hashes, weights(), [&](std::size_t first, std::size_t place, std::uint32_t) {
    if (colors[first] != colors[place]) return false;
    const auto [a, b] = classes_of(first);
    const auto [c, d] = classes_of(place);
    // What both unions have in common cancels out.
    if (row_of[a] == row_of[c]) return row_of[b] == row_of[d];
    if (row_of[a] == row_of[d]) return row_of[b] == row_of[c];
    if (row_of[b] == row_of[c] || row_of[b] == row_of[d]) return false;
    const auto row = [&](std::uint32_t v) -> const SortedRow& { return sorted_row(first_of_row[row_of[v]]); };
    return same_union(row(a), row(b), row(c), row(d));
  });
}

}  // namespace twofold::gram
