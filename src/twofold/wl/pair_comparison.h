#pragma once

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/wl_test.h"

namespace twofold::wl {

/// Whether `test` tells the two graphs apart, exactly. Stops as soon as it is sure: a different number of nodes
/// or edges; a weaker test that tells them apart; one round, or one class of marks, that does; an isomorphism.
/// Memory must have been asked for. `ask_weaker`: false where weaker tests have failed before.
bool distinguishes_two(Span<const Graph> two, const WlTest& test, const ClassifyOptions& options,
                       bool ask_weaker = true);

}  // namespace twofold::wl
