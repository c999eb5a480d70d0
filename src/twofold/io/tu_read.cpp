#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/io/archive.h"
#include "twofold/io/tu.h"
#include "twofold/io/tu_files.h"
#include "twofold/io/written_targets.h"

namespace twofold::io {
namespace {

// A dataset read whole, file after file.
class TuReader {
 public:
  TuReader(TuFiles files, int threads, std::string* dropped)
      : files_(std::move(files)), threads_(threads), dropped_(dropped) {}

  Dataset read() {
    files_.require_all();
    Dataset dataset;
    dataset.name = files_.name;
    const std::vector<std::uint32_t> first_node = read_first_nodes(*files_.lines("_graph_indicator"));
    const std::size_t num_nodes = first_node.back();
    read_targets(dataset, first_node.size() - 1);
    TuPart part;
    part.first_node = first_node;
    part.entries = entries(first_node);
    part.node_labels = labels("_node_labels", num_nodes, "node");
    part.node_attributes = reals("_node_attributes", num_nodes, "node");
    part.edge_labels = labels("_edge_labels", part.entries.size(), "edge entry");
    part.edge_attributes = reals("_edge_attributes", part.entries.size(), "edge entry");
    std::vector<WrittenTarget> node_targets = read_node_targets(num_nodes);
    without_conflicts(
        dropped_, [&](const EdgeData& kept) { dataset.graphs = build_graphs(part, files_, kept, threads_); });
    if (node_targets.empty()) return dataset;
    dataset.node_targets.items = all_nodes(dataset.graphs);
    set_written(dataset.node_targets, std::move(node_targets));
    return dataset;
  }

 private:
  void read_targets(Dataset& dataset, std::size_t num_graphs) {
    if (files_.has("_graph_labels")) {
      TuColumn column(files_.lines("_graph_labels"), num_graphs, "graph");
      std::vector<std::string> names;
      for (std::size_t g = 0; g < num_graphs; ++g) names.push_back(column.class_name());
      dataset.set_classes(names);
    }
    // A graph's attribute is a target.
    if (auto table = reals("_graph_attributes", num_graphs, "graph", true)) {
      dataset.num_real_targets = table->columns;
      dataset.real_targets = std::move(table->values);
    }
  }

  std::vector<WrittenTarget> read_node_targets(std::size_t num_nodes) {
    std::vector<WrittenTarget> targets;
    if (!files_.has("_node_targets")) return targets;
    TuColumn column(files_.lines("_node_targets"), num_nodes, "node");
    for (std::size_t v = 0; v < num_nodes; ++v)
      targets.push_back(parse_target(column.word("a class, a number or ?")));
    return targets;
  }

  std::vector<Edge> entries(const std::vector<std::uint32_t>& first_node) {
    const auto lines = files_.lines("_A");
    GraphOfNode graph_of(first_node);
    std::vector<Edge> result;
    result.reserve(lines->size() / 12);
    while (!lines->at_end()) result.push_back(read_entry(*lines, first_node.back(), graph_of).edge);
    if (result.size() > std::numeric_limits<std::uint32_t>::max())
      throw_input_error(lines->source(), 0, "fewer than 2^32 lines", "more");
    return result;
  }

  std::optional<std::vector<Label>> labels(const std::string& suffix, std::size_t count, const char* of) {
    if (!files_.has(suffix)) return std::nullopt;
    TuColumn column(files_.lines(suffix), count, of);
    std::vector<Label> result;
    result.reserve(count);
    for (std::size_t i = 0; i < count; ++i) result.push_back(column.label());
    return result;
  }

  std::optional<RealTable> reals(const std::string& suffix, std::size_t count, const char* of,
                                 bool are_targets = false) {
    if (!files_.has(suffix)) return std::nullopt;
    TuColumn column(files_.lines(suffix), count, of);
    RealTable table;
    for (std::size_t i = 0; i < count; ++i) column.reals(table.values, are_targets);
    table.columns = column.columns();
    return table;
  }

  TuFiles files_;
  int threads_;
  std::string* dropped_;  // where to say what was left out; null: nothing may be
};

}  // namespace

Dataset read_tu_dataset(const std::string& folder, int threads, std::string* dropped) {
  return TuReader(tu_files_of(folder), threads, dropped).read();
}

Dataset read_tu_files(const std::string& preferred, std::map<std::string, std::string> texts, int threads,
                      const std::string& place, std::string* dropped) {
  std::vector<std::string> found;
  found.reserve(texts.size());
  for (const auto& [name, text] : texts) found.push_back(name);
  TuFiles files;
  files.place = place.empty() ? preferred : place;
  files.name = tu_name(found, preferred, files.place);
  const std::string base = files.name;
  const auto file = [base](const std::string& suffix) { return base + suffix + ".txt"; };
  const auto shown_name = [place, file](const std::string& suffix) {
    return place.empty() ? file(suffix) : place + "/" + file(suffix);
  };
  files.has = [&, file](const std::string& suffix) { return texts.count(file(suffix)) > 0; };
  files.lines = [&, file, shown_name](const std::string& suffix) {
    return std::make_unique<LineScanner>(std::move(texts.at(file(suffix))), shown_name(suffix));
  };
  files.shown_name = shown_name;
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
