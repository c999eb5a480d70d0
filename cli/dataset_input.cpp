#include "cli/dataset_input.h"

#include <fmt/ostream.h>

#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/base/memory_limit.h"
#include "twofold/base/printable.h"
#include "twofold/io/dataset_file.h"

namespace twofold::cli {
namespace {

void tell(const std::vector<std::string>& notes, const std::string& path, bool quiet, std::ostream& err) {
  if (quiet) return;
  for (const std::string& note : notes)
    fmt::print(err, "{}: {}\n", path == "-" ? "standard input" : path, note);
}

template <typename T>
void keep_only(std::vector<T>& values, const std::vector<std::size_t>& kept, std::size_t width = 1) {
  if (values.empty()) return;
  std::vector<T> result;
  for (const std::size_t i : kept)
    for (std::size_t c = 0; c < width; ++c) result.push_back(std::move(values[i * width + c]));
  values = std::move(result);
}

void leave_out(Dataset& dataset, const std::vector<train::UnknownLabel>& unknown) {
  std::vector<std::size_t> kept;
  std::size_t next = 0;
  for (std::size_t i = 0; i < dataset.graphs.size(); ++i) {
    if (next < unknown.size() && unknown[next].graph == i)
      ++next;
    else
      kept.push_back(i);
  }
  keep_only(dataset.graphs, kept);
  keep_only(dataset.class_of, kept);
  keep_only(dataset.real_targets, kept, dataset.num_real_targets);
  keep_only(dataset.ids, kept);
  keep_only(dataset.smiles, kept);
  keep_only(dataset.parts, kept);
}

std::string named(const Dataset& dataset, std::size_t graph) {
  std::string text = fmt::format("molecule {}", graph + 1);
  if (!dataset.ids.empty()) text += fmt::format(", id {}", printable(dataset.ids[graph]));
  return text + fmt::format(", {}", in_quotes(shortened(dataset.smiles[graph], 60)));
}

}  // namespace

void declare_molecules(Options& flags, io::MoleculeOptions& options, bool has_features) {
  constexpr const char* kHeading = "Tables of molecules (CSV)";
  flags.add("--smiles-column", options.smiles_column, "The column that has the SMILES [smiles]")
      .type_name("NAME")
      .group(kHeading);
  if (has_features)
    flags
        .add("--features", options.features,
             "What networks see of atoms and bonds: element, aromaticity and bond type (simple), also degree, "
             "hydrogens, charge, hybridisation, rings, stereo (full), also shares of logP and surface (rich), "
             "also "
             "size, logP, polar surface, rings, … of the molecule (whole)")
        .one_of({"simple", "full", "rich", "whole"})
        .show_default()
        .type_name("WORD")
        .group(kHeading);
  flags
      .add_flag("--skip-invalid", options.skip_invalid, "Leave out rows whose SMILES RDKit refuses, and say so")
      .group(kHeading);
}

Dataset read_input(const std::string& path, const io::MoleculeOptions& options, int threads, bool quiet,
                   std::ostream& err) {
  std::vector<std::string> notes;
  Dataset dataset = io::read_dataset(path, options, notes, threads);
  tell(notes, path, quiet, err);
  return dataset;
}

Dataset read_input_for(const train::TrainedModel& model, const std::string& path, io::MoleculeOptions options,
                       int threads, bool quiet, std::ostream& err) {
  const InputNames& names = train::input_names(model);
  if (!names.molecule_features.empty()) options.features = names.molecule_features;
  Dataset dataset = read_input(path, options, threads, quiet, err);
  train::number_labels_for(model, dataset, path);
  if (dataset.smiles.empty()) return dataset;
  const std::vector<train::UnknownLabel> unknown = train::unknown_labels(model, dataset);
  if (unknown.empty()) return dataset;
  const std::string what =
      fmt::format("{} of {} molecules have a label that was not in the training data: {}: {}", unknown.size(),
                  dataset.graphs.size(), named(dataset, unknown[0].graph), unknown[0].what);
  if (!options.skip_invalid)
    throw InputError(fmt::format("{}: {}; --skip-invalid leaves them out", path, what));
  tell({fmt::format("left out molecules: {}", what)}, path, quiet, err);
  leave_out(dataset, unknown);
  if (dataset.graphs.empty())
    throw InputError(fmt::format("{}: needed a molecule the model knows, found none", path));
  return dataset;
}

namespace {

ProgressOptions shown_blocks(const std::string& path, bool quiet) {
  ProgressOptions shown;
  shown.label = path;
  shown.unit = "graphs";
  shown.quiet = quiet;
  return shown;
}

io::BlocksOptions block_options(int threads, std::uint64_t max_memory) {
  io::BlocksOptions options;
  options.threads = threads;
  options.max_memory = max_memory;
  return options;
}

}  // namespace

BlockInput::BlockInput(const train::TrainedModel& model, const std::string& path, int threads,
                       std::uint64_t max_memory, bool quiet, std::ostream& err)
    : model_(model),
      path_(path),
      line_(err, shown_blocks(path, quiet)),
      blocks_(path, block_options(threads, max_memory)),
      progress_(line_.progress()) {}

std::string BlockInput::source() const {
  return first() == 0 ? path_ : fmt::format("{}, counted from graph {} on", path_, first() + 1);
}

bool BlockInput::next(Dataset& block) {
  if (!blocks_.next(block)) return false;
  if (progress_) progress_(blocks_.first(), blocks_.num_graphs());
  train::number_labels_for(model_, block, source());
  return true;
}

TrainingBlocks::TrainingBlocks(const std::string& path, int threads, std::uint64_t max_memory)
    : blocks_(path, block_options(threads, max_memory)) {}

void TrainingBlocks::visit(const std::function<bool(const Dataset& block, std::size_t first)>& visit) {
  blocks_.rewind();
  Dataset block;
  while (blocks_.next(block) && visit(block, blocks_.first())) {
  }
  block = {};
  return_free_memory();
}

void forget_chosen_column(const Dataset& dataset, model::TargetChoice& choice) {
  if (!dataset.molecule_features.empty() && dataset.has_classes()) choice.targets.clear();
}

std::vector<std::string> molecule_words(const io::MoleculeOptions& options) {
  const io::MoleculeOptions usual;
  std::vector<std::string> words;
  if (!options.smiles_column.empty()) words.insert(words.end(), {"--smiles-column", options.smiles_column});
  if (options.features != usual.features) words.insert(words.end(), {"--features", options.features});
  if (options.skip_invalid) words.emplace_back("--skip-invalid");
  return words;
}

}  // namespace twofold::cli
