#pragma once

#include "twofold/graph/dataset.h"
#include "twofold/graph/graph.h"

namespace twofold::graph {

// Siamese color graphs of order 15: the pairs of different groups, 5 groups of 3 nodes, fall into three graphs,
// each the line graph of Petersen's with the groups as its antipodal classes. They are symmetric colorings that
// are closed under counting *unordered* pairs of colors: whatever an unordered pair refinement could split
// follows from each of the three graphs being distance-regular. Counting ordered pairs may still split them.

enum class SiameseKind {
  kScheme,        // from an association scheme: six colors of ordered pairs, the groups' pairs have a direction
  kProperJordan,  // from no such scheme, a "proper Jordan scheme" (Klin, Muzychuk, Reichard, "Proper Jordan
                  // schemes exist", 2019): 21 colors of ordered pairs
};

/// 15 nodes, 3 i + a for node a of group i; 90 edges between nodes of different groups, with the labels 1,
/// 2, 3.
Graph siamese_graph(SiameseKind kind);

/// The graph of the scheme (class 0), then the proper one (class 1): 2-wl of any radius takes them for one,
/// 2-fwl does not. Nothing is random.
Dataset generate_siamese();

}  // namespace twofold::graph
