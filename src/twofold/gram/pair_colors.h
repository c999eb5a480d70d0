#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/gram/kernel.h"
#include "twofold/gram/word_table.h"
#include "twofold/graph/graph.h"
#include "twofold/wl/mix.h"

namespace twofold::gram {

/// Set in the number of a color that only one graph can have; the rest of the number counts such colors in it.
inline constexpr std::uint32_t kPrivate = 0x80000000u;
/// The place of two vertices that the kernel does not count.
inline constexpr std::size_t kNoPlace = ~std::size_t{0};

/// The pairs of vertices of one graph that a kernel counts, equal ones (by twins) put together in one place,
/// and their classes in the next round. SetColors has the pairs of 2-lwl and 2-gwl, RowColors those of 2-wl.
///
/// Reading is safe from several threads.
class PairColors {
 public:
  virtual ~PairColors() = default;

  virtual std::size_t num_places() const = 0;
  /// The place of {u, v}; kNoPlace for a pair that is not counted.
  virtual std::size_t place(Node u, Node v) const = 0;

  /// A partition of the pairs.
  struct Groups {
    std::vector<std::uint32_t> group_of;  // a place: its group; kNoColor where it holds no pair
    std::vector<std::uint32_t> places;    // a group: the first place in it
    std::vector<std::uint64_t> counts;    // a group: how many pairs it has
    // A group: a hash of its words. Private colors are salted with the graph: where two graphs have the same
    // words, they have the same hash, and where words hold a private color, hashes of different graphs differ
    // as a rule.
    std::vector<std::uint64_t> hashes;
  };

  /// By what the pairs carry from the start. Exact.
  virtual Groups start() const = 0;
  /// By color and the multiset around a pair, exactly; `colors` has one a place.
  virtual Groups refine(const std::vector<std::uint32_t>& colors, std::uint64_t salt) const = 0;

  /// What makes the color of a place, the same words for the same color whatever the graph: of round 0, or the
  /// own color and the multiset around the pair, ascending.
  virtual void start_words(std::size_t place, std::vector<std::uint32_t>& words) const = 0;
  virtual void words(const std::vector<std::uint32_t>& colors, std::size_t place,
                     std::vector<std::uint32_t>& words) const = 0;
  /// Whether a private color is among the words of a round after the first.
  virtual bool names_private(const std::vector<std::uint32_t>& words) const = 0;

 protected:
  static std::uint64_t color_value(std::uint32_t color, std::uint64_t salt) {
    return (color & kPrivate) != 0 ? wl::mix(color, salt) : wl::mix(color);
  }

  // Gives every place that holds a pair a group: that of the first place with the same hash for which
  // same(first place, place, group) holds. weight(place), asked once a place and in ascending order, says how
  // many pairs it holds.
  template <typename Weight, typename Same>
  static Groups group(const std::vector<std::uint64_t>& hashes, Weight weight, const Same& same) {
    Groups groups;
    groups.group_of.assign(hashes.size(), kNoColor);
    HashIndex index;
    for (std::size_t place = 0; place < hashes.size(); ++place) {
      const std::uint64_t count = weight(place);
      if (count == 0) continue;
      std::uint32_t id = index.find(
          hashes[place], [&](std::uint32_t group) { return same(groups.places[group], place, group); });
      if (id == kNoColor) {
        id = index.add(hashes[place]);
        groups.places.push_back(static_cast<std::uint32_t>(place));
        groups.counts.push_back(0);
      }
      groups.counts[id] += count;
      groups.group_of[place] = id;
    }
    groups.hashes = index.take_hashes();
    return groups;
  }

  template <typename Weight>
  Groups group_by_start(Weight weight) const {
    std::vector<std::uint64_t> hashes(num_places());
    std::vector<std::uint32_t> key, other;
    for (std::size_t place = 0; place < hashes.size(); ++place) {
      start_words(place, key);
      hashes[place] = hash_words(key);
    }
    return group(hashes, weight, [&](std::size_t first, std::size_t place, std::uint32_t) {
      start_words(first, key);
      start_words(place, other);
      return key == other;
    });
  }

  template <typename Weight>
  Groups group_by_words(const std::vector<std::uint32_t>& colors, const std::vector<std::uint64_t>& hashes,
                        Weight weight) const {
    // The words of groups that were compared once are kept for the next time, as long as they do not become
    // many.
    constexpr std::size_t kMostWords = 1u << 24;
    struct Kept {
      std::uint32_t begin = 0, size = 0;
    };
    std::vector<Kept> kept;
    std::vector<std::uint32_t> arena, here, there;
    return group(hashes, weight, [&](std::size_t first, std::size_t place, std::uint32_t id) {
      if (colors[first] != colors[place]) return false;
      words(colors, place, here);
      if (id >= kept.size()) kept.resize(id + 1);
      Kept& known = kept[id];
      if (known.size == 0) {
        words(colors, first, there);
        if (arena.size() > kMostWords) return here == there;
        known = {static_cast<std::uint32_t>(arena.size()), static_cast<std::uint32_t>(there.size())};
        arena.insert(arena.end(), there.begin(), there.end());
      }
      return here.size() == known.size && std::equal(here.begin(), here.end(), arena.begin() + known.begin);
    });
  }
};

/// The pairs of a kernel on pairs of vertices (2-lwl, 2-gwl, 2-wl). The graph must outlive them. Throws Error
/// if there are more than 2^32-1 places.
std::unique_ptr<PairColors> make_pair_colors(const Graph& g, const Kernel& kernel);

/// What make_pair_colors will hold of one graph, without making it.
struct PairSizes {
  std::uint64_t places = 0;
  /// The bytes of the object itself.
  std::uint64_t bytes = 0;
};
PairSizes count_pairs(const Graph& g, const Kernel& kernel);

}  // namespace twofold::gram
