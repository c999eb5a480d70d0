#pragma once

#include <ostream>
#include <string>

#include "cli/options.h"
#include "cli/progress.h"
#include "twofold/graph/dataset.h"
#include "twofold/io/dataset_blocks.h"
#include "twofold/io/molecules.h"
#include "twofold/train/graph_blocks.h"
#include "twofold/train/trained_model.h"

namespace twofold::cli {

/// What --help says a DATASET is.
inline constexpr const char* kDatasetKinds =
    "TU folder or zip, folder of one graph, JSON-lines, graph6 or sparse6 file, CSV with SMILES, - or TRIANGLE";
/// The same where graphs need targets.
inline constexpr const char* kLabeledDatasetKinds =
    "TU folder or zip, folder of one graph, JSON-lines file, CSV with SMILES, - or TRIANGLE";

/// `--smiles-column`, `--skip-invalid` and, unless a model says it, `--features`.
void declare_molecules(Options& flags, io::MoleculeOptions& options, bool has_features = true);

/// Reads a dataset; of a table of molecules it says on `err` what was left out, unless `quiet`.
Dataset read_input(const std::string& path, const io::MoleculeOptions& options, int threads, bool quiet,
                   std::ostream& err);

/// Reads graphs for a trained model: with the features and the labels of its training data. Graphs with labels
/// that it does not know are an InputError that names the first; with --skip-invalid molecules are left out and
/// told instead.
Dataset read_input_for(const train::TrainedModel& model, const std::string& path, io::MoleculeOptions options,
                       int threads, bool quiet, std::ostream& err);

/// The same of a dataset that is larger than the memory (io/dataset_blocks.h), block by block.
class BlockInput {
 public:
  /// Reads the file once, with progress. `model` must outlive it.
  BlockInput(const train::TrainedModel& model, const std::string& path, int threads, std::uint64_t max_memory,
             bool quiet, std::ostream& err);
  std::size_t num_graphs() const { return blocks_.num_graphs(); }
  /// The number of the block's first graph, from 0.
  std::size_t first() const { return blocks_.first(); }
  const io::DatasetBlocks& blocks() const { return blocks_; }
  /// Names the file in messages about a graph of the block, which count from its first.
  std::string source() const;
  bool next(Dataset& block);

 private:
  const train::TrainedModel& model_;
  std::string path_;
  ProgressLine line_;
  io::DatasetBlocks blocks_;
  Progress progress_;
};

/// Graphs for a training that are larger than the memory, read anew whenever they are needed.
class TrainingBlocks : public train::GraphBlocks {
 public:
  TrainingBlocks(const std::string& path, int threads, std::uint64_t max_memory);
  std::size_t num_graphs() const override { return blocks_.num_graphs(); }
  void visit(const std::function<bool(const Dataset& block, std::size_t first)>& visit) override;
  std::uint64_t memory() const override { return blocks_.memory(); }
  const Dataset& empty_dataset() const { return blocks_.empty_dataset(); }

 private:
  io::DatasetBlocks blocks_;
};

/// The column of a table that --target chose is the class: nothing is left to choose.
void forget_chosen_column(const Dataset& dataset, model::TargetChoice& choice);

/// The words of the command line that give these options again.
std::vector<std::string> molecule_words(const io::MoleculeOptions& options);

}  // namespace twofold::cli
