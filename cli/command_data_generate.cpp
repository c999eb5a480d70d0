#include "cli/command_data_generate.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/options.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/output_target.h"
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

// An unwritable place is found before the work; what is opened here disappears again.
void check_writable(const std::string& path, io::Format format) {
  if (format == io::Format::kTu)
    AtomicFolder probe(path);
  else
    AtomicFile probe(path);
}

bool is_edges_only(const Dataset& dataset) {
  return !dataset.has_classes() && dataset.num_real_targets == 0 &&
         std::none_of(dataset.graphs.begin(), dataset.graphs.end(),
                      [](const Graph& g) { return g.has_node_labels() || g.has_edge_labels(); });
}

}  // namespace

void declare_data_generate(Options& flags, DataGenerateOptions& options) {
  for (const GenerateFamily& family : generate_families()) {
    Options& word =
        flags.add_word(family.name, family.summary, [&options, name = family.name] { options.family = name; });
    family.declare(word, options.choices);
    declare_output(word, options.output,
                   "Where to write; - for standard output. A TU folder must not exist yet")
        .show_default();
    word.add("--format", options.format,
             "tu, jsonl, graph6 or sparse6 [by the ending of PATH; a TU folder if none]")
        .type_name("WORD");
    word.add_flag("--drop-data", options.drop_data, "Leave out labels and classes that the format cannot hold");
    declare_seed(word, options.choices.seed);
    declare_json(word, options.json);
    word.footer(family.footer);
  }
  flags.take_words("FAMILY", "Families", options.unknown);
  flags.footer(R"(
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
  if (!to_stdout && !format && is_written_through(options.output))
    throw UsageError(fmt::format("{} has no ending to tell the format; give --format jsonl, graph6 or sparse6",
                                 options.output));
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
