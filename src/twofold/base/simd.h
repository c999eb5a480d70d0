#pragma once

#include <string>
#include <vector>

namespace twofold {

/// The vector instructions of twofold's inner loops go by levels, one for each kind of CPU the loops are
/// compiled for: on x86 `avx3` (AVX-512), `avx2`, `sse4` and `sse2`, which every x86-64 CPU has. The best that
/// the CPU offers is in use unless another is chosen. Exact results (colors, counts, Gram entries) are the same
/// on every level; the last bits of real ones are not.

/// The levels of this build, best first, whether this CPU has them or not.
std::vector<std::string> simd_build_levels();

/// The levels of this build that this CPU has, best first. There is always one.
std::vector<std::string> simd_levels();

/// The one in use.
std::string simd_level();

/// Takes `level` from now on, in the whole process; call it while no loop is running. Throws UsageError, which
/// names `source` and the levels there are, for a word that is none of simd_levels().
void use_simd_level(const std::string& level, const std::string& source = "SIMD level");

/// Takes the level that the environment variable TWOFOLD_SIMD names, if it is set and not empty. Throws as
/// use_simd_level.
void use_simd_level_of_environment();

}  // namespace twofold
