#pragma once

#include <vector>

#include "twofold/wl/wl_test.h"

namespace twofold::wl {

/// Tests that are at most as strong as `test` (is_at_most of ladder.h) and take much less time, cheapest first:
/// what one of them tells apart, `test` does. Worth asking before it. For `3-fwl`: 1-wl, 2-fwl, 1-wl with two
/// marks, and 2-wl of radius 1 and 2-fwl with one mark. None for `1-wl` without marks.
std::vector<WlTest> weaker_tests(const WlTest& test);

}  // namespace twofold::wl
