#include "twofold/gram/row_colors.h"

#include <algorithm>

#include "twofold/base/error.h"

namespace twofold::gram {
namespace {

// What round 0 tells apart.
constexpr std::uint32_t kLoop = 0, kEdge = 1, kIndirect = 2;
// Of a loop's vertex.
constexpr std::uint32_t kHasLabel = 1, kHasSelfLoop = 2;

// A breadth-first search over classes that stops at the radius; visit(class) for all but the source.
class ClassSearch {
 public:
  ClassSearch(const TwinGraph& twins, graph::PowerRadius radius)
      : twins_(twins), radius_(radius), seen_(twins.num_classes(), kNoColor) {}

  template <typename Visit>
  void from(std::uint32_t source, const Visit& visit) {
    if (radius_.is_all()) {
      for (std::uint32_t c = 0; c < twins_.num_classes(); ++c)
        if (c != source) visit(c);
      return;
    }
    queue_.assign(1, source);
    seen_[source] = source;
    std::size_t begin = 0;
    for (std::uint32_t step = 0; step < radius_.steps() && begin < queue_.size(); ++step)
      for (const std::size_t end = queue_.size(); begin < end; ++begin)
        for (const std::uint32_t c : twins_.neighbors(queue_[begin])) {
          if (seen_[c] == source) continue;
          seen_[c] = source;
          queue_.push_back(c);
          visit(c);
        }
  }

 private:
  const TwinGraph& twins_;
  graph::PowerRadius radius_;
  std::vector<std::uint32_t> seen_;  // a class: the last source that reached it
  std::vector<std::uint32_t> queue_;
};

// Two members of a class are 1 apart in a clique, else 2 by any neighbor.
bool is_inner_row(const TwinGraph& twins, std::uint32_t a, graph::PowerRadius radius) {
  if (twins.sizes[a] < 2) return false;
  if (radius.is_all() || twins.is_clique[a]) return true;
  return radius.steps() >= 2 && !twins.neighbors(a).empty();
}

}  // namespace

RowColors::RowColors(const Graph& g, const Kernel& kernel)
    : graph_(g),
      with_edge_labels_(kernel.edge_labels && g.has_edge_labels()),
      twins_(twin_graph(g, kernel.edge_labels)) {
  const auto q = static_cast<std::uint32_t>(twins_.num_classes());
  const std::uint64_t places = count(g, kernel).places;
  if (places >= kPrivate)
    throw Error(fmt::format("{}: a graph may have at most 2^31-1 different rows, this one has {}",
                            describe(kernel), places));
  ClassSearch search(twins_, kernel.radius);
  offsets_.assign(1, 0);
  for (std::uint32_t a = 0; a < q; ++a) {
    search.from(a, [&](std::uint32_t c) { near_.push_back({c, 0}); });
    std::sort(near_.begin() + static_cast<std::ptrdiff_t>(offsets_[a]), near_.end(),
              [](const Near& x, const Near& y) { return x.other < y.other; });
    offsets_.push_back(near_.size());
    inner_.push_back(is_inner_row(twins_, a, kernel.radius));
  }
  // {a, c} with c > a is numbered at a; the classes that have c near them are visited in ascending order, so
  // the next place of c's list that has no number yet is the one for a.
  ends_.reserve(places);
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::uint32_t a = 0; a < q; ++a) {
    loops_.push_back(static_cast<std::uint32_t>(ends_.size()));
    ends_.push_back({a, a});
    if (inner_[a]) ends_.push_back({a, a});
    for (std::size_t at = next[a]; at < offsets_[a + 1]; ++at) {
      const std::uint32_t c = near_[at].other;
      near_[at].place = near_[next[c]++].place = static_cast<std::uint32_t>(ends_.size());
      ends_.push_back({a, c});
    }
  }
  TWOFOLD_CHECK(ends_.size() == places);
}

PairSizes RowColors::count(const Graph& g, const Kernel& kernel) {
  const TwinGraph twins = twin_graph(g, kernel.edge_labels);
  const auto q = static_cast<std::uint32_t>(twins.num_classes());
  ClassSearch search(twins, kernel.radius);
  std::uint64_t loops = q, pairs = 0;
  for (std::uint32_t a = 0; a < q; ++a) {
    loops += is_inner_row(twins, a, kernel.radius) ? 1 : 0;
    if (kernel.radius.is_all()) continue;
    search.from(a, [&](std::uint32_t) { ++pairs; });
  }
  if (kernel.radius.is_all()) pairs = std::uint64_t{q} * (q - (q > 0 ? 1 : 0));
  const std::uint64_t places = loops + pairs / 2;
  // near_ grows by doubling, so half of it may be empty.
  return {places, sizeof(Ends) * places + 2 * sizeof(Near) * pairs + std::uint64_t{36} * q +
                      4 * (twins.class_of.size() + twins.neighbors_.size())};
}

std::size_t RowColors::place(Node u, Node v) const {
  const std::uint32_t a = twins_.class_of[u], b = twins_.class_of[v];
  if (u == v) return loops_[a];
  if (a == b) return inner_[a] ? loops_[a] + 1 : kNoPlace;
  const auto around = near(a);
  const auto at = std::lower_bound(around.begin(), around.end(), b,
                                   [](const Near& x, std::uint32_t other) { return x.other < other; });
  return at != around.end() && at->other == b ? at->place : kNoPlace;
}

std::uint64_t RowColors::weight(std::size_t place) const {
  const auto [a, b] = ends_[place];
  if (a != b) return twins_.sizes[a] * twins_.sizes[b];
  return place == loops_[a] ? twins_.sizes[a] : twins_.sizes[a] * (twins_.sizes[a] - 1) / 2;
}

template <typename Visit>
void RowColors::for_triples(std::size_t place, const Visit& visit) const {
  const auto [a, b] = ends_[place];
  const auto here = static_cast<std::uint32_t>(place);
  if (a == b) {
    const std::uint32_t loop = loops_[a];
    const bool is_loop = here == loop;
    visit(loop, here, std::uint64_t{is_loop ? 1u : 2u});  // l = i, and l = j
    const std::uint64_t others = twins_.sizes[a] - (is_loop ? 1 : 2);
    if (inner_[a] && others > 0) visit(loop + 1, loop + 1, others);
    for (const Near& c : near(a)) visit(c.place, c.place, twins_.sizes[c.other]);
    return;
  }
  for (const std::uint32_t end : {a, b}) {
    visit(loops_[end], here, std::uint64_t{1});
    if (inner_[end]) visit(loops_[end] + 1, here, twins_.sizes[end] - 1);
  }
  auto x = near(a), y = near(b);
  if (x.size() > y.size()) std::swap(x, y);
  const Near* const end = y.data() + y.size();
  constexpr std::size_t kMuchLonger = 16;  // then steps of a search are fewer than those of a walk
  const bool search = y.size() / kMuchLonger > x.size();
  const Near* at = y.data();
  for (const Near& c : x) {
    if (search)
      at = std::lower_bound(at, end, c.other, [](const Near& n, std::uint32_t o) { return n.other < o; });
    else
      while (at != end && at->other < c.other) ++at;
    if (at == end) break;
    if (at->other == c.other) visit(c.place, at->place, twins_.sizes[c.other]);
  }
}

void RowColors::start_words(std::size_t place, std::vector<std::uint32_t>& words) const {
  const auto [a, b] = ends_[place];
  const Node u = twins_.members[a], v = twins_.members[b];
  words.clear();
  if (a == b && place == loops_[a]) {
    const auto self_loops = graph_.self_loops();
    const auto loop = std::lower_bound(self_loops.begin(), self_loops.end(), u);
    const bool has_loop = loop != self_loops.end() && *loop == u;
    words = {kLoop, (graph_.has_node_labels() ? kHasLabel : 0) | (has_loop ? kHasSelfLoop : 0)};
    if (graph_.has_node_labels()) words.push_back(static_cast<std::uint32_t>(graph_.node_labels()[u]));
    if (has_loop && with_edge_labels_)
      words.push_back(static_cast<std::uint32_t>(
          graph_.edge_labels()[graph_.num_edges() + static_cast<std::size_t>(loop - self_loops.begin())]));
    return;
  }
  const bool is_edge = a == b ? twins_.is_clique[a] : graph_.has_edge(u, v);
  words.push_back(is_edge ? kEdge : kIndirect);
  // Twins that are adjacent are not put together where edge labels count, so u and v differ here.
  if (is_edge && with_edge_labels_) {
    const auto neighbors = graph_.neighbors(u);
    const auto at = std::lower_bound(neighbors.begin(), neighbors.end(), v) - neighbors.begin();
    words.push_back(static_cast<std::uint32_t>(
        graph_.edge_labels()[graph_.incident_edges(u)[static_cast<std::size_t>(at)]]));
  }
}

const std::uint32_t* RowColors::label_in(Span<const std::uint32_t> start_words) {
  const bool has_one = start_words.size() > 2 && start_words[0] == kLoop && (start_words[1] & kHasLabel) != 0;
  return has_one ? &start_words[2] : nullptr;
}

RowColors::Groups RowColors::start() const {
  return group_by_start([this](std::size_t place) { return weight(place); });
}

RowColors::Groups RowColors::refine(const std::vector<std::uint32_t>& colors, std::uint64_t salt) const {
  std::vector<std::uint64_t> values(colors.size()), hashes(colors.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = color_value(colors[i], salt);
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    std::uint64_t sum = 0;
    for_triples(i, [&](std::uint32_t x, std::uint32_t y, std::uint64_t count) {
      sum += count * wl::pair_product(values[x], values[y]);
    });
    hashes[i] = wl::mix(values[i] ^ wl::mix(sum));
  }
  return group_by_words(colors, hashes, [this](std::size_t place) { return weight(place); });
}

void RowColors::words(const std::vector<std::uint32_t>& colors, std::size_t place,
                      std::vector<std::uint32_t>& words) const {
  struct Item {
    std::uint64_t pair;
    std::uint64_t count;
  };
  thread_local std::vector<Item> items;
  items.clear();
  for_triples(place, [&](std::uint32_t x, std::uint32_t y, std::uint64_t count) {
    const std::uint32_t a = std::min(colors[x], colors[y]), b = std::max(colors[x], colors[y]);
    items.push_back({std::uint64_t{a} << 32 | b, count});
  });
  std::sort(items.begin(), items.end(), [](const Item& x, const Item& y) { return x.pair < y.pair; });
  words.assign(1, colors[place]);
  for (std::size_t i = 0; i < items.size();) {
    const std::uint64_t pair = items[i].pair;
    std::uint64_t count = 0;
    for (; i < items.size() && items[i].pair == pair; ++i) count += items[i].count;
    words.push_back(static_cast<std::uint32_t>(pair >> 32));
    words.push_back(static_cast<std::uint32_t>(pair));
    words.push_back(static_cast<std::uint32_t>(count));
  }
}

bool RowColors::names_private(const std::vector<std::uint32_t>& words) const {
  bool found = (words[0] & kPrivate) != 0;
  for (std::size_t i = 1; i < words.size(); i += 3)
    found = found || ((words[i] | words[i + 1]) & kPrivate) != 0;
  return found;
}

}  // namespace twofold::gram
