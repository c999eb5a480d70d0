#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "twofold/graph/graph.h"
#include "twofold/graph/item_targets.h"
#include "twofold/io/edge_data.h"
#include "twofold/io/text_chunks.h"

namespace twofold::io {

// What reading a TU folder whole and reading it in blocks have in common (tu.h has the format).

/// The files of one dataset, each by its suffix, as "_A" or "_node_labels".
struct TuFiles {
  std::string name;
  std::string place;  // the folder or archive, for messages
  std::function<bool(const std::string& suffix)> has;
  std::function<std::unique_ptr<LineScanner>(const std::string& suffix)> lines;
  std::function<std::string(const std::string& suffix)> shown_name;  // as the user knows it

  std::string file(const std::string& suffix) const { return name + suffix + ".txt"; }
  /// Throws InputError unless the files that every dataset has are there.
  void require_all() const;
};

/// The files in a folder, read in chunks of so many bytes; 0: each at once. Throws Error if the folder cannot
/// be read, InputError if it has no such files or those of several datasets.
TuFiles tu_files_of(const std::string& folder, std::uint64_t chunk_bytes = 0);

/// The NAME for which NAME_A.txt is among the files: `preferred`, or the only one. Throws InputError.
std::string tu_name(const std::vector<std::string>& files, const std::string& preferred,
                    const std::string& place);

/// A file that has one line per something: each call reads the next line. Throws InputError where the file has
/// fewer lines, or more.
class TuColumn {
 public:
  /// `of` says what there is one line per: "node".
  TuColumn(std::unique_ptr<LineScanner> lines, std::uint64_t count, const char* of);

  Label label() { return static_cast<Label>(integer("a label")); }
  /// The class as it is named.
  std::string class_name() { return std::to_string(integer("a class")); }
  /// Appends a row of columns() numbers. A target may be unknown: NaN.
  void reals(std::vector<double>& values, bool is_target = false);
  /// Of the rows that were read.
  std::size_t columns() const { return columns_; }
  std::string word(const char* what);

 private:
  std::int64_t integer(const char* what);
  template <typename Read>
  void read_line(const Read& read);
  void require_no_more();

  std::unique_ptr<LineScanner> lines_;
  std::uint64_t count_;
  std::uint64_t done_ = 0;
  const char* of_;
  std::size_t columns_ = 0;
};

/// Where the nodes of each graph begin, and one past the last, from 0 on: of the lines of _graph_indicator.
std::vector<std::uint32_t> read_first_nodes(LineScanner& lines);

/// The graph that a node is of, from 0. Quick where nodes of one graph are asked for together.
class GraphOfNode {
 public:
  explicit GraphOfNode(Span<const std::uint32_t> first_node) : first_node_(first_node) {}
  std::size_t operator()(Node node);

 private:
  Span<const std::uint32_t> first_node_;
  std::size_t last_ = 0;
};

/// An edge entry and its graph, from 0.
struct TuEntry {
  Edge edge;
  std::size_t graph;
};
/// The next line of _A. Throws InputError for nodes that there are not, and for those of two graphs.
TuEntry read_entry(LineScanner& lines, std::size_t num_nodes, GraphOfNode& graph_of);

/// Rows of real numbers, equally many on each line.
struct RealTable {
  std::size_t columns = 0;
  std::vector<double> values;

  std::vector<double> rows(std::size_t first, std::size_t last) const {
    return {values.begin() + static_cast<std::ptrdiff_t>(first * columns),
            values.begin() + static_cast<std::ptrdiff_t>(last * columns)};
  }
};

/// What the files say of some graphs that follow each other. Nodes and lines are counted over all graphs.
struct TuPart {
  // One more than there are graphs.
  Span<const std::uint32_t> first_node;
  // In the order of their lines.
  std::vector<Edge> entries;
  // Of each entry, from 1; empty if they follow each other from first_line on.
  std::vector<std::uint32_t> line_of;
  std::size_t first_line = 1;
  // One per node, or per entry, if there are any.
  std::optional<std::vector<Label>> node_labels, edge_labels;
  std::optional<RealTable> node_attributes, edge_attributes;
};

/// The graphs of a part. Throws EdgeConflict, in words that name the lines, where an edge's entries differ in
/// data that is kept. The same for any number of threads.
std::vector<Graph> build_graphs(const TuPart& part, const TuFiles& files, const EdgeData& kept, int threads);

}  // namespace twofold::io
