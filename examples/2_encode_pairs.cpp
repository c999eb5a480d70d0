// From a graph to what the 2-WL convolution runs on: rows, triples, initial features.
#include <iostream>

#include "twofold/graph/graph_builder.h"
#include "twofold/pairs/pair_counts.h"
#include "twofold/pairs/pair_features.h"
#include "twofold/pairs/pair_set.h"
#include "twofold/pairs/triple_scan.h"

int main() {
  using namespace twofold;

  GraphBuilder builder(4);  // a path 0-1-2-3 whose ends are alike
  for (Node v = 0; v < 3; ++v) builder.add_edge(v, v + 1);
  builder.set_node_labels({1, 2, 2, 1});
  const Graph path = std::move(builder).build();

  // How large it will be is known before anything is built.
  for (const char* radius : {"1", "2", "all"}) {
    const pairs::PairCounts counts = pairs::count_pairs(path, pairs::parse_radius(radius));
    std::cout << "radius " << radius << ": " << counts.rows << " rows, " << counts.triples << " triples\n";
  }

  const pairs::PairSet set = pairs::encode_pairs(path, pairs::Radius(2));
  const pairs::FeatureLayout layout = pairs::feature_layout(Span<const Graph>(&path, 1));
  const std::vector<std::uint32_t> label = pairs::row_labels(path, set, layout);
  pairs::TripleScan scan;
  scan.begin(set);
  for (Node i = 0; i < path.num_nodes(); ++i)
    scan.rows_of(i, [&](pairs::Row row, Span<const pairs::RowPair> triples) {
      std::cout << "row " << row << " = {" << set.first[row] << "," << set.second[row] << "}, kind "
                << label[row] << " of " << layout.num_row_labels() << ", meets";
      for (const pairs::RowPair triple : triples) std::cout << " (" << triple.a << "," << triple.b << ")";
      std::cout << '\n';
    });
}
