#include "tests/support/rich_dataset.h"

#include "twofold/base/random.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::testing {

Dataset rich_dataset(std::uint64_t seed) {
  Random random(seed);
  Dataset dataset;
  dataset.name = "X";
  std::vector<std::string> classes;
  const std::size_t num_graphs = 1 + random.below(6);
  for (std::size_t i = 0; i < num_graphs; ++i) {
    const std::size_t n = 1 + random.below(10);
    GraphBuilder builder(n);
    std::vector<Label> edge_labels;
    std::vector<double> edge_attributes;
    for (Node u = 0; u < n; ++u)
      for (Node v = u; v < n; ++v) {
        // The first graph always has an edge: a dataset without any cannot show that it has edge data.
        if (!(i == 0 && u == 0 && v == 0) && !random.chance(0.3)) continue;
        builder.add_edge(u, v);
        edge_labels.push_back(static_cast<Label>(random.below(4)) - 1);
        edge_attributes.push_back(random.normal() * 1e10);
      }
    std::vector<Label> labels;
    std::vector<double> attributes;
    for (std::size_t v = 0; v < n; ++v) {
      labels.push_back(static_cast<Label>(random.below(1u << 31)));
      attributes.insert(attributes.end(), {random.normal(), random.uniform() * 1e-300, 3});
    }
    if ((seed & 1) == 0) builder.set_node_labels(labels);
    if ((seed & 2) == 0) builder.set_node_attributes(3, attributes);
    if ((seed & 4) == 0) builder.set_edge_labels(edge_labels);
    if ((seed & 8) == 0) builder.set_edge_attributes(1, edge_attributes);
    dataset.graphs.push_back(std::move(builder).build());
    classes.push_back(std::to_string(static_cast<int>(random.below(3)) - 1));
    dataset.real_targets.insert(dataset.real_targets.end(), {random.normal(), 2.0});
  }
  dataset.num_real_targets = 2;
  if (seed % 3 == 0) {
    dataset.real_targets.clear();
    dataset.num_real_targets = 0;
  }
  if (seed % 3 != 1) dataset.set_classes(classes);
  return dataset;
}

}  // namespace twofold::testing
