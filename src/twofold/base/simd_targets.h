// The kinds of CPU that vector loops are compiled for. Include it before hwy/foreach_target.h in every file
// that has such loops, so that all of them, and simd.h, know the same ones.
//
// Of the x86 targets, those between the ones that stay differ too little to compile everything again.
#ifdef TWOFOLD_FEW_SIMD_TARGETS
// Sanitized builds (CMakePresets.json): plain loops and AVX2.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
