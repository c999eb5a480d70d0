#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/span.h"

namespace twofold::gram {

/// What a table answers for a key it does not hold.
inline constexpr std::uint32_t kNoColor = 0xffffffffu;

/// Finds numbers 0, 1, … again by a 64-bit hash and a comparison of the caller's: the hash never decides.
class HashIndex {
 public:
  /// The first number filed under `hash` for which same(number) holds, or kNoColor.
  template <typename Same>
  std::uint32_t find(std::uint64_t hash, const Same& same) const {
    if (slots_.empty()) return kNoColor;
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
      const std::uint32_t id = slots_[at];
      if (id == kNoColor) return kNoColor;
      if (hashes_[id] == hash && same(id)) return id;
    }
  }
  /// Files the next number (how many were filed before) and returns it. Throws Error beyond 2^31-1 numbers.
  std::uint32_t add(std::uint64_t hash);

  std::size_t size() const { return hashes_.size(); }
  std::uint64_t hash(std::uint32_t id) const { return hashes_[id]; }
  std::uint64_t bytes() const { return 4 * slots_.capacity() + 8 * hashes_.capacity(); }
  void clear();
  /// The hashes filed, by number; the index is empty afterwards.
  std::vector<std::uint64_t> take_hashes();

 private:
  void grow();

  // A power of two, at least twice as many as there are numbers; kNoColor where free.
  std::vector<std::uint32_t> slots_;
  // One a number.
  std::vector<std::uint64_t> hashes_;
};

/// Numbers sequences of 32-bit words 0, 1, … in the order of their first appearance, exactly: two sequences
/// share a number iff they are equal.
///
/// Finding and adding take O(length) on average. Reading from several threads is safe, adding is not.
class WordTable {
 public:
  /// The number of `key`, or kNoColor.
  std::uint32_t find(Span<const std::uint32_t> key) const;
  /// The number of `key`, a new one if it is new.
  std::uint32_t find_or_add(Span<const std::uint32_t> key);

  std::size_t size() const { return index_.size(); }
  Span<const std::uint32_t> words(std::uint32_t id) const {
    return {words_.data() + offsets_[id], offsets_[id + 1] - offsets_[id]};
  }
  std::uint64_t bytes() const { return index_.bytes() + 4 * words_.capacity() + 8 * offsets_.capacity(); }

  /// The content, for files: offsets has size() + 1 ascending positions in words, the first is 0.
  const std::vector<std::uint32_t>& all_words() const { return words_; }
  const std::vector<std::uint64_t>& offsets() const { return offsets_; }
  /// A table of that content. Throws InputError naming `source` if it is not one: positions that do not ascend
  /// or do not fit, a sequence that comes twice.
  static WordTable from_content(std::vector<std::uint32_t> words, std::vector<std::uint64_t> offsets,
                                const std::string& source);

 private:
  HashIndex index_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint64_t> offsets_ = {0};
};

/// A hash of a sequence of words.
std::uint64_t hash_words(Span<const std::uint32_t> words);

}  // namespace twofold::gram
