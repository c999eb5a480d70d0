#pragma once

#include <ostream>

#include "cli/command_reproduce_ladder.h"
#include "cli/command_wl_pairs.h"

namespace twofold::cli {

/// `wl pairs` and `reproduce ladder` with networks that are trained on each pair (train/pair_separation.h).
int run_wl_pairs_learn(const WlPairsOptions& options, std::ostream& out, std::ostream& err);
int run_reproduce_ladder_learn(const ReproduceLadderOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
