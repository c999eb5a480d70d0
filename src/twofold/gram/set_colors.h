#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/gram/pair_colors.h"
#include "twofold/gram/twin_graph.h"

namespace twofold::gram {

/// The 2-element vertex sets of one graph, equal ones (by twins) put together, and their classes in the next
/// round.
///
/// A set {i, j} with i in class A, j in class B, A <= B, has the place B (B + 1) / 2 + A. Within a class of one
/// vertex there is no set; its place has weight 0.
class SetColors : public PairColors {
 public:
  /// Throws Error if there are more than 2^32-1 places.
  SetColors(const Graph& g, const Kernel& kernel);

  static PairSizes count(const Graph& g, const Kernel& kernel);

  std::size_t num_places() const override;
  std::size_t place(Node u, Node v) const override;
  /// By the labels of both vertices and their edge. Exact.
  Groups start() const override;
  /// O(q²) hashes for 2-gwl, O(q · edges between classes) for 2-lwl, q the number of classes of twins.
  Groups refine(const std::vector<std::uint32_t>& colors, std::uint64_t salt) const override;
  void start_words(std::size_t place, std::vector<std::uint32_t>& words) const override;
  /// The own color, then color, number, color, number, …
  void words(const std::vector<std::uint32_t>& colors, std::size_t place,
             std::vector<std::uint32_t>& words) const override;
  bool names_private(const std::vector<std::uint32_t>& words) const override;

 private:
  struct Item {
    std::uint32_t color;
    std::uint64_t count;
  };
  void row_items(const std::vector<std::uint32_t>& colors, std::uint32_t a, std::vector<Item>& items) const;
  void items(const std::vector<std::uint32_t>& colors, std::uint32_t a, std::uint32_t b,
             std::vector<Item>& items) const;
  std::vector<std::uint64_t> set_hashes(const std::vector<std::uint32_t>& colors, std::uint64_t salt) const;
  Groups group_global(const std::vector<std::uint32_t>& colors, const std::vector<std::uint64_t>& hashes,
                      std::uint64_t salt) const;
  std::uint64_t weight(std::uint32_t a, std::uint32_t b) const;
  // The weights of the places, one after the other.
  auto weights() const {
    return [this, a = std::uint32_t{0}, b = std::uint32_t{0}](std::size_t) mutable {
      const std::uint64_t count = weight(a, b);
      if (a++ == b) {
        a = 0;
        ++b;
      }
      return count;
    };
  }

  const Graph& graph_;
  Kernel kernel_;
  TwinGraph twins_;
};

}  // namespace twofold::gram
