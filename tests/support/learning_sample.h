#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/named_graphs.h"
#include "twofold/base/random.h"
#include "twofold/graph/dataset.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/dataset_file.h"

namespace twofold::testing {

/// Random graphs with node labels 0…2, and with one node and one edge attribute each if wanted; some have
/// self-loops and isolated nodes, one has a single node.
inline std::vector<Graph> learning_graphs(std::uint64_t seed, std::size_t count, bool with_attributes) {
  Random random(seed);
  std::vector<Graph> graphs;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t n = i == 1 ? 1 : 3 + random.below(7);
    GraphBuilder builder(n);
    std::vector<double> edge_values;
    for (Node u = 0; u < n; ++u)
      for (Node v = u; v < n; ++v)
        if (random.chance(u == v ? 0.1 : 0.4)) {
          builder.add_edge(u, v);
          edge_values.push_back(random.uniform());
        }
    std::vector<Label> labels(n);
    for (Label& label : labels) label = static_cast<Label>(random.below(3));
    if (i == 0) labels = std::vector<Label>(n, 2);
    builder.set_node_labels(labels);
    if (with_attributes) {
      std::vector<double> values(n);
      for (double& value : values) value = random.normal();
      builder.set_node_attributes(1, values);
      builder.set_edge_attributes(1, edge_values);
    }
    graphs.push_back(std::move(builder).build());
  }
  return graphs;
}

/// Some graphs of each of four real datasets in `folder` (data_folder.h), from all over them.
inline std::vector<std::pair<std::string, std::vector<Graph>>> real_samples(const std::string& folder) {
  std::vector<std::pair<std::string, std::vector<Graph>>> samples;
  for (const auto& [name, step] : {std::make_pair("MUTAG", 9), std::make_pair("TRIANGLE", 23),
                                   std::make_pair("IMDB-BINARY", 90), std::make_pair("NCI1", 300)}) {
    const Dataset dataset = io::read_dataset(folder + "/" + name);
    std::vector<Graph> some;
    for (std::size_t g = 0; g < dataset.graphs.size(); g += static_cast<std::size_t>(step))
      some.push_back(dataset.graphs[g]);
    samples.emplace_back(name, std::move(some));
  }
  return samples;
}

}  // namespace twofold::testing
