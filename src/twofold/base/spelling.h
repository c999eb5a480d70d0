#pragma once

#include <string>
#include <vector>

namespace twofold {

/// The word that someone who typed `given` most likely meant: the one with the fewest letters to change, add,
/// drop or swap, if those are few for its length; else empty. Of several the first.
std::string most_similar(const std::string& given, const std::vector<std::string>& words);

}  // namespace twofold
