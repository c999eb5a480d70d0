#pragma once

#include <cstdint>
#include <cstring>

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

/// Hashes aside, which follow from the rest.
template <typename Item>
bool is_same_key(const ClassKey<Item>& x, const ClassKey<Item>& y) {
  const std::size_t size = x.items.size();
  if (x.own != y.own || size != y.items.size()) return false;
  if (size == 0) return true;
  return std::memcmp(x.multiplicity.data(), y.multiplicity.data(), size * sizeof(std::uint32_t)) == 0 &&
         std::memcmp(x.items.data(), y.items.data(), size * sizeof(Item)) == 0;
}

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
  /// Rows with so many items each, one after the other, to be given their keys by put, and found after
  /// end_room. Returns the first.
  Row add_room(Span<const std::uint32_t> num_items);
  /// Any thread may call it. Needs a key that is new and has as many items as there is room for.
  void put(Row row, const Key& key);
  void end_room(Row first, int threads) { index_.file_from(first, threads); }
  Key key(Row row) const {
    const std::uint64_t begin = offsets_[row];
    const std::uint64_t end = offsets_[row + std::size_t{1}];
    return {own_[row], items_.view(begin, end), multiplicity_.view(begin, end), index_.hash(row)};
  }

  std::uint64_t hash(Row row) const { return index_.hash(row); }
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
  bool is_same(Row row, const Key& key) const { return is_same_key(this->key(row), key); }

  ClassIndex index_;
  // Of the rows that were added last, where their hashes belong.
  std::uint64_t* room_ = nullptr;
  Row first_of_room_ = 0;
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
