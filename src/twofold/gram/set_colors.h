#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/gram/kernel.h"
#include "twofold/gram/twins.h"
#include "twofold/graph/graph.h"

namespace twofold::gram {

/// Set in the number of a color that only one graph can have; the rest of the number counts such colors in it.
inline constexpr std::uint32_t kPrivate = 0x80000000u;

/// The 2-element vertex sets of one graph, equal ones (by twins) put together, and their classes in the next
/// round.
///
/// A set {i, j} with i in class A, j in class B, A <= B, has the place B (B + 1) / 2 + A. Within a class of one
/// vertex there is no set; its place has weight 0.
class SetColors {
 public:
  /// Throws Error if there are more than 2^32-1 places.
  SetColors(const Graph& g, const Kernel& kernel);

  const Twins& twins() const { return twins_; }
  std::size_t num_places() const;
  /// The place of {u, v}. Needs u != v.
  std::size_t place(Node u, Node v) const;

  /// A partition of the sets.
  struct Groups {
    std::vector<std::uint32_t> group_of;  // a place: its group; kNoColor where the weight is 0
    std::vector<std::uint32_t> places;    // a group: the first place in it
    std::vector<std::uint64_t> counts;    // a group: how many sets it has
    // A group: a hash of its words. Private colors are salted with the graph: where two graphs have the same
    // words, they have the same hash, and where words hold a private color, hashes of different graphs differ
    // as a rule.
    std::vector<std::uint64_t> hashes;
    std::uint64_t bytes() const;
  };

  /// By the labels of both vertices and their edge. Exact.
  Groups start() const;
  /// By color and multiset of neighbors' colors, exactly; `colors` has one a place. O(q²) hashes for 2-gwl,
  /// O(q · edges between classes) for 2-lwl, q the number of classes of twins.
  Groups refine(const std::vector<std::uint32_t>& colors, std::uint64_t salt) const;

  /// What makes the color of a place, the same words for the same color whatever the graph: `words` of round 0,
  /// or the own color and the multiset of neighbors' colors as color, number, color, number, …, ascending.
  void start_words(std::size_t place, std::vector<std::uint32_t>& words) const;
  void words(const std::vector<std::uint32_t>& colors, std::size_t place,
             std::vector<std::uint32_t>& words) const;

 private:
  struct Item {
    std::uint32_t color;
    std::uint64_t count;
  };
  void row_items(const std::vector<std::uint32_t>& colors, std::uint32_t a, std::vector<Item>& items) const;
  void items(const std::vector<std::uint32_t>& colors, std::uint32_t a, std::uint32_t b,
             std::vector<Item>& items) const;
  std::vector<std::uint64_t> set_hashes(const std::vector<std::uint32_t>& colors, std::uint64_t salt) const;
  Groups group_local(const std::vector<std::uint32_t>& colors, const std::vector<std::uint64_t>& hashes) const;
  Groups group_global(const std::vector<std::uint32_t>& colors, const std::vector<std::uint64_t>& hashes,
                      std::uint64_t salt) const;
  template <typename Same>
  Groups group(const std::vector<std::uint64_t>& hashes, const Same& same) const;
  std::uint64_t weight(std::uint32_t a, std::uint32_t b) const;

  const Graph& graph_;
  Kernel kernel_;
  Twins twins_;
};

}  // namespace twofold::gram
