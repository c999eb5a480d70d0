#include "twofold/model/seen_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/model/model_table.h"

namespace twofold::model {
namespace {

bool any_has(const std::vector<Config>& grid, const char* flag, bool fallback) {
  return std::any_of(grid.begin(), grid.end(), [&](const Config& c) { return c.value(flag, fallback); });
}

// `a`, `a and b`, `a, b and c`.
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace

GraphData data_of(Span<const Graph> graphs) {
  GraphData found{false, false, false, false};
  for (const Graph& g : graphs) {
    found.node_labels = found.node_labels || g.has_node_labels();
    found.node_attributes = found.node_attributes || g.num_node_attributes() > 0;
    found.edge_labels = found.edge_labels || g.has_edge_labels();
    found.edge_attributes = found.edge_attributes || g.num_edge_attributes() > 0;
  }
  return found;
}

GraphData seen_data(const std::string& model, const std::vector<Config>& grid) {
  TWOFOLD_CHECK(!grid.empty());
  if (!find_model(model).is_network) return {true, false, any_has(grid, "edge-labels", false), false};
  const bool attributes = any_has(grid, "node-attributes", true);
  const bool sees_pairs = model == "2-gnn" || model == "2-wl-gnn";
  return {true, attributes, sees_pairs, sees_pairs};
}

GraphData both(const GraphData& a, const GraphData& b) {
  return {a.node_labels && b.node_labels, a.node_attributes && b.node_attributes,
          a.edge_labels && b.edge_labels, a.edge_attributes && b.edge_attributes};
}

GraphData ignored_data(const GraphData& found, const GraphData& seen) {
  return both(found, {!seen.node_labels, !seen.node_attributes, !seen.edge_labels, !seen.edge_attributes});
}

std::vector<std::string> data_names(const GraphData& data) {
  std::vector<std::string> names;
  if (data.node_labels) names.emplace_back("node labels");
  if (data.node_attributes) names.emplace_back("node attributes");
  if (data.edge_labels) names.emplace_back("edge labels");
  if (data.edge_attributes) names.emplace_back("edge attributes");
  return names;
}

std::string describe_seen(const GraphData& found, const GraphData& seen) {
  if (found.none()) return "";
  const std::string used = fmt::format("{}", fmt::join(data_names(both(found, seen)), ", "));
  const std::string ignored = fmt::format("{}", fmt::join(data_names(ignored_data(found, seen)), ", "));
  if (ignored.empty()) return " (" + used + ")";
  return " (" + used + (used.empty() ? "not " : "; not ") + ignored + ")";
}

std::string describe_ignored(const std::string& model, const std::string& dataset, const GraphData& ignored) {
  if (ignored.none()) return "";
  return fmt::format("{} does not see the {} of {}", model, listed(data_names(ignored)), dataset);
}

}  // namespace twofold::model
