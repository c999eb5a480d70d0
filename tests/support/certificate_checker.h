#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "twofold/graph/graph.h"

namespace twofold::testing {

/// Whether a line of `wl pairs --certify` is true of these two graphs: nothing if it is, else what is wrong.
/// Plain code of its own that shares nothing with src/twofold/wl: it refines by the definitions of docs/wl.md.
/// For small graphs.
std::string check_certificate(const Graph& first, const Graph& second, const nlohmann::json& line);

}  // namespace twofold::testing
