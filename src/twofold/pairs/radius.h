#pragma once

#include "twofold/graph/power_radius.h"

namespace twofold::pairs {

/// How far apart two nodes may be to form a pair.
using Radius = graph::PowerRadius;
using graph::parse_radius;
using graph::to_string;

}  // namespace twofold::pairs
