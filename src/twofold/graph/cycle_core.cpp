#include "twofold/graph/cycle_core.h"

#include <algorithm>

namespace twofold::graph {

CycleCore::CycleCore(const Graph& g) {
  const auto n = static_cast<Node>(g.num_nodes());
  std::vector<std::size_t> degree(n);
  std::vector<Node> leaves;
  for (Node v = 0; v < n; ++v) {
    degree[v] = g.degree(v);
    if (degree[v] < 2) leaves.push_back(v);
  }
  std::vector<char> is_gone(n, 0);
  while (!leaves.empty()) {
    const Node v = leaves.back();
    leaves.pop_back();
    is_gone[v] = 1;
    for (const Node u : g.neighbors(v))
      if (degree[u] >= 2 && --degree[u] == 1) leaves.push_back(u);
  }
  std::vector<Node> name(n, 0);
  Node next = 0;
  for (Node v = 0; v < n; ++v)
    if (!is_gone[v]) name[v] = next++;

  // Edges are numbered by their smaller end, then by the larger one.
  std::vector<std::uint32_t> first_edge(n + 1, 0);
  std::vector<std::uint32_t> first_larger(n, 0);
  for (Node v = 0; v < n; ++v) {
    const auto around = g.neighbors(v);
    first_larger[v] =
        static_cast<std::uint32_t>(std::upper_bound(around.begin(), around.end(), v) - around.begin());
    first_edge[v + 1] = first_edge[v] + static_cast<std::uint32_t>(around.size()) - first_larger[v];
  }
  for (Node v = 0; v < n; ++v) {
    if (is_gone[v]) continue;
    const auto around = g.neighbors(v);
    for (std::size_t i = 0; i < around.size(); ++i) {
      const Node u = around[i];
      if (is_gone[u]) continue;
      neighbors_.push_back(name[u]);
      if (v < u) {
        edges_.push_back(first_edge[v] + static_cast<std::uint32_t>(i) - first_larger[v]);
      } else {
        const auto other = g.neighbors(u);
        const auto place = std::lower_bound(other.begin(), other.end(), v) - other.begin();
        edges_.push_back(first_edge[u] + static_cast<std::uint32_t>(place) - first_larger[u]);
      }
    }
    offsets_.push_back(neighbors_.size());
  }

  triangles_.assign(neighbors_.size(), 0);
  std::vector<char> is_near(next, 0);
  for (Node v = 0; v < next; ++v) {
    for (const Node u : neighbors(v)) is_near[u] = 1;
    for (std::size_t i = 0; i < this->degree(v); ++i)
      for (const Node w : neighbors(neighbors(v)[i])) triangles_[offsets_[v] + i] += is_near[w] != 0;
    for (const Node u : neighbors(v)) is_near[u] = 0;
  }
}

std::size_t CycleCore::num_edges_of_root(Node root) const {
  std::size_t count = 0;
  for (const Node u : neighbors(root)) count += is_root_of(root, u);
  return count;
}

CycleWalker::CycleWalker(const CycleCore& core, CycleLengths lengths)
    : core_(core),
      lengths_(lengths),
      deepest_(lengths.longest > 4 ? static_cast<std::size_t>(lengths.longest - 4) : 0),
      at_root_(core.num_nodes(), 0),
      shared_with_root_(core.num_nodes(), 0),
      three_steps_(core.num_nodes(), 0),
      path_(deepest_ + 1),
      near_path_(core.num_nodes(), 0),
      on_path_(core.num_nodes(), 0),
      shared_(deepest_ >= 2 ? deepest_ - 1 : 0),
      found_(lengths.count()) {
  for (auto& of_place : shared_) of_place.assign(core.num_nodes(), 0);
}

void CycleWalker::look_around_root() {
  for (const Node y : core_.neighbors(root_)) {
    at_root_[y] = 1;
    within_three_.push_back(y);
  }
  for (const Node y : core_.neighbors(root_))
    for (const Node x : core_.neighbors(y))
      if (x != root_ && shared_with_root_[x]++ == 0 && at_root_[x] == 0) within_three_.push_back(x);
  if (lengths_.longest < 4) return;
  // A path w, x, y, root: y is any neighbor x shares with the root, but not w.
  const std::size_t within_two = within_three_.size();
  for (std::size_t k = 0; k < within_two; ++k) {
    const Node x = within_three_[k];
    if (shared_with_root_[x] == 0) continue;
    for (const Node w : core_.neighbors(x)) {
      if (w == root_) continue;
      if (three_steps_[w] == 0) within_three_.push_back(w);
      three_steps_[w] += shared_with_root_[x] - at_root_[w];
    }
  }
}

void CycleWalker::forget_root() {
  for (const Node v : within_three_) {
    at_root_[v] = 0;
    shared_with_root_[v] = 0;
    three_steps_[v] = 0;
  }
  within_three_.clear();
}

void CycleWalker::count_at(Node root, std::vector<std::uint64_t>& at_edge) {
  root_ = root;
  look_around_root();
  const auto around = core_.neighbors(root);
  for (std::size_t i = 0; i < around.size(); ++i) {
    const Node u = around[i];
    if (!core_.is_root_of(root, u)) continue;
    std::fill(found_.begin(), found_.end(), 0);
    if (lengths_.shortest == 3) found_[0] = shared_with_root_[u];
    if (lengths_.shortest <= 4 && lengths_.longest >= 4)
      found_[static_cast<std::size_t>(4 - lengths_.shortest)] = three_steps_[u];
    path_[0] = u;
    if (deepest_ > 0) step(0);
    std::copy(found_.begin(), found_.end(),
              at_edge.begin() + static_cast<std::ptrdiff_t>(core_.edges(root)[i] * found_.size()));
  }
  forget_root();
}

void CycleWalker::enter(std::size_t place) {
  const Node v = path_[place];
  on_path_[v] = 1;
  for (const Node x : core_.neighbors(v)) near_path_[x] |= 1u << place;
  if (!needs_shared(place)) return;
  for (const Node x : core_.neighbors(v))
    for (const Node w : core_.neighbors(x)) ++shared_[place][w];
}

void CycleWalker::leave(std::size_t place) {
  const Node v = path_[place];
  on_path_[v] = 0;
  for (const Node x : core_.neighbors(v)) near_path_[x] &= ~(1u << place);
  if (!needs_shared(place)) return;
  for (const Node x : core_.neighbors(v))
    for (const Node w : core_.neighbors(x)) shared_[place][w] = 0;
}

// Adds to found_ what goes on from path_[0…place].
void CycleWalker::step(std::size_t place) {
  enter(place);
  const Node v = path_[place];
  const auto around = core_.neighbors(v);
  const auto shared = core_.triangles(v);
  const int length = static_cast<int>(place) + 5;  // nodes 0…place, w, two more, the root
  for (std::size_t i = 0; i < around.size(); ++i) {
    const Node w = around[i];
    if (w == root_ || on_path_[w] != 0) continue;
    if (length >= lengths_.shortest && three_steps_[w] != 0)
      found_[static_cast<std::size_t>(length - lengths_.shortest)] += close_path(w, place + 1, shared[i]);
    if (place + 1 < deepest_) {
      path_[place + 1] = w;
      step(place + 1);
    }
  }
  leave(place);
}

// The paths w, x, y, root with x and y outside path_[0…places-1], to whose last node w is a neighbor.
// Of all paths w, x, y, root those with x on the path are taken away, those with y on it too, and those with
// both put back.
std::uint64_t CycleWalker::close_path(Node w, std::size_t places, std::uint32_t shared_with_last) const {
  std::uint64_t taken = 0;
  std::uint64_t put_back = 0;
  const std::uint32_t w_at_root = at_root_[w];
  const std::uint32_t near_w = near_path_[w];
  for (std::size_t place = 0; place < places; ++place) {
    const Node p = path_[place];
    // x = p: y is any neighbor p shares with the root, but not w.
    if ((near_w >> place & 1u) != 0) taken += shared_with_root_[p] - w_at_root;
    if (at_root_[p] == 0) continue;
    // y = p: x is any neighbor p shares with w, but not the root.
    taken += (place + 1 == places ? shared_with_last : shared_[place][w]) - w_at_root;
    put_back += static_cast<std::uint64_t>(__builtin_popcount(near_w & near_path_[p]));
  }
  return three_steps_[w] + put_back - taken;
}

}  // namespace twofold::graph
