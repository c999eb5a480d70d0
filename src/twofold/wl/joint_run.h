#pragma once

#include "twofold/wl/coloring.h"

namespace twofold::wl {

/// As refine (coloring.h), on objects that may carry marks.
Coloring refine_together(Span<Objects* const> parts, const WlTest& test, const RefineOptions& options);

}  // namespace twofold::wl
