#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "twofold/graph/dataset.h"
#include "twofold/io/graph6.h"

namespace twofold::io {

/// The dataset of a text with one JSON object per line, the easy way in for graphs of one's own:
///
///     {"nodes": 3, "edges": [[0,1],[1,2]], "node_labels": [6,6,8], "edge_labels": [1,2], "target": "active"}
///
/// `nodes` (their number) is needed, all else optional: `edges` (pairs of nodes from 0; [v,v] is a self-loop),
/// `node_labels`, `edge_labels` (one integer per node or edge), `node_attributes`, `edge_attributes` (a list
/// of numbers each), `target` (a class as integer or text, or a real number: targets are real if one of them
/// has a fraction or exponent), `graph_attributes` (a list of real targets). A kind of data that one line has,
/// all must have. Blank lines at the end do not count. Throws InputError `SOURCE:LINE: needed …, found …`,
/// unknown keys included. The result is the same for any number of threads. With `dropped`, edge data that
/// differs by direction is left out of all graphs and named there (as by read_tu_dataset).
Dataset read_json_lines(std::string_view text, const std::string& source, int threads = 0,
                        const ReadLimits& limits = {}, std::string* dropped = nullptr);

/// What every line says something about, be it that its graph has none.
struct WrittenKinds {
  bool node_features = false;
  bool node_labels = false;
  bool edge_labels = false;
};
/// What some of the graphs have.
WrittenKinds written_kinds(Span<const Graph> graphs);

/// Hands each graph to `sink` as one such line, its end included. Real numbers survive exactly. `kinds` are
/// those of all graphs, of which these may be a block.
void write_json_lines(const Dataset& dataset, const WrittenKinds& kinds,
                      const std::function<void(std::string_view line)>& sink);
/// All graphs.
void write_json_lines(const Dataset& dataset, const std::function<void(std::string_view line)>& sink);

}  // namespace twofold::io
