#include "twofold/graph/generate_molecule.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::graph {
namespace {

struct Bond {
  Node u;
  Node v;
  bool in_ring;
};

// Atoms and bonds while they grow. Every atom has at most 4 bonds.
class Skeleton {
 public:
  explicit Skeleton(Random& random) : random_(random) {}

  std::size_t size() const { return degree_.size(); }
  const std::vector<Bond>& bonds() const { return bonds_; }
  int degree(Node v) const { return degree_[v]; }

  Node add_atom() {
    degree_.push_back(0);
    return static_cast<Node>(degree_.size() - 1);
  }

  // An atom with a place left. The less bonded of two draws: branches are common, crossings rare.
  Node draw_free_atom() {
    for (;;) {
      const auto a = static_cast<Node>(random_.below(size()));
      const auto b = static_cast<Node>(random_.below(size()));
      const Node v = degree_[b] < degree_[a] ? b : a;
      if (degree_[v] < 4) return v;
    }
  }

  void bond(Node u, Node v, bool in_ring) {
    bonds_.push_back({u, v, in_ring});
    ++degree_[u];
    ++degree_[v];
  }

  // A new ring of `length` atoms; gives one of them.
  Node add_ring(std::size_t length) {
    const Node first = add_atom();
    close_ring(first, first, length - 1);
    return first;
  }

  // A ring of `length` atoms, two of which are those of a ring bond with nothing else attached.
  // False if there is no such bond.
  bool add_fused_ring(std::size_t length) {
    std::vector<Bond> open;
    for (const Bond& b : bonds_)
      if (b.in_ring && degree_[b.u] == 2 && degree_[b.v] == 2) open.push_back(b);
    if (open.empty()) return false;
    const Bond chosen = open[random_.below(open.size())];
    close_ring(chosen.u, chosen.v, length - 2);
    return true;
  }

 private:
  // A chain of `count` new atoms from `from` to `to`.
  void close_ring(Node from, Node to, std::size_t count) {
    Node previous = from;
    for (; count > 0; --count) {
      const Node v = add_atom();
      bond(previous, v, true);
      previous = v;
    }
    bond(previous, to, true);
  }

  Random& random_;
  std::vector<int> degree_;
  std::vector<Bond> bonds_;
};

Skeleton grow(std::size_t n, bool fused, Random& random) {
  Skeleton skeleton(random);
  const auto room = [&] { return n - skeleton.size(); };
  const auto ring_length = [&]() -> std::size_t { return random.chance(0.65) ? 6 : 5; };
  if (fused) {
    // Lengths that fit: 5 and 5 take 8 atoms, 6 and 6 take 10.
    const std::size_t first = n >= 9 ? ring_length() : 5;
    const std::size_t second = n + 2 >= first + 6 ? ring_length() : 5;
    skeleton.add_ring(first);
    skeleton.add_fused_ring(second);
  } else if (n >= 6 && random.chance(0.7)) {
    skeleton.add_ring(ring_length());
  } else {
    skeleton.add_atom();
  }
  while (room() > 0) {
    const std::size_t length = ring_length();
    const double choice = random.uniform();
    if (fused && choice < 0.1 && room() + 2 >= length && skeleton.add_fused_ring(length)) continue;
    const Node at = skeleton.draw_free_atom();
    skeleton.bond(at, choice < 0.25 && room() >= length ? skeleton.add_ring(length) : skeleton.add_atom(),
                  false);
  }
  return skeleton;
}

Element draw_element(int degree, Random& random) {
  const double choice = random.uniform();
  if (degree > 3) return Element::kCarbon;
  if (degree == 3) return choice < 0.88 ? Element::kCarbon : Element::kNitrogen;
  if (degree == 2)
    return choice < 0.76 ? Element::kCarbon : choice < 0.88 ? Element::kNitrogen : Element::kOxygen;
  return choice < 0.5    ? Element::kCarbon
         : choice < 0.65 ? Element::kNitrogen
         : choice < 0.88 ? Element::kOxygen
                         : Element::kFluorine;
}

}  // namespace

Graph random_molecule(std::size_t n, bool fused, Random& random) {
  const std::size_t smallest = fused ? 8 : 1;
  if (n < smallest)
    throw UsageError(fmt::format("such a molecule needs at least {} atoms, found {}", smallest, n));
  const Skeleton skeleton = grow(n, fused, random);
  GraphBuilder builder(n);
  std::vector<Label> elements;
  std::vector<int> free_places;
  for (Node v = 0; v < n; ++v) {
    const Element element = draw_element(skeleton.degree(v), random);
    elements.push_back(static_cast<Label>(element));
    free_places.push_back(valence(element) - skeleton.degree(v));
  }
  std::vector<Bond> bonds = skeleton.bonds();
  random.shuffle(bonds);
  std::vector<Label> orders;
  for (const Bond& b : bonds) {
    const int free = std::min(free_places[b.u], free_places[b.v]);
    const double choice = random.uniform();
    int order = 1;
    if (free >= 2 && !b.in_ring && choice < 0.04)
      order = 3;
    else if (free >= 1 && choice < 0.4)
      order = 2;
    free_places[b.u] -= order - 1;
    free_places[b.v] -= order - 1;
    builder.add_edge(b.u, b.v);
    orders.push_back(order);
  }
  builder.set_node_labels(std::move(elements));
  builder.set_edge_labels(std::move(orders));
  return std::move(builder).build();
}

Dataset generate_molecules(const MoleculesOptions& options, std::uint64_t seed) {
  if (options.min_nodes < 8)
    throw UsageError(
        fmt::format("fused rings need molecules of at least 8 atoms, found {}", options.min_nodes));
  if (options.min_nodes > options.max_nodes)
    throw UsageError(fmt::format("needed a smallest molecule of at most {} atoms, found {}", options.max_nodes,
                                 options.min_nodes));
  Dataset dataset;
  dataset.name = "molecules";
  std::vector<std::string> classes;
  for (std::size_t i = 0; i < options.num_graphs; ++i) {
    Random random = Random(seed).stream(i);
    const std::size_t n = options.min_nodes + random.below(options.max_nodes - options.min_nodes + 1);
    const bool fused = i % 2 == 1;
    dataset.graphs.push_back(random_molecule(n, fused, random));
    classes.push_back(fused ? "1" : "0");
  }
  dataset.set_classes(classes);
  return dataset;
}

}  // namespace twofold::graph
