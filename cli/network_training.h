#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>

#include "cli/command_train.h"
#include "cli/train_display.h"
#include "twofold/base/group.h"
#include "twofold/eval/splits.h"
#include "twofold/graph/dataset.h"
#include "twofold/train/engine.h"
#include "twofold/train/model_file.h"
#include "twofold/train/trainer.h"
#include "twofold/train/training.h"
#include "twofold/train/training_record.h"

namespace twofold::cli {

class MachineFolder;

/// The file beside `output` that an interrupted training leaves; empty where there can be none: without output,
/// and beside a pipe or device.
std::string checkpoint_path(const std::string& output);

/// Refuses what does not go together before the long work: an interrupted training that would be lost, and
/// nothing to go on with. Throws UsageError, Error for a checkpoint that is not there.
void check_checkpoint(const TrainCommandOptions& options);

/// The ranks that train together, as one of them sees it.
struct RanksOfTraining {
  // Null: this process trains alone. Ranks but the first have options without anything to write.
  Group* group = nullptr;
  // Not 0: shards of a batch.
  std::size_t shards = 0;
  // Where the second rank saves the training if one is lost, which may be the first, and says so; empty on all
  // others.
  std::string rescue = {};
  std::ostream* words = nullptr;
  // Where the ranks of this machine share colors unless there is a --cache; null: nowhere.
  MachineFolder* machine = nullptr;
};

/// One network from the data to the result: the part of `train` that takes long.
///
/// A log or checkpoint that cannot be written is told once and changes nothing else, but the exit code is 1.
class NetworkTraining {
 public:
  /// Keeps references to all but the settings and `err`, which shows how far encoding has come.
  NetworkTraining(const TrainCommandOptions& options, model::LearnSettings settings, const Dataset& dataset,
                  const model::Targets& targets, const eval::Fold& split, const RanksOfTraining& ranks,
                  std::ostream& err);
  /// The same of a dataset that is larger than the memory.
  NetworkTraining(const TrainCommandOptions& options, model::LearnSettings settings, train::GraphBlocks& blocks,
                  const train::BlockSummary& summary, const model::Targets& targets, const eval::Fold& split,
                  const RanksOfTraining& ranks, std::ostream& err);
  ~NetworkTraining();
  NetworkTraining(const NetworkTraining&) = delete;
  NetworkTraining& operator=(const NetworkTraining&) = delete;

  /// Trains, writes the model, prints the result. Returns the exit code.
  int run(std::ostream& out, std::ostream& err);

 private:
  using Prepare = std::function<train::Training(const train::EncodeLimits&)>;
  // Common to both.
  NetworkTraining(const TrainCommandOptions& options, model::LearnSettings settings, const Dataset& dataset,
                  const eval::Fold& split, const RanksOfTraining& ranks);
  // Begins what training needs; `prepare` makes it.
  void encode(std::ostream& err, const Prepare& prepare);
  // What is learnt: `graphs`, `nodes`, `links`.
  const char* what() const { return model::to_string(settings_.model.about); }
  bool is_regression() const { return network_.task.is_regression(); }
  bool is_yes_no() const { return network_.task.is_yes_no(); }
  // Of the member that is being trained.
  bool is_done() const { return state_.is_finished || state_.epoch() >= settings_.train.epochs; }
  bool is_ensemble() const { return settings_.ensemble > 1; }
  int kept_epoch(int best_epoch, int epochs) const {
    return settings_.train.restore_best && best_epoch > 0 ? best_epoch : epochs;
  }
  // Begins the next member of the ensemble, or the first.
  void start_member();
  // Sets the trained member aside.
  void end_member();
  std::vector<float> outputs_of(const std::vector<std::uint32_t>& graphs);
  std::string interrupted_after(const train::TrainState& state) const;
  void make_config();
  // Throws unless all ranks are about to do the same.
  void agree_with_ranks();
  int train_members(std::ostream& out, std::ostream& err);
  int save_interrupted(const train::TrainState& state, std::ostream& err);
  // Of ranks: what the last whole epoch left, as far as another rank does not answer.
  void save_before_the_end(std::ostream& err);
  int save_after_stop(const GroupStop& stop, std::ostream& err);
  void say_batches(std::ostream& err) const;
  void resume(const std::string& bytes);
  bool save_checkpoint(const train::TrainState& state, TrainDisplay* display, std::ostream& err);
  void warn(TrainDisplay* display, std::ostream& err, const std::string& trouble);
  train::Scores scores_of(const std::vector<std::uint32_t>& graphs);
  std::string why_it_ended() const;
  std::uint32_t worth_explaining(const std::vector<std::uint32_t>& graphs);
  void finish(std::ostream& out, double seconds);

  const TrainCommandOptions& options_;
  model::LearnSettings settings_;
  const Dataset& dataset_;
  train::TrainingData trained_on_;
  const eval::Fold& split_;
  std::string checkpoint_path_;
  train::Network network_;
  std::unique_ptr<train::EncodedDataset> data_;
  model::ParameterLayout layout_;
  std::unique_ptr<train::Engine> engine_;
  train::TrainState state_;
  RanksOfTraining ranks_;
  // Of ranks: the state after the last whole epoch, which is the same on all.
  train::TrainState whole_state_;
  std::vector<train::Checkpoint::Member> members_;  // those that are trained
  nlohmann::ordered_json config_;
  // The result is not as it was asked for, though training went on.
  bool has_trouble_ = false;
  bool checkpoint_failed_ = false;
  // Of ranks, where an interrupt may find this one waiting for another, so that another thread saves the
  // training: guards the last whole state, the members and these.
  std::mutex saving_;
  bool is_saved_ = false;
  bool is_ending_ = false;
};

}  // namespace twofold::cli
