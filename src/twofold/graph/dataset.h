#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/graph/item_targets.h"
#include "twofold/graph/label_names.h"

namespace twofold {

/// Graphs with what is to be learnt about each: a class, real numbers, both, or nothing; and about their nodes
/// and pairs of nodes.
struct Dataset {
  std::string name;
  std::vector<Graph> graphs;

  // The classes as the input wrote them, ascending (as numbers if all are, as text otherwise), without
  // repetition. Empty if the graphs have no class.
  std::vector<std::string> class_names;
  // Empty, or one index into class_names a graph.
  std::vector<std::uint32_t> class_of;

  // Real targets per graph; 0 if there are none.
  std::size_t num_real_targets = 0;
  // One row of num_real_targets values per graph; NaN where one is not known.
  std::vector<double> real_targets;
  // Empty, or the name of each real target.
  std::vector<std::string> target_names;

  // About nodes, and about pairs of nodes; without items if nothing is known.
  ItemTargets node_targets;
  ItemTargets pair_targets;
  // What the input calls things. Texts by which labels are known; empty where labels are numbers.
  LabelNames node_label_names;
  LabelNames edge_label_names;
  // Empty, or one name per graph.
  std::vector<std::string> ids;
  // Molecules: the SMILES of each graph, and which features they have (io/molecules.h). Else empty.
  std::vector<std::string> smiles;
  std::string molecule_features;
  // Empty, or the part that each graph is given to: `train`, `validation` or `test`.
  std::vector<std::string> parts;

  bool has_classes() const { return !class_of.empty(); }

  /// Fills class_names and class_of from one name per graph.
  void set_classes(const std::vector<std::string>& name_of_graph);

  /// Numbers labels so that names mean what they mean in the given ones.
  void number_labels_as(const LabelNames& nodes, const LabelNames& edges);

  /// Throws CheckError unless every sentence above holds and every graph checks.
  void check() const;
};

bool operator==(const Dataset& a, const Dataset& b);

/// Throws InputError that names the first directed graph, if there is one, and says that `who` (as in "gin")
/// reads undirected ones.
void require_undirected(Span<const Graph> graphs, const std::string& who);

}  // namespace twofold
