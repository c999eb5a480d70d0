#include "twofold/eval/network_twins.h"

#include <iterator>
#include <map>
#include <utility>

#include "twofold/base/error.h"

namespace twofold::eval {
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

}  // namespace

TwinClasses network_twins(const std::string& model, const std::vector<Config>& grid, Span<const Graph> graphs,
                          const wl::ClassifyOptions& options) {
  TWOFOLD_CHECK(!grid.empty());
  bool attributes = false;
  for (const Config& config : grid) attributes = attributes || config.value("node-attributes", true);
  if (model == "mlp") return node_feature_twins(graphs, attributes);
  if (model == "2-gnn") return wl_twins(graphs, wl::parse_test("2-gnn"), attributes, options);
  if (model == "gin" || model == "gcn" || model == "sage") {
    wl::WlTest test = wl::parse_test("1-wl");
    test.edge_labels = false;
    return wl_twins(graphs, test, attributes, options);
  }
  TWOFOLD_CHECK(model == "2-wl-gnn", "{} is no network", model);
  // That a larger radius sees more is not known, so every radius is asked.
  std::map<std::uint32_t, TwinClasses> by_radius;  // by steps; 0: all
  for (const Config& config : grid) {
    const Config& value = config.at("radius");
    wl::WlTest test = wl::parse_test("2-wl");
    test.radius = graph::parse_radius(value.is_string() ? value.get<std::string>() : value.dump());
    const std::uint32_t steps = test.radius.is_all() ? 0 : test.radius.steps();
    if (by_radius.count(steps) == 0) by_radius[steps] = wl_twins(graphs, test, attributes, options);
  }
  TwinClasses twins = by_radius.begin()->second;
  for (auto next = std::next(by_radius.begin()); next != by_radius.end(); ++next)
    twins = meet(twins, next->second);
  return twins;
}

}  // namespace twofold::eval
