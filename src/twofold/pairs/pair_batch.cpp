#include "twofold/pairs/pair_batch.h"

#include <algorithm>

#include "twofold/pairs/triple_scan.h"

namespace twofold::pairs {

PairBatch make_batch(const std::vector<const PairSet*>& sets) {
  PairBatch batch;
  batch.sets = sets;
  batch.row_offsets.reserve(sets.size() + 1);
  for (const PairSet* set : sets) {
    batch.row_offsets.push_back(batch.row_offsets.back() + set->num_rows());
    batch.num_triples += set->num_triples;
  }
  return batch;
}

PairBatch make_batch(const std::vector<PairSet>& sets) {
  std::vector<const PairSet*> all;
  all.reserve(sets.size());
  for (const PairSet& set : sets) all.push_back(&set);
  return make_batch(all);
}

References make_references(const PairBatch& batch) {
  References references;
  references.row.resize(batch.num_triples);
  references.a.resize(batch.num_triples);
  references.b.resize(batch.num_triples);
  std::size_t graph_begin = 0;
  TripleScan scan;
  for (std::size_t g = 0; g < batch.num_graphs(); ++g) {
    const PairSet& set = *batch.sets[g];
    const auto offset = static_cast<std::int64_t>(batch.row_offsets[g]);
    scan.begin(set);
    // Rows come node by node, loops before all pairs: two positions.
    std::size_t loop_at = graph_begin;
    std::size_t pair_at = graph_begin + set.balls.nodes.size();
    for (Node i = 0; i < set.num_nodes(); ++i)
      scan.rows_of(i, [&](Row row, Span<const RowPair> triples) {
        std::size_t& at = row < set.num_nodes() ? loop_at : pair_at;
        for (const RowPair triple : triples) {
          references.row[at] = offset + row;
          references.a[at] = offset + triple.a;
          references.b[at] = offset + triple.b;
          ++at;
        }
      });
    graph_begin += set.num_triples;
  }
  return references;
}

}  // namespace twofold::pairs
