#include "cli/command_data_info.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/dataset_input.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/printable.h"
#include "twofold/graph/statistics.h"
#include "twofold/io/dataset_blocks.h"
#include "twofold/levels/color_levels.h"
#include "twofold/model/item_twins.h"
#include "twofold/model/targets.h"
#include "twofold/pairs/pair_counts.h"

namespace twofold::cli {
namespace {

using graph::DatasetStatistics;
using graph::LabelUse;
using graph::Spread;
using nlohmann::ordered_json;

// As in the paper's table: attributes + width of the one-hot label; where a graph has neither, a constant is
// used.
std::string feature_cell(std::size_t attributes, const LabelUse& labels, std::size_t features = 0,
                         double per_node = 0) {
  if (features > 0)
    return fmt::format("{}{} sparse, {:.1f} per node", attributes == 0 ? "" : fmt::format("{}+", attributes),
                       features, per_node);
  if (attributes == 0 && labels.used == 0) return "0 (+1)";
  return fmt::format("{}+{}", attributes, labels.columns);
}

// The empty name is seen too.
std::string class_word(const std::string& name) { return name.empty() ? "\"\"" : shortened(name, 20); }

std::string counts_cell(const std::vector<std::pair<std::string, std::size_t>>& classes) {
  constexpr std::size_t kMost = 7;
  std::string cell;
  for (std::size_t i = 0; i < std::min(classes.size(), kMost); ++i)
    cell += fmt::format("{}{}:{}", i == 0 ? "" : " ", class_word(classes[i].first), classes[i].second);
  if (classes.size() > kMost) cell += fmt::format(" … {} in all", classes.size());
  return cell;
}

std::string class_cell(const DatasetStatistics& s) {
  std::string cell;
  const auto add = [&](const std::string& more) { cell += (cell.empty() ? "" : "; ") + more; };
  if (!s.classes.empty())
    add(counts_cell(s.classes));
  else if (s.real_targets > 0)
    add(fmt::format("{} real", s.real_targets));
  const auto add_items = [&](const char* what, const DatasetStatistics::Items& items) {
    if (items.count == 0) return;
    add(fmt::format("{}{} {}", what,
                    items.known < items.count ? fmt::format(" ({} of {} known)", items.known, items.count) : "",
                    items.classes.empty() ? "real" : counts_cell(items.classes)));
  };
  add_items("nodes", s.nodes_with_targets);
  add_items("links", s.pairs_with_targets);
  return cell.empty() ? "-" : cell;
}

// What learning on pairs up to a radius takes.
struct PairInfo {
  std::string radius;
  pairs::PairCounts counts;
  // Of all graphs together, after round 0, 1, …: the colors, and the different triples that make them.
  std::vector<std::size_t> colors;
  std::vector<std::size_t> color_triples;
};

// What looks the same to a Weisfeiler-Leman test, and what that means for learning.
struct DuplicateInfo {
  std::string test;
  std::vector<std::string> features;  // that nodes and edges were compared by: all the dataset has
  model::Duplicates counts;
  bool has_targets = false;
  bool has_classes = false;
  TargetOf about = TargetOf::kGraphs;  // what was compared
};

struct Info {
  DatasetStatistics statistics;
  std::optional<PairInfo> pairs;
  std::optional<DuplicateInfo> duplicates;
};

DuplicateInfo find_duplicates(const Dataset& dataset, const DataInfoOptions& options) {
  wl::WlTest test = wl::parse_test(options.radius.empty() ? "1-wl" : "2-wl");
  if (!options.radius.empty()) test.radius = pairs::parse_radius(options.radius);
  wl::ClassifyOptions how;
  how.threads = options.threads;
  how.max_memory = options.max_memory;
  const std::vector<std::string> features = model::data_names(model::data_of(dataset.graphs));
  const bool is_of_graphs = dataset.has_classes() || dataset.num_real_targets > 0;
  if (!is_of_graphs && dataset.node_targets.num_known() + dataset.pair_targets.num_known() > 0) {
    const model::Targets targets(dataset);
    const model::TwinClasses twins = model::item_twins(test, dataset.graphs, targets.items(), how);
    return {twins.seen_by,
            features,
            model::count_duplicates(twins, targets.of(targets.known())),
            true,
            targets.task().is_classification(),
            targets.task().about};
  }
  const model::TwinClasses twins = model::wl_twins(dataset.graphs, test, {}, how);
  model::LabeledGraphs all;
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g) all.graphs.push_back(static_cast<std::uint32_t>(g));
  all.class_of = dataset.class_of;
  if (!dataset.has_classes()) all.values = dataset.real_targets;
  return {twins.seen_by, features, model::count_duplicates(twins, all), is_of_graphs, dataset.has_classes()};
}

void add_pairs(const Dataset& block, const DataInfoOptions& options, Info& info) {
  require_undirected(block.graphs, "data info --radius");
  const pairs::Radius radius = pairs::parse_radius(options.radius);
  if (!info.pairs) info.pairs.emplace();
  info.pairs->radius = pairs::to_string(radius);
  info.pairs->counts += pairs::count_pairs(block.graphs, radius, options.threads);
}

void add_colors(const Dataset& dataset, const DataInfoOptions& options, PairInfo& info, std::ostream& err) {
  ProgressOptions shown;
  shown.label = dataset.name + " colors";
  shown.unit = "graphs";
  shown.quiet = options.quiet;
  ProgressLine line(err, shown);
  levels::ColorLevelOptions how;
  how.rounds = options.rounds;
  how.threads = options.threads;
  how.max_memory = options.max_memory;
  how.progress = line.progress();
  const levels::ColorLevels colored =
      levels::build_color_levels(dataset.graphs, pairs::parse_radius(options.radius), how);
  for (const levels::ColorLevels::Level& level : colored.levels) {
    info.colors.push_back(level.num_rows());
    info.color_triples.push_back(level.items.size());
  }
}

std::string radius_cell(const DatasetStatistics& s) {
  if (s.radius.count == 0) return "-";
  return fmt::format("{:.1f}±{:.1f}", s.radius.mean, s.radius.std);
}

void print_table(const std::vector<Info>& all, std::ostream& out) {
  const bool edge_data = std::any_of(all.begin(), all.end(), [](const Info& info) {
    return info.statistics.edge_labels.used > 0 || info.statistics.edge_attributes > 0;
  });
  const bool with_pairs = all[0].pairs.has_value();
  const bool with_colors = with_pairs && !all[0].pairs->colors.empty();
  std::vector<std::string> headers = {"<dataset", "graphs", "nodes min/mean/max", "edges min/mean/max",
                                      "node data"};
  if (edge_data) headers.emplace_back("edge data");
  headers.insert(headers.end(), {"degree min/mean±std/max", "radius"});
  if (with_pairs)
    headers.insert(headers.end(), {"rows at r=" + all[0].pairs->radius, "triples", "memory stored/implicit"});
  if (with_colors) headers.insert(headers.end(), {"colors by round", "their triples"});
  const bool with_features = std::any_of(all.begin(), all.end(), [](const Info& info) {
    return info.duplicates && !info.duplicates->features.empty();
  });
  if (all[0].duplicates)
    headers.insert(headers.end(),
                   {fmt::format("{}alike for {}",
                                all[0].duplicates->about == TargetOf::kGraphs
                                    ? ""
                                    : std::string(model::to_string(all[0].duplicates->about)) + " ",
                                all[0].duplicates->test),
                    "with another target", "best accuracy"});
  if (with_features) headers.emplace_back("<compared by");
  headers.emplace_back("<classes");
  Table table(headers);
  for (const Info& info : all) {
    const DatasetStatistics& s = info.statistics;
    std::vector<std::string> row = {
        s.name, std::to_string(s.graphs), fmt::format("{}/{:.1f}/{}", s.nodes.min, s.nodes.mean, s.nodes.max),
        fmt::format("{}/{:.1f}/{}", s.edges.min, s.edges.mean, s.edges.max),
        feature_cell(s.node_attributes, s.node_labels, s.feature_columns, s.features_per_node)};
    if (edge_data) row.push_back(feature_cell(s.edge_attributes, s.edge_labels));
    row.push_back(fmt::format("{}/{:.1f}±{:.1f}/{}", s.degree.min, s.degree.mean, s.degree.std, s.degree.max));
    row.push_back(radius_cell(s));
    if (with_pairs) {
      const pairs::PairCounts& counts = info.pairs->counts;
      row.push_back(std::to_string(counts.rows));
      row.push_back(std::to_string(counts.triples));
      row.push_back(format_bytes(counts.stored_memory) + " / " + format_bytes(counts.implicit_memory));
    }
    if (with_colors) {
      row.push_back(fmt::format("{}", fmt::join(info.pairs->colors, " ")));
      row.push_back(fmt::format("{}", fmt::join(info.pairs->color_triples, " ")));
    }
    if (info.duplicates) {
      const DuplicateInfo& found = *info.duplicates;
      row.push_back(std::to_string(found.counts.sharing));
      row.push_back(found.has_targets ? std::to_string(found.counts.mixed) : "-");
      row.push_back(found.has_classes ? fmt::format("{:.1f} %", found.counts.ceiling) : "-");
      if (with_features)
        row.push_back(found.features.empty() ? "-" : fmt::format("{}", fmt::join(found.features, ", ")));
    }
    row.push_back(class_cell(s));
    table.add_row(std::move(row));
  }
  table.print(out);
  for (const Info& info : all)
    if (info.statistics.directed_graphs > 0)
      fmt::print(out, "{}: directed graphs; edges, degrees and radius are those without directions\n",
                 info.statistics.name);
}

ordered_json to_json(const Info& info) {
  const DatasetStatistics& s = info.statistics;
  const auto count = [](double value) { return static_cast<std::uint64_t>(value); };
  const auto range = [&](const Spread& x) {
    return ordered_json{{"min", count(x.min)}, {"mean", x.mean}, {"max", count(x.max)}};
  };
  ordered_json classes = ordered_json::object();
  for (const auto& [name, graphs] : s.classes) classes[name] = graphs;
  ordered_json radius = {{"mean", nullptr}, {"std", nullptr}};
  if (s.radius.count > 0) radius = {{"mean", s.radius.mean}, {"std", s.radius.std}};
  ordered_json result = {
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
  if (s.directed_graphs > 0) result["directed_graphs"] = s.directed_graphs;
  if (s.feature_columns > 0)
    result["node_features"] = {{"columns", s.feature_columns}, {"per_node", s.features_per_node}};
  const auto add_items = [&](const char* key, const DatasetStatistics::Items& items) {
    if (items.count == 0) return;
    ordered_json of_class = ordered_json::object();
    for (const auto& [name, number] : items.classes) of_class[name] = number;
    result[key] = {{"count", items.count}, {"known", items.known}, {"classes", of_class}};
  };
  add_items("node_targets", s.nodes_with_targets);
  add_items("pair_targets", s.pairs_with_targets);
  if (info.pairs) {
    const auto steps = pairs::parse_radius(info.pairs->radius);
    result["radius"] = steps.is_all() ? ordered_json("all") : ordered_json(steps.steps());
    result["rows"] = info.pairs->counts.rows;
    result["triples"] = info.pairs->counts.triples;
    if (!info.pairs->colors.empty()) {
      result["colors"] = info.pairs->colors;
      result["color_triples"] = info.pairs->color_triples;
    }
    result["memory_bytes"] = info.pairs->counts.stored_memory;
    result["implicit_memory_bytes"] = info.pairs->counts.implicit_memory;
  }
  if (info.duplicates) {
    const DuplicateInfo& found = *info.duplicates;
    result["duplicates"] = {
        {"test", found.test},
        {"of", model::to_string(found.about)},
        {"features", found.features},
        {"classes", found.counts.num_classes},
        {"sharing", found.counts.sharing},
        {"mixed", found.has_targets ? ordered_json(found.counts.mixed) : ordered_json()},
        {"ceiling", found.has_classes ? ordered_json(found.counts.ceiling) : ordered_json()}};
  }
  return result;
}

// Of a dataset that is larger than the memory, block by block.
Info describe_blocks(const std::string& path, const graph::StatisticsOptions& how,
                     const DataInfoOptions& options) {
  io::BlocksOptions reading;
  reading.threads = options.threads;
  reading.max_memory = options.max_memory;
  io::DatasetBlocks blocks(path, reading);
  graph::StatisticsOptions counting = how;
  counting.num_graphs = blocks.num_graphs();
  graph::StatisticsSum sum(counting);
  Info info;
  Dataset block;
  while (blocks.next(block)) {
    sum.add(block);
    if (!options.radius.empty()) add_pairs(block, options, info);
  }
  info.statistics = sum.result();
  return info;
}

Info describe_dataset(const std::string& path, const DataInfoOptions& options, std::ostream& err) {
  ProgressOptions shown;
  shown.label = path;
  shown.unit = "graphs";
  shown.quiet = options.quiet;
  ProgressLine line(err, shown);
  graph::StatisticsOptions how;
  how.with_radius = !options.no_graph_radius;
  how.threads = options.threads;
  how.progress = line.progress();
  // What is compared over all graphs needs them all.
  const bool needs_all = options.duplicates || options.rounds >= 0;
  if (!needs_all && io::DatasetBlocks::suits(path, options.max_memory))
    return describe_blocks(path, how, options);
  const Dataset dataset = read_input(path, options.molecules, options.threads, options.quiet, err);
  Info info{graph::describe(dataset, how), std::nullopt, std::nullopt};
  if (options.duplicates) info.duplicates = find_duplicates(dataset, options);
  if (!options.radius.empty()) {
    add_pairs(dataset, options, info);
    if (options.rounds >= 0) add_colors(dataset, options, *info.pairs, err);
  }
  return info;
}

}  // namespace

void declare_data_info(Options& flags, DataInfoOptions& options) {
  flags.add("DATASET", options.datasets, kDatasetKinds).required().type_name("");
  flags
      .add("--radius", options.radius,
           "Also the rows and triples of all pairs up to this distance (1, 2, … or all), and their memory")
      .type_name("R");
  flags
      .add("--rounds", options.rounds,
           "With --radius: also the different colors that rows have after 0, 1, …, T convolutions")
      .range(0, 1000)
      .type_name("T");
  flags.add_flag(
      "--duplicates", options.duplicates,
      "Also the graphs that look the same to 1-wl (with --radius: to 2-wl), and the accuracy they allow");
  flags.add_flag("--no-graph-radius", options.no_graph_radius,
                 "Leave the radius out: it can take long on large, very symmetric graphs");
  declare_molecules(flags, options.molecules);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  flags.footer(R"(
Edges count once each, a self-loop as one edge and as 1 in its node's degree. Node data is attributes + label columns
(the largest label, one more if 0 occurs). The radius is averaged over the connected graphs. ± is the standard deviation.

Examples:
  twofold data info TRIANGLE
  twofold data info data/MUTAG data/NCI1 --json
  twofold data info data/NCI1 --radius 2 --rounds 3
  twofold data info data/IMDB-BINARY --duplicates
  nauty-geng -q 6 | twofold data info -)");
}

int run_data_info(const DataInfoOptions& options, std::ostream& out, std::ostream& err) {
  if (!options.radius.empty())
    pairs::parse_radius(options.radius);  // a wrong one is said before anything is read
  if (options.rounds >= 0 && options.radius.empty())
    throw UsageError("--rounds counts colors of pairs: give --radius too");
  std::vector<Info> all;
  ordered_json errors = ordered_json::array();
  for (const std::string& path : options.datasets) {
    try {
      all.push_back(describe_dataset(path, options, err));
    } catch (const UsageError&) {
      throw;
    } catch (const Error& error) {
      if (options.datasets.size() == 1) throw;
      // One that cannot be read hides none of the others. As in run_program: an InputError begins with its
      // place.
      const bool has_place = dynamic_cast<const InputError*>(&error) != nullptr;
      fmt::print(err, "{}{}\n", has_place ? "" : "twofold data info: ", error.what());
      errors.push_back({{"dataset", path}, {"error", error.what()}});
    }
  }
  const int exit_code = errors.empty() ? 0 : 1;
  if (!options.json) {
    if (!all.empty()) print_table(all, out);
    return exit_code;
  }
  ordered_json result;
  if (options.datasets.size() == 1) {
    result = to_json(all[0]);
  } else {
    result["datasets"] = ordered_json::array();
    for (const Info& info : all) result["datasets"].push_back(to_json(info));
    if (!errors.empty()) result["errors"] = errors;
  }
  out << result.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
  return exit_code;
}

}  // namespace twofold::cli
