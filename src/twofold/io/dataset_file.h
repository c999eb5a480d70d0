#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/graph/dataset.h"
#include "twofold/io/json_lines.h"
#include "twofold/io/molecules.h"

namespace twofold::io {

enum class Format { kTu, kJsonLines, kGraph6, kSparse6, kDigraph6 };

/// What a user may call a DATASET: a TU folder or an archive of one, a folder of one graph in plain files
/// (graph_folder.h), a JSON-lines, graph6, sparse6 or digraph6 file or a
/// NumPy array of graph6 strings, a CSV table with a column of SMILES (told apart by content; a table by its
/// column `smiles` or the ending .csv or .tsv), `-` for any of these files on standard
/// input, or the built-in `TRIANGLE`. A file or folder of that name in the current folder is not looked at:
/// write `./TRIANGLE`.
///
/// The dataset is named after the file or folder. Throws InputError or Error naming place, need and found;
/// a dataset without graphs is an InputError. The result is the same for any number of threads.
Dataset read_dataset(const std::string& path, int threads = 0);

/// The same, with a say in how tables of molecules are read; `notes` gets sentences about what was left out.
Dataset read_dataset(const std::string& path, const MoleculeOptions& molecules, std::vector<std::string>& notes,
                     int threads = 0);

/// The same, but edge labels or attributes that differ by direction, which no Graph can hold, are left out of
/// all graphs. `dropped` then names them: `edge attributes`; it is empty if nothing was left out.
Dataset read_dataset_dropping(const std::string& path, std::string& dropped, const MoleculeOptions& molecules,
                              std::vector<std::string>& notes, int threads = 0);

/// What read_dataset takes a file for that begins so: JSON lines, or graph6 (sparse6 and digraph6 too); nothing
/// if it is something else.
std::optional<Format> format_of_text(const std::string& start, const std::string& path);
/// Where the first line of a text could not be read as graph6, the text as a whole may be what was not
/// understood: throws an InputError that says so. Else it does nothing.
void tell_if_no_graph6(const InputError& error, const std::string& text, const std::string& source);
/// What read_dataset calls the dataset of a file: `MUTAG.jsonl` and `MUTAG.tar.gz` hold MUTAG.
std::string dataset_name(const std::string& path);

/// `tu`, `jsonl`, `graph6`, `sparse6`, `digraph6`; throws UsageError for another word.
Format parse_format(const std::string& word);

/// By the path's ending: .jsonl .json .ndjson, .g6 .graph6, .s6 .sparse6, .d6 .digraph6; a TU folder for all
/// else.
Format format_of_path(const std::string& path);

/// Writes complete or not at all (base/file.h).
/// Throws InputError if the format cannot hold what the dataset has: graph6, sparse6 and digraph6 hold the
/// graphs' edges (sparse6 and digraph6 self-loops too) and nothing else, and only digraph6 and JSON lines
/// directions; with `drop_data` the rest is left out instead.
void write_dataset(const Dataset& dataset, const std::string& path, Format format, bool drop_data = false);

/// Hands the lines of a block of graphs to `sink`: not for TU folders. `kinds` are those of all graphs. Throws
/// as write_dataset.
void write_block(const Dataset& block, Format format, const WrittenKinds& kinds,
                 const std::function<void(std::string_view)>& sink);

/// The same onto a stream; a TU dataset, which is a folder, is a UsageError.
void print_dataset(const Dataset& dataset, std::ostream& out, Format format, bool drop_data = false);

}  // namespace twofold::io
