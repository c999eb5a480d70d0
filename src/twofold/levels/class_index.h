#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/pairs/pair_set.h"

namespace twofold::levels {

/// Goes on hashing with one more word. Hashes only ever speed things up: what they find is compared.
inline std::uint64_t hash_on(std::uint64_t hash, std::uint64_t word) {
  return (((hash << 23) | (hash >> 41)) ^ word) * 0x9e3779b97f4a7c15u;
}
/// Lets every bit reach every other.
inline std::uint64_t hash_end(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// Finds rows 0, 1, … again by a hash and a comparison of the caller's: the hash never decides.
class ClassIndex {
 public:
  /// The first row filed under `hash` for which same(row) holds, or kNoRow.
  template <typename Same>
  pairs::Row find(std::uint64_t hash, const Same& same) const {
    if (slots_.empty()) return pairs::kNoRow;
    const std::size_t mask = slots_.size() - 1;
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      const Slot slot = slots_[at];
      if (slot.row == pairs::kNoRow) return pairs::kNoRow;
      if (slot.tag == tag && same(slot.row)) return slot.row;
    }
  }
  /// Files the next row (how many were filed before) and returns it. Throws Error beyond 2^31-1 rows.
  pairs::Row add(std::uint64_t hash) {
    if (hashes_.size() >= 0x7fffffffu) throw Error("more than 2^31-1 colors in one round");
    const auto row = static_cast<pairs::Row>(hashes_.size());
    hashes_.push_back(hash);
    if (2 * hashes_.size() > slots_.size())
      grow();
    else
      put(row);
    return row;
  }

  std::uint64_t hash(pairs::Row row) const { return hashes_[row]; }
  std::size_t size() const { return hashes_.size(); }
  std::uint64_t bytes() const { return slots_.size() * sizeof(Slot) + hashes_.size() * sizeof(std::uint64_t); }
  /// Keeps the memory for as many rows again.
  void clear() {
    for (const std::uint64_t hash : hashes_) {
      const std::size_t mask = slots_.size() - 1;
      for (std::size_t at = hash & mask; slots_[at].row != pairs::kNoRow; at = (at + 1) & mask) slots_[at] = {};
    }
    hashes_.clear();
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    pairs::Row row = pairs::kNoRow;
  };

  void put(pairs::Row row) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hashes_[row] & mask;
    while (slots_[at].row != pairs::kNoRow) at = (at + 1) & mask;
    slots_[at] = {static_cast<std::uint32_t>(hashes_[row] >> 32), row};
  }
  void grow() {
    std::size_t room = slots_.empty() ? 16 : 2 * slots_.size();
    slots_ = {};  // the old ones go before the new ones come: they are made from hashes_ alone
    slots_.resize(room);
    for (std::size_t row = 0; row < hashes_.size(); ++row) put(static_cast<pairs::Row>(row));
  }

  // A power of two, at least twice as many as there are rows; kNoRow where free.
  std::vector<Slot> slots_;
  // One a row.
  std::vector<std::uint64_t> hashes_;
};

}  // namespace twofold::levels
