#include "twofold/gram/word_table.h"

#include <algorithm>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/wl/mix.h"

namespace twofold::gram {

std::uint64_t hash_words(Span<const std::uint32_t> words) {
  std::uint64_t h = words.size();
  for (const std::uint32_t word : words) h = (((h << 23) | (h >> 41)) ^ word) * 0x9e3779b97f4a7c15u;
  return wl::mix(h);
}

std::uint32_t HashIndex::add(std::uint64_t hash) {
  if (hashes_.size() >= 0x7fffffffu) throw Error("more than 2^31-1 different colors in one round");
  const auto id = static_cast<std::uint32_t>(hashes_.size());
  hashes_.push_back(hash);
  if (2 * hashes_.size() > slots_.size()) {
    grow();
    return id;
  }
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at] != kNoColor) at = (at + 1) & mask;
  slots_[at] = id;
  return id;
}

void HashIndex::grow() {
  std::size_t room = std::max<std::size_t>(16, slots_.size());
  while (room < 2 * hashes_.size()) room *= 2;
  slots_ = {};  // the old ones go before the new ones come: they are made from hashes_ alone
  slots_.assign(room, kNoColor);
  const std::size_t mask = room - 1;
  for (std::size_t id = 0; id < hashes_.size(); ++id) {
    std::size_t at = hashes_[id] & mask;
    while (slots_[at] != kNoColor) at = (at + 1) & mask;
    slots_[at] = static_cast<std::uint32_t>(id);
  }
}

void HashIndex::clear() {
  std::fill(slots_.begin(), slots_.end(), kNoColor);
  hashes_.clear();
}

std::vector<std::uint64_t> HashIndex::take_hashes() {
  slots_ = {};
  return std::exchange(hashes_, {});
}

std::uint32_t WordTable::find(Span<const std::uint32_t> key) const {
  return index_.find(hash_words(key), [&](std::uint32_t id) { return words(id) == key; });
}

std::uint32_t WordTable::find_or_add(Span<const std::uint32_t> key) {
  const std::uint64_t hash = hash_words(key);
  const std::uint32_t found = index_.find(hash, [&](std::uint32_t id) { return words(id) == key; });
  if (found != kNoColor) return found;
  words_.insert(words_.end(), key.begin(), key.end());
  offsets_.push_back(words_.size());
  return index_.add(hash);
}

WordTable WordTable::from_content(std::vector<std::uint32_t> words, std::vector<std::uint64_t> offsets,
                                  const std::string& source) {
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != words.size() ||
      !std::is_sorted(offsets.begin(), offsets.end()))
    throw_input_error(source, 0, fmt::format("ascending offsets 0..{}", words.size()), "others");
  WordTable table;
  table.words_ = std::move(words);
  table.offsets_ = std::move(offsets);
  for (std::size_t id = 0; id + 1 < table.offsets_.size(); ++id) {
    const auto key = table.words(static_cast<std::uint32_t>(id));
    const std::uint64_t hash = hash_words(key);
    if (table.index_.find(hash, [&](std::uint32_t other) { return table.words(other) == key; }) != kNoColor)
      throw_input_error(source, 0, "different sequences", "one that comes twice");
    table.index_.add(hash);
  }
  return table;
}

}  // namespace twofold::gram
