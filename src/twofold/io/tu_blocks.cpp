#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "twofold/base/error.h"
#include "twofold/io/block_source.h"
#include "twofold/io/tu_files.h"

namespace twofold::io {
namespace {

// Of each file that is open; a block has a part of several.
constexpr std::uint64_t kMostChunk = std::uint64_t{256} << 10;

class TuBlocks : public BlockSource {
 public:
  TuBlocks(const std::string& folder, const BlockSourceOptions& options)
      : files_(tu_files_of(folder, std::min(options.block_bytes, kMostChunk))), options_(options) {
    files_.require_all();
    if (files_.has("_node_targets")) {
      frame_.numbered_together = "targets of nodes";
      return;
    }
    // File after file, as the reader of whole datasets does, so that the same mistake is found first.
    first_node_ = read_first_nodes(*lines("_graph_indicator", text_of_nodes_));
    frame_.num_graphs = first_node_.size() - 1;
    frame_.empty.name = files_.name;
    look_at_targets();
    look_at_entries();
    look_at_data();
    rewind();
    // An edge's entries may differ.
    if (!has_edge_labels_ && !has_edge_attributes_) return;
    for (Dataset block; next(block);) {
    }
    rewind();
  }

  const DatasetFrame& frame() const override { return frame_; }

  void rewind() override {
    graph_ = 0;
    open("_graph_labels", num_graphs(), "graph", classes_);
    open("_graph_attributes", num_graphs(), "graph", targets_);
    open("_node_labels", num_nodes(), "node", node_labels_);
    open("_node_attributes", num_nodes(), "node", node_attributes_);
    open_edges();
  }

  bool next(Dataset& block) override {
    if (graph_ == num_graphs()) {
      if (is_sorted_ && !entries_->at_end()) tell_change("as many edge entries as before, found more");
      return false;
    }
    const std::size_t end = block_end();
    TuPart part;
    part.first_node = Span<const std::uint32_t>(first_node_.data() + graph_, end - graph_ + 1);
    const std::size_t nodes = first_node_[end] - first_node_[graph_];
    if (node_labels_) {
      part.node_labels.emplace();
      for (std::size_t v = 0; v < nodes; ++v) part.node_labels->push_back(node_labels_->label());
    }
    if (node_attributes_) {
      part.node_attributes.emplace();
      for (std::size_t v = 0; v < nodes; ++v) node_attributes_->reals(part.node_attributes->values);
      part.node_attributes->columns = node_attributes_->columns();
    }
    read_entries(end, part);
    block = frame_.empty;
    block.graphs = build_graphs(part, files_, {}, options_.threads);
    for (; graph_ < end; ++graph_) {
      if (classes_) block.class_of.push_back(class_number(classes_->class_name()));
      if (targets_) targets_->reals(block.real_targets, true);
    }
    return true;
  }

 private:
  std::size_t num_graphs() const { return frame_.num_graphs; }
  std::size_t num_nodes() const { return first_node_.back(); }

  [[noreturn]] void tell_change(const std::string& needed) const {
    throw InputError(fmt::format("{} changed while it was read: needed {}", files_.place, needed));
  }

  // Adds the size of the text to that of all files with such lines.
  std::unique_ptr<LineScanner> lines(const char* suffix, std::uint64_t& text) const {
    std::unique_ptr<LineScanner> found = files_.lines(suffix);
    text += found->size();
    return found;
  }

  void open(const char* suffix, std::uint64_t count, const char* of, std::optional<TuColumn>& column) const {
    if (files_.has(suffix)) column.emplace(files_.lines(suffix), count, of);
  }

  void open_edges() {
    entries_ = files_.lines("_A");
    entry_ = 0;
    open("_edge_labels", num_entries_, "edge entry", edge_labels_);
    open("_edge_attributes", num_entries_, "edge entry", edge_attributes_);
  }

  void look_at_targets() {
    Dataset& empty = frame_.empty;
    if (files_.has("_graph_labels")) {
      TuColumn column(lines("_graph_labels", text_of_graphs_), num_graphs(), "graph");
      std::set<std::string> names;
      for (std::size_t g = 0; g < num_graphs(); ++g) names.insert(column.class_name());
      empty.class_names = sorted_class_names({names.begin(), names.end()});
      for (const std::string& name : empty.class_names)
        class_number_.emplace(name, static_cast<std::uint32_t>(class_number_.size()));
    }
    if (files_.has("_graph_attributes"))
      empty.num_real_targets = look_at_reals("_graph_attributes", num_graphs(), "graph", text_of_graphs_, true);
  }

  void look_at_entries() {
    const auto all = lines("_A", text_of_entries_);
    GraphOfNode graph_of(first_node_);
    entries_of_.assign(num_graphs(), 0);
    std::size_t last = 0;
    for (; !all->at_end(); ++num_entries_) {
      const std::size_t graph = read_entry(*all, num_nodes(), graph_of).graph;
      ++entries_of_[graph];
      is_sorted_ = is_sorted_ && last <= graph;
      last = graph;
    }
    if (num_entries_ > std::numeric_limits<std::uint32_t>::max())
      throw_input_error(all->source(), 0, "fewer than 2^32 lines", "more");
  }

  void look_at_data() {
    frame_.has_bare_nodes = !files_.has("_node_labels");
    if (files_.has("_node_labels")) {
      TuColumn column(lines("_node_labels", text_of_nodes_), num_nodes(), "node");
      for (std::size_t v = 0; v < num_nodes(); ++v) frame_.node_labels.insert(column.label());
    }
    if (files_.has("_node_attributes")) look_at_reals("_node_attributes", num_nodes(), "node", text_of_nodes_);
    has_edge_labels_ = files_.has("_edge_labels");
    has_edge_attributes_ = files_.has("_edge_attributes");
    if (has_edge_labels_) {
      TuColumn column(lines("_edge_labels", text_of_entries_), num_entries_, "edge entry");
      for (std::uint64_t e = 0; e < num_entries_; ++e) column.label();
    }
    if (has_edge_attributes_) look_at_reals("_edge_attributes", num_entries_, "edge entry", text_of_entries_);
    frame_.kinds = {false, files_.has("_node_labels"), has_edge_labels_ && num_entries_ > 0};
  }

  std::size_t look_at_reals(const char* suffix, std::uint64_t count, const char* of, std::uint64_t& text,
                            bool are_targets = false) const {
    TuColumn column(lines(suffix, text), count, of);
    std::vector<double> row;
    for (std::uint64_t i = 0; i < count; ++i) {
      row.clear();
      column.reals(row, are_targets);
    }
    return column.columns();
  }

  // Graphs whose lines have about as many bytes as a block may have; one at least.
  std::size_t block_end() const {
    const auto each = [](std::uint64_t text, std::uint64_t count) {
      return static_cast<double>(text) / static_cast<double>(std::max<std::uint64_t>(count, 1));
    };
    const double of_graph = each(text_of_graphs_, num_graphs()), of_node = each(text_of_nodes_, num_nodes()),
                 of_entry = each(text_of_entries_, num_entries_);
    std::size_t end = graph_;
    for (double bytes = 0; end < num_graphs(); ++end) {
      bytes += of_graph + of_node * (first_node_[end + 1] - first_node_[end]) + of_entry * entries_of_[end];
      if (end > graph_ && bytes > static_cast<double>(options_.block_bytes)) break;
    }
    return end;
  }

  void read_entries(std::size_t end, TuPart& part) {
    if (!is_sorted_) open_edges();
    if (edge_labels_) part.edge_labels.emplace();
    if (edge_attributes_) part.edge_attributes.emplace();
    part.first_line = entry_ + 1;
    std::uint64_t count = 0;
    for (std::size_t g = graph_; g < end; ++g) count += entries_of_[g];
    part.entries.reserve(count);
    const std::uint64_t last = is_sorted_ ? entry_ + count : num_entries_;
    GraphOfNode graph_of(first_node_);
    std::vector<double> row;
    while (entry_ < last) {
      if (entries_->at_end()) tell_change("as many edge entries as before, found fewer");
      ++entry_;
      const TuEntry entry = read_entry(*entries_, num_nodes(), graph_of);
      const bool is_part = graph_ <= entry.graph && entry.graph < end;
      if (is_sorted_ && !is_part) tell_change("edge entries in the order of before, found another");
      const Label label = edge_labels_ ? edge_labels_->label() : 0;
      row.clear();
      if (edge_attributes_) edge_attributes_->reals(row);
      if (!is_part) continue;
      part.entries.push_back(entry.edge);
      if (!is_sorted_) part.line_of.push_back(static_cast<std::uint32_t>(entry_));
      if (edge_labels_) part.edge_labels->push_back(label);
      if (edge_attributes_)
        part.edge_attributes->values.insert(part.edge_attributes->values.end(), row.begin(), row.end());
    }
    if (part.entries.size() != count) tell_change("the edge entries of before, found others");
    if (edge_attributes_) part.edge_attributes->columns = edge_attributes_->columns();
  }

  std::uint32_t class_number(const std::string& name) const {
    const auto found = class_number_.find(name);
    if (found == class_number_.end()) tell_change("the classes of before, found another");
    return found->second;
  }

  TuFiles files_;
  BlockSourceOptions options_;
  DatasetFrame frame_;
  std::map<std::string, std::uint32_t> class_number_;
  std::vector<std::uint32_t> first_node_;  // of each graph, and one past the last
  std::vector<std::uint32_t> entries_of_;  // per graph
  std::uint64_t num_entries_ = 0;
  bool is_sorted_ = true;  // the entries are in the order of their graphs
  bool has_edge_labels_ = false, has_edge_attributes_ = false;
  // Bytes of all files that have a line per node, per edge entry, per graph.
  std::uint64_t text_of_nodes_ = 0, text_of_entries_ = 0, text_of_graphs_ = 0;

  // Where the next block begins.
  std::size_t graph_ = 0;
  std::uint64_t entry_ = 0;
  std::optional<TuColumn> classes_, targets_, node_labels_, node_attributes_, edge_labels_, edge_attributes_;
  std::unique_ptr<LineScanner> entries_;
};

}  // namespace

std::unique_ptr<BlockSource> tu_blocks(const std::string& folder, const BlockSourceOptions& options) {
  return std::make_unique<TuBlocks>(folder, options);
}

}  // namespace twofold::io
