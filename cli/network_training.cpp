#include "cli/network_training.h"

#include <fmt/ostream.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/epoch_log.h"
#include "cli/json_text.h"
#include "cli/machine_folder.h"
#include "cli/progress.h"
#include "cli/stop_on_interrupt.h"
#include "cli/train_result.h"
#include "cli/version.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
#include "twofold/base/simd.h"
#include "twofold/eval/splits.h"
#include "twofold/graph/checksum.h"
#include "twofold/train/ensemble.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

// What differs between two configurations, as `lr 0.01 instead of 0.001`.
std::string differences(const ordered_json& then, const ordered_json& now) {
  std::vector<std::string> found;
  const auto show = [](const ordered_json& json, const std::string& key) {
    return json.contains(key) ? json_text(json[key]) : std::string("none");
  };
  for (const auto& [key, value] : now.items())
    if (!then.contains(key) || then[key] != value)
      found.push_back(fmt::format("{} {} instead of {}", key, json_text(value), show(then, key)));
  for (const auto& [key, value] : then.items())
    if (!now.contains(key)) found.push_back(fmt::format("no {} instead of {}", key, json_text(value)));
  return fmt::format("{}", fmt::join(found, ", "));
}

}  // namespace

std::string checkpoint_path(const std::string& output) {
  std::error_code failed;
  const auto status = std::filesystem::status(output, failed);
  if (output.empty() || (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)))
    return "";
  return output + ".checkpoint";
}

void check_checkpoint(const TrainCommandOptions& options) {
  if (options.resume && options.restart)
    throw UsageError("--resume goes on with the interrupted training, --restart drops it: give one of them");
  if (options.output.empty()) {
    if (options.resume) throw UsageError("--resume goes on with what -o FILE left: give -o");
    return;
  }
  const std::string path = checkpoint_path(options.output);
  std::error_code failed;
  const bool is_there = !path.empty() && std::filesystem::exists(path, failed);
  if (options.resume && !is_there)
    throw Error(fmt::format(
        "nothing to resume: there is no {} (a training that was interrupted leaves one, one that ended none)",
        path.empty() ? "checkpoint" : path));
  if (!is_there || options.resume || options.restart) return;
  int epochs = 0;
  try {
    epochs = train::decode_checkpoint(read_file(path), path).state.epoch();
  } catch (const Error&) {
    throw UsageError(fmt::format("{} is there and cannot be read: --restart drops it and begins anew", path));
  }
  throw UsageError(fmt::format(
      "{} holds an interrupted training of {}: --resume goes on with it, --restart drops it and begins anew",
      path, epochs_text(epochs)));
}

NetworkTraining::NetworkTraining(const TrainCommandOptions& options, model::LearnSettings settings,
                                 const Dataset& dataset, const eval::Fold& split, const RanksOfTraining& ranks)
    : options_(options),
      settings_(std::move(settings)),
      dataset_(dataset),
      split_(split),
      checkpoint_path_(checkpoint_path(ranks.rescue.empty() ? options.output : ranks.rescue)),
      ranks_(ranks) {
  settings_.train.seed = options.seed;
}

NetworkTraining::NetworkTraining(const TrainCommandOptions& options, model::LearnSettings settings,
                                 const Dataset& dataset, const model::Targets& targets, const eval::Fold& split,
                                 const RanksOfTraining& ranks, std::ostream& err)
    : NetworkTraining(options, std::move(settings), dataset, split, ranks) {
  trained_on_ = train::training_data(dataset, 0);
  encode(err, [&](const train::EncodeLimits& limits) {
    return train::prepare_training(settings_, dataset, targets, split.train, limits, {},
                                   {ranks.shards, ranks.group});
  });
}

NetworkTraining::NetworkTraining(const TrainCommandOptions& options, model::LearnSettings settings,
                                 train::GraphBlocks& blocks, const train::BlockSummary& summary,
                                 const model::Targets& targets, const eval::Fold& split,
                                 const RanksOfTraining& ranks, std::ostream& err)
    : NetworkTraining(options, std::move(settings), summary.targets, split, ranks) {
  trained_on_ = {summary.targets.name, blocks.num_graphs(), 0, summary.checksum};
  encode(err, [&](const train::EncodeLimits& limits) {
    return train::prepare_training(settings_, blocks, summary, targets, split.train, limits,
                                   {ranks.shards, ranks.group});
  });
}

void NetworkTraining::encode(std::ostream& err, const Prepare& prepare) {
  train::EncodeLimits limits{resolve_memory_limit(options_.max_memory), options_.threads, options_.cache};
  if (ranks_.machine != nullptr && limits.cache.empty()) limits.cache = ranks_.machine->path();
  // The dataset keeps what it tells longer than the line lives.
  const auto show = std::make_shared<Progress>();
  limits.progress = [show](std::uint64_t done, std::uint64_t total) {
    if (*show) (*show)(done, total);
  };
  train::Training training;
  {
    ProgressOptions words;
    words.label = "encoding";
    words.unit = "graphs";
    words.quiet = options_.quiet;
    ProgressLine line(err, words);
    *show = line.progress();
    training = prepare(limits);
    *show = nullptr;
  }
  network_ = std::move(training.network);
  data_ = std::move(training.data);
  layout_ = std::move(training.layout);
  engine_ = std::move(training.engine);
  settings_ = network_.settings;
  trained_on_.num_rows = data_->num_rows_of_all_marks();
  make_config();
  // What memory allows is no option: it differs between machines.
  if (settings_.train.batch.rows == 0)
    settings_.train.batch.rows =
        train::rows_within(*data_, settings_.model, whole_memory_limit(options_.max_memory));
  train::require_memory_for_largest(*engine_, *data_, settings_.model, split_.train, settings_.train.batch,
                                    options_.max_memory);
  if (!options_.quiet) say_batches(err);
}

NetworkTraining::~NetworkTraining() = default;

// Of nodes and links of a graph that does not go through the network whole.
void NetworkTraining::say_batches(std::ostream& err) const {
  if (data_->items.empty() || engine_->kind() != model::EngineKind::kFused) return;
  const std::vector<train::Batch> batches = train::make_batches(*data_, split_.train, settings_.train.batch);
  std::uint64_t most = 0;
  bool by_need = false;
  for (const train::Batch& batch : batches) {
    most = std::max(most, batch.rows);
    by_need = by_need || batch.by_need;
  }
  if (!by_need) return;
  fmt::print(err, "twofold train: {} {} in {} batch{} with what they need, at most {} of {} rows, about {}\n",
             split_.train.size(), model::to_string(settings_.model.about), batches.size(),
             batches.size() == 1 ? "" : "es", most, data_->num_rows(),
             format_bytes(train::memory_for_rows(settings_.model, train::dense_columns(*data_), most)));
}

// All that shapes the result: what a resumed training must agree with.
void NetworkTraining::make_config() {
  train::TrainingGraphs graphs;
  graphs.num_train = split_.train.size();
  graphs.num_validation = split_.validation.size();
  graphs.validation = options_.validation;
  graphs.split_seed = options_.split_seed;
  // Folds by other rules than the seed's are named by their graphs.
  if (options_.fold > 0 || options_.split == "scaffold" || !split_.test.empty()) {
    graphs.fold = std::max(options_.fold, 1);
    graphs.splits_checksum = checksum(eval::format_splits({{split_.train, split_.validation, split_.test}}));
  }
  config_ = train::training_record(network_, trained_on_, options_.seed, graphs, !options_.from_run.empty());
  if (ranks_.shards > 0) config_["shards"] = ranks_.shards;
}

void NetworkTraining::agree_with_ranks() {
  if (ranks_.group == nullptr) return;
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  // What must be equal; the rest of a line is for messages.
  ordered_json mine = config_;
  mine["program"] = version_line();
  mine["instructions"] = simd_level();
  mine["engine_taken"] = model::to_string(engine_->kind());
  ordered_json given = {{"same", mine}, {"host", host}, {"rows", settings_.train.batch.rows}};
  std::vector<ordered_json> all;
  for (const std::string& text : ranks_.group->share(json_text(given)))
    all.push_back(ordered_json::parse(text));
  for (std::size_t r = 0; r < all.size(); ++r) {
    settings_.train.batch.rows =
        std::min(settings_.train.batch.rows, all[r]["rows"].get<decltype(settings_.train.batch.rows)>());
    if (const std::string found = differences(all[0]["same"], all[r]["same"]); !found.empty())
      throw Error(fmt::format("needed ranks that all do the same, found on rank {} ({}): {}", r,
                              all[r]["host"].get<std::string>(), found));
  }
  // All have mapped their colors.
  if (ranks_.machine != nullptr) ranks_.machine->remove();
}

void NetworkTraining::resume(const std::string& bytes) {
  const train::Checkpoint checkpoint = train::decode_checkpoint(bytes, checkpoint_path_);
  ordered_json then = ordered_json::parse(checkpoint.config);
  model::add_newer_options(model::model_of(settings_), then);
  // How many epochs there are to be changes none of those that were, unless the learning rate goes by it. Nor
  // does the name of the data.
  if (settings_.train.schedule != model::Schedule::kCosine) then["epochs"] = config_["epochs"];
  const ordered_json data_then = then.value("dataset", ordered_json());
  if (!data_then.is_object() || data_then.value("checksum", ordered_json()) != config_["dataset"]["checksum"])
    throw InputError(fmt::format(
        "{}: needed the data that {} was begun with, found other data (checksum {} "
        "instead of {}); --restart begins anew",
        options_.dataset, checkpoint_path_, json_text(config_["dataset"]["checksum"]),
        data_then.is_object() ? json_text(data_then.value("checksum", ordered_json("none"))) : "none"));
  then["dataset"] = config_["dataset"];
  // Not then != config_, which minds the order of keys: options of later versions stand elsewhere.
  if (const std::string found = differences(then, config_); !found.empty())
    throw UsageError(fmt::format("--resume: {} was begun with other options: now {}", checkpoint_path_, found));
  if (checkpoint.state.epoch() > settings_.train.epochs)
    throw UsageError(fmt::format("--resume: needed {} or more, found --epochs {}",
                                 epochs_text(checkpoint.state.epoch()), settings_.train.epochs));
  if (checkpoint.state.parameters.size() != layout_.size)
    throw InputError(fmt::format("{}: needed {} parameters, found {}", checkpoint_path_, layout_.size,
                                 checkpoint.state.parameters.size()));
  const bool averages = settings_.train.average > 0 && checkpoint.state.adam.steps > 0;
  if (averages == checkpoint.state.average.empty())
    throw InputError(fmt::format("{}: needed {} averaged parameters, found {}", checkpoint_path_,
                                 averages ? layout_.size : 0, checkpoint.state.average.size()));
  if (checkpoint.members.size() >= static_cast<std::size_t>(settings_.ensemble))
    throw InputError(fmt::format("{}: needed fewer than {} trained members, found {}", checkpoint_path_,
                                 settings_.ensemble, checkpoint.members.size()));
  members_ = checkpoint.members;
  state_ = checkpoint.state;
  settings_.train.seed = train::member_seed(options_.seed, members_.size());
}

void NetworkTraining::start_member() {
  settings_.train.seed = train::member_seed(options_.seed, members_.size());
  state_ = train::initial_state(layout_, settings_.train.seed);
}

void NetworkTraining::end_member() {
  members_.push_back({train::chosen_parameters(state_, settings_.train), state_.history, state_.best_epoch});
}

std::string NetworkTraining::interrupted_after(const train::TrainState& state) const {
  const std::string member =
      is_ensemble() ? fmt::format(" of member {} of {}", members_.size() + 1, settings_.ensemble) : "";
  return fmt::format("epoch {}{}", state.epoch(), member);
}

void NetworkTraining::warn(TrainDisplay* display, std::ostream& err, const std::string& trouble) {
  has_trouble_ = true;
  if (display != nullptr) display->clear();
  fmt::print(err, "twofold train: warning: {}; training goes on\n", trouble);
}

// False if it cannot be written, which is said once.
bool NetworkTraining::save_checkpoint(const train::TrainState& state, TrainDisplay* display,
                                      std::ostream& err) {
  train::Checkpoint checkpoint;
  checkpoint.config = json_text(config_);
  checkpoint.state = state;
  checkpoint.members = members_;
  // A member that was done is so again when the training goes on.
  if (members_.size() == static_cast<std::size_t>(settings_.ensemble)) checkpoint.members.pop_back();
  try {
    AtomicFile file(checkpoint_path_);
    file.write(train::encode_checkpoint(checkpoint));
    file.commit();
    return true;
  } catch (const Error& error) {
    if (!checkpoint_failed_) warn(display, err, error.what());
    checkpoint_failed_ = true;
    return false;
  }
}

int NetworkTraining::run(std::ostream& out, std::ostream& err) {
  agree_with_ranks();
  start_member();
  // Only the first rank need see the files.
  std::string begun = options_.resume ? read_file(checkpoint_path_) : "";
  if (ranks_.group != nullptr) begun = ranks_.group->share(begun)[0];
  if (!begun.empty()) resume(begun);
  if (ranks_.group == nullptr) return train_members(out, err);
  StopOnInterrupt interrupt;
  ranks_.group->is_interrupted = StopOnInterrupt::was_asked;
  whole_state_ = state_;
  // The second rank comes after the first, which has the words.
  constexpr std::chrono::milliseconds kSoon{100}, kLater{250};
  std::optional<SaveInTime> saver;
  if (ranks_.group->leads() || !ranks_.rescue.empty())
    saver.emplace(ranks_.group->leads() ? kSoon : kLater, [this, &err] { save_before_the_end(err); });
  try {
    return train_members(out, err);
  } catch (const GroupStop& stop) {
    saver.reset();
    if (stop.kind == GroupStop::Kind::kFailed) throw;
    return save_after_stop(stop, err);
  }
}

// Of ranks, which stop within an epoch: what came after the last whole one is done again.
int NetworkTraining::save_after_stop(const GroupStop& stop, std::ostream& err) {
  const bool is_lost = stop.kind == GroupStop::Kind::kLost;
  if (!ranks_.group->leads()) {
    if (is_lost && !is_saved_) save_before_the_end(err);
    return is_lost ? 1 : 0;
  }
  if (is_lost) fmt::print(err, "twofold train: {}\n", stop.what());
  const int code = is_saved_ ? 130 : save_interrupted(whole_state_, err);
  return is_lost ? 1 : code;
}

void NetworkTraining::save_before_the_end(std::ostream& err) {
  const std::lock_guard<std::mutex> lock(saving_);
  if (is_ending_) return;
  is_saved_ = true;
  if (ranks_.group->leads()) {
    fmt::print(err, "twofold train: not all ranks answer at once\n");
    save_interrupted(whole_state_, err);
    err.flush();
  } else if (!ranks_.rescue.empty() && !checkpoint_path_.empty() &&
             save_checkpoint(whole_state_, nullptr, err)) {
    // The first rank may be the one that is lost.
    fmt::print(*ranks_.words, "twofold train: rank {} saved the training after {} ({})\n", ranks_.group->rank(),
               interrupted_after(whole_state_), checkpoint_path_);
    ranks_.words->flush();
  }
}

int NetworkTraining::save_interrupted(const train::TrainState& state, std::ostream& err) {
  if (checkpoint_path_.empty()) {
    fmt::print(err, "interrupted after {}; without -o FILE nothing is kept\n", interrupted_after(state));
    return 130;
  }
  checkpoint_failed_ = false;  // it is worth a word again: what was done is lost
  if (!save_checkpoint(state, nullptr, err)) {
    fmt::print(err, "interrupted after {}; the training is lost\n", interrupted_after(state));
    return 1;
  }
  fmt::print(err, "interrupted after {}; go on with --resume ({})\n", interrupted_after(state),
             checkpoint_path_);
  return 130;
}

int NetworkTraining::train_members(std::ostream& out, std::ostream& err) {
  std::optional<EpochLog> log;
  const auto member_number = [&] { return is_ensemble() ? members_.size() + 1 : 0; };
  if (!options_.log.empty()) {
    log.emplace(options_.log, is_regression(),
                is_ensemble() ? std::vector<train::EpochRecord>() : state_.history);
    for (std::size_t m = 0; is_ensemble() && m <= members_.size(); ++m)
      for (const train::EpochRecord& record : m < members_.size() ? members_[m].history : state_.history)
        log->add(record, m + 1);
  }
  if (options_.restart && !checkpoint_path_.empty()) unlink(checkpoint_path_.c_str());
  const std::string trouble = data_->cache_trouble();
  if (!trouble.empty() && !options_.cache.empty())
    fmt::print(err, "twofold train: warning: the cache was not used: {}\n", trouble);
  if (!options_.quiet) say_what_is_kept(options_.output, err);
  // Ranks ask for interrupts where they share something.
  std::optional<StopOnInterrupt> interrupt;
  if (ranks_.group == nullptr) interrupt.emplace();
  const auto is_interrupted = [&] { return interrupt && interrupt->is_asked(); };
  const bool writes = ranks_.group == nullptr || ranks_.group->leads();
  double seconds = 0, before = 0;  // of this member, and of those before it
  for (;;) {
    TrainDisplay display(err, {options_.quiet,
                               settings_.train.epochs,
                               state_.epoch(),
                               split_.train.size(),
                               is_regression() ? ShownMetric::kError
                               : is_yes_no()   ? ShownMetric::kAuc
                                               : ShownMetric::kAccuracy,
                               {},
                               0,
                               what()});
    double next_checkpoint = options_.checkpoint_every;
    const auto after_epoch = [&](const train::EpochRecord& record) {
      if (log && log->trouble().empty()) {
        log->add(record, member_number());
        if (!log->trouble().empty()) warn(&display, err, log->trouble());
      }
      display.show(record);
      const std::lock_guard<std::mutex> lock(saving_);
      if (ranks_.group != nullptr) whole_state_ = state_;
      if (is_interrupted()) return false;
      if (writes && !checkpoint_path_.empty() && display.seconds() >= next_checkpoint) {
        save_checkpoint(state_, &display, err);
        next_checkpoint = display.seconds() + options_.checkpoint_every;
      }
      return true;
    };
    train::train(*engine_, *data_, split_.train, split_.validation, layout_, network_.task, settings_.train,
                 state_, after_epoch,
                 [&](int epoch, std::size_t done, std::size_t) { display.show_batch(epoch, done); });
    seconds = before + display.seconds();
    before = seconds;
    if (!is_done()) break;
    const std::lock_guard<std::mutex> lock(saving_);
    end_member();
    if (members_.size() == static_cast<std::size_t>(settings_.ensemble)) break;
    start_member();
    whole_state_ = state_;
    if (is_interrupted()) break;
  }
  if (log && log->trouble().empty()) {
    log->close();
    if (!log->trouble().empty()) {
      has_trouble_ = true;
      fmt::print(err, "twofold train: warning: {}\n", log->trouble());
    }
  }
  if (members_.size() < static_cast<std::size_t>(settings_.ensemble)) return save_interrupted(state_, err);
  {
    // From here on there will be a model, and no checkpoint any more.
    const std::lock_guard<std::mutex> lock(saving_);
    is_ending_ = true;
  }
  finish(out, seconds);
  return has_trouble_ ? 1 : 0;
}

}  // namespace twofold::cli
