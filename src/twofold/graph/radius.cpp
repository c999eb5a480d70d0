#include "twofold/graph/radius.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace twofold::graph {
namespace {

constexpr std::uint32_t kUnseen = std::numeric_limits<std::uint32_t>::max();

// Distances from one node, buffers kept between searches.
class Search {
 public:
  explicit Search(const Graph& g) : g_(g), distance_(g.num_nodes()) { queue_.reserve(g.num_nodes()); }

  // Returns the number of nodes reached.
  std::size_t run(Node from) {
    std::fill(distance_.begin(), distance_.end(), kUnseen);
    queue_.assign(1, from);
    distance_[from] = 0;
    for (std::size_t i = 0; i < queue_.size(); ++i)
      for (const Node w : g_.neighbors(queue_[i]))
        if (distance_[w] == kUnseen) {
          distance_[w] = distance_[queue_[i]] + 1;
          queue_.push_back(w);
        }
    return queue_.size();
  }

  std::uint32_t distance(Node v) const { return distance_[v]; }
  Node farthest() const { return queue_.back(); }

 private:
  const Graph& g_;
  std::vector<std::uint32_t> distance_;
  std::vector<Node> queue_;
};

}  // namespace

std::optional<std::uint32_t> radius(const Graph& g) {
  const std::size_t n = g.num_nodes();
  if (n == 0) return std::nullopt;
  // After a search from v with eccentricity e, every node w has eccentricity at least d(v,w) and at least e -
  // d(v,w). A node whose bound has reached the best eccentricity found cannot better it. Searches alternate
  // between the most promising node, for the best, and a far one, for the bounds.
  std::vector<std::uint32_t> bound(n, 0);
  Search search(g);
  std::uint32_t best = kUnseen;
  Node next = 0;
  for (Node v = 1; v < n; ++v)
    if (g.degree(v) > g.degree(next)) next = v;
  std::vector<bool> searched(n, false);
  for (bool go_far = true;; go_far = !go_far) {
    if (search.run(next) < n) return std::nullopt;
    searched[next] = true;
    const Node far = search.farthest();
    const std::uint32_t eccentricity = search.distance(far);
    best = std::min(best, eccentricity);
    bound[next] = eccentricity;
    Node candidate = static_cast<Node>(n);
    for (Node w = 0; w < n; ++w) {
      const std::uint32_t d = search.distance(w);
      bound[w] = std::max({bound[w], d, eccentricity - std::min(d, eccentricity)});
      if (bound[w] >= best) continue;
      if (candidate == n || bound[w] < bound[candidate] ||
          (bound[w] == bound[candidate] && g.degree(w) > g.degree(candidate)))
        candidate = w;
    }
    if (candidate == n) return best;
    next = go_far && !searched[far] ? far : candidate;
  }
}

}  // namespace twofold::graph
