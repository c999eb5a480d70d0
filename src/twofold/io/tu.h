#pragma once

#include <map>
#include <string>
#include <string_view>

#include "twofold/graph/dataset.h"

namespace twofold::io {

// The plain-text format of the TU Dortmund graph benchmark collection: a folder NAME of files NAME_A.txt
// (edges), NAME_graph_indicator.txt (the graph of each node), NAME_graph_labels.txt (classes) and, where there
// are any, _node_labels, _node_attributes, _edge_labels, _edge_attributes, _graph_attributes (real targets)
// and, our own, _node_targets (a class, a number or ? per node). docs/formats.md has the details, and what we
// make of edges that are listed once, twice or more often.

/// The dataset in `folder`. Its files start with the folder's name, or with another one if only one is there.
/// Throws Error for a file that cannot be read and InputError for one that is wrong.
/// Cost: one pass over the files. The result is the same for any number of threads.
/// With `dropped`, edge labels or attributes that differ by direction are left out of all graphs, and named
/// there: `edge attributes`; else they are an InputError. It stays empty if nothing was left out.
Dataset read_tu_dataset(const std::string& folder, int threads = 0, std::string* dropped = nullptr);

/// The same from files in memory, by name: `MUTAG_A.txt`. `preferred` is the dataset's name if several are
/// there. `place` is where they come from, as the user knows it.
Dataset read_tu_files(const std::string& preferred, std::map<std::string, std::string> files, int threads = 0,
                      const std::string& place = "", std::string* dropped = nullptr);

/// The same from the bytes of an archive (zip, tar, …) that holds such a folder, or its files alone.
/// `source` is the archive's name as the user knows it.
Dataset read_tu_archive(std::string_view bytes, const std::string& source, int threads = 0,
                        std::string* dropped = nullptr);

/// Writes `folder` complete or not at all; each edge twice, a self-loop once. The files are named after the
/// folder. Classes that are no integers are numbered from 0 in the order of dataset.class_names. Throws
/// InputError for a dataset without targets of graphs or nodes, with a class of nodes that is no word, or with
/// a graph without nodes, which the format cannot hold, and Error if `folder` is not empty.
void write_tu_dataset(const Dataset& dataset, const std::string& folder);

/// True if every class can be written as it is.
bool has_integer_classes(const Dataset& dataset);

}  // namespace twofold::io
