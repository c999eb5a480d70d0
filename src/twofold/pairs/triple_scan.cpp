#include "twofold/pairs/triple_scan.h"

#include <algorithm>

namespace twofold::pairs {
namespace {

// A ball this many times larger than the other is searched, not scanned: the neighbors of a hub would else all
// scan the hub's ball.
constexpr std::size_t kSearchFactor = 16;

}  // namespace

void TripleScan::begin(const PairSet& set) {
  set_ = &set;
  if (row_to_.size() < set.num_nodes()) row_to_.resize(set.num_nodes(), kNoRow);
  if (found_.size() < set.num_nodes() + 2) found_.resize(set.num_nodes() + 2);
}

Span<const RowPair> TripleScan::loop_triples(Node i) {
  if (set_->has_stored_triples()) return stored_triples(i);
  const std::uint64_t begin = set_->balls.offsets[i];
  const std::size_t size = set_->balls.size(i);
  std::size_t count = 0;
  found_[count++] = {i, i};
  for (std::size_t k = 0; k < size; ++k) {
    const Row row = set_->ball_rows[begin + k];
    found_[count] = {row, row};
    count += row != i;
  }
  return {found_.data(), count};
}

void TripleScan::mark(Node i) {
  const std::uint64_t begin = set_->balls.offsets[i];
  const auto ball = set_->balls.of(i);
  for (std::size_t k = 0; k < ball.size(); ++k) row_to_[ball[k]] = set_->ball_rows[begin + k];
  row_to_[i] = kNoRow;  // l = i comes first, by hand
}

void TripleScan::unmark(Node i) {
  for (const Node l : set_->balls.of(i)) row_to_[l] = kNoRow;
}

Span<const RowPair> TripleScan::common_rows(Node i, Row row) {
  const Node j = set_->second[row];
  const auto ball_i = set_->balls.of(i);
  const auto ball_j = set_->balls.of(j);
  const Row* rows_i = set_->ball_rows.data() + set_->balls.offsets[i];
  const Row* rows_j = set_->ball_rows.data() + set_->balls.offsets[j];
  found_[0] = {i, row};
  found_[1] = {row, j};
  std::size_t count = 2;
  if (ball_j.size() > kSearchFactor * ball_i.size()) {
    const Node* from = ball_j.begin();
    for (std::size_t k = 0; k < ball_i.size(); ++k) {
      from = std::lower_bound(from, ball_j.end(), ball_i[k]);
      if (from == ball_j.end()) break;
      if (*from != ball_i[k] || ball_i[k] == i || ball_i[k] == j) continue;
      found_[count++] = {rows_i[k], rows_j[from - ball_j.begin()]};
    }
    return {found_.data(), count};
  }
  // Written first and counted after, so that nothing branches on the outcome. row_to_[j] is `row` itself, which
  // was written by hand above.
  for (std::size_t k = 0; k < ball_j.size(); ++k) {
    const Row a = row_to_[ball_j[k]];
    found_[count] = {a, rows_j[k]};
    count += (a != kNoRow) & (a != row);
  }
  return {found_.data(), count};
}

}  // namespace twofold::pairs
