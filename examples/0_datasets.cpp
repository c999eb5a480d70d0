// Build a graph by hand, read a dataset, look at both.
#include <iostream>

#include "twofold/graph/graph_builder.h"
#include "twofold/graph/statistics.h"
#include "twofold/io/dataset_file.h"

int main(int argc, char** argv) {
  using namespace twofold;

  GraphBuilder builder(4);  // a square with one diagonal
  for (const auto& [u, v] : {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 2}})
    builder.add_edge(static_cast<Node>(u), static_cast<Node>(v));
  const Graph square = std::move(builder).build();
  std::cout << "node 0 has the neighbors";
  for (const Node v : square.neighbors(0)) std::cout << ' ' << v;
  std::cout << '\n';

  const Dataset dataset = io::read_dataset(argc > 1 ? argv[1] : "TRIANGLE");
  const graph::DatasetStatistics statistics = graph::describe(dataset);
  std::cout << statistics.name << " has " << statistics.graphs << " graphs of " << statistics.nodes.mean
            << " nodes on average in " << statistics.classes.size() << " classes\n";
}
