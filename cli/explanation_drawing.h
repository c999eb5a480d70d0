#pragma once

#include <string>

#include "cli/explanation_view.h"

namespace twofold::cli {

/// An SVG picture: nodes and pairs colored by contribution, of the indirect pairs the strongest few; a legend.
/// Throws Error if Graphviz is missing.
std::string draw_explanation(const ExplanationView& view);

/// The pictures of several graphs in one, below each other in two columns.
std::string draw_explanations(const std::vector<ExplanationView>& views);

}  // namespace twofold::cli
