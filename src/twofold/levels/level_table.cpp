#include "twofold/levels/level_table.h"

#include <algorithm>
#include <utility>

namespace twofold::levels {

template <typename Item>
std::uint64_t hash_class(const ClassKey<Item>& key) {
  // Two chains side by side: the multiplications of one would wait for each other.
  std::uint64_t items = key.own;
  std::uint64_t counts = key.items.size();
  for (std::size_t k = 0; k < key.items.size(); ++k) {
    items = hash_on(items, hash_word(key.items[k]));
    counts = hash_on(counts, key.multiplicity[k]);
  }
  return hash_end(items ^ hash_end(counts));
}

template <typename Item>
Row LevelTable<Item>::add(const Key& key) {
  own_.push_back(key.own);
  items_.append(key.items);
  multiplicity_.append(key.multiplicity);
  offsets_.push_back(items_.size());
  return index_.add(key.hash);
}

template <typename Item>
Row LevelTable<Item>::add_room(Span<const std::uint32_t> num_items) {
  first_of_room_ = static_cast<Row>(own_.size());
  own_.extend(num_items.size());
  std::uint64_t end = items_.size();
  offsets_.reserve(offsets_.size() + num_items.size());
  for (const std::uint32_t count : num_items) offsets_.push_back(end += count);
  items_.extend(end - items_.size());
  multiplicity_.extend(end - multiplicity_.size());
  room_ = index_.add_room(num_items.size());
  return first_of_room_;
}

template <typename Item>
void LevelTable<Item>::put(Row row, const Key& key) {
  const std::uint64_t begin = offsets_[row];
  own_[row] = key.own;
  std::copy(key.items.begin(), key.items.end(), items_.data() + begin);
  std::copy(key.multiplicity.begin(), key.multiplicity.end(), multiplicity_.data() + begin);
  room_[row - first_of_room_] = key.hash;
}

template <typename Item>
std::uint64_t LevelTable<Item>::bytes() const {
  return index_.bytes() + own_.bytes() + offsets_.bytes() + items_.bytes() + multiplicity_.bytes();
}

template <typename Item>
void LevelTable<Item>::clear() {
  index_.clear();
  own_.clear();
  offsets_.clear();
  offsets_.push_back(0);
  items_.clear();
  multiplicity_.clear();
}

template <typename Item>
typename LevelTable<Item>::Arrays LevelTable<Item>::take() {
  index_ = ClassIndex();
  own_.shrink();
  offsets_.shrink();
  items_.shrink();
  multiplicity_.shrink();
  Arrays arrays{std::move(own_), std::move(offsets_), std::move(items_), std::move(multiplicity_)};
  offsets_.push_back(0);
  return arrays;
}

template std::uint64_t hash_class(const TripleKey&);
template std::uint64_t hash_class(const SourceKey&);
template class LevelTable<RowPair>;
template class LevelTable<Row>;

}  // namespace twofold::levels
