#pragma once

#include "twofold/model/learner.h"

namespace twofold::train {

/// The libraries whose numbers go into a network: Highway, and libtorch with its BLAS where they are linked.
model::Libraries network_libraries();

}  // namespace twofold::train
