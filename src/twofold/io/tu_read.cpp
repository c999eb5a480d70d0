#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/failure.h"
#include "twofold/base/file.h"
#include "twofold/base/parallel.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/archive.h"
#include "twofold/io/edge_data.h"
#include "twofold/io/text_scanner.h"
#include "twofold/io/tu.h"
#include "twofold/io/written_targets.h"

namespace twofold::io {
namespace {

// Where the files of one dataset come from: each by its suffix, as "_A" or "_node_labels".
struct TuFiles {
  std::string name;
  std::string place;                                                 // the folder or archive, for messages
  std::function<bool(const std::string& suffix)> has;                //
  std::function<std::string(const std::string& suffix)> text;        // the whole file
  std::function<std::string(const std::string& suffix)> shown_name;  // as the user knows it

  std::string file(const std::string& suffix) const { return name + suffix + ".txt"; }
};

// Rows of real numbers, equally many on each line.
struct RealTable {
  std::size_t columns = 0;
  std::vector<double> values;

  std::vector<double> rows(std::size_t first, std::size_t last) const {
    return {values.begin() + static_cast<std::ptrdiff_t>(first * columns),
            values.begin() + static_cast<std::ptrdiff_t>(last * columns)};
  }
};

constexpr std::size_t kMostNodes = std::numeric_limits<Node>::max() - 1;

// Reads `count` lines; `of` says what there is one line per: "node".
template <typename ReadLine>
void read_lines(TextScanner& scanner, std::size_t count, const char* of, ReadLine&& read_line) {
  for (std::size_t i = 0; i < count; ++i) {
    if (scanner.at_end())
      throw_input_error(scanner.source(), scanner.line(), fmt::format("{} lines, one per {}", count, of),
                        fmt::format("only {}", i));
    read_line(i);
    scanner.end_line();
  }
  if (!scanner.at_end())
    throw_input_error(scanner.source(), scanner.line(), fmt::format("{} lines, one per {}", count, of), "more");
}

class TuReader {
 public:
  TuReader(TuFiles files, int threads, std::string* dropped)
      : files_(std::move(files)), threads_(threads), dropped_(dropped) {}

  Dataset read() {
    for (const char* suffix : {"_A", "_graph_indicator"})
      if (!files_.has(suffix)) throw_input_error(files_.place, 0, "a file " + files_.file(suffix), "none");
    if (!files_.has("_graph_labels") && !files_.has("_graph_attributes") && !files_.has("_node_targets"))
      throw_input_error(files_.place, 0,
                        fmt::format("a file {}, {} or {}", files_.file("_graph_labels"),
                                    files_.file("_graph_attributes"), files_.file("_node_targets")),
                        "none of them");
    Dataset dataset;
    dataset.name = files_.name;
    read_graph_indicator();
    read_targets(dataset);
    read_edges();
    const auto node_labels = labels("_node_labels", graph_of_.size(), "node");
    const auto node_attributes = reals("_node_attributes", graph_of_.size(), "node");
    const auto edge_labels = labels("_edge_labels", entries_.size(), "edge entry");
    const auto edge_attributes = reals("_edge_attributes", entries_.size(), "edge entry");
    std::vector<WrittenTarget> node_targets = read_node_targets();
    group_entries();
    dataset.graphs.resize(first_node_.size() - 1);
    without_conflicts(dropped_, [&](const EdgeData& kept) {
      build_graphs(dataset, node_labels, node_attributes, kept.labels ? edge_labels : std::nullopt,
                   kept.attributes ? edge_attributes : std::nullopt);
    });
    if (node_targets.empty()) return dataset;
    dataset.node_targets.items = all_nodes(dataset.graphs);
    set_written(dataset.node_targets, std::move(node_targets));
    return dataset;
  }

 private:
  TextScanner scanner(const std::string& suffix) {
    text_ = files_.text(suffix);
    return TextScanner(text_, files_.shown_name(suffix));
  }

  void build_graphs(Dataset& dataset, const std::optional<std::vector<Label>>& node_labels,
                    const std::optional<RealTable>& node_attributes,
                    const std::optional<std::vector<Label>>& edge_labels,
                    const std::optional<RealTable>& edge_attributes) const {
    parallel_for(dataset.graphs.size(), threads_, [&](std::size_t g) {
      const std::size_t first = first_node_[g];
      const std::size_t last = first_node_[g + 1];
      GraphBuilder builder(last - first);
      builder.reserve_edges(first_entry_[g + 1] - first_entry_[g]);
      std::vector<Label> own_labels;
      std::vector<double> own_attributes;
      for (std::size_t i = first_entry_[g]; i < first_entry_[g + 1]; ++i) {
        const std::size_t entry = entry_order_.empty() ? i : entry_order_[i];
        builder.add_edge(entries_[entry].u - static_cast<Node>(first),
                         entries_[entry].v - static_cast<Node>(first));
        if (edge_labels) own_labels.push_back((*edge_labels)[entry]);
        if (edge_attributes) {
          const auto row = edge_attributes->rows(entry, entry + 1);
          own_attributes.insert(own_attributes.end(), row.begin(), row.end());
        }
      }
      if (node_labels)
        builder.set_node_labels({node_labels->begin() + static_cast<std::ptrdiff_t>(first),
                                 node_labels->begin() + static_cast<std::ptrdiff_t>(last)});
      if (node_attributes)
        builder.set_node_attributes(node_attributes->columns, node_attributes->rows(first, last));
      if (edge_labels) builder.set_edge_labels(std::move(own_labels));
      if (edge_attributes) builder.set_edge_attributes(edge_attributes->columns, std::move(own_attributes));
      dataset.graphs[g] = build(std::move(builder), g);
    });
  }

  // Fills graph_of_ and first_node_.
  void read_graph_indicator() {
    TextScanner scan = scanner("_graph_indicator");
    if (scan.at_end()) throw_input_error(scan.source(), 0, "one line per node", "an empty file");
    std::int64_t last = 0;
    while (!scan.at_end()) {
      // Graphs are numbered from 1, none is left out, and the nodes of one follow each other.
      const std::int64_t graph = scan.integer("a graph's number", std::max<std::int64_t>(last, 1), last + 1);
      if (graph > last) first_node_.push_back(graph_of_.size());
      last = graph;
      graph_of_.push_back(static_cast<std::uint32_t>(graph - 1));
      scan.end_line();
      if (graph_of_.size() > kMostNodes)
        throw_input_error(scan.source(), scan.line(), fmt::format("at most {} nodes", kMostNodes), "more");
    }
    first_node_.push_back(graph_of_.size());
  }

  void read_targets(Dataset& dataset) {
    const std::size_t num_graphs = first_node_.size() - 1;
    if (files_.has("_graph_labels")) {
      TextScanner scan = scanner("_graph_labels");
      std::vector<std::string> names;
      read_lines(scan, num_graphs, "graph", [&](std::size_t) {
        names.push_back(std::to_string(scan.integer("a class", std::numeric_limits<std::int32_t>::min(),
                                                    std::numeric_limits<std::int32_t>::max())));
      });
      dataset.set_classes(names);
    }
    if (auto table = reals("_graph_attributes", num_graphs, "graph")) {
      dataset.num_real_targets = table->columns;
      dataset.real_targets = std::move(table->values);
    }
  }

  std::vector<WrittenTarget> read_node_targets() {
    std::vector<WrittenTarget> targets;
    if (!files_.has("_node_targets")) return targets;
    TextScanner scan = scanner("_node_targets");
    read_lines(scan, graph_of_.size(), "node",
               [&](std::size_t) { targets.push_back(parse_target(scan.word("a class, a number or ?"))); });
    return targets;
  }

  void read_edges() {
    TextScanner scan = scanner("_A");
    const auto n = static_cast<std::int64_t>(graph_of_.size());
    entries_.reserve(text_.size() / 12);
    while (!scan.at_end()) {
      const auto u = static_cast<Node>(scan.integer("a node", 1, n) - 1);
      scan.comma();
      const auto v = static_cast<Node>(scan.integer("a node", 1, n) - 1);
      if (graph_of_[u] != graph_of_[v])
        throw_input_error(scan.source(), scan.line(), "an edge within one graph",
                          fmt::format("node {} of graph {} and node {} of graph {}", u + 1, graph_of_[u] + 1,
                                      v + 1, graph_of_[v] + 1));
      scan.end_line();
      entries_.push_back({u, v});
    }
    if (entries_.size() > std::numeric_limits<std::uint32_t>::max())
      throw_input_error(scan.source(), 0, "fewer than 2^32 lines", "more");
  }

  std::optional<std::vector<Label>> labels(const std::string& suffix, std::size_t count, const char* of) {
    if (!files_.has(suffix)) return std::nullopt;
    TextScanner scan = scanner(suffix);
    std::vector<Label> result;
    result.reserve(count);
    read_lines(scan, count, of, [&](std::size_t) {
      result.push_back(static_cast<Label>(
          scan.integer("a label", std::numeric_limits<Label>::min(), std::numeric_limits<Label>::max())));
    });
    return result;
  }

  std::optional<RealTable> reals(const std::string& suffix, std::size_t count, const char* of) {
    if (!files_.has(suffix)) return std::nullopt;
    TextScanner scan = scanner(suffix);
    RealTable table;
    read_lines(scan, count, of, [&](std::size_t row) {
      std::size_t columns = 0;
      do {
        // A graph's attribute is a target, and may be unknown.
        table.values.push_back(suffix == "_graph_attributes" ? scan.real_or_nan("a target")
                                                             : scan.real("an attribute"));
        ++columns;
      } while (scan.skip_comma());
      if (row == 0) table.columns = columns;
      if (columns != table.columns)
        throw_input_error(scan.source(), scan.line(), fmt::format("{} values, as on line 1", table.columns),
                          std::to_string(columns));
    });
    return table;
  }

  // Puts the entries in the order of their graphs. Nearly every file has them so already.
  void group_entries() {
    const std::size_t num_graphs = first_node_.size() - 1;
    first_entry_.assign(num_graphs + 1, 0);
    for (const Edge& e : entries_) ++first_entry_[graph_of_[e.u] + 1];
    std::partial_sum(first_entry_.begin(), first_entry_.end(), first_entry_.begin());
    const auto earlier = [&](const Edge& a, const Edge& b) { return graph_of_[a.u] < graph_of_[b.u]; };
    if (std::is_sorted(entries_.begin(), entries_.end(), earlier)) return;
    entry_order_.resize(entries_.size());
    auto next = first_entry_;
    for (std::size_t i = 0; i < entries_.size(); ++i)
      entry_order_[next[graph_of_[entries_[i].u]]++] = static_cast<std::uint32_t>(i);
  }

  Graph build(GraphBuilder&& builder, std::size_t g) const {
    try {
      return std::move(builder).build();
    } catch (const EdgeConflict& conflict) {
      const auto line = [&](std::size_t entry) {
        const std::size_t i = first_entry_[g] + entry;
        return 1 + (entry_order_.empty() ? i : entry_order_[i]);
      };
      const std::string suffix = files_.has("_edge_labels") ? "_edge_labels" : "_edge_attributes";
      const Edge e = entries_[line(conflict.second_entry) - 1];
      const std::string words =
          fmt::format("{}:{}: needed the same for edge {}-{} as on line {}, found another value; {}",
                      files_.shown_name(suffix), line(conflict.second_entry), e.u + 1, e.v + 1,
                      line(conflict.first_entry), kHowToDrop);
      throw EdgeConflict(words, conflict.first_entry, conflict.second_entry);
    }
  }

  TuFiles files_;
  int threads_;
  std::string* dropped_;                  // where to say what was left out; null: nothing may be
  std::string text_;                      // of the file being read
  std::vector<std::uint32_t> graph_of_;   // of each node, from 0, ascending
  std::vector<std::size_t> first_node_;   // of each graph, and one past the last
  std::vector<Edge> entries_;             // the lines of _A, nodes from 0
  std::vector<std::size_t> first_entry_;  // of each graph in entry_order_, and one past the last
  // The entries by graph; empty if entries_ is in that order itself.
  std::vector<std::uint32_t> entry_order_;
};

// The NAME for which NAME_A.txt is among the files: `preferred`, or the only one.
std::string find_name(const std::vector<std::string>& files, const std::string& preferred,
                      const std::string& place) {
  const std::string ending = "_A.txt";
  std::vector<std::string> names;
  for (const std::string& file : files)
    if (file.size() > ending.size() && file.compare(file.size() - ending.size(), ending.size(), ending) == 0)
      names.push_back(file.substr(0, file.size() - ending.size()));
  if (std::find(names.begin(), names.end(), preferred) != names.end()) return preferred;
  if (names.size() == 1) return names[0];
  throw_input_error(
      place, 0, fmt::format("a file {}_A.txt", preferred),
      names.empty() ? "none" : fmt::format("{} files of that kind with other names", names.size()));
}

}  // namespace

Dataset read_tu_dataset(const std::string& folder, int threads, std::string* dropped) {
  namespace fs = std::filesystem;
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    found.push_back(entry->path().filename().string());
  if (error) throw FileError("open", folder, error.value());
  std::sort(found.begin(), found.end());

  // "." and ".." have no name of their own.
  std::error_code ignored;
  const std::string own_name = fs::canonical(folder, ignored).filename().string();
  TuFiles files;
  files.place = folder;
  files.name = find_name(found, own_name.empty() ? file_name(folder) : own_name, folder);
  const std::string base = files.name;
  const auto path = [folder, base](const std::string& suffix) {
    return (fs::path(folder) / (base + suffix + ".txt")).string();
  };
  files.has = [=](const std::string& suffix) {
    return std::binary_search(found.begin(), found.end(), base + suffix + ".txt");
  };
  files.text = [=](const std::string& suffix) { return read_file(path(suffix)); };
  files.shown_name = path;
  return TuReader(std::move(files), threads, dropped).read();
}

Dataset read_tu_files(const std::string& preferred, std::map<std::string, std::string> texts, int threads,
                      const std::string& place, std::string* dropped) {
  std::vector<std::string> found;
  found.reserve(texts.size());
  for (const auto& [name, text] : texts) found.push_back(name);
  TuFiles files;
  files.place = place.empty() ? preferred : place;
  files.name = find_name(found, preferred, files.place);
  const std::string base = files.name;
  const auto file = [base](const std::string& suffix) { return base + suffix + ".txt"; };
  files.has = [&, file](const std::string& suffix) { return texts.count(file(suffix)) > 0; };
  files.text = [&, file](const std::string& suffix) { return std::move(texts.at(file(suffix))); };
  files.shown_name = [place, file](const std::string& suffix) {
    return place.empty() ? file(suffix) : place + "/" + file(suffix);
  };
  return TuReader(std::move(files), threads, dropped).read();
}

Dataset read_tu_archive(std::string_view bytes, const std::string& source, int threads, std::string* dropped) {
  std::map<std::string, std::string> texts;  // by name without folders
  for (ArchivedFile& entry : unpack_archive(bytes, source)) {
    const std::string name = file_name(entry.name);
    if (!texts.emplace(name, std::move(entry.bytes)).second)
      throw_input_error(source, 0, "each file once", fmt::format("two files {}", in_quotes(name)));
  }
  const std::string archive = file_name(source);
  return read_tu_files(archive.substr(0, archive.find('.')), std::move(texts), threads, source, dropped);
}

}  // namespace twofold::io
