#pragma once

#include <cstdint>

#include "twofold/levels/class_index.h"
#include "twofold/levels/color_levels.h"
#include "twofold/levels/growing_array.h"

namespace twofold::levels {

/// What makes a color: the color of the round before and the weighted triples of such colors, in the order that
/// ColorLevel has them in.
struct ClassKey {
  Row own = 0;
  Span<const RowPair> triples;
  Span<const std::uint32_t> multiplicity;
  std::uint64_t hash = 0;
};

/// Of own, triples and multiplicity.
std::uint64_t hash_class(const ClassKey& key);

/// The colors of one round, numbered by first sight. The level itself is what new keys are compared with, so
/// being exact takes no memory of its own.
class LevelTable {
 public:
  /// The row of that key, or kNoRow. Reading from several threads is safe.
  Row find(const ClassKey& key) const {
    return index_.find(key.hash, [&](Row row) { return is_same(row, key); });
  }
  /// Needs find(key) == kNoRow.
  Row add(const ClassKey& key);
  Row find_or_add(const ClassKey& key) {
    const Row found = find(key);
    return found != pairs::kNoRow ? found : add(key);
  }
  ClassKey key(Row row) const {
    const std::uint64_t begin = offsets_[row];
    const std::uint64_t end = offsets_[row + std::size_t{1}];
    return {own_[row], triples_.view(begin, end), multiplicity_.view(begin, end), index_.hash(row)};
  }
  Row own(Row row) const { return own_[row]; }

  std::size_t size() const { return own_.size(); }
  std::uint64_t num_triples() const { return triples_.size(); }
  /// Of all there is.
  std::uint64_t bytes() const;
  /// Keeps the memory.
  void clear();

  /// The arrays, for good: the table is empty and without its index afterwards.
  struct Arrays {
    GrowingArray<Row> own;
    GrowingArray<std::uint64_t> offsets;
    GrowingArray<RowPair> triples;
    GrowingArray<std::uint32_t> multiplicity;
  };
  Arrays take();

  LevelTable() { offsets_.push_back(0); }

 private:
  bool is_same(Row row, const ClassKey& key) const;

  ClassIndex index_;
  GrowingArray<Row> own_;
  GrowingArray<std::uint64_t> offsets_;
  GrowingArray<RowPair> triples_;
  GrowingArray<std::uint32_t> multiplicity_;
};

}  // namespace twofold::levels
