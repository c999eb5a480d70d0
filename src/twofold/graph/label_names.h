#pragma once

#include <map>
#include <string>

#include "twofold/graph/graph.h"

namespace twofold {

/// What labels are called where the input wrote texts. Empty where labels are numbers.
using LabelNames = std::map<Label, std::string>;

/// What a model knows of the texts in its training data.
struct InputNames {
  LabelNames nodes;
  LabelNames edges;
  // Of molecules: which features (io/molecules.h); else empty.
  std::string molecule_features;

  bool none() const { return nodes.empty() && edges.empty() && molecule_features.empty(); }
};

/// The name of a label, or its number if it has none.
std::string label_text(const LabelNames& names, Label label);

/// The graph with other labels: `nodes` and `edges` say what each becomes; a label that they do not name stays.
Graph renumbered(const Graph& g, const std::map<Label, Label>& nodes, const std::map<Label, Label>& edges);

/// Which number each label of `names` gets so that names mean what they mean in `known`; names that it lacks
/// get numbers that it does not use. Empty if nothing changes.
std::map<Label, Label> numbers_as_in(const LabelNames& known, const LabelNames& names);

/// The names under the new numbers.
LabelNames renamed(const LabelNames& names, const std::map<Label, Label>& numbers);

}  // namespace twofold
