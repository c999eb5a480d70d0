#pragma once

#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/wl/classify.h"

namespace twofold::cli {

/// Which pairs networks that are trained on each tell apart (train/pair_separation.h): the judge of
/// `trained:MODEL`.
std::vector<bool> separate_by_training(Span<const Graph> graphs, const std::string& model,
                                       const wl::WlTest& twin, std::uint64_t seed,
                                       const wl::ClassifyOptions& how);

}  // namespace twofold::cli
