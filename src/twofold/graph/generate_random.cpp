#include "twofold/graph/generate_random.h"

#include <utility>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::graph {

Graph erdos_renyi_graph(std::size_t n, double p, Random& random) {
  if (!(p >= 0 && p <= 1)) throw UsageError(fmt::format("an edge needs a probability in 0..1, found {}", p));
  GraphBuilder builder(n);
  for (Node u = 0; u < n; ++u)
    for (Node v = u + 1; v < n; ++v)
      if (random.chance(p)) builder.add_edge(u, v);
  return std::move(builder).build();
}

Graph random_tree(std::size_t n, Random& random) {
  GraphBuilder builder(n);
  if (n < 2) return std::move(builder).build();
  builder.reserve_edges(n - 1);
  std::vector<Node> sequence(n - 2);
  std::vector<std::uint32_t> missing(n, 1);  // a node's edges still to be added
  for (Node& v : sequence) {
    v = static_cast<Node>(random.below(n));
    ++missing[v];
  }
  // The smallest leaf is joined to the sequence's next node. Leaves are taken in ascending order by a pointer;
  // a node that becomes a leaf behind the pointer is at once the smallest.
  Node pointer = 0;
  while (missing[pointer] != 1) ++pointer;
  Node leaf = pointer;
  for (const Node v : sequence) {
    builder.add_edge(leaf, v);
    if (--missing[v] == 1 && v < pointer) {
      leaf = v;
    } else {
      do ++pointer;
      while (missing[pointer] != 1);
      leaf = pointer;
    }
  }
  builder.add_edge(leaf, static_cast<Node>(n - 1));
  return std::move(builder).build();
}

Dataset generate_random(const RandomGraphsOptions& options, std::uint64_t seed) {
  Dataset dataset;
  dataset.name = "random";
  for (std::size_t i = 0; i < options.num_graphs; ++i) {
    Random random = Random(seed).stream(i);
    dataset.graphs.push_back(erdos_renyi_graph(options.n, options.edge_probability, random));
  }
  return dataset;
}

Dataset generate_trees(const TreesOptions& options, std::uint64_t seed) {
  if (options.n == 0) throw UsageError("a tree needs at least 1 node, found 0");
  Dataset dataset;
  dataset.name = "trees";
  for (std::size_t i = 0; i < options.num_graphs; ++i) {
    Random random = Random(seed).stream(i);
    dataset.graphs.push_back(random_tree(options.n, random));
  }
  return dataset;
}

}  // namespace twofold::graph
