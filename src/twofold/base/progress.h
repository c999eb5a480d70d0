#pragma once

#include <cstdint>
#include <functional>

namespace twofold {

/// Told now and then how much of a long work is done, of how much in all (0: not known).
/// Called by one thread at a time. May be empty. An exception it throws stops the work.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

}  // namespace twofold
