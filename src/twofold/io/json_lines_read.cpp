#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/edge_data.h"
#include "twofold/io/json_lines.h"
#include "twofold/io/json_scanner.h"
#include "twofold/io/node_feature_rows.h"

namespace twofold::io {
namespace {

constexpr std::int64_t kMostNodesOfAGraph = std::numeric_limits<Node>::max() - 1;

// A list of numbers, or of rows of numbers, as it stood on the line.
struct NumberList {
  bool present = false;
  std::vector<double> values;
  std::vector<std::string> texts;  // the different ones, if it is a list of texts: values then count in it
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::size_t> row_ends = {};  // of rows that may differ in length
};

struct Target {
  enum Kind { kNone, kInteger, kReal, kText, kNull, kNamed } kind = kNone;
  std::string text;  // of an integer or a text
  double real = 0;   // of an integer or a real; NaN for null
  // Of an object: its keys and their values, NaN for null.
  std::vector<std::string> names = {};
  std::vector<double> values = {};
};

// What one line said.
struct Line {
  Graph graph;
  Target target;
  bool has_node_targets = false;
  std::vector<WrittenTarget> node_targets;
  bool has_pair_targets = false;
  std::vector<Edge> pairs;
  std::vector<WrittenTarget> pair_targets;
  bool has_features = false;
  std::vector<std::vector<NodeFeatureTable::Entry>> features;  // a node
  NumberList graph_attributes;
  bool has_node_labels = false;
  bool has_edge_labels = false;
  // The texts that labels number, if there are any.
  std::vector<std::string> node_texts, edge_texts;
  std::optional<std::string> id, smiles;
  std::size_t num_node_attributes = 0;
  std::size_t num_edge_attributes = 0;
};

// Reads one line. Every value has one of a few shapes, so a table of keys says all.
class JsonLine {
 public:
  // `nodes_left` is what all lines together may still ask for.
  JsonLine(std::string_view text, const std::string& source, std::size_t line,
           std::atomic<std::int64_t>& nodes_left, EdgeData kept)
      : scan_(text, source, line), nodes_left_(nodes_left), kept_(kept) {}

  Line read() {
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
          "a key out of nodes, edges, node_labels, node_attributes, node_features, node_feature_values, "
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
      target_ = {Target::kText, scan_.string(), 0};
    } else if (scan_.skip_null()) {
      target_ = {Target::kNull, "", std::numeric_limits<double>::quiet_NaN()};
    } else if (scan_.skip('{')) {
      read_named_targets();
    } else if (!scan_.number(value)) {
      refuse(scan_.next_value());
    } else if (value.is_integer) {
      target_ = {Target::kInteger, std::to_string(value.integer), value.real};
    } else {
      if (!std::isfinite(value.real)) refuse(std::string(value.text));
      target_ = {Target::kReal, "", value.real};
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
    target_.kind = Target::kNamed;
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
    if (key_ == kEdges && columns != 2) scan_.fail("edges of two nodes", fmt::format("one of {}", columns));
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

  Line make_line() {
    if (!seen_[kNodes]) scan_.fail("the key \"nodes\"", "none");
    const auto n = static_cast<std::size_t>(nodes_);
    if (nodes_ > kMostNodesOfAGraph || (nodes_left_ -= nodes_) < 0)
      scan_.fail("fewer nodes in all graphs together", "too many");
    GraphBuilder builder(n);
    const NumberList& edges = lists_[kEdges];
    builder.reserve_edges(edges.rows);
    for (std::size_t i = 0; i < edges.rows; ++i) {
      for (const double end : {edges.values[2 * i], edges.values[2 * i + 1]})
        if (end < 0 || end >= static_cast<double>(n))
          scan_.fail(n == 0 ? "no edges in a graph of no nodes" : fmt::format("nodes in 0..{}", n - 1),
                     fmt::format("{}", static_cast<std::int64_t>(end)));
      builder.add_edge(static_cast<Node>(edges.values[2 * i]), static_cast<Node>(edges.values[2 * i + 1]));
    }
    Line result;
    result.has_node_labels = lists_[kNodeLabels].present;
    result.has_edge_labels = lists_[kEdgeLabels].present;
    const std::vector<Label> edge_labels =
        result.has_edge_labels ? labels(kEdgeLabels, edges.rows, "edge") : std::vector<Label>();
    if (result.has_node_labels) builder.set_node_labels(labels(kNodeLabels, n, "node"));
    result.has_edge_labels = result.has_edge_labels && kept_.labels;
    if (result.has_edge_labels) builder.set_edge_labels(edge_labels);
    result.num_node_attributes = check_rows(kNodeAttributes, n, "node");
    result.num_edge_attributes = check_rows(kEdgeAttributes, edges.rows, "edge");
    if (!kept_.attributes) result.num_edge_attributes = 0;
    if (result.num_node_attributes > 0)
      builder.set_node_attributes(result.num_node_attributes, std::move(lists_[kNodeAttributes].values));
    if (result.num_edge_attributes > 0)
      builder.set_edge_attributes(result.num_edge_attributes, std::move(lists_[kEdgeAttributes].values));
    try {
      result.graph = std::move(builder).build();
    } catch (const EdgeConflict& conflict) {
      try {
        scan_.fail("the same data each time an edge is listed",
                   fmt::format("entries {} and {} of \"edges\" to differ; {}", conflict.first_entry,
                               conflict.second_entry, kHowToDrop));
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

  void take_item_targets(Line& result) {
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

  void take_features(Line& result) {
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
  Target target_;
  std::vector<WrittenTarget> node_targets_;
  std::vector<Edge> pairs_;
  std::vector<WrittenTarget> pair_targets_;
  std::optional<std::string> id_, smiles_;
};

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' '))
    text.remove_suffix(1);
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Every line must have the kinds of data that the first one has. A graph without nodes or edges has none to
// miss.
void check_same_kinds(const std::vector<Line>& lines, const std::string& source) {
  const auto require = [&](bool same, std::size_t i, const char* what) {
    if (!same)
      throw_input_error(source, i + 1, fmt::format("{} on all lines or on none, as on line 1", what),
                        "a line that differs");
  };
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const Line& a = lines[0];
    const Line& b = lines[i];
    require(a.has_node_labels == b.has_node_labels, i, "\"node_labels\"");
    require(a.has_edge_labels == b.has_edge_labels, i, "\"edge_labels\"");
    require(a.id.has_value() == b.id.has_value(), i, "an \"id\"");
    require(a.smiles.has_value() == b.smiles.has_value(), i, "a \"smiles\"");
    require(a.target.kind == Target::kNone ? b.target.kind == Target::kNone : b.target.kind != Target::kNone, i,
            "a \"target\"");
    require((a.target.kind == Target::kText) == (b.target.kind == Target::kText), i, "a text as \"target\"");
    require((a.target.kind == Target::kNamed) == (b.target.kind == Target::kNamed), i,
            "an object as \"target\"");
    for (const std::string& name : b.target.names)
      if (std::find(a.target.names.begin(), a.target.names.end(), name) == a.target.names.end())
        throw_input_error(source, i + 1,
                          fmt::format("targets {}, as on line 1", fmt::join(a.target.names, ", ")),
                          in_quotes(name));
    require(a.has_node_targets == b.has_node_targets, i, "\"node_targets\"");
    require(a.has_features == b.has_features, i, "\"node_features\"");
    require(a.graph_attributes.present == b.graph_attributes.present, i, "\"graph_attributes\"");
  }
  // Columns may be unknown on a line of no nodes, so they are compared with the first line that has some.
  const auto same_columns = [&](auto columns, auto count, const char* what) {
    std::size_t first = lines.size();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (count(lines[i]) == 0) continue;
      if (first == lines.size()) first = i;
      if (columns(lines[i]) != columns(lines[first]))
        throw_input_error(source, i + 1,
                          fmt::format("{} {}, as on line {}", columns(lines[first]), what, first + 1),
                          std::to_string(columns(lines[i])));
    }
  };
  same_columns([](const Line& l) { return l.num_node_attributes; },
               [](const Line& l) { return l.graph.num_nodes(); }, "attributes a node");
  same_columns([](const Line& l) { return l.num_edge_attributes; },
               [](const Line& l) { return l.graph.num_edges() + l.graph.num_self_loops(); },
               "attributes an edge");
  same_columns([](const Line& l) { return l.graph_attributes.values.size(); }, [](const Line&) { return 1; },
               "graph attributes");
}

// Targets by name, in the order of the first line. One that a line does not name is not known.
void read_named(const std::vector<Line>& lines, Dataset& dataset) {
  dataset.target_names = lines[0].target.names;
  dataset.num_real_targets = dataset.target_names.size();
  for (const Line& line : lines)
    for (const std::string& name : dataset.target_names) {
      const auto& names = line.target.names;
      const auto at = std::find(names.begin(), names.end(), name);
      dataset.real_targets.push_back(at == names.end()
                                         ? std::numeric_limits<double>::quiet_NaN()
                                         : line.target.values[static_cast<std::size_t>(at - names.begin())]);
    }
}

// Classes are told apart over all lines.
void read_items(const std::vector<Line>& lines, Dataset& dataset, const std::string& source) {
  std::vector<WrittenTarget> nodes, pairs;
  for (std::size_t g = 0; g < lines.size(); ++g) {
    nodes.insert(nodes.end(), lines[g].node_targets.begin(), lines[g].node_targets.end());
    pairs.insert(pairs.end(), lines[g].pair_targets.begin(), lines[g].pair_targets.end());
    for (const Edge pair : lines[g].pairs)
      dataset.pair_targets.items.push_back({static_cast<std::uint32_t>(g), pair.u, pair.v});
  }
  const auto require_one_kind = [&](const std::vector<WrittenTarget>& targets, const char* key) {
    bool texts = false, reals = false;
    for (const WrittenTarget& target : targets) {
      texts = texts || target.kind == WrittenTarget::kText;
      reals = reals || target.kind == WrittenTarget::kReal;
    }
    if (texts && reals)
      throw_input_error(source, 0, fmt::format("classes or real numbers as \"{}\"", key), "both");
  };
  require_one_kind(nodes, "node_targets");
  require_one_kind(pairs, "pair_targets");
  if (!lines.empty() && lines[0].has_node_targets) {
    dataset.node_targets.items = all_nodes(dataset.graphs);
    dataset.node_targets.set(nodes);
  }
  dataset.pair_targets.set(pairs);
}

void set_features(std::vector<Line>& lines) {
  if (lines.empty() || !lines[0].has_features) return;
  std::vector<std::vector<std::vector<NodeFeatureTable::Entry>>> rows;
  std::vector<Graph> graphs;
  for (Line& line : lines) {
    rows.push_back(std::move(line.features));
    graphs.push_back(std::move(line.graph));
  }
  give_features(std::move(rows), graphs);
  for (std::size_t g = 0; g < lines.size(); ++g) lines[g].graph = std::move(graphs[g]);
}

// Labels that are texts are numbered over all lines, in the order of the texts.
void number_texts(std::vector<Line>& lines, const std::string& source, Dataset& dataset) {
  const auto number = [&](std::vector<std::string> Line::*texts, auto has_numbers, const char* what,
                          LabelNames& names) {
    std::set<std::string> all;
    for (const Line& line : lines) all.insert((line.*texts).begin(), (line.*texts).end());
    if (all.empty()) return;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if ((lines[i].*texts).empty() && has_numbers(lines[i]))
        throw_input_error(source, i + 1, fmt::format("texts as {} on all lines or on none", what), "numbers");
    for (const std::string& text : all) names.emplace(static_cast<Label>(names.size()), text);
  };
  number(
      &Line::node_texts, [](const Line& l) { return !l.graph.node_labels().empty(); }, "\"node_labels\"",
      dataset.node_label_names);
  number(
      &Line::edge_texts, [](const Line& l) { return !l.graph.edge_labels().empty(); }, "\"edge_labels\"",
      dataset.edge_label_names);
  if (dataset.node_label_names.empty() && dataset.edge_label_names.empty()) return;
  const auto ranks = [](const LabelNames& names) {
    std::map<std::string, Label> result;
    for (const auto& [label, name] : names) result.emplace(name, label);
    return result;
  };
  const auto nodes = ranks(dataset.node_label_names), edges = ranks(dataset.edge_label_names);
  const auto numbers = [](const std::vector<std::string>& texts, const std::map<std::string, Label>& rank) {
    std::map<Label, Label> result;
    for (std::size_t i = 0; i < texts.size(); ++i) result.emplace(static_cast<Label>(i), rank.at(texts[i]));
    return result;
  };
  for (Line& line : lines)
    line.graph = renumbered(line.graph, numbers(line.node_texts, nodes), numbers(line.edge_texts, edges));
}

}  // namespace

Dataset read_json_lines(std::string_view text, const std::string& source, int threads, const ReadLimits& limits,
                        std::string* dropped) {
  const auto texts = split_lines(text);
  std::vector<Line> lines(texts.size());
  without_conflicts(dropped, [&](const EdgeData& kept) {
    std::atomic<std::int64_t> nodes_left{static_cast<std::int64_t>(limits.max_nodes)};
    parallel_for(lines.size(), threads,
                 [&](std::size_t i) { lines[i] = JsonLine(texts[i], source, i + 1, nodes_left, kept).read(); });
  });
  check_same_kinds(lines, source);

  Dataset dataset;
  number_texts(lines, source, dataset);
  for (Line& line : lines) {
    if (line.id) dataset.ids.push_back(std::move(*line.id));
    if (line.smiles) dataset.smiles.push_back(std::move(*line.smiles));
  }
  if (!lines.empty() && lines[0].target.kind == Target::kNamed) {
    read_named(lines, dataset);
  } else if (!lines.empty() && lines[0].target.kind != Target::kNone) {
    bool any_real = false;
    // With null among them whole numbers are values: a class that is not known is none.
    for (const Line& line : lines)
      any_real = any_real || line.target.kind == Target::kReal || line.target.kind == Target::kNull;
    std::vector<std::string> names;
    for (Line& line : lines)
      if (any_real)
        dataset.real_targets.push_back(line.target.real);
      else
        names.push_back(std::move(line.target.text));
    if (any_real)
      dataset.num_real_targets = 1;
    else
      dataset.set_classes(names);
  }
  if (!lines.empty() && lines[0].graph_attributes.present) {
    if (dataset.num_real_targets > 0)
      throw_input_error(source, 1, "real targets as \"target\" or as \"graph_attributes\"", "both");
    dataset.num_real_targets = lines[0].graph_attributes.values.size();
    for (const Line& line : lines)
      dataset.real_targets.insert(dataset.real_targets.end(), line.graph_attributes.values.begin(),
                                  line.graph_attributes.values.end());
  }
  set_features(lines);
  for (Line& line : lines) dataset.graphs.push_back(std::move(line.graph));
  read_items(lines, dataset, source);
  return dataset;
}

}  // namespace twofold::io
