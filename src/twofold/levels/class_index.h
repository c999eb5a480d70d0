#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/pairs/pair_set.h"

namespace twofold::levels {

/// Two cache lines, which CPUs fetch together: what threads write side by side lies so far apart.
inline constexpr std::size_t kApart = 128;

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
      const std::uint64_t slot = slots_[at];
      if (slot == kFree) return pairs::kNoRow;
      if (tag_of(slot) == tag && same(row_of(slot))) return row_of(slot);
    }
  }
  /// Files the next row (how many were filed before) and returns it. Throws Error beyond 2^31-1 rows.
  pairs::Row add(std::uint64_t hash) {
    const auto row = static_cast<pairs::Row>(hashes_.size());
    hashes_.push_back(hash);
    file_from(row, 1);
    return row;
  }
  /// The next `count` rows, which are found after file_from; their hashes are to be written to the result.
  std::uint64_t* add_room(std::size_t count) {
    hashes_.resize(hashes_.size() + count);
    return hashes_.data() + (hashes_.size() - count);
  }
  /// Files the rows from `first` on, on so many threads. Where they come to lie may differ from run to run;
  /// what is found does not. Throws Error beyond 2^31-1 rows.
  void file_from(std::size_t first, int threads) {
    if (hashes_.size() > 0x7fffffffu) throw Error("more than 2^31-1 colors in one round");
    if (2 * hashes_.size() > slots_.size()) {
      std::size_t room = slots_.empty() ? 16 : slots_.size();
      while (room < 2 * hashes_.size()) room *= 2;
      slots_ = {};  // the old ones go before the new ones come: they are made from hashes_ alone
      slots_.resize(room, kFree);
      first = 0;
    }
    const std::size_t count = hashes_.size() - first;
    constexpr std::size_t kEnough = 4096;  // for a second thread
    if (threads == 1 || count < kEnough) {
      for (std::size_t row = first; row < hashes_.size(); ++row) put(static_cast<pairs::Row>(row));
      return;
    }
    const std::size_t pieces = (count + kEnough - 1) / kEnough;
    parallel_for(pieces, threads, [&](std::size_t piece) {
      const std::size_t begin = first + piece * kEnough;
      const std::size_t end = begin + kEnough < hashes_.size() ? begin + kEnough : hashes_.size();
      for (std::size_t row = begin; row < end; ++row) put_beside_others(static_cast<pairs::Row>(row));
    });
  }

  std::uint64_t hash(pairs::Row row) const { return hashes_[row]; }
  std::size_t size() const { return hashes_.size(); }
  std::uint64_t bytes() const { return (slots_.size() + hashes_.size()) * sizeof(std::uint64_t); }
  /// Keeps the memory for as many rows again.
  void clear() {
    for (const std::uint64_t hash : hashes_) {
      const std::size_t mask = slots_.size() - 1;
      for (std::size_t at = hash & mask; slots_[at] != kFree; at = (at + 1) & mask) slots_[at] = kFree;
    }
    hashes_.clear();
  }

 private:
  // A slot is the upper half of a hash and a row.
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  static std::uint32_t tag_of(std::uint64_t slot) { return static_cast<std::uint32_t>(slot >> 32); }
  static pairs::Row row_of(std::uint64_t slot) { return static_cast<pairs::Row>(slot); }
  std::uint64_t slot_of(pairs::Row row) const { return (hashes_[row] >> 32 << 32) | row; }

  void put(pairs::Row row) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hashes_[row] & mask;
    while (slots_[at] != kFree) at = (at + 1) & mask;
    slots_[at] = slot_of(row);
  }
  void put_beside_others(pairs::Row row) {
    const std::size_t mask = slots_.size() - 1;
    const std::uint64_t slot = slot_of(row);
    for (std::size_t at = hashes_[row] & mask;; at = (at + 1) & mask) {
      std::uint64_t found = kFree;
      if (__atomic_compare_exchange_n(&slots_[at], &found, slot, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    }
  }

  // A power of two, at least twice as many as there are rows.
  std::vector<std::uint64_t> slots_;
  // One a row.
  std::vector<std::uint64_t> hashes_;
};

}  // namespace twofold::levels
