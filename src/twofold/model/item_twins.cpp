#include "twofold/model/item_twins.h"

#include <algorithm>
#include <map>
#include <set>

#include "twofold/base/error.h"
#include "twofold/wl/coloring.h"

namespace twofold::model {
namespace {

using ItemKey = std::vector<std::uint64_t>;
constexpr std::uint64_t kNoColor = ~std::uint64_t{0};

// Of each item, what the test sees of it is added to its key.
void add_colors(const wl::WlTest& test, Span<const Graph> graphs, Span<const Item> items,
                const wl::ClassifyOptions& options, std::vector<ItemKey>& keys) {
  wl::RefineOptions how;
  how.threads = options.threads;
  how.max_memory = options.max_memory;
  const wl::Coloring coloring = wl::refine(graphs, test, how);
  const bool has_rows = test.kind != wl::Kind::kVertices;
  std::vector<Edge> rows;
  std::vector<std::size_t> loops;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Item item = items[i];
    if (has_rows && (i == 0 || items[i - 1].graph != item.graph)) {
      const Graph& g = graphs[item.graph];
      rows = wl::list_rows(g, test.kind == wl::Kind::kRows ? test.radius : graph::PowerRadius(1));
      loops.clear();
      for (std::size_t row = 0; row < rows.size(); ++row)
        if (rows[row].u == rows[row].v) loops.push_back(row);
    }
    const Span<const wl::Color> colors = coloring.of_graph(item.graph);
    const auto color_of = [&](Node v) { return std::uint64_t{colors[has_rows ? loops[v] : v]}; };
    keys[i].push_back(color_of(item.u));
    if (item.u == item.v) continue;
    keys[i].push_back(color_of(item.v));
    std::sort(keys[i].end() - 2, keys[i].end());
    if (!has_rows) continue;
    const auto before = [](Edge a, Edge b) { return a.u != b.u ? a.u < b.u : a.v < b.v; };
    const Edge pair{item.u, item.v};
    const auto at = std::lower_bound(rows.begin(), rows.end(), pair, before);
    const bool is_row = at != rows.end() && *at == pair;
    keys[i].push_back(is_row ? std::uint64_t{colors[static_cast<std::size_t>(at - rows.begin())]} : kNoColor);
  }
}

std::vector<std::uint32_t> numbered(const std::vector<ItemKey>& keys) {
  std::map<ItemKey, std::uint32_t> numbers;
  std::vector<std::uint32_t> classes;
  for (const ItemKey& key : keys)
    classes.push_back(numbers.emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second);
  return classes;
}

}  // namespace

TwinClasses item_twins(const wl::WlTest& test, Span<const Graph> graphs, Span<const Item> items,
                       const wl::ClassifyOptions& options) {
  std::vector<ItemKey> keys(items.size());
  add_colors(test, data_as_labels(graphs, {}), items, options, keys);
  return {wl::describe(test), numbered(keys)};
}

TwinClasses item_twins(const std::string& model, const std::vector<Config>& grid, Span<const Graph> graphs,
                       Span<const Item> items, const wl::ClassifyOptions& options) {
  const GraphData seen = seen_data(model, grid);
  const std::vector<Graph> labeled = data_as_labels(graphs, seen);
  std::vector<ItemKey> keys(items.size());
  TwinClasses twins;
  if (model == "mlp") {
    twins.seen_by = "node features";
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Span<const Label> labels = labeled[items[i].graph].node_labels();
      for (const Node end : {items[i].u, items[i].v})
        keys[i].push_back(labels.empty() ? 0 : static_cast<std::uint64_t>(labels[end]));
      std::sort(keys[i].begin(), keys[i].end());
    }
  } else if (model == "2-wl-gnn") {
    std::set<std::string> radii;
    for (const Config& config : grid) {
      const Config& value = config.at("radius");
      radii.insert(value.is_string() ? value.get<std::string>() : value.dump());
    }
    for (const std::string& radius : radii) {
      wl::WlTest test = wl::parse_test("2-wl");
      test.radius = graph::parse_radius(radius);
      add_colors(test, labeled, items, options, keys);
      twins.seen_by += (twins.seen_by.empty() ? "" : " and ") + wl::describe(test);
    }
  } else {
    const wl::WlTest test = wl::parse_test(model == "2-gnn" ? "2-gnn" : "1-wl");
    add_colors(test, labeled, items, options, keys);
    twins.seen_by = wl::describe(test);
  }
  twins.seen_by += describe_seen(data_of(graphs), seen);
  twins.class_of = numbered(keys);
  return twins;
}

}  // namespace twofold::model
