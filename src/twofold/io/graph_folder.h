#pragma once

#include <string>

#include "twofold/graph/dataset.h"

namespace twofold::io {

/// Whether a folder holds one graph in plain files: it has an `edges.txt`.
bool is_graph_folder(const std::string& path);

/// One large graph, as citation networks are passed on:
///   edges.txt     `u v` per edge, nodes from 0; blanks or a comma between them; each edge once or twice
///   features.txt  a line per node: the columns that are 1, or `column:value`, with blanks between them
///                 (sparse); or real numbers with commas between them, equally many on each line (dense)
///   labels.txt    a line per node: its class, a word; `?` where it is not known; numbers with a point are
///                 real targets
/// The last two may be missing; without them the largest node of edges.txt tells how many nodes there are.
/// Other files, such as split.json, are not looked at. The dataset is named after the folder and has one graph
/// with node targets. Throws InputError naming file, line, need and found.
Dataset read_graph_folder(const std::string& path);

}  // namespace twofold::io
