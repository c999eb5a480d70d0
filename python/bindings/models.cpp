// Networks and kernels that learn: training, model files, predictions, explanations.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings/arrays.h"
#include "bindings/call.h"
#include "bindings/json.h"
#include "bindings/options.h"
#include "bindings/parts.h"
#include "cli/explain_model.h"
#include "cli/explanation_drawing.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/memory.h"
#include "twofold/base/memory_limit.h"
#include "twofold/eval/splits.h"
#include "twofold/report/graph_layout.h"
#include "twofold/train/did_it_learn.h"
#include "twofold/train/ensemble.h"
#include "twofold/train/network_outputs.h"
#include "twofold/train/tensor_engine.h"
#include "twofold/train/trained_model.h"
#include "twofold/train/training.h"
#include "twofold/train/training_record.h"

namespace twofold::python {
namespace {

using train::TrainedModel;
using ModelHolder = std::shared_ptr<TrainedModel>;

// How to train, besides the options of the table.
struct TrainKeywords {
  double validation = 0.1;
  std::uint64_t seed = 1;
  std::uint64_t split_seed = 1;
  int threads = 0;
  std::uint64_t max_memory = 0;
};

py::dict epoch_dict(const train::EpochRecord& record) {
  py::dict dict;
  dict["epoch"] = record.epoch;
  dict["learning_rate"] = record.learning_rate;
  dict["train_loss"] = record.train_loss;
  dict["train_metric"] = record.train_metric;
  if (record.has_validation) {
    dict["validation_loss"] = record.validation_loss;
    dict["validation_metric"] = record.validation_metric;
  }
  return dict;
}

// What `twofold train` does, byte for byte.
train::Network train_network(model::LearnSettings settings, const Dataset& dataset, const Dataset& whole,
                             const model::Targets& targets, const TrainKeywords& how,
                             const py::object& progress, std::vector<train::EpochRecord>& history) {
  train::check_device(settings.engine);
  const eval::Fold split = eval::hold_out(targets, how.validation, how.split_seed);
  if (split.train.empty()) throw InputError("needed graphs to train on, found none");
  settings.train.seed = how.seed;
  const train::EncodeLimits limits{resolve_memory_limit(how.max_memory), how.threads, ""};
  train::Training training =
      train::prepare_training(std::move(settings), dataset, targets, split.train, limits, whole.graphs);
  train::Network& network = training.network;
  train::TrainingGraphs graphs;
  graphs.num_train = split.train.size();
  graphs.num_validation = split.validation.size();
  graphs.validation = how.validation;
  graphs.split_seed = how.split_seed;
  model::Config record = train::training_record(
      network, train::training_data(dataset, training.data->num_rows_of_all_marks()), how.seed, graphs);
  model::TrainOptions options = network.settings.train;
  // What memory allows is no option: it differs between machines.
  if (options.batch.rows == 0)
    options.batch.rows = train::rows_for_memory(network.settings.model, training.data->columns(),
                                                whole_memory_limit(how.max_memory) / 4);
  const auto after_epoch = [&](const train::EpochRecord& epoch) {
    if (progress.is_none()) return true;
    const py::gil_scoped_acquire acquire;
    call_python(progress, epoch_dict(epoch));
    return true;
  };
  const auto kept = [&](const train::TrainState& state) {
    return options.restore_best && state.best_epoch > 0 ? state.best_epoch : state.epoch();
  };
  const double constant = train::constant_loss(network.task, targets.numbers(split.train));
  std::size_t failed_members = 0;
  model::Config members = model::Config::array();
  const auto num_members = static_cast<std::size_t>(network.settings.ensemble);
  for (std::size_t m = 0; m < num_members; ++m) {
    options.seed = train::member_seed(how.seed, m);
    train::TrainState state = train::initial_state(training.layout, options.seed);
    train::train(*training.engine, *training.data, split.train, split.validation, training.layout, network.task,
                 options, state, after_epoch);
    (m == 0 ? network.parameters : network.others.emplace_back()) = train::chosen_parameters(state, options);
    failed_members += train::did_not_learn(state.history, constant) ? 1 : 0;
    members.push_back({{"epochs", state.epoch()}, {"kept_epoch", kept(state)}});
    history.insert(history.end(), state.history.begin(), state.history.end());
  }
  train::calibrate_network(*training.engine, *training.data, network, split.validation);
  record["epochs_done"] = members.back()["epochs"];
  record["kept_epoch"] = members.back()["kept_epoch"];
  if (num_members > 1) record["members"] = members;
  if (failed_members > 0) record["did_not_learn"] = failed_members;
  network.training = record.dump(-1, ' ', false, model::Config::error_handler_t::replace);
  return std::move(network);
}

svm::KernelModel train_kernel(const model::LearnSettings& settings, const Dataset& dataset,
                              const model::Targets& targets, const TrainKeywords& how) {
  std::vector<std::uint32_t> all(dataset.graphs.size());
  for (std::uint32_t g = 0; g < all.size(); ++g) all[g] = g;
  svm::FitOptions fit;
  fit.kernel = settings.kernel;
  fit.normalize = settings.normalize;
  fit.gamma = settings.gamma;
  fit.svc.penalty = settings.penalty;
  fit.svc.tolerance = settings.tolerance;
  fit.solver = settings.solver;
  fit.max_memory = how.max_memory;
  fit.threads = how.threads;
  svm::KernelModel model =
      svm::KernelModel::fit(dataset.graphs, targets.of(all).class_of, targets.task().class_names, fit);
  // Labels that are texts go by name.
  model.names = {dataset.node_label_names, dataset.edge_label_names, dataset.molecule_features};
  return model;
}

// A model and the history of its training. The data is part of `whole`, whose labels a network knows.
py::tuple train_model(const Data& data, const Data& whole, const std::string& name, const py::dict& options,
                      const std::string& task, double validation, std::uint64_t seed, std::uint64_t split_seed,
                      int threads, std::uint64_t max_memory, const py::object& progress) {
  const model::Model& known = model::find_model(name);
  const model::LearnSettings settings = model::settings_of(known, config_of(known, options));
  if (!(validation >= 0 && validation <= 0.9))
    throw py::value_error(fmt::format("validation: needed a number in 0..0.9, found {}", validation));
  const TrainKeywords how{validation, seed, split_seed, threads, max_memory};
  auto model = std::make_shared<TrainedModel>();
  std::vector<train::EpochRecord> epochs;
  without_gil([&] {
    const model::Targets targets(*data, {{}, task});
    if (targets.task().is_classification() && targets.task().class_names.size() < 2)
      throw InputError(fmt::format("y: needed graphs of two classes or more, found one class {}",
                                   in_quotes(targets.task().class_names[0])));
    if (settings.is_kernel)
      model->kernel = train_kernel(settings, *data, targets, how);
    else
      model->network = train_network(settings, *data, *whole, targets, how, progress, epochs);
  });
  py::list history;
  for (const train::EpochRecord& record : epochs) history.append(epoch_dict(record));
  return py::make_tuple(model, history);
}

std::string encode(const TrainedModel& model) {
  return model.network ? train::encode_network(*model.network) : model.kernel->encode();
}

ModelHolder decode(const std::string& bytes, const std::string& source) {
  auto model = std::make_shared<TrainedModel>();
  model->path = source;
  if (train::model_format(bytes, source) == train::kNetworkFormat)
    model->network = train::decode_network(bytes, source);
  else
    model->kernel = svm::KernelModel::decode(bytes, source);
  return model;
}

py::dict describe(const TrainedModel& model) {
  py::dict about;
  if (model.network) {
    const model::Model& known = model::model_of(model.network->settings);
    about["model"] = known.name;
    about["config"] = to_python(model::config_of(known, model.network->settings));
    about["training"] = to_python(model::Config::parse(model.network->training, nullptr, false));
    about["num_parameters"] = model.network->parameters.size();
    about["target_names"] = model.network->target_names;
  } else {
    const svm::KernelModel& kernel = *model.kernel;
    model::LearnSettings settings;
    settings.is_kernel = true;
    settings.kernel = kernel.kernel();
    settings.normalize = kernel.is_normalized();
    settings.gamma = kernel.gamma();
    settings.penalty = kernel.penalty();
    settings.tolerance = kernel.tolerance();
    const model::Model& known = model::model_of(settings);
    about["model"] = known.name;
    about["config"] = to_python(model::config_of(known, settings));
    about["target_names"] = py::list();
  }
  about["class_names"] = train::class_names(model);
  return about;
}

py::tuple predict(const ModelHolder& model, const Data& data, int threads, std::uint64_t max_memory) {
  model::Predictions said =
      without_gil([&] { return train::predict(*model, *data, "graphs", threads, max_memory); });
  const auto rows = static_cast<py::ssize_t>(data->graphs.size());
  const auto width = [&](const std::vector<double>& values, std::size_t columns) {
    return rows > 0 ? static_cast<py::ssize_t>(values.size()) / rows : static_cast<py::ssize_t>(columns);
  };
  const py::ssize_t score_columns = width(said.scores, train::class_names(*model).size());
  const py::ssize_t value_columns =
      width(said.values, model->network ? model->network->target_names.size() : 0);
  return py::make_tuple(array_of(std::vector<std::int64_t>(said.class_of.begin(), said.class_of.end())),
                        array_of(std::move(said.scores), {rows, score_columns}),
                        array_of(std::move(said.values), {rows, value_columns}));
}

py::array_t<float> embed(const ModelHolder& model, const Data& data, int threads, std::uint64_t max_memory) {
  if (!model->network)
    throw py::type_error("embed: needed a network, found a kernel model, which has no vectors");
  std::size_t width = 0;
  std::vector<float> vectors = without_gil([&] {
    std::optional<Dataset> copy;
    train::NetworkOnData run(*model->network, train::numbered_for(*model, *data, "graphs", copy), "graphs",
                             threads, max_memory);
    width = run.vector_width();
    return run.vectors();
  });
  return array_of(std::move(vectors),
                  {static_cast<py::ssize_t>(data->graphs.size()), static_cast<py::ssize_t>(width)});
}

// An explanation, with the graph that it is of.
struct Explained {
  Data data;
  cli::ExplanationView view;
};

Explained explain(const ModelHolder& model, const Data& data, std::size_t graph, const std::string& by,
                  const std::string& target, int threads, std::uint64_t max_memory,
                  const py::object& progress) {
  if (graph >= data->graphs.size())
    throw py::index_error(fmt::format("needed a graph below {}, found {}", data->graphs.size(), graph));
  cli::ExplainRequest request{graph, by, target, "graphs", threads, max_memory, progress_to(progress)};
  return without_gil([&] {
    // The view points into the data that it goes with.
    std::optional<Dataset> copy;
    const Dataset& numbered = train::numbered_for(*model, *data, "graphs", copy);
    const Data kept = &numbered == &*data ? data : std::make_shared<Dataset>(std::move(*copy));
    return Explained{kept, cli::explain_model(*model, *kept, request)};
  });
}

}  // namespace

void add_models(py::module_& module) {
  py::class_<TrainedModel, ModelHolder>(module, "Model")
      .def("encode",
           [](const ModelHolder& self) { return py::bytes(without_gil([&] { return encode(*self); })); })
      .def("describe", [](const ModelHolder& self) { return describe(*self); })
      .def("predict", predict)
      .def("embed", embed)
      .def("explain", explain);
  py::class_<Explained>(module, "Explained")
      .def("json", [](const Explained& self) { return to_python(cli::explanation_json(self.view)); })
      .def("headline", [](const Explained& self) { return self.view.headline(); })
      .def("meaning", [](const Explained& self) { return self.view.meaning; })
      .def("svg", [](const Explained& self) {
        return without_gil([&] {
          report::require_drawable({self.view.graph, 1}, "its arrays have the same numbers");
          return cli::draw_explanation(self.view);
        });
      });
  module.def("train", train_model);
  module.def("decode_model", [](const py::bytes& bytes, const std::string& source) {
    const std::string text = bytes;
    return without_gil([&] { return decode(text, source); });
  });
  module.def("write_file", [](const std::string& path, const py::bytes& bytes) {
    const std::string text = bytes;
    without_gil([&] {
      AtomicFile file(path);
      file.write(text);
      file.commit();
    });
  });
}

}  // namespace twofold::python
