#include "twofold/train/network_learner.h"

#include <map>

#include "twofold/base/error.h"
#include "twofold/model/model_table.h"
#include "twofold/model/network_twins.h"
#include "twofold/train/engine.h"
#include "twofold/train/library_versions.h"
#include "twofold/train/tensor_engine.h"
#include "twofold/train/trainer.h"

namespace twofold::train {
namespace {

using model::Config;

// Everything that trained weights need to be used again.
struct Trained {
  model::ModelOptions model;
  Objective task;
  model::BatchLimits batch;
  std::vector<float> parameters;
  std::unique_ptr<Engine> engine;
  const EncodedDataset* data = nullptr;
};

class FittedNetwork : public model::Fitted {
 public:
  explicit FittedNetwork(Trained trained) : trained_(std::move(trained)) {}

  model::Predictions predict(Span<const std::uint32_t> graphs) override {
    const std::size_t outputs = trained_.task.outputs;
    const std::vector<float> all =
        all_outputs(*trained_.engine, *trained_.data, graphs, outputs, trained_.batch, trained_.parameters);
    model::Predictions predictions;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      const Span<const float> row(all.data() + g * outputs, outputs);
      const std::vector<double> scores = predicted_scores(trained_.task, row);
      if (trained_.task.is_regression()) {
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
      throw InputError(
          fmt::format("needed graphs of two classes or more, found {}", input_.task.class_names.size()));
  }

  model::FitResult fit(const Config& config, const model::LabeledGraphs& train,
                       const model::LabeledGraphs& validation, const model::FitOptions& options) override {
    model::LearnSettings settings = settings_of(config);
    settings.train.seed = options.seed;
    EncodedDataset& data = encoded(settings.model);
    // Only what this fit may see; the others stay 0.
    data.targets.assign(data.num_graphs() * input_.task.num_targets(), 0);
    const std::vector<double> training = place_targets(train, data);
    place_targets(validation, data);

    Trained trained;
    trained.model = settings.model;
    trained.task = make_objective(settings, training, input_.graphs, train.graphs, data.layout().features);
    trained.batch = settings.train.batch;
    trained.data = &data;
    settings.engine.threads = input_.threads;
    settings.engine.batch_graphs = settings.train.batch.graphs;
    // Rows and colors differ in rounding: a record is the same for any number of threads and processes, so
    // kAuto goes by one thread.
    trained.engine = make_engine(data, settings.model, trained.task, settings.engine, 1);

    const model::ParameterLayout layout = model::parameter_layout(settings.model, data.columns());
    TrainState state = initial_state(layout, options.seed);
    const auto epochs = static_cast<std::uint64_t>(settings.train.epochs);
    train::train(*trained.engine, data, train.graphs, validation.graphs, layout, trained.task, settings.train,
                 state, [&](const EpochRecord& record) {
                   if (options.progress) options.progress(static_cast<std::uint64_t>(record.epoch), epochs);
                   return true;
                 });

    model::FitResult result;
    result.history = history_of(state);
    result.notes["epochs"] = state.epoch();
    if (state.best_epoch > 0) result.notes["best_epoch"] = state.best_epoch;
    result.notes["engine"] = model::to_string(trained.engine->kind());
    trained.parameters = chosen_parameters(state, settings.train);
    result.fitted = std::make_unique<FittedNetwork>(std::move(trained));
    return result;
  }

  void check(const Config& config) override {
    const model::LearnSettings settings = settings_of(config);
    check_device(settings.engine);
    input_layout(input_.graphs, settings.model);
  }

  model::TwinClasses twins(const std::vector<Config>& grid) override {
    wl::ClassifyOptions how;
    how.threads = input_.threads;
    how.max_memory = input_.max_memory;
    return model::network_twins(name_, grid, input_.graphs, how);
  }

 private:
  model::LearnSettings settings_of(const Config& config) const {
    model::LearnSettings settings = model::settings_of(model::find_model(name_), config);
    model::set_task(settings, input_.task);
    return settings;
  }

  // The graphs as such a model reads them.
  EncodedDataset& encoded(const model::ModelOptions& model) {
    const std::string key =
        fmt::format("{} {} {} {} {} {}", pairs::to_string(model.radius), model.indicators,
                    model.node_attributes, model.degree_features, model.self_loops, model.pool_by_kind);
    std::unique_ptr<EncodedDataset>& data = encoded_[key];
    if (data == nullptr) {
      EncodeLimits limits;
      limits.max_memory = input_.max_memory;
      limits.threads = input_.threads;
      // Processes that work side by side then share one copy of the colors.
      if (input_.cache != nullptr) limits.cache = input_.cache->folder();
      data = std::make_unique<EncodedDataset>(input_.graphs, model, input_layout(input_.graphs, model), limits);
    }
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
    history.columns.resize(4);
    const char* const names[] = {"train_loss", "train", "validation_loss", "validation"};
    for (std::size_t c = 0; c < 4; ++c) history.columns[c].name = names[c];
    for (const EpochRecord& epoch : state.history) {
      history.columns[0].values.push_back(epoch.train_loss);
      history.columns[1].values.push_back(epoch.train_metric);
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
