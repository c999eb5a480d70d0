#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/learn_options.h"
#include "twofold/graph/dataset.h"
#include "twofold/train/trainer.h"

namespace twofold::cli {

struct EpochBenchOptions {
  std::size_t limit = 0;  // graphs, drawn by the seed; 0: all
  std::uint64_t seed = 1;
  int threads = 1;
  std::uint64_t max_memory = 0;
};

/// `1 thread`, `2 threads`; 0 is as many as there are.
std::string threads_text(int threads);

/// Measures epochs of training: new batches, forward, backward and the optimizer's step for every graph,
/// without validation. Several engines may take part in turn, so that a busy machine slows all of them.
class EpochBench {
 public:
  /// One engine and the training it is in the middle of.
  struct Contestant {
    std::unique_ptr<train::Engine> engine;
    const train::EncodedDataset* data = nullptr;
    train::TrainState state;
    double encode_seconds = 0;
    std::vector<double> seconds;  // an epoch that counted

    double best() const;
    double median() const;
  };

  /// Throws UsageError and InputError as training does.
  EpochBench(const EpochBenchOptions& options, model::LearnSettings settings, Dataset dataset);

  /// Each engine has an encoding of its own, as if it were alone. The result must not outlive this.
  Contestant prepare(model::EngineKind kind);

  /// A wrong answer is not timed: throws Error unless both give about the same loss and gradient.
  void require_same(Contestant& a, Contestant& b);

  void run_epoch(Contestant& contestant, bool counts);

  std::uint64_t num_rows() const { return data_[0]->num_rows(); }
  /// Without encoding pairs only to count them: on colors they are known. 0 for models without triples.
  std::uint64_t num_triples(const Contestant& contestant) const;
  /// Values that training changes.
  std::size_t num_parameters() const { return layout_.num_trained(); }
  const model::LearnSettings& settings() const { return settings_; }
  std::size_t num_graphs() const { return all_.size(); }

 private:
  void keep_some(std::size_t count, std::uint64_t seed);

  model::LearnSettings settings_;
  Dataset dataset_;
  std::vector<std::uint32_t> all_;
  std::vector<double> targets_;
  train::Objective task_;
  train::InputLayout input_;
  train::EncodeLimits limits_;
  model::ParameterLayout layout_;
  std::vector<std::unique_ptr<train::EncodedDataset>> data_;
};

}  // namespace twofold::cli
