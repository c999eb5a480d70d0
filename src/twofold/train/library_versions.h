#pragma once

#include <string>

#include "twofold/model/learner.h"

namespace twofold::train {

/// What the BLAS that libtorch got at run time says of itself, which need not be the one it was built with.
std::string blas_in_use();

/// The libraries whose numbers go into a network: libtorch, BLAS, Highway.
model::Libraries network_libraries();

}  // namespace twofold::train
