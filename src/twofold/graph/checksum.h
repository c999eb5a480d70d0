#pragma once

#include <string>

#include "twofold/graph/dataset.h"

namespace twofold {

/// 32 hexadecimal digits that stand for what a dataset holds: graphs, labels, attributes, targets, in their
/// order. Its name and the format it was read from do not count.
///
/// For noticing that data changed, not against forgers: other data gives the same digits about once in 2^128
/// tries. Frozen: records hold it. O(size), nothing is copied.
std::string checksum(const Dataset& dataset);

/// The same for a text.
std::string checksum(const std::string& text);

}  // namespace twofold
