#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "twofold/levels/color_levels.h"
#include "twofold/levels/neighbor_levels.h"

namespace twofold::levels {

/// 128 bits of all that shapes levels: their kind, graphs with labels and (where they are used) attributes,
/// radius, rounds and options. O(size of the graphs).
using LevelKey = std::array<std::uint64_t, 2>;
LevelKey level_key(Span<const Graph> graphs, pairs::Radius radius, const ColorLevelOptions& options);
LevelKey level_key(Span<const Graph> graphs, const NeighborLevelOptions& options);

/// Writes a file that read_levels maps. It appears complete or not at all, so several writers do no harm.
/// Throws Error naming the path.
template <typename Item>
void write_levels(const std::string& path, const Levels<Item>& levels, const LevelKey& key);

/// Maps the file read-only, so that processes share it. Nothing in it is trusted: a file that is not complete,
/// of this format, version, item and key, whose checksum differs or whose numbers are not those of levels, is
/// an InputError that names the path, need and found; one that cannot be opened an Error. O(size of the file).
/// The arrays lie in the file: it may be replaced or removed meanwhile, but not cut short.
template <typename Item>
Levels<Item> read_levels(const std::string& path, const LevelKey& key);

/// Levels, and where they came from.
template <typename Item>
struct CachedLevels {
  Levels<Item> levels;
  bool was_read = false;
  // Why a file that was there could not be read, or a new one not be written; empty if nothing went wrong.
  std::string trouble;
};

/// The levels from the folder's file for them; if there is none, or a damaged one, they are built and the file
/// is written anew, by one of several processes that want it at a time: the others wait and map it. A cache
/// that cannot be read or written never fails the work: `trouble` says so. The folder must exist.
CachedLevels<RowPair> cached_color_levels(const std::string& folder, Span<const Graph> graphs,
                                          pairs::Radius radius, const ColorLevelOptions& options = {});
CachedLevels<Row> cached_neighbor_levels(const std::string& folder, Span<const Graph> graphs,
                                         const NeighborLevelOptions& options = {});

/// The file's name in the folder: `levels-` and the key in hexadecimal.
std::string level_file_name(const LevelKey& key);

}  // namespace twofold::levels
