#include "cli/command_data_convert.h"

#include <fmt/ostream.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/dataset_input.h"
#include "cli/options.h"
#include "cli/output_path.h"
#include "cli/progress.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/output_target.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/dataset_blocks.h"
#include "twofold/io/dataset_file.h"
#include "twofold/io/tu.h"

namespace twofold::cli {

namespace {

void tell_written(const DataConvertOptions& options, std::size_t graphs, std::ostream& out) {
  if (options.json)
    out << nlohmann::ordered_json{{"written", options.to}, {"graphs", graphs}}.dump(
               -1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
        << '\n';
  else
    fmt::print(out, "{}: {} graphs\n", options.to, graphs);
}

// A dataset that is larger than the memory, block by block.
int convert_blocks(const DataConvertOptions& options, io::Format format, std::ostream& out, std::ostream& err) {
  ProgressOptions shown;
  shown.label = options.from;
  shown.unit = "graphs";
  shown.quiet = options.quiet;
  ProgressLine line(err, shown);
  const Progress progress = line.progress();
  io::BlocksOptions reading;
  reading.threads = options.threads;
  reading.max_memory = options.max_memory;
  std::optional<AtomicFile> file;
  if (options.to != "-") file.emplace(options.to);
  io::DatasetBlocks blocks(options.from, reading);
  Dataset block;
  while (blocks.next(block)) {
    if (options.undirected)
      for (Graph& g : block.graphs) g = GraphBuilder::without_directions(std::move(g));
    io::write_block(block, format, blocks.frame().kinds, [&](std::string_view text) {
      if (file)
        file->write(text);
      else
        out << text;
    });
    if (progress) progress(blocks.first() + block.graphs.size(), blocks.num_graphs());
  }
  if (!file) return 0;
  file->commit();
  tell_written(options, blocks.num_graphs(), out);
  return 0;
}

}  // namespace

void declare_data_convert(Options& flags, DataConvertOptions& options) {
  flags.add("IN", options.from, kDatasetKinds).required().type_name("");
  flags.add("OUT", options.to, "Where to write; - for standard output. A TU folder must not exist yet")
      .required()
      .type_name("");
  flags
      .add("--format", options.format,
           "tu, jsonl, graph6, sparse6 or digraph6 [by the ending of OUT; a TU folder if none]")
      .type_name("WORD");
  flags.add_flag("--drop-data", options.drop_data,
                 "Leave out labels, attributes and targets that the format cannot hold");
  flags.add_flag("--undirected", options.undirected, "Make edges of the arcs of directed graphs");
  flags.add("--target", options.molecules.targets, "Of a CSV: keep these columns as targets [all of numbers]")
      .comma_separated()
      .type_name("T[,T…]");
  declare_molecules(flags, options.molecules);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  flags.footer(R"(
Endings: .jsonl .ndjson .json (JSON lines), .g6 .graph6, .s6 .sparse6, .d6 .digraph6; anything else is a TU folder.
A file appears complete or not at all.

Examples:
  twofold data convert data/MUTAG mutag.jsonl
  twofold data convert mutag.jsonl MUTAG2
  twofold data convert molecules.csv molecules.jsonl --features simple
  twofold data convert TRIANGLE - --format graph6 --drop-data)");
}

int run_data_convert(const DataConvertOptions& options, std::ostream& out, std::ostream& err) {
  const bool is_stream = options.to == "-" || is_written_through(options.to);
  if (is_stream && options.format.empty())
    throw UsageError(
        fmt::format("{} has no ending to tell the format; give --format jsonl, graph6, sparse6 or digraph6",
                    options.to == "-" ? "standard output" : options.to));
  if (options.to == "-" && options.json)
    throw UsageError("--json would mix its result with the dataset on standard output");
  const io::Format format =
      options.format.empty() ? io::format_of_path(options.to) : io::parse_format(options.format);
  require_output_apart(options.to, {input_of_dataset(options.from)});
  // Edge data that differs by direction is left out of all graphs or of none.
  if (format != io::Format::kTu && !options.drop_data &&
      io::DatasetBlocks::suits(options.from, options.max_memory))
    return convert_blocks(options, format, out, err);
  std::string dropped;
  std::vector<std::string> notes;
  Dataset dataset =
      options.drop_data
          ? io::read_dataset_dropping(options.from, dropped, options.molecules, notes, options.threads)
          : io::read_dataset(options.from, options.molecules, notes, options.threads);
  for (const std::string& note : notes)
    if (!options.quiet) fmt::print(err, "{}: {}\n", options.from, note);
  if (!dropped.empty() && !options.quiet)
    fmt::print(err, "left out the {}: they differ by direction, and edges have none\n", dropped);
  if (options.undirected)
    for (Graph& g : dataset.graphs) g = GraphBuilder::without_directions(std::move(g));
  if (format == io::Format::kTu && !io::has_integer_classes(dataset) && !options.quiet) {
    fmt::print(err, "TU classes are integers, so the classes are numbered:");
    constexpr std::size_t kMost = 20;
    for (std::size_t i = 0; i < std::min(dataset.class_names.size(), kMost); ++i)
      fmt::print(err, " {} = {}", i, in_quotes(dataset.class_names[i]));
    if (dataset.class_names.size() > kMost) fmt::print(err, " … {} in all", dataset.class_names.size());
    fmt::print(err, "\n");
  }
  if (options.to == "-") {
    io::print_dataset(dataset, out, format, options.drop_data);
    return 0;
  }
  io::write_dataset(dataset, options.to, format, options.drop_data);
  tell_written(options, dataset.graphs.size(), out);
  return 0;
}

}  // namespace twofold::cli
