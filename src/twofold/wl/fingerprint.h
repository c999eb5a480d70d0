#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/wl_test.h"

namespace twofold::wl {

/// A short name for what the test sees of a graph: `twofold-wl-1:2-wl/1/0:` (version, test, radius or `-`,
/// marks) and 32 hexadecimal digits.
///
/// The same for isomorphic graphs and for all graphs the test cannot tell apart, on every platform and in every
/// release: a change of the digits changes the version in front. Unlike classify, it may be the same for graphs
/// that the test can tell apart, as any hash may (about 1 in 2^60 pairs). Fingerprints of different tests
/// differ. Cost and errors as those of classify, but 1-wl takes O(n + m) a round.
std::string fingerprint(const Graph& graph, const WlTest& test, const ClassifyOptions& options = {});

/// One a graph; many graphs, or many marks, in parallel.
std::vector<std::string> fingerprints(Span<const Graph> graphs, const WlTest& test,
                                      const ClassifyOptions& options = {});

}  // namespace twofold::wl
