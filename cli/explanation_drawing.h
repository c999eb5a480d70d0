#pragma once

#include <string>

#include "cli/explanation_view.h"

namespace twofold::cli {

/// What a picture says above the graph: a page has it as text, which wraps and keeps its size.
enum class DrawnHead { kInPicture, kOnPage };

/// An SVG picture: nodes and pairs colored by contribution, of the indirect pairs the strongest few; a legend.
/// Throws Error if Graphviz is missing.
std::string draw_explanation(const ExplanationView& view, DrawnHead head = DrawnHead::kInPicture);

/// The pictures of several graphs in one, below each other in two columns.
std::string draw_explanations(const std::vector<ExplanationView>& views);

}  // namespace twofold::cli
