#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/gram/pair_colors.h"
#include "twofold/gram/twin_graph.h"

namespace twofold::gram {

/// The rows of one graph: unordered pairs of vertices at distance <= radius, loops {v, v} included, colored as
/// the WL test 2-wl does (wl/wl_test.h). Equal rows (by twins) are put together.
///
/// A class of twins has a place for its loops, one for the pairs within it where they are rows, and one for the
/// pairs with each class behind it within the radius.
class RowColors : public PairColors {
 public:
  RowColors(const Graph& g, const Kernel& kernel);
  static PairSizes count(const Graph& g, const Kernel& kernel);

  std::size_t num_places() const override { return ends_.size(); }
  std::size_t place(Node u, Node v) const override;
  /// Loops by label and self-loop of their vertex, edges, with edge labels by these, and all others. Exact.
  Groups start() const override;
  /// O(triples between classes), sorted row by row.
  Groups refine(const std::vector<std::uint32_t>& colors, std::uint64_t salt) const override;
  void start_words(std::size_t place, std::vector<std::uint32_t>& words) const override;
  /// The own color, then a, b, number, … for the unordered pairs a <= b of colors of {i,l} and {l,j}.
  void words(const std::vector<std::uint32_t>& colors, std::size_t place,
             std::vector<std::uint32_t>& words) const override;
  bool names_private(const std::vector<std::uint32_t>& words) const override;

  /// The node label in the words of round 0, if it is a loop's that has one.
  static const std::uint32_t* label_in(Span<const std::uint32_t> start_words);

 private:
  // The classes of a place, a <= b. Loops have a == b and come right before the pairs within the class.
  struct Ends {
    std::uint32_t a, b;
  };
  struct Near {
    std::uint32_t other;  // a class within the radius, never the class itself
    std::uint32_t place;  // of the pairs with it
  };
  Span<const Near> near(std::uint32_t a) const {
    return {near_.data() + offsets_[a], offsets_[a + 1] - offsets_[a]};
  }
  // visit(place of {i,l}, place of {l,j}, number of such l), for every class of l.
  template <typename Visit>
  void for_triples(std::size_t place, const Visit& visit) const;
  std::uint64_t weight(std::size_t place) const;

  const Graph& graph_;
  bool with_edge_labels_;
  TwinGraph twins_;
  std::vector<Ends> ends_;            // a place
  std::vector<std::uint32_t> loops_;  // a class: the place of its loops
  std::vector<bool> inner_;           // a class: whether the pairs within it are rows, at place loops_[a] + 1
  std::vector<std::size_t> offsets_;  // classes + 1 ascending positions in near_
  std::vector<Near> near_;            // ascending by `other` within a class
};

}  // namespace twofold::gram
