#include "twofold/io/tu_files.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <numeric>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/failure.h"
#include "twofold/base/file.h"
#include "twofold/base/parallel.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::io {
namespace {

constexpr std::size_t kMostNodes = std::numeric_limits<Node>::max() - 1;

}  // namespace

void TuFiles::require_all() const {
  for (const char* suffix : {"_A", "_graph_indicator"})
    if (!has(suffix)) throw_input_error(place, 0, "a file " + file(suffix), "none");
  if (!has("_graph_labels") && !has("_graph_attributes") && !has("_node_targets"))
    throw_input_error(place, 0,
                      fmt::format("a file {}, {} or {}", file("_graph_labels"), file("_graph_attributes"),
                                  file("_node_targets")),
                      "none of them");
}

std::string tu_name(const std::vector<std::string>& files, const std::string& preferred,
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

TuFiles tu_files_of(const std::string& folder, std::uint64_t chunk_bytes) {
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
  files.name = tu_name(found, own_name.empty() ? file_name(folder) : own_name, folder);
  const std::string base = files.name;
  const auto path = [folder, base](const std::string& suffix) {
    return (fs::path(folder) / (base + suffix + ".txt")).string();
  };
  files.has = [=](const std::string& suffix) {
    return std::binary_search(found.begin(), found.end(), base + suffix + ".txt");
  };
  files.lines = [=](const std::string& suffix) {
    const std::string file = path(suffix);
    return chunk_bytes == 0
               ? std::make_unique<LineScanner>(read_file(file), file)
               : std::make_unique<LineScanner>(std::make_unique<TextChunks>(file, chunk_bytes), file);
  };
  files.shown_name = path;
  return files;
}

TuColumn::TuColumn(std::unique_ptr<LineScanner> lines, std::uint64_t count, const char* of)
    : lines_(std::move(lines)), count_(count), of_(of) {
  if (count == 0) require_no_more();
}

void TuColumn::require_no_more() {
  if (!lines_->at_end())
    throw_input_error(lines_->source(), lines_->line(), fmt::format("{} lines, one per {}", count_, of_),
                      "more");
}

template <typename Read>
void TuColumn::read_line(const Read& read) {
  if (lines_->at_end())
    throw_input_error(lines_->source(), lines_->line(), fmt::format("{} lines, one per {}", count_, of_),
                      fmt::format("only {}", done_));
  read(lines_->scan());
  lines_->scan().end_line();
  if (++done_ == count_) require_no_more();
}

std::int64_t TuColumn::integer(const char* what) {
  std::int64_t value = 0;
  read_line([&](TextScanner& scan) {
    value =
        scan.integer(what, std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max());
  });
  return value;
}

void TuColumn::reals(std::vector<double>& values, bool is_target) {
  read_line([&](TextScanner& scan) {
    std::size_t columns = 0;
    do {
      values.push_back(is_target ? scan.real_or_nan("a target") : scan.real("an attribute"));
      ++columns;
    } while (scan.skip_comma());
    if (done_ == 0) columns_ = columns;
    if (columns != columns_)
      throw_input_error(scan.source(), scan.line(), fmt::format("{} values, as on line 1", columns_),
                        std::to_string(columns));
  });
}

std::string TuColumn::word(const char* what) {
  std::string word;
  read_line([&](TextScanner& scan) { word = scan.word(what); });
  return word;
}

std::vector<std::uint32_t> read_first_nodes(LineScanner& lines) {
  if (lines.at_end()) throw_input_error(lines.source(), 0, "one line per node", "an empty file");
  std::vector<std::uint32_t> first;
  std::int64_t last = 0;
  std::size_t nodes = 0;
  while (!lines.at_end()) {
    // Graphs are numbered from 1, none is left out, and the nodes of one follow each other.
    TextScanner& scan = lines.scan();
    const std::int64_t graph = scan.integer("a graph's number", std::max<std::int64_t>(last, 1), last + 1);
    if (graph > last) first.push_back(static_cast<std::uint32_t>(nodes));
    last = graph;
    ++nodes;
    scan.end_line();
    if (nodes > kMostNodes)
      throw_input_error(lines.source(), lines.line(), fmt::format("at most {} nodes", kMostNodes), "more");
  }
  first.push_back(static_cast<std::uint32_t>(nodes));
  return first;
}

std::size_t GraphOfNode::operator()(Node node) {
  if (node < first_node_[last_] || node >= first_node_[last_ + 1]) {
    const auto after = std::upper_bound(first_node_.begin(), first_node_.end(), node);
    last_ = static_cast<std::size_t>(after - first_node_.begin()) - 1;
  }
  return last_;
}

TuEntry read_entry(LineScanner& lines, std::size_t num_nodes, GraphOfNode& graph_of) {
  TextScanner& scan = lines.scan();
  const auto n = static_cast<std::int64_t>(num_nodes);
  const auto u = static_cast<Node>(scan.integer("a node", 1, n) - 1);
  scan.comma();
  const auto v = static_cast<Node>(scan.integer("a node", 1, n) - 1);
  const std::size_t graph = graph_of(u), other = graph_of(v);
  if (graph != other)
    throw_input_error(
        scan.source(), scan.line(), "an edge within one graph",
        fmt::format("node {} of graph {} and node {} of graph {}", u + 1, graph + 1, v + 1, other + 1));
  scan.end_line();
  return {{u, v}, graph};
}

namespace {

// The entries of a part by graph.
struct Grouped {
  std::vector<std::size_t> first;    // of each graph in `order`, and one past the last
  std::vector<std::uint32_t> order;  // empty if the entries are in that order themselves

  std::size_t entry(std::size_t i) const { return order.empty() ? i : order[i]; }
};

// Nearly every file has them in the order of their graphs already.
Grouped group_entries(const TuPart& part) {
  Grouped grouped;
  grouped.first.assign(part.first_node.size(), 0);
  GraphOfNode graph_of(part.first_node);
  bool is_sorted = true;
  std::size_t last = 0;
  for (const Edge& e : part.entries) {
    const std::size_t graph = graph_of(e.u);
    ++grouped.first[graph + 1];
    is_sorted = is_sorted && last <= graph;
    last = graph;
  }
  std::partial_sum(grouped.first.begin(), grouped.first.end(), grouped.first.begin());
  if (is_sorted) return grouped;
  grouped.order.resize(part.entries.size());
  std::vector<std::size_t> next = grouped.first;
  for (std::size_t i = 0; i < part.entries.size(); ++i)
    grouped.order[next[graph_of(part.entries[i].u)]++] = static_cast<std::uint32_t>(i);
  return grouped;
}

// The conflict of a graph whose entries begin at `first`, in words that name lines.
EdgeConflict told(const EdgeConflict& conflict, const TuPart& part, const Grouped& grouped, std::size_t first,
                  const TuFiles& files) {
  const auto line = [&](std::size_t number) {
    const std::size_t entry = grouped.entry(first + number);
    return part.line_of.empty() ? part.first_line + entry : part.line_of[entry];
  };
  const std::string suffix = files.has("_edge_labels") ? "_edge_labels" : "_edge_attributes";
  const Edge e = part.entries[grouped.entry(first + conflict.second_entry)];
  return {fmt::format("{}:{}: needed the same for edge {}-{} as on line {}, found another value; {}",
                      files.shown_name(suffix), line(conflict.second_entry), e.u + 1, e.v + 1,
                      line(conflict.first_entry), kHowToDrop),
          conflict.first_entry, conflict.second_entry};
}

}  // namespace

std::vector<Graph> build_graphs(const TuPart& part, const TuFiles& files, const EdgeData& kept, int threads) {
  const Grouped grouped = group_entries(part);
  const bool has_labels = part.edge_labels && kept.labels;
  const bool has_attributes = part.edge_attributes && kept.attributes;
  std::vector<Graph> graphs(part.first_node.size() - 1);
  parallel_for(graphs.size(), threads, [&](std::size_t g) {
    const std::size_t first = part.first_node[g], last = part.first_node[g + 1];
    GraphBuilder builder(last - first);
    builder.reserve_edges(grouped.first[g + 1] - grouped.first[g]);
    std::vector<Label> own_labels;
    std::vector<double> own_attributes;
    for (std::size_t i = grouped.first[g]; i < grouped.first[g + 1]; ++i) {
      const std::size_t entry = grouped.entry(i);
      builder.add_edge(part.entries[entry].u - static_cast<Node>(first),
                       part.entries[entry].v - static_cast<Node>(first));
      if (has_labels) own_labels.push_back((*part.edge_labels)[entry]);
      if (has_attributes) {
        const auto row = part.edge_attributes->rows(entry, entry + 1);
        own_attributes.insert(own_attributes.end(), row.begin(), row.end());
      }
    }
    // Of the part's nodes.
    const std::size_t begin = first - part.first_node[0], end = last - part.first_node[0];
    if (part.node_labels)
      builder.set_node_labels({part.node_labels->begin() + static_cast<std::ptrdiff_t>(begin),
                               part.node_labels->begin() + static_cast<std::ptrdiff_t>(end)});
    if (part.node_attributes)
      builder.set_node_attributes(part.node_attributes->columns, part.node_attributes->rows(begin, end));
    if (has_labels) builder.set_edge_labels(std::move(own_labels));
    if (has_attributes) builder.set_edge_attributes(part.edge_attributes->columns, std::move(own_attributes));
    try {
      graphs[g] = std::move(builder).build();
    } catch (const EdgeConflict& conflict) {
      throw told(conflict, part, grouped, grouped.first[g], files);
    }
  });
  return graphs;
}

}  // namespace twofold::io
