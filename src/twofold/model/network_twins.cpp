#include "twofold/model/network_twins.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/graph/marked_union.h"

namespace twofold::model {
namespace {

// Graphs stay together iff they are in one class of both.
TwinClasses meet(const TwinClasses& a, const TwinClasses& b) {
  TwinClasses both{a.seen_by + " and " + b.seen_by, {}};
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  for (std::size_t g = 0; g < a.class_of.size(); ++g)
    both.class_of.push_back(
        numbers
            .emplace(std::make_pair(a.class_of[g], b.class_of[g]), static_cast<std::uint32_t>(numbers.size()))
            .first->second);
  return both;
}

// An exact test needs a node to mark; networks take graphs without nodes.
TwinClasses marked_twins(Span<const Graph> graphs, wl::WlTest test, const GraphData& seen,
                         const wl::ClassifyOptions& options, bool has_marks) {
  if (!has_marks) return wl_twins(graphs, test, seen, options);
  const bool is_empty =
      std::any_of(graphs.begin(), graphs.end(), [](const Graph& g) { return g.num_nodes() == 0; });
  if (!is_empty) {
    test.marks = 1;
    return wl_twins(graphs, test, seen, options);
  }
  std::set<Label> labels;
  for (const Graph& g : graphs) labels.insert(g.node_labels().begin(), g.node_labels().end());
  const std::vector<Label> sorted(labels.begin(), labels.end());
  std::vector<Graph> unions;
  for (const Graph& g : graphs) unions.push_back(graph::marked_union(g, sorted));
  return wl_twins(unions, test, seen, options);
}

}  // namespace

TwinClasses network_twins(const std::string& model, const std::vector<Config>& grid, Span<const Graph> graphs,
                          const wl::ClassifyOptions& options) {
  const GraphData seen = seen_data(model, grid);
  const auto named = [&](TwinClasses twins) {
    twins.seen_by += describe_seen(data_of(graphs), seen);
    return twins;
  };
  if (model == "mlp") return named(node_feature_twins(graphs, seen));
  if (model == "2-gnn") return named(wl_twins(graphs, wl::parse_test("2-gnn"), seen, options));
  bool has_marks = false;
  for (const Config& config : grid) has_marks = has_marks || config.value("marks", 0) > 0;
  if (model == "gin" || model == "gcn" || model == "sage")
    return named(marked_twins(graphs, wl::parse_test("1-wl"), seen, options, has_marks));
  TWOFOLD_CHECK(model == "2-wl-gnn", "{} is no network", model);
  // That a larger radius sees more is not known, so every radius is asked.
  std::map<std::string, TwinClasses> by_radius;
  for (const Config& config : grid) {
    const Config& value = config.at("radius");
    wl::WlTest test = wl::parse_test("2-wl");
    const std::string radius = value.is_string() ? value.get<std::string>() : value.dump();
    test.radius = graph::parse_radius(radius);
    if (by_radius.count(radius) == 0) by_radius[radius] = marked_twins(graphs, test, seen, options, has_marks);
  }
  TwinClasses twins = by_radius.begin()->second;
  for (auto next = std::next(by_radius.begin()); next != by_radius.end(); ++next)
    twins = meet(twins, next->second);
  return named(std::move(twins));
}

}  // namespace twofold::model
