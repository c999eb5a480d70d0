#include "twofold/io/json_line.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/json_scanner.h"
#include "twofold/io/node_feature_rows.h"

namespace twofold::io {
namespace {

constexpr std::int64_t kMostNodesOfAGraph = std::numeric_limits<Node>::max() - 1;

// Reads one line. Every value has one of a few shapes, so a table of keys says all.
class JsonLineReader {
 public:
  // `nodes_left` is what all lines together may still ask for.
  JsonLineReader(std::string_view text, const std::string& source, std::size_t line,
                 std::atomic<std::int64_t>& nodes_left, EdgeData kept)
      : scan_(text, source, line), nodes_left_(nodes_left), kept_(kept) {}

  JsonLine read() {
    if (scan_.peek() != '{' && scan_.peek() != '\0') scan_.fail("a JSON object", scan_.next_value());
    scan_.expect('{');
    if (!scan_.skip('}')) {
      do {
        read_member();
      } while (scan_.skip(','));
      scan_.expect('}');
    }
    scan_.end();
    return make_line();
  }

 private:
  enum Key {
    kNodes,
    kEdges,
    kArcs,
    kNodeLabels,
    kNodeAttributes,
    kEdgeLabels,
    kEdgeAttributes,
    kTarget,
    kGraphAttributes,
    kNodeTargets,
    kPairTargets,
    kNodeFeatures,
    kNodeFeatureValues,
    kId,
    kSmiles,
    kNumKeys
  };
  struct KeyShape {
    const char* name;
    int depth;         // of the arrays around its numbers
    bool is_integer;   // whether they must be integers
    const char* what;  // for errors
  };
  static constexpr KeyShape kKeys[kNumKeys] = {
      {"nodes", 0, true, "a number of nodes"},
      {"edges", 2, true, "a list of pairs of nodes"},
      {"arcs", 2, true, "a list of pairs of nodes, from and to"},
      {"node_labels", 1, true, "a list of integers or of texts"},
      {"node_attributes", 2, false, "a list of lists of numbers"},
      {"edge_labels", 1, true, "a list of integers or of texts"},
      {"edge_attributes", 2, false, "a list of lists of numbers"},
      {"target", 0, false, "an integer, a number, null, a text or an object of numbers"},
      {"graph_attributes", 1, false, "a list of numbers"},
      {"node_targets", 1, false, "a list of integers, numbers, texts or null"},
      {"pair_targets", 2, false, "a list of [node, node, target]"},
      {"node_features", 2, true, "a list of lists of columns"},
      {"node_feature_values", 2, false, "a list of lists of numbers"},
      {"id", 0, false, "a text or an integer"},
      {"smiles", 0, false, "a text"},
  };

  void read_member() {
    const std::string name = scan_.string();
    int found = 0;
    while (found < kNumKeys && name != kKeys[found].name) ++found;
    if (found == kNumKeys)
      scan_.fail(
          "a key out of nodes, edges, arcs, node_labels, node_attributes, node_features, node_feature_values, "
          "edge_labels, edge_attributes, target, node_targets, pair_targets, graph_attributes, id, smiles",
          in_quotes(name));
    if (seen_[found]) scan_.fail("each key once", in_quotes(name) + " twice");
    seen_[found] = true;
    key_ = static_cast<Key>(found);
    scan_.expect(':');
    if (key_ == kNodes)
      read_nodes();
    else if (key_ == kTarget)
      read_target();
    else if (key_ == kNodeTargets)
      read_node_targets();
    else if (key_ == kPairTargets)
      read_pair_targets();
    else if (key_ == kId || key_ == kSmiles)
      read_name();
    else
      read_list();
  }

  [[noreturn]] void refuse(const std::string& found) const {
    scan_.fail(fmt::format("{} as \"{}\"", kKeys[key_].what, kKeys[key_].name), found);
  }

  void read_nodes() {
    JsonNumber value;
    if (!scan_.number(value)) refuse(scan_.next_value());
    if (!value.is_integer || value.integer < 0) refuse(std::string(value.text));
    nodes_ = value.integer;
  }

  void read_name() {
    std::optional<std::string>& name = key_ == kId ? id_ : smiles_;
    JsonNumber value;
    if (scan_.peek() == '"')
      name = scan_.string();
    else if (key_ == kId && scan_.number(value) && value.is_integer)
      name = std::to_string(value.integer);
    else
      refuse(value.text.empty() ? scan_.next_value() : std::string(value.text));
  }

  // Texts are numbered by first sight; numbers and texts do not stand in one list.
  void read_text(NumberList& list) {
    if (list.texts.empty() && !list.values.empty()) refuse("numbers and texts in one list");
    std::string text = scan_.string();
    const auto found = std::find(list.texts.begin(), list.texts.end(), text);
    list.values.push_back(static_cast<double>(found - list.texts.begin()));
    if (found == list.texts.end()) list.texts.push_back(std::move(text));
  }

  void read_target() {
    JsonNumber value;
    if (scan_.peek() == '"') {
      target_ = {LineTarget::kText, scan_.string(), 0};
    } else if (scan_.skip_null()) {
      target_ = {LineTarget::kNull, "", std::numeric_limits<double>::quiet_NaN()};
    } else if (scan_.skip('{')) {
      read_named_targets();
    } else if (!scan_.number(value)) {
      refuse(scan_.next_value());
    } else if (value.is_integer) {
      target_ = {LineTarget::kInteger, std::to_string(value.integer), value.real};
    } else {
      if (!std::isfinite(value.real)) refuse(std::string(value.text));
      target_ = {LineTarget::kReal, "", value.real};
    }
  }

  WrittenTarget read_item_target() {
    JsonNumber value;
    if (scan_.peek() == '"') return {WrittenTarget::kText, scan_.string(), 0};
    if (scan_.skip_null()) return {};
    if (!scan_.number(value)) refuse(scan_.next_value());
    if (value.is_integer) return {WrittenTarget::kInteger, std::to_string(value.integer), value.real};
    if (!std::isfinite(value.real)) refuse(std::string(value.text));
    return {WrittenTarget::kReal, "", value.real};
  }

  void read_node_targets() {
    if (!scan_.skip('[')) refuse(scan_.next_value());
    if (scan_.skip(']')) return;
    do {
      node_targets_.push_back(read_item_target());
    } while (scan_.skip(','));
    scan_.expect(']');
  }

  void read_pair_targets() {
    if (!scan_.skip('[')) refuse(scan_.next_value());
    if (scan_.skip(']')) return;
    do {
      if (!scan_.skip('[')) refuse(scan_.next_value());
      Node ends[2];
      for (Node& end : ends) {
        JsonNumber value;
        if (!scan_.number(value)) refuse(scan_.next_value());
        if (!value.is_integer || value.integer < 0 || value.integer > kMostNodesOfAGraph)
          refuse(std::string(value.text));
        end = static_cast<Node>(value.integer);
        scan_.expect(',');
      }
      pairs_.push_back({std::min(ends[0], ends[1]), std::max(ends[0], ends[1])});
      pair_targets_.push_back(read_item_target());
      scan_.expect(']');
    } while (scan_.skip(','));
    scan_.expect(']');
  }

  void read_named_targets() {
    target_.kind = LineTarget::kNamed;
    if (scan_.skip('}')) scan_.fail("a target in the object of targets", "none");
    do {
      target_.names.push_back(scan_.string());
      scan_.expect(':');
      JsonNumber value;
      if (scan_.skip_null())
        value.real = std::numeric_limits<double>::quiet_NaN();
      else if (!scan_.number(value))
        refuse(scan_.next_value());
      else if (!std::isfinite(value.real))
        refuse(std::string(value.text));
      target_.values.push_back(value.real);
      if (std::count(target_.names.begin(), target_.names.end(), target_.names.back()) > 1)
        scan_.fail("each target once", in_quotes(target_.names.back()) + " twice");
    } while (scan_.skip(','));
    scan_.expect('}');
  }

  void read_list() {
    NumberList& list = lists_[key_];
    list.present = true;
    if (!scan_.skip('[')) refuse(scan_.next_value());
    if (scan_.skip(']')) return;
    do {
      if (kKeys[key_].depth == 1)
        read_number(list);
      else
        read_row(list);
    } while (scan_.skip(','));
    scan_.expect(']');
  }

  void read_row(NumberList& list) {
    if (!scan_.skip('[')) refuse(scan_.next_value());
    const std::size_t start = list.values.size();
    if (!scan_.skip(']')) {
      do {
        read_number(list);
      } while (scan_.skip(','));
      scan_.expect(']');
    }
    const std::size_t columns = list.values.size() - start;
    if (key_ == kNodeFeatures || key_ == kNodeFeatureValues) {
      list.row_ends.push_back(list.values.size());
      ++list.rows;
      return;
    }
    if ((key_ == kEdges || key_ == kArcs) && columns != 2)
      scan_.fail(fmt::format("{} of two nodes", kKeys[key_].name), fmt::format("one of {}", columns));
    if (list.rows == 0) list.columns = columns;
    if (columns != list.columns)
      scan_.fail(fmt::format("{} numbers in each row of {}", list.columns, kKeys[key_].name),
                 std::to_string(columns));
    ++list.rows;
  }

  void read_number(NumberList& list) {
    JsonNumber value;
    if ((key_ == kNodeLabels || key_ == kEdgeLabels) && scan_.peek() == '"') {
      read_text(list);
      return;
    }
    if (!list.texts.empty()) refuse("numbers and texts in one list");
    // A target that is not known.
    if (key_ == kGraphAttributes && scan_.skip_null()) {
      list.values.push_back(std::numeric_limits<double>::quiet_NaN());
      return;
    }
    if (!scan_.number(value)) refuse(scan_.next_value());
    // Labels and nodes fit 32 bits, so a double holds them; values beyond are refused here.
    const bool fits =
        !kKeys[key_].is_integer || (value.is_integer && value.integer >= std::numeric_limits<Label>::min() &&
                                    value.integer <= std::numeric_limits<Node>::max());
    if (!fits || !std::isfinite(value.real)) refuse(std::string(value.text));
    list.values.push_back(value.real);
  }

  JsonLine make_line() {
    if (!seen_[kNodes]) scan_.fail("the key \"nodes\"", "none");
    const auto n = static_cast<std::size_t>(nodes_);
    if (nodes_ > kMostNodesOfAGraph || (nodes_left_ -= nodes_) < 0)
      scan_.fail("fewer nodes in all graphs together", "too many");
    GraphBuilder builder(n);
    if (seen_[kEdges] && seen_[kArcs]) scan_.fail("\"edges\" or \"arcs\"", "both");
    const Key listed = seen_[kArcs] ? kArcs : kEdges;
    const char* const of = seen_[kArcs] ? "arc" : "edge";
    const NumberList& edges = lists_[listed];
    if (seen_[kArcs]) builder.set_directed();
    builder.reserve_edges(edges.rows);
    for (std::size_t i = 0; i < edges.rows; ++i) {
      for (const double end : {edges.values[2 * i], edges.values[2 * i + 1]})
        if (end < 0 || end >= static_cast<double>(n))
          scan_.fail(
              n == 0 ? fmt::format("no {}s in a graph of no nodes", of) : fmt::format("nodes in 0..{}", n - 1),
              fmt::format("{}", static_cast<std::int64_t>(end)));
      // Of a directed graph every entry is an arc.
      builder.add_edge(static_cast<Node>(edges.values[2 * i]), static_cast<Node>(edges.values[2 * i + 1]));
    }
    JsonLine result;
    result.has_node_labels = lists_[kNodeLabels].present;
    result.has_edge_labels = lists_[kEdgeLabels].present;
    const std::vector<Label> edge_labels =
        result.has_edge_labels ? labels(kEdgeLabels, edges.rows, of) : std::vector<Label>();
    if (result.has_node_labels) builder.set_node_labels(labels(kNodeLabels, n, "node"));
    result.has_edge_labels = result.has_edge_labels && kept_.labels;
    if (result.has_edge_labels) builder.set_edge_labels(edge_labels);
    result.num_node_attributes = check_rows(kNodeAttributes, n, "node");
    result.num_edge_attributes = check_rows(kEdgeAttributes, edges.rows, of);
    if (!kept_.attributes) result.num_edge_attributes = 0;
    if (result.num_node_attributes > 0)
      builder.set_node_attributes(result.num_node_attributes, std::move(lists_[kNodeAttributes].values));
    if (result.num_edge_attributes > 0)
      builder.set_edge_attributes(result.num_edge_attributes, std::move(lists_[kEdgeAttributes].values));
    try {
      result.graph = std::move(builder).build();
    } catch (const EdgeConflict& conflict) {
      try {
        scan_.fail(seen_[kArcs] ? "the same data of both arcs between two nodes"
                                : "the same data each time an edge is listed",
                   fmt::format("entries {} and {} of \"{}\" to differ; {}", conflict.first_entry,
                               conflict.second_entry, kKeys[listed].name, kHowToDrop));
      } catch (const InputError& placed) {
        throw EdgeConflict(placed.what(), conflict.first_entry, conflict.second_entry);
      }
    }
    result.target = std::move(target_);
    take_item_targets(result);
    take_features(result);
    result.node_texts = std::move(lists_[kNodeLabels].texts);
    result.edge_texts = std::move(lists_[kEdgeLabels].texts);
    result.id = std::move(id_);
    result.smiles = std::move(smiles_);
    result.graph_attributes = std::move(lists_[kGraphAttributes]);
    return result;
  }

  void take_item_targets(JsonLine& result) {
    const std::size_t n = result.graph.num_nodes();
    result.has_node_targets = seen_[kNodeTargets];
    if (result.has_node_targets && node_targets_.size() != n)
      scan_.fail(fmt::format("{} values in \"node_targets\", one per node", n),
                 std::to_string(node_targets_.size()));
    result.has_pair_targets = seen_[kPairTargets];
    std::vector<std::pair<Node, Node>> sorted;
    for (const Edge pair : pairs_) {
      if (pair.v >= n)
        scan_.fail(fmt::format("nodes of \"pair_targets\" in 0..{}", n == 0 ? 0 : n - 1),
                   std::to_string(pair.v));
      if (pair.u == pair.v)
        scan_.fail("pairs of two nodes in \"pair_targets\"", fmt::format("[{},{}]", pair.u, pair.v));
      sorted.emplace_back(pair.u, pair.v);
    }
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
      scan_.fail("each pair once in \"pair_targets\"",
                 fmt::format("[{},{}] twice", twice->first, twice->second));
    result.node_targets = std::move(node_targets_);
    result.pairs = std::move(pairs_);
    result.pair_targets = std::move(pair_targets_);
  }

  void take_features(JsonLine& result) {
    const NumberList& columns = lists_[kNodeFeatures];
    const NumberList& values = lists_[kNodeFeatureValues];
    result.has_features = columns.present;
    if (values.present && !columns.present) scan_.fail("\"node_features\" with their values", "none");
    if (!columns.present) return;
    if (result.has_node_labels) scan_.fail("\"node_labels\" or \"node_features\"", "both");
    const std::size_t n = result.graph.num_nodes();
    for (const NumberList* list : {&columns, &values})
      if (list->present && list->rows != n)
        scan_.fail(fmt::format("{} rows in \"{}\", one per node", n,
                               kKeys[list == &columns ? kNodeFeatures : kNodeFeatureValues].name),
                   std::to_string(list->rows));
    if (values.present && values.row_ends != columns.row_ends)
      scan_.fail("as many \"node_feature_values\" of each node as \"node_features\"", "others");
    std::size_t at = 0;
    for (std::size_t v = 0; v < n; ++v) {
      std::vector<NodeFeatureTable::Entry> row;
      for (; at < columns.row_ends[v]; ++at)
        row.emplace_back(
            feature_column(columns.values[at], [&](const std::string& needed,
                                                   const std::string& found) { scan_.fail(needed, found); }),
            values.present ? static_cast<float>(values.values[at]) : 1.0f);
      if (const std::string twice = column_twice(row); !twice.empty())
        scan_.fail("each column of a node once in \"node_features\"", twice);
      result.features.push_back(std::move(row));
    }
  }

  std::vector<Label> labels(Key key, std::size_t count, const char* of) const {
    const NumberList& given = lists_[key];
    if (given.values.size() != count)
      scan_.fail(fmt::format("{} values in \"{}\", one per {}", count, kKeys[key].name, of),
                 std::to_string(given.values.size()));
    std::vector<Label> result;
    result.reserve(count);
    for (const double value : given.values) {
      if (value > std::numeric_limits<Label>::max())
        scan_.fail("labels of 32 bits", fmt::format("{}", static_cast<std::int64_t>(value)));
      result.push_back(static_cast<Label>(value));
    }
    return result;
  }

  std::size_t check_rows(Key key, std::size_t count, const char* of) const {
    const NumberList& given = lists_[key];
    if (!given.present) return 0;
    if (given.rows != count)
      scan_.fail(fmt::format("{} rows in \"{}\", one per {}", count, kKeys[key].name, of),
                 std::to_string(given.rows));
    return given.columns;
  }

  JsonScanner scan_;
  std::atomic<std::int64_t>& nodes_left_;
  EdgeData kept_;
  Key key_ = kNodes;
  bool seen_[kNumKeys] = {};
  std::int64_t nodes_ = 0;
  NumberList lists_[kNumKeys];
  LineTarget target_;
  std::vector<WrittenTarget> node_targets_;
  std::vector<Edge> pairs_;
  std::vector<WrittenTarget> pair_targets_;
  std::optional<std::string> id_, smiles_;
};

}  // namespace

JsonLine read_json_line(std::string_view text, const std::string& source, std::size_t line,
                        std::atomic<std::int64_t>& nodes_left, EdgeData kept) {
  return JsonLineReader(text, source, line, nodes_left, kept).read();
}

}  // namespace twofold::io
