#include "twofold/io/dataset_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <functional>
#include <ostream>
#include <string_view>

#include "twofold/base/content_kind.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/memory_limit.h"
#include "twofold/graph/generate_triangle.h"
#include "twofold/io/archive.h"
#include "twofold/io/csv_table.h"
#include "twofold/io/graph6.h"
#include "twofold/io/graph_folder.h"
#include "twofold/io/json_lines.h"
#include "twofold/io/npy.h"
#include "twofold/io/tu.h"

namespace twofold::io {
namespace {

bool ends_with(std::string_view text, std::string_view ending) {
  return text.size() >= ending.size() && text.substr(text.size() - ending.size()) == ending;
}

// '{' is also a byte of graph6, but no JSON object goes on with one.
bool looks_like_json(std::string_view text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || text[start] != '{') return false;
  const auto next = text.find_first_not_of(" \t\r\n", start + 1);
  return next == std::string_view::npos || next != start + 1 || text[next] == '"' || text[next] == '}';
}

constexpr const char* kKnownFormats =
    "a dataset (JSON lines: an object per line; graph6; sparse6; digraph6; .npy of graph6 strings; a CSV table "
    "with a "
    "column smiles; a zip or tar archive of a TU folder)";

// Whether graph6 lines may begin so; with its header a file is graph6 whatever follows.
bool may_be_graph6(std::string_view text) {
  for (const std::string_view header : {">>graph6<<", ">>sparse6<<", ">>digraph6<<"})
    if (text.substr(0, header.size()) == header) return true;
  std::string_view line = text.substr(0, text.find('\n'));
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  // Sparse, directed and incremental lines; the last get words of their own from the reader.
  if (!line.empty() && (line[0] == ':' || line[0] == '&' || line[0] == ';')) line.remove_prefix(1);
  return !line.empty() &&
         std::all_of(line.begin(), line.end(), [](unsigned char c) { return c >= 63 && c <= 126; });
}

std::vector<Graph> read_graph6_or_tell(const std::string& content, const std::string& source) {
  if (!may_be_graph6(content)) throw_input_error(source, 0, kKnownFormats, describe_content(content));
  try {
    return read_graph6(content, source);
  } catch (const InputError& error) {
    tell_if_no_graph6(error, content, source);
    throw;
  }
}

bool has_ending(const std::string& path, std::string_view ending) {
  if (path.size() < ending.size()) return false;
  return std::equal(ending.begin(), ending.end(), path.end() - static_cast<std::ptrdiff_t>(ending.size()),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

// By its name, or by a column of SMILES.
bool looks_like_molecules(const std::string& content, const std::string& path, const MoleculeOptions& options) {
  if (has_ending(path, ".csv") || has_ending(path, ".tsv")) return true;
  CsvTable table;
  table.header = csv_header(content);
  const std::string& name = options.smiles_column;
  return table.find(name.empty() ? "smiles" : name) < table.header.size();
}

// What is asked for besides the path.
struct Asked {
  const MoleculeOptions& molecules;
  std::vector<std::string>& notes;
  int threads = 0;
  std::string* dropped = nullptr;
};

Dataset parse_content(const std::string& content, const std::string& path, const Asked& asked) {
  const int threads = asked.threads;
  std::string* const dropped = asked.dropped;
  const std::string source = path == "-" ? "standard input" : path;
  if (content.find_first_not_of(" \t\r\n") == std::string::npos)
    throw_input_error(source, 0, "at least one graph", "an empty file");
  if (looks_like_npy(content)) {
    Dataset dataset;
    dataset.graphs = read_graph6(read_npy_lines(content, source), source);
    dataset.name = dataset_name(path);
    return dataset;
  }
  if (looks_like_archive(content)) return read_tu_archive(content, source, threads, dropped);
  Dataset dataset;
  const std::string_view first_line = std::string_view(content).substr(0, content.find_first_of("\r\n"));
  if (first_line == "{" && first_line.size() < content.size())
    throw_input_error(source, 1, "a JSON object on one line (JSON lines: an object per line)",
                      "one over several lines");
  if (looks_like_molecules(content, path, asked.molecules))
    dataset = read_molecules(content, source, asked.molecules, threads, asked.notes);
  else if (looks_like_json(content))
    dataset = read_json_lines(content, source, threads, {}, dropped);
  else
    dataset.graphs = read_graph6_or_tell(content, source);
  dataset.name = dataset_name(path);
  return dataset;
}

// What graph6 (and, but for the self-loops, sparse6 and digraph6) would lose, directions apart.
std::string data_beyond_edges(const Dataset& dataset, bool keeps_loops) {
  if (dataset.has_classes()) return "classes";
  if (dataset.num_real_targets > 0) return "real targets";
  if (!dataset.node_targets.empty()) return "node targets";
  if (!dataset.pair_targets.empty()) return "pair targets";
  for (const Graph& g : dataset.graphs) {
    if (g.node_features() != nullptr) return "node features";
    if (g.has_node_labels()) return "node labels";
    if (g.num_node_attributes() > 0) return "node attributes";
    if (g.has_edge_labels()) return "edge labels";
    if (g.num_edge_attributes() > 0) return "edge attributes";
    if (g.num_self_loops() > 0 && !keeps_loops) return "self-loops";
  }
  return "";
}

void write_lines(const Dataset& dataset, Format format, const WrittenKinds& kinds,
                 const std::function<void(std::string_view)>& sink) {
  if (format == Format::kJsonLines) {
    write_json_lines(dataset, kinds, sink);
    return;
  }
  for (const Graph& g : dataset.graphs) {
    sink(format == Format::kGraph6    ? to_graph6(g)
         : format == Format::kSparse6 ? to_sparse6(g)
                                      : to_digraph6(g));
    sink("\n");
  }
}

}  // namespace

namespace {

Dataset read_any(const std::string& path, const Asked& asked) {
  if (path == "TRIANGLE") return graph::generate_triangle();
  std::error_code ignored;
  const bool is_folder = path != "-" && std::filesystem::is_directory(path, ignored);
  Dataset dataset = is_folder && is_graph_folder(path) ? read_graph_folder(path)
                    : is_folder                        ? read_tu_dataset(path, asked.threads, asked.dropped)
                                                       : parse_content(read_file(path), path, asked);
  // Texts and lists of numbers take several times what the graphs do, and are gone now.
  return_free_memory();
  if (is_folder) return dataset;
  if (dataset.graphs.empty())
    throw_input_error(path == "-" ? "standard input" : path, 0, "at least one graph", "none");
  return dataset;
}

}  // namespace

std::optional<Format> format_of_text(const std::string& start, const std::string& path) {
  const std::string_view first_line = std::string_view(start).substr(0, start.find_first_of("\r\n"));
  if (looks_like_npy(start) || looks_like_archive(start) || first_line == "{" ||
      looks_like_molecules(start, path, {}))
    return std::nullopt;
  if (looks_like_json(start)) return Format::kJsonLines;
  return may_be_graph6(start) ? std::optional(Format::kGraph6) : std::nullopt;
}

// Nearly every byte of a text in one word could be graph6, and a word could be an archive's or table's first.
void tell_if_no_graph6(const InputError& error, const std::string& text, const std::string& source) {
  const std::string message = error.what();
  // A file that is called graph6 is meant so.
  const Format named = format_of_path(source);
  const bool is_first_line = named != Format::kGraph6 && named != Format::kSparse6 &&
                             named != Format::kDigraph6 && message.rfind(source + ":1: ", 0) == 0;
  if (!is_first_line) return;
  if (is_known_content(text)) throw_input_error(source, 0, kKnownFormats, describe_content(text));
  throw InputError(fmt::format("{}; if it is not graph6: needed {}", message, kKnownFormats));
}

std::string dataset_name(const std::string& path) {
  if (path == "-") return "stdin";
  const std::string name = file_name(path);
  const auto dot = name.find('.', 1);
  return dot == std::string::npos ? name : name.substr(0, dot);
}

Dataset read_dataset(const std::string& path, int threads) {
  const MoleculeOptions molecules;
  std::vector<std::string> notes;
  return read_any(path, {molecules, notes, threads, nullptr});
}

Dataset read_dataset(const std::string& path, const MoleculeOptions& molecules, std::vector<std::string>& notes,
                     int threads) {
  return read_any(path, {molecules, notes, threads, nullptr});
}

Dataset read_dataset_dropping(const std::string& path, std::string& dropped, const MoleculeOptions& molecules,
                              std::vector<std::string>& notes, int threads) {
  dropped.clear();
  return read_any(path, {molecules, notes, threads, &dropped});
}

Format parse_format(const std::string& word) {
  if (word == "tu") return Format::kTu;
  if (word == "jsonl") return Format::kJsonLines;
  if (word == "graph6") return Format::kGraph6;
  if (word == "sparse6") return Format::kSparse6;
  if (word == "digraph6") return Format::kDigraph6;
  throw UsageError(
      fmt::format("needed a format tu, jsonl, graph6, sparse6 or digraph6, found {}", in_quotes(word)));
}

Format format_of_path(const std::string& path) {
  for (const char* ending : {".jsonl", ".ndjson", ".json"})
    if (ends_with(path, ending)) return Format::kJsonLines;
  for (const char* ending : {".g6", ".graph6"})
    if (ends_with(path, ending)) return Format::kGraph6;
  for (const char* ending : {".s6", ".sparse6"})
    if (ends_with(path, ending)) return Format::kSparse6;
  for (const char* ending : {".d6", ".digraph6"})
    if (ends_with(path, ending)) return Format::kDigraph6;
  return Format::kTu;
}

namespace {

const char* words_of(Format format) {
  switch (format) {
    case Format::kGraph6:
      return "graph6";
    case Format::kSparse6:
      return "sparse6";
    case Format::kDigraph6:
      return "digraph6";
    case Format::kJsonLines:
      return "JSON lines";
    case Format::kTu:
      return "a TU folder";
  }
  return "";
}

// Directions are no data that --drop-data could mean.
void require_directions_kept(const Dataset& dataset, Format format) {
  if (format == Format::kJsonLines || format == Format::kDigraph6) return;
  for (const Graph& g : dataset.graphs)
    if (g.is_directed())
      throw InputError(
          fmt::format("{} cannot hold the directions of {}; write .jsonl or .d6, or make edges of the "
                      "arcs with data convert --undirected",
                      words_of(format), dataset.name));
}

void check_nothing_is_lost(const Dataset& dataset, Format format) {
  const bool has_features = !dataset.graphs.empty() && dataset.graphs[0].node_features() != nullptr;
  if (format == Format::kTu && (!dataset.pair_targets.empty() || has_features))
    throw InputError(fmt::format("a TU folder cannot hold the {} of {}; write .jsonl",
                                 dataset.pair_targets.empty() ? "node features" : "pair targets",
                                 dataset.name));
  if (format == Format::kTu || format == Format::kJsonLines) return;
  const std::string lost = data_beyond_edges(dataset, format != Format::kGraph6);
  if (lost.empty()) return;
  throw InputError(fmt::format("{} cannot hold the {} of {}; write .jsonl, or leave them out with --drop-data",
                               words_of(format), lost, dataset.name));
}

}  // namespace

void write_dataset(const Dataset& dataset, const std::string& path, Format format, bool drop_data) {
  require_directions_kept(dataset, format);
  if (!drop_data) check_nothing_is_lost(dataset, format);
  if (format == Format::kTu) {
    write_tu_dataset(dataset, path);
    return;
  }
  AtomicFile file(path);
  write_lines(dataset, format, written_kinds(dataset.graphs), [&](std::string_view text) { file.write(text); });
  file.commit();
}

void write_block(const Dataset& block, Format format, const WrittenKinds& kinds,
                 const std::function<void(std::string_view)>& sink) {
  TWOFOLD_CHECK(format != Format::kTu);
  require_directions_kept(block, format);
  check_nothing_is_lost(block, format);
  write_lines(block, format, kinds, sink);
}

void print_dataset(const Dataset& dataset, std::ostream& out, Format format, bool drop_data) {
  if (format == Format::kTu)
    throw UsageError("a TU dataset is a folder and cannot go to standard output; name one with -o");
  require_directions_kept(dataset, format);
  if (!drop_data) check_nothing_is_lost(dataset, format);
  write_lines(dataset, format, written_kinds(dataset.graphs), [&](std::string_view text) { out << text; });
}

}  // namespace twofold::io
