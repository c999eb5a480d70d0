#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twofold/graph/graph.h"

namespace twofold {

/// What a target is about.
enum class TargetOf : std::uint8_t { kGraphs, kNodes, kLinks };

/// A node (u == v) or a pair of nodes u < v of one graph of a dataset.
struct Item {
  std::uint32_t graph = 0;
  Node u = 0;
  Node v = 0;
};
inline bool operator==(Item a, Item b) { return a.graph == b.graph && a.u == b.u && a.v == b.v; }

/// A target as an input wrote it.
struct WrittenTarget {
  enum Kind { kUnknown, kInteger, kReal, kText } kind = kUnknown;
  std::string text = {};  // of an integer or a text
  double real = 0;        // of an integer or a real
};

/// What is known about nodes or pairs: a class or a real number of each, or not known.
struct ItemTargets {
  static constexpr std::uint32_t kUnknownClass = ~std::uint32_t{0};

  // Of nodes: all nodes of all graphs, in order. Of pairs: those asked about, by graph, each once in a graph.
  std::vector<Item> items;
  // As in Dataset.
  std::vector<std::string> class_names;
  // Empty, or one per item: an index into class_names, or kUnknownClass.
  std::vector<std::uint32_t> class_of;
  // Empty, or one per item; NaN where it is not known.
  std::vector<double> values;

  bool empty() const { return items.empty(); }
  bool has_classes() const { return !class_names.empty(); }
  bool is_known(std::size_t item) const;
  std::size_t num_known() const;
  /// Fills class_names and class_of, or values, from one target per item: classes if all that are known are
  /// integers or texts.
  void set(const std::vector<WrittenTarget>& targets);
  /// Throws CheckError unless every sentence above holds for these graphs.
  void check(const std::vector<Graph>& graphs, TargetOf of) const;
};
bool operator==(const ItemTargets& a, const ItemTargets& b);

/// All nodes of the graphs, in order.
std::vector<Item> all_nodes(Span<const Graph> graphs);

/// The different names, ascending (as numbers if all are, as text otherwise).
std::vector<std::string> sorted_class_names(std::vector<std::string> names);

}  // namespace twofold
