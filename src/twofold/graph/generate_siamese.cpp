#include "twofold/graph/generate_siamese.h"

#include "twofold/graph/graph_builder.h"

namespace twofold::graph {
namespace {

constexpr unsigned kGroups = 5;
constexpr unsigned kNodesOfGroup = 3;

// Groups 1 to 4: which of the three ways to pair all four has i and j together. 0: 12|34, 1: 13|24, 2: 14|23.
unsigned pairing_of(unsigned i, unsigned j) {
  if (i == 1) return j - 2;
  return i == 3 ? 0 : (j == 4 ? 1 : 2);
}

// The label of (i, a) and (j, b), i < j, from 0. Found by trying all ways to split the edges into three line
// graphs of Petersen's: the first of either kind that ordered pairs see.
unsigned color_of(SiameseKind kind, unsigned i, unsigned a, unsigned j, unsigned b) {
  if (i == 0) return (b + kNodesOfGroup - a) % kNodesOfGroup;
  const unsigned difference = (a + b + kNodesOfGroup - pairing_of(i, j)) % kNodesOfGroup;
  return kind == SiameseKind::kScheme ? difference : (kNodesOfGroup - difference) % kNodesOfGroup;
}

}  // namespace

Graph siamese_graph(SiameseKind kind) {
  GraphBuilder builder(std::size_t{kGroups} * kNodesOfGroup);
  std::vector<Label> labels;
  for (unsigned i = 0; i < kGroups; ++i)
    for (unsigned j = i + 1; j < kGroups; ++j)
      for (unsigned a = 0; a < kNodesOfGroup; ++a)
        for (unsigned b = 0; b < kNodesOfGroup; ++b) {
          builder.add_edge(kNodesOfGroup * i + a, kNodesOfGroup * j + b);
          labels.push_back(static_cast<Label>(1 + color_of(kind, i, a, j, b)));
        }
  builder.set_edge_labels(std::move(labels));
  return std::move(builder).build();
}

Dataset generate_siamese() {
  Dataset dataset;
  dataset.name = "siamese";
  dataset.graphs = {siamese_graph(SiameseKind::kScheme), siamese_graph(SiameseKind::kProperJordan)};
  dataset.set_classes({"0", "1"});
  return dataset;
}

}  // namespace twofold::graph
