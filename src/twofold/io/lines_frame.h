#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "twofold/graph/dataset.h"
#include "twofold/io/json_line.h"

namespace twofold::io {

/// What the lines of a JSON-lines file have in common: learnt from all of them, one after the other, before the
/// graphs of any are numbered.
class LinesFrame {
 public:
  explicit LinesFrame(std::string source) : source_(std::move(source)) {}

  /// The next line. Throws InputError unless it has the kinds of data that the lines before it have. A graph
  /// without nodes or edges has none to miss.
  void add(const JsonLine& line);
  /// After the last line. Throws InputError where lines do not go together.
  void finish();

  std::size_t num_lines() const { return num_lines_; }
  /// Targets of nodes or pairs, or sparse features: numbered over all lines together.
  bool has_items() const { return has_items_; }
  /// Some graph has them.
  bool has_node_labels() const { return has_node_labels_; }
  bool has_edge_labels() const { return has_edge_labels_; }
  /// All labels that nodes have, if they are numbers.
  const std::set<Label>& node_labels() const { return node_labels_; }
  /// Some graph has nodes without labels.
  bool has_bare_nodes() const { return has_bare_nodes_; }

  /// The dataset without graphs, and with those of some lines, in their order. Items and sparse features are
  /// left to the caller; the lines keep these.
  Dataset empty_dataset() const;
  Dataset dataset_of(std::vector<JsonLine>& lines) const;

 private:
  // What the first line has.
  struct Kinds {
    bool directed = false, node_labels = false, edge_labels = false, id = false, smiles = false;
    bool node_targets = false, features = false, graph_attributes = false;
    LineTarget::Kind target = LineTarget::kNone;
    std::vector<std::string> target_names;
  };
  // As many columns as on the first line that has any rows.
  struct Columns {
    std::optional<std::size_t> count;
    std::size_t line = 0;
  };
  void require_same(bool same, const char* what) const;
  void require_columns(Columns& columns, std::size_t found, bool has_rows, const char* what) const;

  std::string source_;
  std::size_t num_lines_ = 0;
  Kinds first_;
  Columns node_attributes_, edge_attributes_, graph_attributes_;
  std::set<std::string> node_texts_, edge_texts_;
  std::size_t numbered_nodes_ = 0, numbered_edges_ = 0;  // the first line that has numbers as labels; 0: none
  std::set<Label> node_labels_;
  bool has_node_labels_ = false, has_edge_labels_ = false, has_bare_nodes_ = false;
  bool has_items_ = false;
  bool any_real_ = false;
  std::set<std::string> classes_;
  // From finish().
  std::vector<std::string> class_names_;
  LabelNames node_names_, edge_names_;
};

}  // namespace twofold::io
