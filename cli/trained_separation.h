#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/wl/classify.h"

namespace twofold::cli {

/// Copies of one graph, compared by networks that were trained on the graph's pair: telling any apart is false.
struct Controls {
  std::size_t number = 0;
  std::size_t told_apart = 0;
};

/// Which pairs networks that are trained on each tell apart (train/pair_separation.h): the judge of
/// `trained:MODEL`. Adds its controls to `controls`.
std::vector<bool> separate_by_training(Span<const Graph> graphs, const std::string& model,
                                       const wl::WlTest& twin, std::uint64_t seed, Controls& controls,
                                       const wl::ClassifyOptions& how);

}  // namespace twofold::cli
