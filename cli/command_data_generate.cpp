#include "cli/command_data_generate.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/options.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/io/dataset_file.h"

namespace twofold::cli {
namespace {

const GenerateFamily& chosen_family(const DataGenerateOptions& options) {
  std::string names;
  for (const GenerateFamily& family : generate_families()) {
    if (family.name == options.family && options.unknown.empty()) return family;
    names += names.empty() ? "" : ", ";
    names += family.name;
  }
  throw UsageError(fmt::format("needed one of the families {}, found {}", names,
                               options.unknown.empty() ? "none" : in_quotes(options.unknown.front())));
}

// FAMILY where --help of other commands says SUBCOMMAND.
std::shared_ptr<CLI::Formatter> family_formatter(const CLI::App& app) {
  auto formatter = std::make_shared<CLI::Formatter>();
  formatter->column_width(app.get_formatter()->get_column_width());
  formatter->label("SUBCOMMAND", "FAMILY");
  return formatter;
}

// An unwritable place is found before the work; what is opened here disappears again.
void check_writable(const std::string& path, io::Format format) {
  if (format == io::Format::kTu)
    AtomicFolder probe(path);
  else
    AtomicFile probe(path);
}

bool is_edges_only(const Dataset& dataset) {
  return !dataset.has_classes() &&
         std::none_of(dataset.graphs.begin(), dataset.graphs.end(),
                      [](const Graph& g) { return g.has_node_labels() || g.has_edge_labels(); });
}

}  // namespace

void declare_data_generate(CLI::App& app, DataGenerateOptions& options) {
  for (const GenerateFamily& family : generate_families()) {
    CLI::App* sub = app.add_subcommand(family.name, family.summary);
    sub->group("Families");
    family.declare(*sub, options.choices);
    declare_output(*sub, options.output,
                   "Where to write; - for standard output. A TU folder must not exist yet")
        ->capture_default_str();
    sub->add_option("--format", options.format,
                    "tu, jsonl, graph6 or sparse6 [by the ending of PATH; a TU folder if none]")
        ->type_name("WORD");
    sub->add_flag("--drop-data", options.drop_data, "Leave out labels and classes that the format cannot hold");
    declare_seed(*sub, options.choices.seed);
    declare_json(*sub, options.json);
    sub->footer(family.footer);
    sub->callback([&options, name = family.name] { options.family = name; });
  }
  // A wrong family is ours to name: CLI11 would only say that a subcommand is required.
  app.require_subcommand(0, 1);
  app.allow_extras();
  app.parse_complete_callback([&app, &options] { options.unknown = app.remaining(); });
  app.formatter(family_formatter(app));
  app.footer(R"(
Each family has options of its own: twofold data generate FAMILY --help.
-o PATH writes .jsonl .g6 .s6 files, or a TU folder (needs classes) where PATH has no such ending. Without -o the graphs go
to standard output: as graph6 if they have neither labels nor classes, else as JSON lines.
The same options and --seed give the same graphs everywhere.

Examples:
  twofold data generate triangle -o TRIANGLE7 --seed 7
  twofold data generate regular --nodes 50 --degree 4 --graphs 10
  twofold data generate cycles --nodes 6
  twofold data generate srg --kind chang -o chang.jsonl
  twofold data generate csl | twofold data info -)");
}

int run_data_generate(const DataGenerateOptions& options, std::ostream& out, std::ostream&) {
  const GenerateFamily& family = chosen_family(options);
  const bool to_stdout = options.output == "-";
  if (to_stdout && options.json)
    throw UsageError("--json would mix its result with the graphs on standard output; name a file with -o");
  std::optional<io::Format> format;
  if (!options.format.empty()) format = io::parse_format(options.format);
  if (to_stdout && format == io::Format::kTu)
    throw UsageError("a TU dataset is a folder and cannot go to standard output; name one with -o");
  if (!to_stdout && !format) format = io::format_of_path(options.output);
  if (!to_stdout) check_writable(options.output, *format);

  const Dataset dataset = family.generate(options.choices);
  if (to_stdout) {
    if (!format) format = is_edges_only(dataset) ? io::Format::kGraph6 : io::Format::kJsonLines;
    io::print_dataset(dataset, out, *format, options.drop_data);
    return 0;
  }
  io::write_dataset(dataset, options.output, *format, options.drop_data);
  std::size_t nodes = 0;
  std::size_t edges = 0;
  for (const Graph& g : dataset.graphs) {
    nodes += g.num_nodes();
    edges += g.num_edges();
  }
  if (options.json)
    out << nlohmann::ordered_json{{"family", options.family},
                                  {"seed", options.choices.seed},
                                  {"graphs", dataset.graphs.size()},
                                  {"nodes", nodes},
                                  {"edges", edges},
                                  {"written", options.output}}
               .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
        << '\n';
  else
    fmt::print(out, "{}: {} graphs, {} nodes, {} edges\n", options.output, dataset.graphs.size(), nodes, edges);
  return 0;
}

}  // namespace twofold::cli
