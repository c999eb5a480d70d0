#include "twofold/model/twins.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/graph/dataset.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/record/json_reader.h"

namespace twofold::model {
namespace {

using Words = std::vector<std::uint64_t>;

void append_bits(Words& words, Span<const double> values) {
  for (const double value : values) {
    words.push_back(0);
    std::memcpy(&words.back(), &value, sizeof value);
  }
}

// Numbers different rows by their first occurrence.
class RowNumbers {
 public:
  Label number(Words row) {
    return numbers_.emplace(std::move(row), static_cast<Label>(numbers_.size())).first->second;
  }

 private:
  std::map<Words, Label> numbers_;
};

Words node_row(const Graph& g, Node v, const GraphData& seen) {
  Words row;
  if (seen.node_labels && g.has_node_labels())
    row.push_back(static_cast<std::uint64_t>(static_cast<std::int64_t>(g.node_labels()[v])));
  if (seen.node_attributes) append_bits(row, g.node_attributes(v));
  return row;
}

Words edge_row(const Graph& g, std::size_t edge, const GraphData& seen) {
  Words row;
  if (seen.edge_labels && g.has_edge_labels())
    row.push_back(static_cast<std::uint64_t>(static_cast<std::int64_t>(g.edge_labels()[edge])));
  if (seen.edge_attributes) append_bits(row, g.edge_attributes(edge));
  return row;
}

// Whatever a target is, it can be compared: its bits.
std::vector<Words> target_rows(const LabeledGraphs& graphs) {
  std::vector<Words> rows(graphs.size());
  const std::size_t columns = graphs.size() == 0 ? 0 : graphs.values.size() / graphs.size();
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    if (!graphs.class_of.empty()) rows[i].push_back(graphs.class_of[i]);
    append_bits(rows[i], {graphs.values.data() + i * columns, columns});
  }
  return rows;
}

using Tally = std::map<Words, std::size_t>;  // how often each target

std::map<std::uint32_t, Tally> tally_targets(const TwinClasses& twins, const LabeledGraphs& graphs) {
  const std::vector<Words> targets = target_rows(graphs);
  std::map<std::uint32_t, Tally> tallies;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    TWOFOLD_CHECK(graphs.graphs[i] < twins.class_of.size());
    ++tallies[twins.class_of[graphs.graphs[i]]][targets[i]];
  }
  return tallies;
}

// Percent of the tallied graphs that carry the commonest target of their class.
double ceiling_of(const std::map<std::uint32_t, Tally>& tallies) {
  std::size_t right = 0, all = 0;
  for (const auto& [twin_class, tally] : tallies) {
    std::size_t most = 0;
    for (const auto& [target, count] : tally) {
      most = std::max(most, count);
      all += count;
    }
    right += most;
  }
  return all == 0 ? 100 : 100 * static_cast<double>(right) / static_cast<double>(all);
}

}  // namespace

Config to_json(const TwinClasses& twins) { return {{"seen_by", twins.seen_by}, {"class_of", twins.class_of}}; }

TwinClasses twins_from_json(const Config& json, std::size_t num_graphs, const std::string& source) {
  const record::JsonView view(json, source);
  TwinClasses twins;
  twins.seen_by = view.at("seen_by").text();
  const record::JsonView classes = view.at("class_of");
  if (classes.size() != num_graphs)
    classes.refuse(fmt::format("a class per graph, {} in all", num_graphs), fmt::format("{}", classes.size()));
  std::uint32_t next = 0;
  for (const std::int64_t number : classes.integers(0, std::numeric_limits<std::uint32_t>::max())) {
    twins.class_of.push_back(static_cast<std::uint32_t>(number));
    if (twins.class_of.back() > next)
      classes.refuse("classes numbered by their first graph", fmt::format("{} before {}", number, next));
    next = std::max(next, twins.class_of.back() + 1);
  }
  return twins;
}

std::vector<Graph> data_as_labels(Span<const Graph> graphs, const GraphData& seen) {
  RowNumbers nodes, edges;
  std::vector<Graph> result;
  require_undirected(graphs, "a learner");
  for (const Graph& g : graphs) {
    GraphBuilder builder(g.num_nodes());
    builder.reserve_edges(g.num_edges() + g.num_self_loops());
    for (const Edge e : g.edges()) builder.add_edge(e.u, e.v);
    for (const Node v : g.self_loops()) builder.add_edge(v, v);
    if ((seen.node_labels && g.has_node_labels()) || (seen.node_attributes && g.num_node_attributes() > 0)) {
      std::vector<Label> labels;
      for (Node v = 0; v < g.num_nodes(); ++v) labels.push_back(nodes.number(node_row(g, v, seen)));
      builder.set_node_labels(std::move(labels));
    }
    if ((seen.edge_labels && g.has_edge_labels()) || (seen.edge_attributes && g.num_edge_attributes() > 0)) {
      std::vector<Label> labels;
      for (std::size_t e = 0; e < g.num_edges() + g.num_self_loops(); ++e)
        labels.push_back(edges.number(edge_row(g, e, seen)));
      builder.set_edge_labels(std::move(labels));
    }
    result.push_back(std::move(builder).build());
  }
  return result;
}

TwinClasses wl_twins(Span<const Graph> graphs, const wl::WlTest& test, const GraphData& seen,
                     const wl::ClassifyOptions& options) {
  TwinClasses twins;
  twins.seen_by = wl::describe(test);
  // The test itself sees labels and no attributes; whether edge labels count it can be told.
  const GraphData counts = both(data_of(graphs), seen);
  wl::WlTest told = test;
  told.edge_labels = test.edge_labels && (counts.edge_labels || counts.edge_attributes);
  const bool has_hidden_labels = data_of(graphs).node_labels && !seen.node_labels;
  const bool has_attributes = counts.node_attributes || (told.edge_labels && counts.edge_attributes);
  twins.class_of = has_attributes || has_hidden_labels
                       ? wl::classify(data_as_labels(graphs, seen), told, options).class_of
                       : wl::classify(graphs, told, options).class_of;
  return twins;
}

TwinClasses node_feature_twins(Span<const Graph> graphs, const GraphData& seen) {
  RowNumbers nodes;
  std::map<std::vector<Label>, std::uint32_t> classes;
  TwinClasses twins;
  twins.seen_by = "node features";
  for (const Graph& g : graphs) {
    std::vector<Label> labels;
    for (Node v = 0; v < g.num_nodes(); ++v) labels.push_back(nodes.number(node_row(g, v, seen)));
    std::sort(labels.begin(), labels.end());
    twins.class_of.push_back(
        classes.emplace(std::move(labels), static_cast<std::uint32_t>(classes.size())).first->second);
  }
  return twins;
}

Duplicates count_duplicates(const TwinClasses& twins, const LabeledGraphs& graphs) {
  const auto tallies = tally_targets(twins, graphs);
  Duplicates result;
  result.num_graphs = graphs.size();
  result.num_classes = tallies.size();
  for (const auto& [twin_class, tally] : tallies) {
    std::size_t size = 0;
    for (const auto& [target, count] : tally) size += count;
    if (size > 1) result.sharing += size;
    if (tally.size() > 1) result.mixed += size;
  }
  result.ceiling = ceiling_of(tallies);
  return result;
}

TestTwins count_test_twins(const TwinClasses& twins, const LabeledGraphs& train, const LabeledGraphs& test) {
  const auto known = tally_targets(twins, train);
  const std::vector<Words> targets = target_rows(test);
  TestTwins result;
  result.num_graphs = test.size();
  for (std::size_t i = 0; i < test.size(); ++i) {
    const auto found = known.find(twins.class_of[test.graphs[i]]);
    if (found == known.end()) continue;
    ++result.twins;
    const Tally& tally = found->second;
    result.mislead += tally.size() > 1 || tally.begin()->first != targets[i];
  }
  result.ceiling = ceiling_of(tally_targets(twins, test));
  return result;
}

}  // namespace twofold::model
