#pragma once

#include <string>
#include <vector>

#include "twofold/gram/vocabulary.h"

namespace twofold::gram {

/// A name for every feature of the vocabulary, round by round: `wl-st/2/3b1f…`, kernel, round and 16
/// hexadecimal digits of what the feature is made of.
///
/// The same feature has the same name in every vocabulary, whatever graphs it was fitted to and in which order.
/// Different features of a kernel could in theory share a name, as any hashes may (about 1 in 2^64 pairs). A
/// feature of wl-sp with weight 2 stands for two, the ordered pairs (a, b) and (b, a): the second name ends in
/// `~`. O(words of the vocabulary).
std::vector<std::string> feature_names(const Vocabulary& vocabulary);

}  // namespace twofold::gram
