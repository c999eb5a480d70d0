#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/graph/item_targets.h"
#include "twofold/graph/node_features.h"
#include "twofold/io/edge_data.h"

namespace twofold::io {

/// A list of numbers, or of rows of numbers, as it stood on the line.
struct NumberList {
  bool present = false;
  std::vector<double> values;
  std::vector<std::string> texts;  // the different ones, if it is a list of texts: values then count in it
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::size_t> row_ends = {};  // of rows that may differ in length
};

/// The target of a graph.
struct LineTarget {
  enum Kind { kNone, kInteger, kReal, kText, kNull, kNamed } kind = kNone;
  std::string text;  // of an integer or a text
  double real = 0;   // of an integer or a real; NaN for null
  // Of an object: its keys and their values, NaN for null.
  std::vector<std::string> names = {};
  std::vector<double> values = {};
};

/// What one line said.
struct JsonLine {
  Graph graph;
  LineTarget target;
  bool has_node_targets = false;
  std::vector<WrittenTarget> node_targets;
  bool has_pair_targets = false;
  std::vector<Edge> pairs;
  std::vector<WrittenTarget> pair_targets;
  bool has_features = false;
  std::vector<std::vector<NodeFeatureTable::Entry>> features;  // a node
  NumberList graph_attributes;
  bool has_node_labels = false;
  bool has_edge_labels = false;
  // The texts that labels number, if there are any.
  std::vector<std::string> node_texts, edge_texts;
  std::optional<std::string> id, smiles;
  std::size_t num_node_attributes = 0;
  std::size_t num_edge_attributes = 0;
};

/// Reads one line of a JSON-lines file: the graph and what is said of it. `nodes_left` is what all lines
/// together may still ask for. Throws InputError `SOURCE:LINE: needed …, found …`.
JsonLine read_json_line(std::string_view text, const std::string& source, std::size_t line,
                        std::atomic<std::int64_t>& nodes_left, EdgeData kept);

}  // namespace twofold::io
