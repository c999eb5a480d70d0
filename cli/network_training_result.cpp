// What a training ends with: scores, words, the model file.
#include <fmt/ostream.h>
#include <unistd.h>

#include <cstring>

#include "cli/json_text.h"
#include "cli/network_training.h"
#include "cli/train_result.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/train/did_it_learn.h"
#include "twofold/train/network_outputs.h"

namespace twofold::cli {
namespace {

using nlohmann::ordered_json;

std::vector<double> targets_of(const train::EncodedDataset& data, const train::Objective& task,
                               const std::vector<std::uint32_t>& graphs) {
  const std::size_t width = task.num_targets();
  std::vector<double> targets;
  for (const std::uint32_t g : graphs)
    for (std::size_t c = 0; c < width; ++c) targets.push_back(data.targets[g * width + c]);
  return targets;
}

}  // namespace

std::vector<float> NetworkTraining::outputs_of(const std::vector<std::uint32_t>& graphs) {
  return train::network_outputs(*engine_, *data_, network_, graphs);
}

train::Scores NetworkTraining::scores_of(const std::vector<std::uint32_t>& graphs) {
  return train::score(network_.task, outputs_of(graphs), targets_of(*data_, network_.task, graphs));
}

std::string NetworkTraining::why_it_ended() const {
  if (!state_.is_finished) return fmt::format("after the last epoch (--epochs {})", settings_.train.epochs);
  if (settings_.train.patience > 0 && state_.epoch() - state_.best_epoch >= settings_.train.patience)
    return fmt::format("{} without a better validation (--patience)", epochs_text(settings_.train.patience));
  const std::string one(what(), std::strlen(what()) - 1);
  return fmt::format("every training and validation {} is right, losses below {} (--stop-below)", one,
                     settings_.train.stop_below);
}

// The graph that the network is right about and most sure of; of real values the first.
std::uint32_t NetworkTraining::worth_explaining(const std::vector<std::uint32_t>& graphs) {
  if (network_.task.has_values()) return graphs[0];
  const std::size_t width = network_.task.outputs;
  const std::vector<float> outputs = outputs_of(graphs);
  std::uint32_t best = graphs[0];
  double most = 0;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    const Span<const float> row(outputs.data() + i * width, width);
    const std::uint32_t predicted = train::predicted_class(network_.task, row);
    const double score = train::predicted_scores(network_.task, row)[predicted];
    if (predicted != data_->targets[graphs[i]] || score <= most) continue;
    most = score;
    best = graphs[i];
  }
  return best;
}

void NetworkTraining::finish(std::ostream& out, double seconds) {
  network_.parameters = members_[0].parameters;
  for (std::size_t m = 1; m < members_.size(); ++m) network_.others.push_back(members_[m].parameters);
  const int kept = kept_epoch(state_.best_epoch, state_.epoch());
  // A training that did not learn is named, whatever its scores look like.
  const double constant = train::constant_loss(network_.task, targets_of(*data_, network_.task, split_.train));
  std::size_t failed_members = 0;
  ordered_json members = ordered_json::array();
  for (const train::Checkpoint::Member& member : members_) {
    const auto epochs = static_cast<int>(member.history.size());
    failed_members += train::did_not_learn(member.history, constant) ? 1 : 0;
    members.push_back({{"epochs", epochs}, {"kept_epoch", kept_epoch(member.best_epoch, epochs)}});
  }
  const train::Scores train_scores = scores_of(split_.train);
  ordered_json result = {{"epochs", state_.epoch()},
                         {"metric", is_regression() ? "mae"
                                    : is_yes_no()   ? "roc-auc"
                                                    : "accuracy"},
                         {"train_loss", train_scores.loss},
                         {"validation", nullptr},
                         {"seconds", seconds},
                         {"model", model::to_string(settings_.model.model)},
                         {"kept_epoch", kept},
                         {"parameters", layout_.num_trained()},
                         {what(), split_.train.size()},
                         {"train_scores", scores_json(network_.task, train_scores)}};
  if (is_ensemble()) result["members"] = members;
  if (failed_members > 0) result["did_not_learn"] = failed_members;
  std::string text =
      fmt::format("{}: {} parameters, {} on {} {}, kept epoch {}\n", model::to_string(settings_.model.model),
                  layout_.num_trained(), epochs_text(state_.epoch()), split_.train.size(), what(), kept);
  if (is_ensemble()) {
    text = fmt::format("{}: an ensemble of {}, each of {} parameters, on {} {}\n",
                       model::to_string(settings_.model.model), settings_.ensemble, layout_.num_trained(),
                       split_.train.size(), what());
    for (std::size_t m = 0; m < members.size(); ++m)
      text += fmt::format("member {:<4} {}, kept epoch {}\n", m + 1, epochs_text(members[m]["epochs"]),
                          members[m]["kept_epoch"].get<int>());
  }
  text += fmt::format("training    {}\n", scores_text(network_.task, train_scores));
  const auto add = [&](const char* name, const std::vector<std::uint32_t>& graphs) {
    if (graphs.empty()) return;
    const train::Scores scores = scores_of(graphs);
    result[name] = is_regression() ? scores.mean_absolute_error
                   : is_yes_no()   ? 100 * scores.auc
                                   : 100 * scores.accuracy;
    result[std::string(name) + "_scores"] = scores_json(network_.task, scores);
    text += fmt::format("{:<11} {} ({} {})\n", name, scores_text(network_.task, scores), graphs.size(), what());
  };
  add("validation", split_.validation);
  add("test", split_.test);
  const bool has_validation = !split_.validation.empty();
  const std::vector<double> training = targets_of(*data_, network_.task, split_.train);
  const Baseline baseline =
      baseline_of(network_.task, network_.class_names, training,
                  has_validation ? targets_of(*data_, network_.task, split_.validation) : training);
  result["baseline"] = baseline.json;
  train::calibrate_network(*engine_, *data_, network_, split_.validation);
  text += fmt::format("baseline    {} ({} {})\n", baseline.text, has_validation ? "validation" : "training",
                      what());
  text += fmt::format("ended       {}\n", why_it_ended());
  if (failed_members > 0)
    text += fmt::format(
        "did not learn{}: no epoch's training loss was 1 % below {:.4g}, that of always the same answer; try "
        "another learning rate or --norm batch\n",
        is_ensemble() ? fmt::format(" ({} of {} members)", failed_members, members_.size()) : "", constant);

  std::string failed;
  if (!options_.output.empty()) {
    ordered_json training_record = config_;
    training_record["epochs_done"] = state_.epoch();
    training_record["kept_epoch"] = kept;
    if (is_ensemble()) training_record["members"] = members;
    if (failed_members > 0) training_record["did_not_learn"] = failed_members;
    network_.training = json_text(training_record);
    try {
      AtomicFile file(options_.output);
      file.write(train::encode_network(network_));
      file.commit();
      if (!checkpoint_path_.empty()) unlink(checkpoint_path_.c_str());
    } catch (const Error& error) {
      failed = error.what();
    }
  }
  const std::uint32_t shown = worth_explaining(has_validation ? split_.validation : split_.train);
  std::string explained;
  if (settings_.model.about == TargetOf::kGraphs) explained = fmt::format("--graph {}", shown + std::size_t{1});
  if (settings_.model.about == TargetOf::kNodes) {
    const Item item = data_->items[shown];
    if (dataset_.graphs.size() > 1) explained = fmt::format("--graph {} ", item.graph + std::size_t{1});
    explained += fmt::format("--node {}", item.u);
  }
  text += trained_text(
      {options_.output, options_.dataset, failed.empty(), !options_.quiet, std::move(explained), seconds});
  out << (options_.json ? json_text(result) + '\n' : text);
  if (!failed.empty()) throw Error(failed);
}

}  // namespace twofold::cli
