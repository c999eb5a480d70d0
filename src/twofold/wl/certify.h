#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/wl/objects.h"

namespace twofold::wl {

/// Colorings of one or more graphs' objects, one behind the other, that hashes have suggested.
struct Suggestion {
  // The graphs' objects, all of one test.
  std::vector<const Objects*> parts;
  // parts.size() + 1 positions: those of part p are at offsets[p]…offsets[p+1] of the colors.
  std::vector<std::size_t> offsets = {0};
  // The colors whose multisets are compared, and their number.
  std::vector<Color> old_colors;
  std::size_t num_old_colors = 0;
  // The colors under suspicion, 0…num_colors-1 each used at least once.
  std::vector<Color> colors;
  std::size_t num_colors = 0;

  void add(const Objects& objects);
};

enum class Compare { kStart, kSignature, kBoth };

/// Whether any two objects of one color have equal initial colors, equal signatures under old_colors, or both:
/// exactly, no hash involved. Objects of one color in colors must have one color in old_colors.
///
/// Comparing takes about as long as a plain round; a color with one object costs nothing.
/// With `trust_first` objects of parts[0] are taken to be right among themselves.
bool is_exact(const Suggestion& suggestion, Compare compare, bool trust_first, int threads);

/// Gives different colors to objects of one color that differ as is_exact means it, and numbers all colors anew
/// by their first object.
void make_exact(Suggestion& suggestion, Compare compare, int threads);

}  // namespace twofold::wl
