#pragma once

#include "twofold/report/plot.h"

namespace twofold::report {

/// Keeps a few values far from all others from pressing a plot's curves flat on its y axis: where a logarithmic
/// axis shows them all well, it becomes one; else the axis ends near the others, arrows show where values lie
/// beyond it, and the plot's note says how far. Plots without such values stay as they are, and so does a plot
/// whose y axis has limits or names. No value is changed.
void keep_readable(Plot& plot);

}  // namespace twofold::report
