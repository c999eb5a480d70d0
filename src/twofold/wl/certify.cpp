#include "twofold/wl/certify.h"

#include <algorithm>
#include <atomic>
#include <limits>

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
    keys_.resize(words << bits);
    multiplicity_.assign(std::size_t{1} << bits, 0);
    for (std::size_t i = 0; i < items.size(); i += words) {
      const std::size_t at = find(&items[i]);
      if (multiplicity_[at]++ == 0) std::copy_n(&items[i], words, &keys_[at * words]);
    }
  }

  bool equals(const std::vector<std::uint64_t>& items) {
    if (items.size() != count_ * words_) return false;
    left_ = multiplicity_;
    if (words_ == 1) {
      for (const std::uint64_t item : items)
        if (left_[find_word(item)]-- == 0) return false;
      return true;
    }
    // An unknown item is found at a free place, of which there are none left.
    for (std::size_t i = 0; i < items.size(); i += words_)
      if (left_[find(&items[i])]-- == 0) return false;
    return true;
  }

 private:
  // Where the item is, or a free place for it.
  std::size_t find_word(std::uint64_t item) const {
    const std::uint32_t* const multiplicity = multiplicity_.data();
    const std::uint64_t* const keys = keys_.data();
    const std::size_t mask = multiplicity_.size() - 1;
    std::size_t at = (item * 0x9e3779b97f4a7c15u) >> shift_;
    while (keys[at] != item && multiplicity[at] != 0) at = (at + 1) & mask;
    // A free place may hold an old key: its multiplicity is 0, so it is as good as any.
    return at;
  }
  std::size_t find(const std::uint64_t* item) const {
    if (words_ == 1) return find_word(*item);
    std::uint64_t hash = item[0];
    for (std::size_t word = 1; word < words_; ++word) hash = mix(hash) + item[word];
    std::size_t at = (hash * 0x9e3779b97f4a7c15u) >> shift_;
    while (multiplicity_[at] != 0 && !is_key(at, item)) at = (at + 1) & (multiplicity_.size() - 1);
    return at;
  }
  bool is_key(std::size_t at, const std::uint64_t* item) const {
    return std::equal(item, item + words_, &keys_[at * words_]);
  }

  std::size_t words_ = 1;
  std::size_t count_ = 0;
  int shift_ = 0;
  std::vector<std::uint64_t> keys_;          // the item at a place, if its multiplicity is not 0
  std::vector<std::uint32_t> multiplicity_;  // a power of two places, at most half of them used
  std::vector<std::uint32_t> left_;
};

struct Groups {
  // num_colors + 1 positions in `members`.
  std::vector<std::size_t> offsets;
  // The objects of color c at offsets[c]…offsets[c+1], ascending.
  std::vector<std::size_t> members;
};

// Of all objects, or of the chosen ones.
Groups group_by_color(const Suggestion& s, const std::vector<char>& is_chosen) {
  const auto chosen = [&](std::size_t i) { return is_chosen.empty() || is_chosen[i]; };
  Groups groups;
  groups.offsets.assign(s.num_colors + 1, 0);
  for (std::size_t i = 0; i < s.colors.size(); ++i) groups.offsets[s.colors[i] + 1] += chosen(i);
  for (std::size_t c = 0; c < s.num_colors; ++c) groups.offsets[c + 1] += groups.offsets[c];
  groups.members.resize(groups.offsets.back());
  std::vector<std::size_t> next(groups.offsets.begin(), groups.offsets.end() - 1);
  for (std::size_t i = 0; i < s.colors.size(); ++i)
    if (chosen(i)) groups.members[next[s.colors[i]]++] = i;
  return groups;
}

// Which tuples to compare so that the rest follows, or nothing if that cannot be said.
//
// If the color of a permuted tuple depends on the tuple's color alone, a permutation maps signatures to
// signatures. Then enough is: of every orbit of colors one tuple L and all its permutations, and of every tuple
// that permutation which is_first. For s and t of one color are permutations of such firsts s0 and t0, whose
// colors are those of permutations L' and L'' of L, with which they were compared: so s and t have the
// signatures of the permutations of L' and L'' that have their color, and these were compared with each other.
std::vector<char> choose_by_symmetry(const Suggestion& s) {
  if (s.parts.empty() || s.parts[0]->num_swaps() == 0) return {};
  constexpr Color kNone = std::numeric_limits<Color>::max();
  const std::size_t num_swaps = s.parts[0]->num_swaps();
  std::vector<Color> image(num_swaps * s.num_colors, kNone);
  std::vector<char> is_chosen(s.colors.size(), 0);
  for (std::size_t p = 0; p < s.parts.size(); ++p)
    for (std::size_t i = s.offsets[p]; i < s.offsets[p + 1]; ++i) {
      is_chosen[i] = s.parts[p]->is_first(i - s.offsets[p]);
      for (std::size_t j = 0; j < num_swaps; ++j) {
        const Color c = s.colors[s.offsets[p] + s.parts[p]->swapped(i - s.offsets[p], j)];
        Color& known = image[j * s.num_colors + s.colors[i]];
        if (known == kNone) known = c;
        if (known != c) return {};
      }
    }
  std::vector<char> is_reached(s.num_colors, 0);
  std::vector<char> is_found(s.colors.size(), 0);
  std::vector<std::size_t> found;
  for (std::size_t p = 0; p < s.parts.size(); ++p)
    for (std::size_t i = s.offsets[p]; i < s.offsets[p + 1]; ++i) {
      if (is_reached[s.colors[i]]) continue;
      found.assign(1, i);
      is_found[i] = 1;
      for (std::size_t at = 0; at < found.size(); ++at) {
        is_reached[s.colors[found[at]]] = 1;
        is_chosen[found[at]] = 1;
        for (std::size_t j = 0; j < num_swaps; ++j) {
          const std::size_t next = s.offsets[p] + s.parts[p]->swapped(found[at] - s.offsets[p], j);
          if (is_found[next]) continue;
          is_found[next] = 1;
          found.push_back(next);
        }
      }
    }
  return is_chosen;
}

// One thread's way to compare objects with a leader.
class Comparison {
 public:
  // `symmetric`: permutations of tuples respect the old colors.
  Comparison(const Suggestion& s, Compare compare, bool symmetric)
      : s_(s), compare_(compare), symmetric_(symmetric), color_bits_(bits_for(s.num_old_colors)) {}

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
    if (symmetric_)
      s_.parts[part]->symmetric_signature(object - s_.offsets[part], colors, color_bits_, items_);
    else
      s_.parts[part]->signature(object - s_.offsets[part], colors, color_bits_, items_);
  }

  const Suggestion& s_;
  Compare compare_;
  bool symmetric_;
  int color_bits_;
  std::size_t leader_ = 0;
  bool has_items_ = false;
  std::vector<std::uint64_t> items_;
  Multiset multiset_;
};

// body(first color, last color, comparison) in parallel, about equally many objects each.
template <typename Body>
void for_chunks(const Suggestion& s, const Groups& groups, Compare compare, bool symmetric, int threads,
                Body body) {
  constexpr std::size_t kChunk = 4096;
  std::vector<std::size_t> borders = {0};
  for (std::size_t c = 0; c < s.num_colors; ++c)
    if (groups.offsets[c + 1] - groups.offsets[borders.back()] >= kChunk) borders.push_back(c + 1);
  if (borders.back() < s.num_colors) borders.push_back(s.num_colors);
  parallel_for(borders.size() - 1, threads, [&](std::size_t chunk) {
    Comparison comparison(s, compare, symmetric);
    body(borders[chunk], borders[chunk + 1], comparison);
  });
}

}  // namespace

void Suggestion::add(const Objects& objects) {
  parts.push_back(&objects);
  offsets.push_back(offsets.back() + objects.size());
}

bool is_exact(const Suggestion& s, Compare compare, bool trust_first, int threads) {
  // Only where the suspected colors are the ones compared: then symmetry of the one is symmetry of the other.
  const std::vector<char> is_chosen =
      compare == Compare::kBoth && s.colors == s.old_colors ? choose_by_symmetry(s) : std::vector<char>();
  const Groups groups = group_by_color(s, is_chosen);
  const std::size_t trusted = trust_first ? s.offsets[1] : 0;
  std::atomic<bool> exact{true};
  for_chunks(s, groups, compare, !is_chosen.empty(), threads,
             [&](std::size_t first, std::size_t last, Comparison& comparison) {
               for (std::size_t c = first; c < last && exact.load(std::memory_order_relaxed); ++c) {
                 std::size_t at = groups.offsets[c];
                 if (at == groups.offsets[c + 1]) continue;
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
  const Groups groups = group_by_color(s, {});
  // leader[i]: the first object that i does not differ from.
  std::vector<std::size_t> leader(s.colors.size());
  for_chunks(s, groups, compare, false, threads,
             [&](std::size_t first, std::size_t last, Comparison& comparison) {
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
