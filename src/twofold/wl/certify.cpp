#include "twofold/wl/certify.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "twofold/base/parallel.h"
#include "twofold/wl/mix.h"

namespace twofold::wl {
namespace {

// The multiset of a leader's items, to compare others with: a table from items to multiplicities.
class Multiset {
 public:
  // `items` holds items of `words` words.
  void assign(const std::vector<std::uint64_t>& items, std::size_t words) {
    words_ = words;
    count_ = items.size() / words;
    int bits = 3;
    while ((std::size_t{1} << bits) < 2 * count_) ++bits;
    shift_ = 64 - bits;
    slots_.assign(std::size_t{1} << bits, 0);
    keys_.clear();
    multiplicity_.assign(1, 0);
    for (std::size_t i = 0; i < count_; ++i) {
      std::uint32_t& slot = find(&items[i * words]);
      if (slot == 0) {
        multiplicity_.push_back(0);
        slot = static_cast<std::uint32_t>(multiplicity_.size() - 1);
        keys_.insert(keys_.end(), &items[i * words], &items[i * words] + words);
      }
      ++multiplicity_[slot];
    }
  }

  bool equals(const std::vector<std::uint64_t>& items) {
    if (items.size() != count_ * words_) return false;
    left_ = multiplicity_;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint32_t slot = find(&items[i * words_]);
      // Slot 0 stands for an unknown item, of which there are none.
      if (left_[slot]-- == 0) return false;
    }
    return true;
  }

 private:
  std::uint32_t& find(const std::uint64_t* item) {
    std::uint64_t hash = item[0];
    for (std::size_t word = 1; word < words_; ++word) hash = mix(hash) + item[word];
    std::size_t at = (hash * 0x9e3779b97f4a7c15u) >> shift_;
    while (slots_[at] != 0) {
      const std::uint64_t* key = &keys_[(slots_[at] - 1) * words_];
      if (words_ == 1 ? *key == *item : std::equal(key, key + words_, item)) break;
      at = (at + 1) & (slots_.size() - 1);
    }
    return slots_[at];
  }

  std::size_t words_ = 1;
  std::size_t count_ = 0;
  int shift_ = 0;
  std::vector<std::uint32_t> slots_;         // numbers of distinct items from 1; 0: free
  std::vector<std::uint64_t> keys_;          // the distinct items
  std::vector<std::uint32_t> multiplicity_;  // of item number 1, 2, …; [0] is 0
  std::vector<std::uint32_t> left_;
};

struct Groups {
  // num_colors + 1 positions in `members`.
  std::vector<std::size_t> offsets;
  // The objects of color c at offsets[c]…offsets[c+1], ascending.
  std::vector<std::size_t> members;
};

Groups group_by_color(const Suggestion& s) {
  Groups groups;
  groups.offsets.assign(s.num_colors + 1, 0);
  for (const Color c : s.colors) ++groups.offsets[c + 1];
  for (std::size_t c = 0; c < s.num_colors; ++c) groups.offsets[c + 1] += groups.offsets[c];
  groups.members.resize(s.colors.size());
  std::vector<std::size_t> next(groups.offsets.begin(), groups.offsets.end() - 1);
  for (std::size_t i = 0; i < s.colors.size(); ++i) groups.members[next[s.colors[i]]++] = i;
  return groups;
}

// One thread's way to compare objects with a leader.
class Comparison {
 public:
  Comparison(const Suggestion& s, Compare compare)
      : s_(s), compare_(compare), color_bits_(bits_for(s.num_old_colors)) {}

  void lead(std::size_t object) {
    leader_ = object;
    has_items_ = false;
  }

  bool same(std::size_t object) {
    if (s_.old_colors[object] != s_.old_colors[leader_]) return false;
    const std::size_t p = part_of(leader_);
    const std::size_t q = part_of(object);
    if (compare_ != Compare::kSignature &&
        !s_.parts[p]->same_start(leader_ - s_.offsets[p], *s_.parts[q], object - s_.offsets[q]))
      return false;
    if (compare_ == Compare::kStart) return true;
    if (!has_items_) {
      read_items(p, leader_);
      multiset_.assign(items_, s_.parts[p]->item_words(color_bits_));
      has_items_ = true;
    }
    read_items(q, object);
    return multiset_.equals(items_);
  }

 private:
  std::size_t part_of(std::size_t object) const {
    const auto after = std::upper_bound(s_.offsets.begin(), s_.offsets.end(), object);
    return static_cast<std::size_t>(after - s_.offsets.begin()) - 1;
  }
  void read_items(std::size_t part, std::size_t object) {
    const Span<const Color> colors(s_.old_colors.data() + s_.offsets[part],
                                   s_.offsets[part + 1] - s_.offsets[part]);
    s_.parts[part]->signature(object - s_.offsets[part], colors, color_bits_, items_);
  }

  const Suggestion& s_;
  Compare compare_;
  int color_bits_;
  std::size_t leader_ = 0;
  bool has_items_ = false;
  std::vector<std::uint64_t> items_;
  Multiset multiset_;
};

// body(first color, last color, comparison) in parallel, about equally many objects each.
template <typename Body>
void for_chunks(const Suggestion& s, const Groups& groups, Compare compare, int threads, Body body) {
  constexpr std::size_t kChunk = 4096;
  std::vector<std::size_t> borders = {0};
  for (std::size_t c = 0; c < s.num_colors; ++c)
    if (groups.offsets[c + 1] - groups.offsets[borders.back()] >= kChunk) borders.push_back(c + 1);
  if (borders.back() < s.num_colors) borders.push_back(s.num_colors);
  parallel_for(borders.size() - 1, threads, [&](std::size_t chunk) {
    Comparison comparison(s, compare);
    body(borders[chunk], borders[chunk + 1], comparison);
  });
}

}  // namespace

void Suggestion::add(const Objects& objects) {
  parts.push_back(&objects);
  offsets.push_back(offsets.back() + objects.size());
}

bool is_exact(const Suggestion& s, Compare compare, bool trust_first, int threads) {
  const Groups groups = group_by_color(s);
  const std::size_t trusted = trust_first ? s.offsets[1] : 0;
  std::atomic<bool> exact{true};
  for_chunks(s, groups, compare, threads, [&](std::size_t first, std::size_t last, Comparison& comparison) {
    for (std::size_t c = first; c < last && exact.load(std::memory_order_relaxed); ++c) {
      std::size_t at = groups.offsets[c];
      comparison.lead(groups.members[at++]);
      while (at < groups.offsets[c + 1] && groups.members[at] < trusted) ++at;
      for (; at < groups.offsets[c + 1]; ++at)
        if (!comparison.same(groups.members[at])) {
          exact.store(false, std::memory_order_relaxed);
          break;
        }
    }
  });
  return exact.load();
}

void make_exact(Suggestion& s, Compare compare, int threads) {
  const Groups groups = group_by_color(s);
  // leader[i]: the first object that i does not differ from.
  std::vector<std::size_t> leader(s.colors.size());
  for_chunks(s, groups, compare, threads, [&](std::size_t first, std::size_t last, Comparison& comparison) {
    std::vector<std::size_t> rest;
    for (std::size_t c = first; c < last; ++c) {
      rest.assign(groups.members.begin() + static_cast<std::ptrdiff_t>(groups.offsets[c]),
                  groups.members.begin() + static_cast<std::ptrdiff_t>(groups.offsets[c + 1]));
      while (!rest.empty()) {
        const std::size_t lead = rest.front();
        leader[lead] = lead;
        if (rest.size() == 1) break;
        comparison.lead(lead);
        const auto differs = [&](std::size_t i) {
          if (i == lead || comparison.same(i)) {
            leader[i] = lead;
            return false;
          }
          return true;
        };
        rest.erase(std::stable_partition(rest.begin(), rest.end(), differs), rest.end());
      }
    }
  });
  s.num_colors = 0;
  for (std::size_t i = 0; i < leader.size(); ++i)
    s.colors[i] = leader[i] == i ? static_cast<Color>(s.num_colors++) : s.colors[leader[i]];
}

}  // namespace twofold::wl
