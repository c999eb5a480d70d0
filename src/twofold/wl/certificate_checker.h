#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "twofold/graph/graph.h"

namespace twofold::wl {

/// Whether a line of `wl pairs --certify` is true of these two graphs: nothing if it is, else what is wrong.
///
/// Plain code of its own that includes nothing of this folder: it refines by the definitions of docs/wl.md,
/// with no hashes, orbits, shortcuts or threads, and every tuple of marks is tried. Time: that of the test
/// without shortcuts and a logarithm; memory 8 bytes per object and the colors seen, written out. Throws
/// nlohmann::json::exception for a line that lacks a key or has another kind of value there.
std::string check_certificate(const Graph& first, const Graph& second, const nlohmann::json& line);

}  // namespace twofold::wl
