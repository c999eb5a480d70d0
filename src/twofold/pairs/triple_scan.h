#pragma once

#include <vector>

#include "twofold/pairs/pair_set.h"

namespace twofold::pairs {

/// Visits the triples of a PairSet row by row, stored or not, always in the same order.
///
/// The object only holds buffers, kept for the next graph; one belongs to one thread.
class TripleScan {
 public:
  /// What the next calls are about; it must outlive them.
  void begin(const PairSet& set);

  /// Calls visit(row, triples) for the rows of node i: its loop, then {i,j} for the j > i. The triples are
  /// valid until visit returns. O(triples) if stored, otherwise O(sum over the rows of the smaller ball).
  template <typename Visit>
  void rows_of(Node i, const Visit& visit) {
    visit(static_cast<Row>(i), loop_triples(i));
    const Row begin_row = set_->upper_rows[i];
    const Row end_row = set_->upper_rows[i + 1];
    if (set_->has_stored_triples()) {
      for (Row row = begin_row; row < end_row; ++row) visit(row, stored_triples(row));
      return;
    }
    mark(i);
    for (Row row = begin_row; row < end_row; ++row) visit(row, common_rows(i, row));
    unmark(i);
  }

 private:
  Span<const RowPair> stored_triples(Row row) const {
    const std::uint64_t begin = set_->triple_offsets[row];
    return {set_->triples.data() + begin, set_->triple_offsets[row + 1] - begin};
  }
  Span<const RowPair> loop_triples(Node i);
  void mark(Node i);
  Span<const RowPair> common_rows(Node i, Row row);
  void unmark(Node i);

  const PairSet* set_ = nullptr;
  std::vector<Row> row_to_;     // row_to_[l] is the row of {i,l} between mark(i) and unmark(i), else kNoRow
  std::vector<RowPair> found_;  // the triples of the row being visited; at least n + 2
};

}  // namespace twofold::pairs
