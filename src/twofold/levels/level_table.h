#pragma once

#include <cstdint>

#include "twofold/levels/class_index.h"
#include "twofold/levels/growing_array.h"
#include "twofold/levels/levels.h"

namespace twofold::levels {

/// What makes a color: the color of the round before, and weighted items (triples of such colors, or single
/// ones) in ascending order, each once.
template <typename Item>
struct ClassKey {
  Row own = 0;
  Span<const Item> items;
  Span<const std::uint32_t> multiplicity;
  std::uint64_t hash = 0;
};

inline std::uint64_t hash_word(RowPair pair) { return (std::uint64_t{pair.a} << 32) | pair.b; }
inline std::uint64_t hash_word(Row row) { return row; }

/// Of own, items and multiplicity.
template <typename Item>
std::uint64_t hash_class(const ClassKey<Item>& key);

/// The colors of one round, numbered by first sight. The level itself is what new keys are compared with, so
/// being exact takes no memory of its own. Item is RowPair or Row.
template <typename Item>
class LevelTable {
 public:
  using Key = ClassKey<Item>;

  LevelTable() { offsets_.push_back(0); }

  /// The row of that key, or kNoRow. Reading from several threads is safe.
  Row find(const Key& key) const {
    return index_.find(key.hash, [&](Row row) { return is_same(row, key); });
  }
  /// Needs find(key) == kNoRow.
  Row add(const Key& key);
  Row find_or_add(const Key& key) {
    const Row found = find(key);
    return found != pairs::kNoRow ? found : add(key);
  }
  Key key(Row row) const {
    const std::uint64_t begin = offsets_[row];
    const std::uint64_t end = offsets_[row + std::size_t{1}];
    return {own_[row], items_.view(begin, end), multiplicity_.view(begin, end), index_.hash(row)};
  }

  std::size_t size() const { return own_.size(); }
  std::uint64_t num_items() const { return items_.size(); }
  /// Of all there is.
  std::uint64_t bytes() const;
  /// Keeps the memory.
  void clear();

  /// The arrays, for good: the table is empty and without its index afterwards.
  struct Arrays {
    GrowingArray<Row> own;
    GrowingArray<std::uint64_t> offsets;
    GrowingArray<Item> items;
    GrowingArray<std::uint32_t> multiplicity;
  };
  Arrays take();

 private:
  bool is_same(Row row, const Key& key) const;

  ClassIndex index_;
  GrowingArray<Row> own_;
  GrowingArray<std::uint64_t> offsets_;
  GrowingArray<Item> items_;
  GrowingArray<std::uint32_t> multiplicity_;
};

using TripleKey = ClassKey<RowPair>;
using TripleTable = LevelTable<RowPair>;
using SourceKey = ClassKey<Row>;
using SourceTable = LevelTable<Row>;

}  // namespace twofold::levels
