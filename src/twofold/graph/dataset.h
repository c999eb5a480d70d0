#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/graph/item_targets.h"

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

  bool has_classes() const { return !class_of.empty(); }

  /// Fills class_names and class_of from one name per graph.
  void set_classes(const std::vector<std::string>& name_of_graph);

  /// Throws CheckError unless every sentence above holds and every graph checks.
  void check() const;
};

bool operator==(const Dataset& a, const Dataset& b);

}  // namespace twofold
