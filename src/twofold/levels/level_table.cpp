#include "twofold/levels/level_table.h"

#include <cstring>
#include <utility>

namespace twofold::levels {

std::uint64_t hash_class(const ClassKey& key) {
  // Two chains side by side: the multiplications of one would wait for each other.
  std::uint64_t pairs = key.own;
  std::uint64_t counts = key.triples.size();
  for (std::size_t k = 0; k < key.triples.size(); ++k) {
    pairs = hash_on(pairs, (std::uint64_t{key.triples[k].a} << 32) | key.triples[k].b);
    counts = hash_on(counts, key.multiplicity[k]);
  }
  return hash_end(pairs ^ hash_end(counts));
}

bool LevelTable::is_same(Row row, const ClassKey& key) const {
  const std::uint64_t begin = offsets_[row];
  const std::size_t size = offsets_[row + std::size_t{1}] - begin;
  if (own_[row] != key.own || size != key.triples.size()) return false;
  if (size == 0) return true;
  return std::memcmp(multiplicity_.data() + begin, key.multiplicity.data(), size * sizeof(std::uint32_t)) ==
             0 &&
         std::memcmp(triples_.data() + begin, key.triples.data(), size * sizeof(RowPair)) == 0;
}

Row LevelTable::add(const ClassKey& key) {
  own_.push_back(key.own);
  triples_.append(key.triples);
  multiplicity_.append(key.multiplicity);
  offsets_.push_back(triples_.size());
  return index_.add(key.hash);
}

std::uint64_t LevelTable::bytes() const {
  return index_.bytes() + own_.bytes() + offsets_.bytes() + triples_.bytes() + multiplicity_.bytes();
}

void LevelTable::clear() {
  index_.clear();
  own_.clear();
  offsets_.clear();
  offsets_.push_back(0);
  triples_.clear();
  multiplicity_.clear();
}

LevelTable::Arrays LevelTable::take() {
  index_ = ClassIndex();
  own_.shrink();
  offsets_.shrink();
  triples_.shrink();
  multiplicity_.shrink();
  Arrays arrays{std::move(own_), std::move(offsets_), std::move(triples_), std::move(multiplicity_)};
  offsets_.push_back(0);
  return arrays;
}

}  // namespace twofold::levels
