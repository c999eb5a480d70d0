#include "cli/learn/network_learner.h"

#include <map>

#include "cli/learn/learn_options.h"
#include "cli/learn/library_versions.h"
#include "twofold/base/error.h"
#include "twofold/eval/network_twins.h"
#include "twofold/train/engine.h"
#include "twofold/train/trainer.h"

namespace twofold::cli {
namespace {

using eval::Config;

std::string text_of(const Config& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

// Everything that trained weights need to be used again.
struct Trained {
  nn::ModelOptions model;
  train::Task task;
  train::BatchLimits batch;
  std::vector<float> parameters;
  std::unique_ptr<train::Engine> engine;
  const train::EncodedDataset* data = nullptr;
};

class FittedNetwork : public eval::Fitted {
 public:
  explicit FittedNetwork(Trained trained) : trained_(std::move(trained)) {}

  eval::Predictions predict(Span<const std::uint32_t> graphs) override {
    const std::size_t outputs = trained_.task.outputs;
    const std::vector<float> all = train::all_outputs(*trained_.engine, *trained_.data, graphs, outputs,
                                                      trained_.batch, trained_.parameters);
    eval::Predictions predictions;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      const Span<const float> row(all.data() + g * outputs, outputs);
      if (trained_.task.kind == nn::Task::kRegression)
        predictions.values.push_back(train::predicted_scores(trained_.task, row)[0]);
      else
        predictions.class_of.push_back(train::predicted_class(trained_.task, row));
    }
    return predictions;
  }

 private:
  Trained trained_;
};

class NetworkLearner : public eval::Learner {
 public:
  NetworkLearner(std::string name, eval::LearnerInput input)
      : name_(std::move(name)), input_(std::move(input)) {
    if (!input_.task.is_classification() && input_.task.num_values != 1)
      throw UsageError(fmt::format("{} learns one real target, this dataset has {} per graph", name_,
                                   input_.task.num_values));
    if (input_.task.is_classification() && input_.task.class_names.size() < 2)
      throw InputError(
          fmt::format("needed graphs of two classes or more, found {}", input_.task.class_names.size()));
  }

  eval::FitResult fit(const Config& config, const eval::LabeledGraphs& train,
                      const eval::LabeledGraphs& validation, const eval::FitOptions& options) override {
    LearnSettings settings = settings_of(config);
    settings.train.seed = options.seed;
    train::EncodedDataset& data = encoded(settings.model);
    // Only what this fit may see; the others stay 0.
    data.targets.assign(data.num_graphs(), 0);
    const std::vector<double> training = place_targets(train, data);
    place_targets(validation, data);

    Trained trained;
    trained.model = settings.model;
    trained.task = task_of(settings, training, train.graphs, data);
    trained.batch = settings.train.batch;
    trained.data = &data;
    settings.engine.threads = input_.threads;
    settings.engine.batch_graphs = settings.train.batch.graphs;
    trained.engine = train::make_engine(data, settings.model, trained.task, settings.engine);

    const nn::ParameterLayout layout = nn::parameter_layout(settings.model, data.columns());
    train::TrainState state = train::initial_state(layout, options.seed);
    const auto epochs = static_cast<std::uint64_t>(settings.train.epochs);
    train::train(*trained.engine, data, train.graphs, validation.graphs, layout, trained.task, settings.train,
                 state, [&](const train::EpochRecord& record) {
                   if (options.progress) options.progress(static_cast<std::uint64_t>(record.epoch), epochs);
                   return true;
                 });

    eval::FitResult result;
    result.history = history_of(state);
    result.notes["epochs"] = state.epoch();
    if (state.best_epoch > 0) result.notes["best_epoch"] = state.best_epoch;
    result.notes["engine"] = train::to_string(trained.engine->kind());
    trained.parameters = train::chosen_parameters(state, settings.train);
    result.fitted = std::make_unique<FittedNetwork>(std::move(trained));
    return result;
  }

  eval::TwinClasses twins(const std::vector<Config>& grid) override {
    wl::ClassifyOptions how;
    how.threads = input_.threads;
    how.max_memory = input_.max_memory;
    return eval::network_twins(name_, grid, input_.graphs, how);
  }

 private:
  LearnSettings settings_of(const Config& config) const {
    GivenOptions given;
    for (const auto& [name, value] : config.items()) given.emplace_back(name, text_of(value));
    LearnSettings settings = resolve_learning(name_, given);
    if (!input_.task.is_classification()) {
      settings.model.task = nn::Task::kRegression;
    } else if (input_.task.class_names.size() > 2) {
      settings.model.task = nn::Task::kMultiClass;
      settings.model.outputs = static_cast<int>(input_.task.class_names.size());
    }
    return settings;
  }

  // The graphs as such a model reads them.
  train::EncodedDataset& encoded(const nn::ModelOptions& model) {
    const std::string key = fmt::format("{} {} {} {} {}", pairs::to_string(model.radius), model.indicators,
                                        model.node_attributes, model.degree_features, model.self_loops);
    std::unique_ptr<train::EncodedDataset>& data = encoded_[key];
    if (data == nullptr) {
      train::EncodeLimits limits;
      limits.max_memory = input_.max_memory;
      limits.threads = input_.threads;
      // Processes that work side by side then share one copy of the colors.
      if (input_.cache != nullptr) limits.cache = input_.cache->folder();
      data = std::make_unique<train::EncodedDataset>(input_.graphs, model,
                                                     train::input_layout(input_.graphs, model), limits);
    }
    return *data;
  }

  std::vector<double> place_targets(const eval::LabeledGraphs& graphs, train::EncodedDataset& data) const {
    std::vector<double> targets;
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      targets.push_back(input_.task.is_classification() ? graphs.class_of[i] : graphs.values[i]);
      data.targets[graphs.graphs[i]] = targets.back();
    }
    return targets;
  }

  train::Task task_of(const LearnSettings& settings, const std::vector<double>& training,
                      const std::vector<std::uint32_t>& graphs, const train::EncodedDataset& data) const {
    train::Task task;
    task.kind = settings.model.task;
    task.outputs = static_cast<std::size_t>(settings.model.outputs);
    if (task.kind == nn::Task::kRegression) task.loss = settings.loss;
    train::fit_targets(task, training, settings.class_weights);
    if (settings.standardize) task.features = train::attribute_scaling(input_.graphs, graphs);
    const pairs::FeatureLayout& features = data.layout().features;
    if (features.node_attributes == 0) task.features.node_mean = task.features.node_scale = {};
    if (features.edge_attributes == 0) task.features.edge_mean = task.features.edge_scale = {};
    return task;
  }

  static eval::History history_of(const train::TrainState& state) {
    eval::History history;
    history.columns.resize(4);
    const char* const names[] = {"train_loss", "train", "validation_loss", "validation"};
    for (std::size_t c = 0; c < 4; ++c) history.columns[c].name = names[c];
    for (const train::EpochRecord& epoch : state.history) {
      history.columns[0].values.push_back(epoch.train_loss);
      history.columns[1].values.push_back(epoch.train_metric);
      history.columns[2].values.push_back(epoch.validation_loss);
      history.columns[3].values.push_back(epoch.validation_metric);
    }
    return history;
  }

  std::string name_;
  eval::LearnerInput input_;
  std::map<std::string, std::unique_ptr<train::EncodedDataset>> encoded_;
};

}  // namespace

std::vector<eval::LearnerFactory> network_learners() {
  std::vector<eval::LearnerFactory> factories;
  for (const char* name : {"2-wl-gnn", "2-gnn", "gin", "gcn", "sage", "mlp"})
    factories.push_back({name,
                         [name](const eval::LearnerInput& input) -> std::unique_ptr<eval::Learner> {
                           return std::make_unique<NetworkLearner>(name, input);
                         },
                         network_libraries()});
  return factories;
}

}  // namespace twofold::cli
