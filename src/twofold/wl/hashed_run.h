#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/wl/objects.h"

namespace twofold::wl {

/// Counts different 64-bit values. Keeps its memory between uses.
class DistinctCounter {
 public:
  std::size_t count(Span<const std::uint64_t> values);

 private:
  std::vector<std::uint64_t> slots_;
};

/// What a run shows to the outside after a round; equal for graphs that the test has not told apart so far.
/// Different pictures prove different histograms of colors; equal ones prove nothing.
struct Picture {
  std::uint64_t num_objects = 0;
  std::uint64_t num_colors = 0;
  std::array<std::uint64_t, 2> histogram = {0, 0};
};
bool operator==(const Picture& a, const Picture& b);
inline bool operator!=(const Picture& a, const Picture& b) { return !(a == b); }

/// Refines one graph on its own, its colors being hashes that mean the same in every graph.
///
/// Two objects, of one graph or two, with one color after t rounds have one value after t rounds. The converse
/// may fail, if hashes collide: then colors are merged, never split, and certify.h finds out.
/// `hash_mask` says which bits of a value are kept. Needs objects to live as long.
class HashedRun {
 public:
  explicit HashedRun(std::uint64_t hash_mask = ~std::uint64_t{0}, int threads = 1)
      : hash_mask_(hash_mask), threads_(threads) {}

  /// Round 0: the initial colors under the marks the objects have now.
  void start(Objects& objects);
  /// One round more.
  void step();
  /// Rounds until one splits no color any more; that last one included.
  void run_until_stable();

  /// Whether the last round split no color.
  bool is_stable() const { return is_stable_; }
  std::size_t num_rounds() const { return num_rounds_; }
  const Picture& picture() const { return picture_; }
  const std::vector<std::uint64_t>& values() const { return values_; }
  const Objects& objects() const { return *objects_; }

 private:
  void take_picture();

  std::uint64_t hash_mask_;
  int threads_;
  Objects* objects_ = nullptr;
  std::vector<std::uint64_t> values_;
  std::vector<std::uint64_t> sums_;
  DistinctCounter distinct_;
  Picture picture_;
  std::size_t num_rounds_ = 0;
  bool is_stable_ = false;
};

/// Whether the stable colorings of two runs are one under joint refinement, exactly: nothing rests on hashes
/// but the time it takes. True proves that no round tells the graphs apart. False proves nothing if hashes
/// collided. Both runs must be stable with equal pictures. With `trust_first` the first was compared before,
/// with success.
bool certify_equal(const HashedRun& first, const HashedRun& second, bool trust_first, int threads);

}  // namespace twofold::wl
