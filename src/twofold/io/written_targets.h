#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "twofold/graph/item_targets.h"

namespace twofold::io {

/// Targets of nodes in plain text, one word per node: a class, a real number (one with a point or an exponent),
/// or `?` where it is not known.
WrittenTarget parse_target(std::string_view word);

/// Fills the targets of all nodes from one per item. Words among numbers: all are classes.
void set_written(ItemTargets& targets, std::vector<WrittenTarget> written);

/// The word of one target, as parse_target reads it. Throws InputError starting with `source` for a class that
/// is no such word: one with blanks, an empty one, or `?`.
std::string target_word(const ItemTargets& targets, std::size_t item, const std::string& source);

}  // namespace twofold::io
