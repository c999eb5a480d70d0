#include "twofold/train/network_learner.h"

#include <algorithm>
#include <map>

#include "twofold/base/error.h"
#include "twofold/model/item_twins.h"
#include "twofold/model/model_table.h"
#include "twofold/model/network_twins.h"
#include "twofold/train/did_it_learn.h"
#include "twofold/train/engine.h"
#include "twofold/train/ensemble.h"
#include "twofold/train/library_versions.h"
#include "twofold/train/tensor_engine.h"
#include "twofold/train/trainer.h"
#include "twofold/train/training.h"

namespace twofold::train {
namespace {

using model::Config;

std::uint64_t epochs_of(int members, int epochs) {
  return static_cast<std::uint64_t>(members) * static_cast<std::uint64_t>(epochs);
}

// Everything that trained weights need to be used again.
struct Trained {
  model::ModelOptions model;
  Objective task;
  model::BatchLimits batch;
  std::vector<std::vector<float>> members;  // the parameters of each
  std::unique_ptr<Engine> engine;
  const EncodedDataset* data = nullptr;
};

class FittedNetwork : public model::Fitted {
 public:
  explicit FittedNetwork(Trained trained) : trained_(std::move(trained)) {}

  model::Predictions predict(Span<const std::uint32_t> graphs) override {
    const std::size_t outputs = trained_.task.outputs;
    std::vector<std::vector<float>> each;
    for (const std::vector<float>& parameters : trained_.members)
      each.push_back(
          all_outputs(*trained_.engine, *trained_.data, graphs, outputs, trained_.batch, parameters));
    const std::vector<float> all = joined_outputs(trained_.task, each);
    model::Predictions predictions;
    predictions.scores_are_probabilities = true;
    predictions.values_are_probabilities = trained_.task.is_yes_no();
    if (each.size() > 1) predictions.spreads = member_spreads(trained_.task, each);
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      const Span<const float> row(all.data() + g * outputs, outputs);
      const std::vector<double> scores = predicted_scores(trained_.task, row);
      if (trained_.task.has_values()) {
        predictions.values.insert(predictions.values.end(), scores.begin(), scores.end());
        continue;
      }
      predictions.class_of.push_back(predicted_class(trained_.task, row));
      predictions.scores.insert(predictions.scores.end(), scores.begin(), scores.end());
    }
    return predictions;
  }

 private:
  Trained trained_;
};

class NetworkLearner : public model::Learner {
 public:
  NetworkLearner(std::string name, model::LearnerInput input)
      : name_(std::move(name)), input_(std::move(input)) {
    if (input_.task.is_classification() && input_.task.class_names.size() < 2)
      throw InputError(fmt::format("needed {} of two classes or more, found {}",
                                   model::to_string(input_.task.about), input_.task.class_names.size()));
  }

  model::FitResult fit(const Config& config, const model::LabeledGraphs& train,
                       const model::LabeledGraphs& validation, const model::FitOptions& options) override {
    Prepared prepared = prepare(config, train, validation);
    model::LearnSettings& settings = prepared.settings;
    Trained& trained = prepared.trained;
    const int all_epochs = settings.train.epochs;
    const int most = options.max_epochs > 0 ? std::min(options.max_epochs, all_epochs) : all_epochs;
    std::vector<TrainState> states;
    for (int m = 0; m < settings.ensemble; ++m) {
      settings.train.seed = member_seed(options.seed, static_cast<std::size_t>(m));
      TrainState state = initial_state(prepared.layout, settings.train.seed);
      train::train(*trained.engine, *trained.data, train.graphs, validation.graphs, prepared.layout,
                   trained.task, settings.train, state, [&](const EpochRecord& record) {
                     if (options.progress)
                       options.progress(epochs_of(m, most) + static_cast<std::uint64_t>(record.epoch),
                                        epochs_of(settings.ensemble, most));
                     return record.epoch < most;
                   });
      trained.members.push_back(chosen_parameters(state, settings.train));
      // What is noted does without: of many members it would be much.
      state.parameters = state.best_parameters = {};
      state.adam = {};
      state.average = {};
      states.push_back(std::move(state));
    }
    model::FitResult result;
    note_training(states, most == all_epochs ? prepared.constant_loss : 0, result);
    result.notes["engine"] = model::to_string(trained.engine->kind());
    result.fitted = std::make_unique<FittedNetwork>(std::move(trained));
    return result;
  }

  model::FitCost measure(const Config& config, const model::LabeledGraphs& train,
                         const model::LabeledGraphs& validation, Clock clock) override {
    model::FitCost cost;
    double last = seconds_on(clock);
    const auto lap = [&] {
      const double now = seconds_on(clock), passed = now - last;
      last = now;
      return passed;
    };
    encoded(settings_of(config));
    cost.prepare = lap();
    Prepared prepared = prepare(config, train, validation);
    TrainState state = initial_state(prepared.layout, 1);
    cost.once = lap();
    const Trained& trained = prepared.trained;
    // The first epoch also makes the batches that later ones keep: one more is measured, and further ones as
    // long as they take no time.
    constexpr double kLong = 2, kWorthAnother = 0.1;
    constexpr int kMostEpochs = 50;
    double first = 0, later = 0;
    int done = 0;
    train::train(*trained.engine, *trained.data, train.graphs, validation.graphs, prepared.layout, trained.task,
                 prepared.settings.train, state, [&](const EpochRecord&) {
                   (done++ == 0 ? first : later) += lap();
                   return first < kLong && later < kWorthAnother && done < kMostEpochs;
                 });
    cost.epoch = done > 1 ? later / (done - 1) : first;
    cost.once += first - cost.epoch;
    lap();
    for (const auto* graphs : {&train.graphs, &validation.graphs})
      all_outputs(*trained.engine, *trained.data, *graphs, trained.task.outputs, trained.batch,
                  state.parameters);
    cost.once += lap();
    cost.epochs = prepared.settings.train.epochs;
    cost.once *= prepared.settings.ensemble;
    cost.epoch *= prepared.settings.ensemble;
    return cost;
  }

  void check(const Config& config) override {
    const model::LearnSettings settings = settings_of(config);
    check_device(settings.engine);
    model::check_options(settings.model);
    require_pooling(settings.model);
    input_layout(input_.graphs, settings.model);
  }

  model::TwinClasses twins(const std::vector<Config>& grid) override {
    wl::ClassifyOptions how;
    how.threads = input_.threads;
    how.max_memory = input_.max_memory;
    if (!input_.items.empty()) return model::item_twins(name_, grid, input_.graphs, input_.items, how);
    return model::network_twins(name_, grid, input_.graphs, how);
  }

 private:
  struct Prepared {
    model::LearnSettings settings;
    model::ParameterLayout layout;
    Trained trained;  // no member yet
    double constant_loss = 0;
  };

  Prepared prepare(const Config& config, const model::LabeledGraphs& train,
                   const model::LabeledGraphs& validation) {
    Prepared prepared;
    model::LearnSettings& settings = prepared.settings;
    settings = settings_of(config);
    EncodedDataset& data = encoded(settings);
    // Only what this fit may see; the others stay 0.
    data.targets.assign(data.num_items() * input_.task.num_targets(), 0);
    const std::vector<double> training = place_targets(train, data);
    place_targets(validation, data);

    Trained& trained = prepared.trained;
    trained.model = settings.model;
    trained.task =
        make_objective(settings, training, input_.graphs, data.graphs_of(train.graphs), data.layout().features);
    trained.batch = settings.train.batch;
    trained.data = &data;
    settings.engine.threads = input_.threads;
    settings.engine.batch_graphs = settings.train.batch.graphs;
    trained.engine = make_engine(data, settings.model, trained.task, settings.engine);
    require_memory_for_largest(*trained.engine, data, settings.model, train.graphs, trained.batch,
                               input_.max_memory);
    prepared.layout = model::parameter_layout(settings.model, data.columns());
    prepared.constant_loss = constant_loss(trained.task, training);
    return prepared;
  }

  // Of an ensemble: the most epochs of a member and the middle one of those kept; each member's stand below.
  static void note_training(const std::vector<TrainState>& states, double constant_loss,
                            model::FitResult& result) {
    std::vector<int> best;
    int epochs = 0, failed = 0;
    for (std::size_t m = 0; m < states.size(); ++m) {
      epochs = std::max(epochs, states[m].epoch());
      if (states[m].best_epoch > 0) best.push_back(states[m].best_epoch);
      failed += did_not_learn(states[m].history, constant_loss) ? 1 : 0;
      for (model::History::Column& column : history_of(states[m]).columns) {
        if (m > 0) column.name += fmt::format(".{}", m + 1);
        result.history.columns.push_back(std::move(column));
      }
    }
    std::sort(best.begin(), best.end());
    result.notes["epochs"] = epochs;
    if (!best.empty()) result.notes["best_epoch"] = best[best.size() / 2];
    // How many members; 1 where there is no ensemble.
    if (failed > 0) result.notes["did_not_learn"] = failed;
    if (states.size() == 1) return;
    for (const TrainState& state : states)
      result.notes["members"].push_back({{"epochs", state.epoch()}, {"best_epoch", state.best_epoch}});
  }

  model::LearnSettings settings_of(const Config& config) const {
    model::LearnSettings settings = model::settings_of(model::find_model(name_), config);
    model::set_task(settings, input_.task);
    return settings;
  }

  // The graphs as such a model reads them.
  EncodedDataset& encoded(const model::LearnSettings& settings) {
    const model::ModelOptions& model = settings.model;
    const bool by_orbit = !is_for_tensors(settings.engine);
    const std::string key =
        fmt::format("{} {} {} {} {} {} {} {} {}", pairs::to_string(model.radius), model.indicators,
                    model.node_attributes, model.degree_features, model.self_loops, model.pool_by_kind,
                    model.marks, model.layer_dropout > 0, by_orbit);
    std::unique_ptr<EncodedDataset>& data = encoded_[key];
    if (data == nullptr) {
      EncodeLimits limits;
      limits.max_memory = input_.max_memory;
      limits.threads = input_.threads;
      limits.marks_by_orbit = by_orbit;
      // Processes that work side by side then share one copy of the colors.
      if (input_.cache != nullptr) limits.cache = input_.cache->folder();
      data = std::make_unique<EncodedDataset>(input_.graphs, model, input_layout(input_.graphs, model), limits);
    }
    data->items.assign(input_.items.begin(), input_.items.end());
    return *data;
  }

  std::vector<double> place_targets(const model::LabeledGraphs& graphs, EncodedDataset& data) const {
    const std::size_t width = input_.task.num_targets();
    std::vector<double> targets;
    for (std::size_t i = 0; i < graphs.size(); ++i)
      for (std::size_t c = 0; c < width; ++c) {
        targets.push_back(input_.task.is_classification() ? graphs.class_of[i] : graphs.values[i * width + c]);
        data.targets[graphs.graphs[i] * width + c] = targets.back();
      }
    return targets;
  }

  static model::History history_of(const TrainState& state) {
    model::History history;
    const char* const names[] = {"train_loss", "train", "validation_loss", "validation"};
    const bool has_validation = !state.history.empty() && state.history.front().has_validation;
    history.columns.resize(has_validation ? 4 : 2);
    for (std::size_t c = 0; c < history.columns.size(); ++c) history.columns[c].name = names[c];
    for (const EpochRecord& epoch : state.history) {
      history.columns[0].values.push_back(epoch.train_loss);
      history.columns[1].values.push_back(epoch.train_metric);
      if (!has_validation) continue;
      history.columns[2].values.push_back(epoch.validation_loss);
      history.columns[3].values.push_back(epoch.validation_metric);
    }
    return history;
  }

  std::string name_;
  model::LearnerInput input_;
  std::map<std::string, std::unique_ptr<EncodedDataset>> encoded_;
};

}  // namespace

std::vector<model::LearnerFactory> network_learners() {
  std::vector<model::LearnerFactory> factories;
  for (const char* name : {"2-wl-gnn", "2-gnn", "gin", "gcn", "sage", "mlp"})
    factories.push_back({name,
                         [name](const model::LearnerInput& input) -> std::unique_ptr<model::Learner> {
                           return std::make_unique<NetworkLearner>(name, input);
                         },
                         network_libraries()});
  return factories;
}

}  // namespace twofold::train
