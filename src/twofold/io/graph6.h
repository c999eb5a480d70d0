#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twofold/graph/dataset.h"

namespace twofold::io {

/// Isolated nodes cost no bytes in sparse6 and JSON lines, so a short hostile file could ask for any memory.
struct ReadLimits {
  std::uint64_t max_nodes = std::uint64_t{1} << 28;  // in all graphs of a file together
};

/// The graphs of a text in graph6, sparse6 or digraph6 (directed graphs), one per line; graph6 and sparse6 may
/// be mixed. A header `>>graph6<<`, `>>sparse6<<` or `>>digraph6<<` may stand before the first graph. Edges
/// listed more than once collapse. Throws InputError `SOURCE:LINE: needed …, found …`. Cost: n² / 12 bytes a
/// graph6 line, m log n bits a sparse6 line.
std::vector<Graph> read_graph6(std::string_view text, const std::string& source, const ReadLimits& limits = {});

/// The same of a text that comes in parts of whole lines; the limits are those of a part.
class Graph6Reader {
 public:
  explicit Graph6Reader(std::string source, const ReadLimits& limits = {})
      : source_(std::move(source)), limits_(limits) {}
  /// The graphs of the next part. Only the last part has blank lines at its end that do not count.
  std::vector<Graph> read(std::string_view text, bool is_last);

 private:
  std::string source_;
  ReadLimits limits_;
  std::size_t line_ = 0;
  std::optional<bool> is_directed_;  // as the first graph
};

/// One line without its end. graph6 holds edges only: self-loops, labels and attributes are left out.
std::string to_graph6(const Graph& g);

/// The same in sparse6, which holds self-loops too.
std::string to_sparse6(const Graph& g);

/// The same in digraph6, which holds directions and self-loops; an undirected edge becomes two arcs.
std::string to_digraph6(const Graph& g);

}  // namespace twofold::io
