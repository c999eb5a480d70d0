#include "cli/command_data_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "cli/table.h"
#include "twofold/graph/statistics.h"
#include "twofold/io/dataset_file.h"

namespace twofold::cli {
namespace {

using graph::DatasetStatistics;
using graph::LabelUse;
using graph::Spread;
using nlohmann::ordered_json;

// As in the paper's table: attributes + width of the one-hot label; where a graph has neither, a constant is
// used.
std::string feature_cell(std::size_t attributes, const LabelUse& labels) {
  if (attributes == 0 && labels.used == 0) return "0 (+1)";
  return fmt::format("{}+{}", attributes, labels.columns);
}

std::string class_cell(const DatasetStatistics& s) {
  if (s.classes.empty()) return s.real_targets == 0 ? "-" : fmt::format("{} real", s.real_targets);
  constexpr std::size_t kMost = 6;
  std::string cell;
  for (std::size_t i = 0; i < std::min(s.classes.size(), kMost); ++i)
    cell += fmt::format("{}{}:{}", i == 0 ? "" : " ", s.classes[i].first, s.classes[i].second);
  if (s.classes.size() > kMost) cell += fmt::format(" … {} in all", s.classes.size());
  return cell;
}

std::string radius_cell(const DatasetStatistics& s) {
  if (s.radius.count == 0) return "-";
  return fmt::format("{:.1f}±{:.1f}", s.radius.mean, s.radius.std);
}

void print_table(const std::vector<DatasetStatistics>& all, std::ostream& out) {
  const bool edge_data = std::any_of(all.begin(), all.end(), [](const DatasetStatistics& s) {
    return s.edge_labels.used > 0 || s.edge_attributes > 0;
  });
  std::vector<std::string> headers = {"<dataset", "graphs", "nodes min/mean/max", "edges min/mean/max",
                                      "node data"};
  if (edge_data) headers.emplace_back("edge data");
  headers.insert(headers.end(), {"degree min/mean±std/max", "radius", "<classes"});
  Table table(headers);
  for (const DatasetStatistics& s : all) {
    std::vector<std::string> row = {s.name, std::to_string(s.graphs),
                                    fmt::format("{}/{:.1f}/{}", s.nodes.min, s.nodes.mean, s.nodes.max),
                                    fmt::format("{}/{:.1f}/{}", s.edges.min, s.edges.mean, s.edges.max),
                                    feature_cell(s.node_attributes, s.node_labels)};
    if (edge_data) row.push_back(feature_cell(s.edge_attributes, s.edge_labels));
    row.push_back(fmt::format("{}/{:.1f}±{:.1f}/{}", s.degree.min, s.degree.mean, s.degree.std, s.degree.max));
    row.push_back(radius_cell(s));
    row.push_back(class_cell(s));
    table.add_row(std::move(row));
  }
  table.print(out);
}

ordered_json to_json(const DatasetStatistics& s) {
  const auto count = [](double value) { return static_cast<std::uint64_t>(value); };
  const auto range = [&](const Spread& x) {
    return ordered_json{{"min", count(x.min)}, {"mean", x.mean}, {"max", count(x.max)}};
  };
  ordered_json classes = ordered_json::object();
  for (const auto& [name, graphs] : s.classes) classes[name] = graphs;
  ordered_json radius = {{"mean", nullptr}, {"std", nullptr}};
  if (s.radius.count > 0) radius = {{"mean", s.radius.mean}, {"std", s.radius.std}};
  return {
      {"name", s.name},
      {"graphs", s.graphs},
      {"nodes", range(s.nodes)},
      {"edges", range(s.edges)},
      {"degree",
       {{"min", count(s.degree.min)},
        {"mean", s.degree.mean},
        {"std", s.degree.std},
        {"max", count(s.degree.max)}}},
      {"graph_radius", radius},
      {"connected_graphs", s.radius.count},
      {"node_labels", s.node_labels.columns},
      {"node_labels_used", s.node_labels.used},
      {"node_attributes", s.node_attributes},
      {"edge_labels", s.edge_labels.columns},
      {"edge_labels_used", s.edge_labels.used},
      {"edge_attributes", s.edge_attributes},
      {"self_loops", s.self_loops},
      {"isolated_nodes", s.isolated_nodes},
      {"classes", classes},
      {"real_targets", s.real_targets},
  };
}

}  // namespace

void declare_data_info(CLI::App& app, DataInfoOptions& options) {
  app.add_option("DATASET", options.datasets,
                 "TU folder or zip, JSON-lines, graph6 or sparse6 file, - or TRIANGLE")
      ->required()
      ->type_name("");
  app.add_flag("--no-graph-radius", options.no_graph_radius,
               "Leave the radius out: it can take long on large, very symmetric graphs");
  declare_json(app, options.json);
  declare_quiet(app, options.quiet);
  declare_threads(app, options.threads);
  app.footer(R"(
Edges count once each, a self-loop as one edge and as 1 in its node's degree. Node data is attributes + label columns
(the largest label, one more if 0 occurs). The radius is averaged over the connected graphs. ± is the standard deviation.

Examples:
  twofold data info TRIANGLE
  twofold data info data/MUTAG data/NCI1 --json
  nauty-geng -q 6 | twofold data info -)");
}

int run_data_info(const DataInfoOptions& options, std::ostream& out, std::ostream&) {
  std::vector<DatasetStatistics> all;
  for (const std::string& path : options.datasets) {
    graph::StatisticsOptions how;
    how.with_radius = !options.no_graph_radius;
    how.threads = options.threads;
    all.push_back(graph::describe(io::read_dataset(path, options.threads), how));
  }
  if (!options.json) {
    print_table(all, out);
    return 0;
  }
  ordered_json result;
  if (all.size() == 1) {
    result = to_json(all[0]);
  } else {
    result["datasets"] = ordered_json::array();
    for (const DatasetStatistics& s : all) result["datasets"].push_back(to_json(s));
  }
  out << result.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
  return 0;
}

}  // namespace twofold::cli
