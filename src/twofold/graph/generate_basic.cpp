#include "twofold/graph/generate_basic.h"

#include <numeric>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::graph {

Graph complete_graph(std::size_t n) {
  GraphBuilder builder(n);
  builder.reserve_edges(n * (n - (n > 0)) / 2);
  for (Node u = 0; u < n; ++u)
    for (Node v = u + 1; v < n; ++v) builder.add_edge(u, v);
  return std::move(builder).build();
}

Graph path_graph(std::size_t n) {
  GraphBuilder builder(n);
  builder.reserve_edges(n);
  for (Node v = 1; v < n; ++v) builder.add_edge(v - 1, v);
  return std::move(builder).build();
}

Graph cycle_graph(std::size_t n) {
  if (n < 3) throw UsageError(fmt::format("a cycle needs at least 3 nodes, found {}", n));
  GraphBuilder builder(n);
  builder.reserve_edges(n);
  for (Node v = 0; v < n; ++v) builder.add_edge(v, static_cast<Node>((v + 1) % n));
  return std::move(builder).build();
}

Graph grid_graph(std::size_t rows, std::size_t columns) {
  GraphBuilder builder(rows * columns);
  builder.reserve_edges(2 * rows * columns);
  const auto width = static_cast<Node>(columns);
  for (Node i = 0; i < rows; ++i)
    for (Node j = 0; j < columns; ++j) {
      const Node v = i * width + j;
      if (j + 1 < columns) builder.add_edge(v, v + 1);
      if (i + 1 < rows) builder.add_edge(v, v + width);
    }
  return std::move(builder).build();
}

Graph complement(const Graph& g) {
  const std::size_t n = g.num_nodes();
  GraphBuilder builder(n);
  for (Node u = 0; u < n; ++u) {
    const auto neighbors = g.neighbors(u);
    std::size_t next = 0;
    for (Node v = 0; v < n; ++v) {
      const bool adjacent = next < neighbors.size() && neighbors[next] == v;
      next += adjacent;
      if (u < v && !adjacent) builder.add_edge(u, v);
    }
  }
  return std::move(builder).build();
}

bool is_connected(const Graph& g) {
  const std::size_t n = g.num_nodes();
  if (n == 0) return true;
  std::vector<bool> seen(n);
  std::vector<Node> found = {0};
  seen[0] = true;
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const Node v : g.neighbors(found[i]))
      if (!seen[v]) {
        seen[v] = true;
        found.push_back(v);
      }
  return found.size() == n;
}

Graph randomly_renamed(const Graph& g, Random& random) {
  std::vector<Node> new_name(g.num_nodes());
  std::iota(new_name.begin(), new_name.end(), Node{0});
  random.shuffle(new_name);
  return relabeled(g, new_name);
}

Dataset renamed_copies(std::string name, const std::vector<Graph>& graphs,
                       const std::vector<std::string>& class_of_graph, std::size_t copies, std::uint64_t seed) {
  TWOFOLD_CHECK(class_of_graph.empty() || class_of_graph.size() == graphs.size(), "{} classes for {} graphs",
                class_of_graph.size(), graphs.size());
  if (copies == 0) throw UsageError("needed at least 1 copy of each graph, found 0");
  Dataset dataset;
  dataset.name = std::move(name);
  std::vector<std::string> classes;
  for (std::size_t i = 0; i < graphs.size(); ++i)
    for (std::size_t copy = 0; copy < copies; ++copy) {
      // Two levels of streams: another number of copies changes no copy.
      Random random = Random(seed).stream(i).stream(copy);
      dataset.graphs.push_back(copy == 0 ? graphs[i] : randomly_renamed(graphs[i], random));
      if (!class_of_graph.empty()) classes.push_back(class_of_graph[i]);
    }
  dataset.set_classes(classes);
  return dataset;
}

Dataset generate_paths(const PathsOptions& options) {
  if (options.min_nodes == 0) throw UsageError("a path needs at least 1 node, found 0");
  if (options.min_nodes > options.max_nodes)
    throw UsageError(fmt::format("needed a smallest path of at most {} nodes, found {}", options.max_nodes,
                                 options.min_nodes));
  Dataset dataset;
  dataset.name = "paths";
  for (std::size_t n = options.min_nodes; n <= options.max_nodes; ++n) dataset.graphs.push_back(path_graph(n));
  return dataset;
}

}  // namespace twofold::graph
