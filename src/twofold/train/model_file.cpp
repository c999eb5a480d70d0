#include "twofold/train/model_file.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "twofold/base/digest.h"
#include "twofold/base/error.h"
#include "twofold/model/network_json.h"
#include "twofold/model/parameter_layout.h"
#include "twofold/record/json_reader.h"
#include "twofold/record/tensor_file.h"
#include "twofold/svm/input_names.h"

namespace twofold::train {
namespace {

using nlohmann::ordered_json;
using record::JsonView;

constexpr const char* kCheckpointFormat = "twofold training checkpoint";
constexpr int kVersion = 3;
constexpr int kChecksumVersion = 2;  // from here on files have a checksum
constexpr int kTableVersion = 3;     // from here on they have every option of the table
constexpr std::size_t kMaxColumns = 1'000'000;

[[noreturn]] void refuse(const std::string& source, const std::string& needed, const std::string& found) {
  throw_input_error(source, 0, needed, found);
}

// Labels of one kind, ascending.
std::vector<Label> labels_of(const JsonView& list) {
  std::vector<Label> labels;
  for (const std::int64_t label :
       list.integers(std::numeric_limits<Label>::min(), std::numeric_limits<Label>::max())) {
    if (!labels.empty() && labels.back() >= label) list.refuse("ascending labels", fmt::format("{}", label));
    labels.push_back(static_cast<Label>(label));
  }
  return labels;
}

std::vector<double> positive_numbers(const JsonView& list) {
  std::vector<double> values = list.numbers();
  for (const double value : values)
    if (value <= 0) list.refuse("positive numbers", fmt::format("{}", value));
  return values;
}

ordered_json parse_config(const record::TensorFile& file, const char* format, const std::string& source) {
  ordered_json config = record::parse_json(file.config, source + ": configuration");
  const JsonView view(config, source);
  if (!config.is_object() || config.value("format", ordered_json()) != format)
    refuse(source, fmt::format("a {}", format), "another file");
  const std::uint64_t version = view.at("version").count_in(1, 1'000'000);
  if (version > kVersion)
    refuse(source, fmt::format("version 1..{}", kVersion), fmt::format("version {}", version));
  if (version >= kChecksumVersion && !file.has_checksum && kChecksumsCount)
    throw InputError(fmt::format("{}: damaged or edited: needed a checksum, found none", source));
  return config;
}

ordered_json layout_json(const InputLayout& layout) {
  const pairs::FeatureLayout& f = layout.features;
  ordered_json json = {{"indicators", f.indicators},
                       {"node_labels", f.node_labels},
                       {"node_attributes", f.node_attributes},
                       {"edge_labels", f.edge_labels},
                       {"edge_attributes", f.edge_attributes},
                       {"degrees", layout.degrees},
                       {"ignores_node_attributes", layout.ignores_node_attributes}};
  if (f.feature_columns > 0) json["node_features"] = f.feature_columns;
  if (layout.is_marked) json["marked_labels"] = layout.own_labels;
  if (layout.weights != NeighborWeights::kNone) json["neighbor_weights"] = to_string(layout.weights);
  return json;
}

InputLayout layout_from(const JsonView& fields, const model::ModelOptions& options) {
  const std::string& source = fields.source();
  InputLayout layout;
  layout.features.indicators = fields.at("indicators").flag();
  layout.features.node_labels = labels_of(fields.at("node_labels"));
  layout.features.node_attributes = fields.at("node_attributes").count(kMaxColumns);
  layout.features.edge_labels = labels_of(fields.at("edge_labels"));
  layout.features.edge_attributes = fields.at("edge_attributes").count(kMaxColumns);
  if (const JsonView columns = fields.at("node_features"); columns.is_there()) {
    layout.features.feature_columns = columns.count(kMaxColumns);
    if (!layout.features.node_labels.empty()) refuse(source, "node labels or node features", "both");
  }
  layout.degrees = fields.at("degrees").flag();
  layout.ignores_node_attributes = fields.at("ignores_node_attributes").flag();
  const bool has_pairs = model::has_pair_rows(options.model);
  layout.is_marked = fields.at("marked_labels").is_there();
  if (layout.is_marked) layout.own_labels = labels_of(fields.at("marked_labels"));
  std::vector<Label> marked(2 * std::max<std::size_t>(1, layout.own_labels.size()));
  std::iota(marked.begin(), marked.end(), Label{0});
  if (layout.is_marked != (options.marks > 0) || (layout.is_marked && layout.features.node_labels != marked))
    refuse(source, "marked labels just where the model has marks, two columns for each", "others");
  if (fields.at("neighbor_weights").is_there()) {
    try {
      layout.weights = parse_neighbor_weights(fields.at("neighbor_weights").text());
    } catch (const UsageError& error) {
      throw InputError(fmt::format("{}: {}", source, error.what()));
    }
    if (options.layer_forms.empty() || !layout.features.indicators || !layout.features.edge_labels.empty() ||
        layout.features.edge_attributes > 0)
      refuse(source, "neighbor weights of a simulated network alone", "others");
  }
  if (layout.degrees && layout.features.node_labels.empty()) refuse(source, "degrees of nodes", "none");
  if (layout.ignores_node_attributes && layout.features.node_attributes > 0)
    refuse(source, "no node attributes", "some");
  if (has_pairs ? layout.features.columns() == 0
                : layout.features.indicators || !layout.features.edge_labels.empty() ||
                      layout.features.edge_attributes > 0)
    refuse(source, fmt::format("the input columns of the model {}", model::to_string(options.model)), "others");
  return layout;
}

ordered_json task_json(const Objective& task) {
  return {{"loss", model::to_string(task.loss)},  {"class_weights", task.class_weights},
          {"target_mean", task.target_mean},      {"target_scale", task.target_scale},
          {"node_mean", task.features.node_mean}, {"node_scale", task.features.node_scale},
          {"edge_mean", task.features.edge_mean}, {"edge_scale", task.features.edge_scale}};
}

Objective task_from(const JsonView& fields, const Network& network) {
  const std::string& source = fields.source();
  Objective task;
  task.kind = network.settings.model.task;
  task.outputs = static_cast<std::size_t>(network.settings.model.outputs);
  try {
    task.loss = model::parse_loss(fields.at("loss").text());
  } catch (const UsageError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  }
  task.class_weights = fields.at("class_weights").numbers();
  if (task.has_values()) {
    // Up to version 2 there was one target.
    const auto list = [&](const char* key) {
      const JsonView view = fields.at(key);
      return view.is_list() ? view.numbers() : std::vector<double>{view.number()};
    };
    task.target_mean = list("target_mean");
    task.target_scale = list("target_scale");
    for (const double scale : task.target_scale)
      if (scale <= 0) refuse(source, "a positive target_scale", fmt::format("{}", scale));
    if (task.target_mean.size() != task.outputs || task.target_scale.size() != task.outputs)
      refuse(source, fmt::format("{} means and scales of targets", task.outputs), "others");
  }
  task.features.node_mean = fields.at("node_mean").numbers();
  task.features.node_scale = positive_numbers(fields.at("node_scale"));
  task.features.edge_mean = fields.at("edge_mean").numbers();
  task.features.edge_scale = positive_numbers(fields.at("edge_scale"));
  task.features.divides_features = network.settings.standardize && network.layout.features.feature_columns > 0;
  const auto require_size = [&](const std::vector<double>& values, std::size_t size, const char* name) {
    if (!values.empty() && values.size() != size)
      refuse(source, fmt::format("{} values of {}", size, name), fmt::format("{}", values.size()));
  };
  const pairs::FeatureLayout& f = network.layout.features;
  require_size(task.class_weights, network.class_names.size(), "class_weights");
  require_size(task.features.node_mean, f.node_attributes, "node_mean");
  require_size(task.features.edge_mean, f.edge_attributes, "edge_mean");
  if (task.features.node_mean.size() != task.features.node_scale.size() ||
      task.features.edge_mean.size() != task.features.edge_scale.size())
    refuse(source, "as many means as scales", "others");
  return task;
}

bool has_values(model::TaskKind kind) {
  return kind == model::TaskKind::kRegression || kind == model::TaskKind::kYesNo;
}

void read_targets(const JsonView& fields, Network& network) {
  if (!has_values(network.settings.model.task)) return;
  const auto outputs = static_cast<std::size_t>(network.settings.model.outputs);
  // Up to version 2 there was one, without a name.
  if (const JsonView old = fields.at("target"); old.is_there()) {
    network.target_columns = {old.count(kMaxColumns)};
    network.target_names = {std::to_string(network.target_columns[0] + 1)};
  } else {
    network.target_names = fields.at("targets").texts();
    for (const std::int64_t column : fields.at("target_columns").integers(0, kMaxColumns))
      network.target_columns.push_back(static_cast<std::size_t>(column));
  }
  if (network.target_names.size() != outputs || network.target_columns.size() != outputs)
    refuse(fields.source(), fmt::format("{} targets", outputs), fmt::format("{}", network.target_names.size()));
}

template <typename T>
void require_finite(const std::vector<T>& values, const std::string& name, const std::string& source) {
  for (const T value : values)
    if (!std::isfinite(value))
      refuse(source, fmt::format("finite values in {}", name), fmt::format("{}", value));
}

record::Tensor history_tensor(const std::string& name, const std::vector<EpochRecord>& history) {
  std::vector<double> values;
  for (const EpochRecord& r : history)
    values.insert(values.end(), {r.learning_rate, r.train_loss, r.train_metric, r.has_validation ? 1.0 : 0.0,
                                 r.validation_loss, r.validation_metric});
  return record::make_tensor(name, values, {history.size(), 6});
}

std::vector<EpochRecord> read_history(const record::TensorFile& file, const std::string& name,
                                      const std::string& source) {
  const auto values = record::tensor_values<double>(file, name, 2, source);
  if (values.size() % 6 != 0) refuse(source, "a history of epochs", "other values");
  std::vector<EpochRecord> history;
  for (std::size_t i = 0; i < values.size(); i += 6) {
    EpochRecord r;
    r.epoch = static_cast<int>(i / 6) + 1;
    r.learning_rate = values[i];
    r.train_loss = values[i + 1];
    r.train_metric = values[i + 2];
    r.has_validation = values[i + 3] != 0;
    r.validation_loss = values[i + 4];
    r.validation_metric = values[i + 5];
    history.push_back(r);
  }
  return history;
}

// The first member's tensors are named as those of a network that is alone.
std::string member_prefix(std::size_t member) {
  return member == 0 ? "" : fmt::format("member.{}.", member + 1);
}

}  // namespace

std::string encode_network(const Network& network) {
  const model::ParameterLayout layout =
      model::parameter_layout(network.settings.model, network.layout.columns());
  TWOFOLD_CHECK(network.num_members() == static_cast<std::size_t>(network.settings.ensemble),
                "{} members, the settings say {}", network.num_members(), network.settings.ensemble);
  ordered_json config = {{"format", kNetworkFormat},
                         {"version", kVersion},
                         {"model", model::network_json(network.settings)},
                         {"input", layout_json(network.layout)},
                         {"task", task_json(network.task)},
                         {"classes", network.class_names},
                         {"targets", network.target_names},
                         {"target_columns", network.target_columns},
                         {"training", ordered_json::parse(network.training)}};
  if (!network.names.none()) config["names"] = svm::input_names_json(network.names);
  if (network.calibration.is_there()) config["calibration"] = model::calibration_json(network.calibration);
  record::TensorFile file;
  file.config = record::json_text(config);
  for (std::size_t m = 0; m < network.num_members(); ++m) {
    const std::vector<float>& parameters = network.member(m);
    TWOFOLD_CHECK(parameters.size() == layout.size);
    for (const model::Parameter& p : layout.parameters) {
      const auto begin = parameters.begin() + static_cast<std::ptrdiff_t>(p.offset);
      const std::vector<float> values(begin, begin + static_cast<std::ptrdiff_t>(p.size()));
      const std::string name = member_prefix(m) + p.name;
      file.tensors.push_back(p.is_matrix() ? record::make_tensor(name, values, {p.rows, p.columns})
                                           : record::make_tensor(name, values));
    }
  }
  return record::encode_tensors(file);
}

std::string model_format(std::string_view bytes, const std::string& source) {
  const record::TensorFile file = record::decode_tensors(bytes, source);
  const ordered_json config = record::parse_json(file.config, source + ": configuration");
  if (!config.is_object() || !config.contains("format") || !config["format"].is_string())
    refuse(source, "a model of twofold", "another file");
  return config["format"].get<std::string>();
}

Network decode_network(std::string_view bytes, const std::string& source) {
  const record::TensorFile file = record::decode_tensors(bytes, source);
  const ordered_json config = parse_config(file, kNetworkFormat, source);
  const JsonView fields(config, source);
  Network network;
  network.settings = fields.at("version").count(kVersion) < kTableVersion
                         ? model::network_from_old_json(fields.at("model"))
                         : model::network_from_json(fields.at("model"));
  network.layout = layout_from(fields.at("input"), network.settings.model);
  network.class_names = fields.at("classes").texts();
  const std::size_t classes = has_values(network.settings.model.task) ? 0
                              : network.settings.model.task == model::TaskKind::kBinary
                                  ? 2
                                  : static_cast<std::size_t>(network.settings.model.outputs);
  if (network.class_names.size() != classes)
    refuse(source, fmt::format("{} classes", classes), fmt::format("{}", network.class_names.size()));
  read_targets(fields, network);
  network.task = task_from(fields.at("task"), network);
  network.names = svm::input_names_from(fields.at("names"));
  network.calibration =
      model::calibration_from(fields.at("calibration"), network.task.has_values() ? network.task.outputs : 0);
  network.training = record::json_text(fields.at("training").object());

  const model::ParameterLayout layout =
      model::parameter_layout(network.settings.model, network.layout.columns());
  const auto members = static_cast<std::size_t>(network.settings.ensemble);
  if (file.tensors.size() != members * layout.parameters.size())
    refuse(source, fmt::format("{} tensors", members * layout.parameters.size()),
           fmt::format("{}", file.tensors.size()));
  // All shapes first: a configuration may promise more than there is memory, the tensors cannot.
  for (std::size_t m = 0; m < members; ++m)
    for (const model::Parameter& p : layout.parameters) {
      const std::string name = member_prefix(m) + p.name;
      const record::Tensor& tensor =
          record::require_tensor(file, name, record::TensorType::kF32, p.is_matrix() ? 2 : 1, source);
      if (tensor.shape[0] != p.rows || (p.is_matrix() && tensor.shape[1] != p.columns))
        refuse(source, fmt::format("{} of {} x {} values", name, p.rows, p.columns),
               fmt::format("{}", fmt::join(tensor.shape, " x ")));
    }
  for (std::size_t m = 0; m < members; ++m) {
    std::vector<float> parameters(layout.size, 0);
    for (const model::Parameter& p : layout.parameters) {
      const std::string name = member_prefix(m) + p.name;
      const auto values = record::tensor_values<float>(file, name, p.is_matrix() ? 2 : 1, source);
      require_finite(values, name, source);
      std::copy(values.begin(), values.end(), parameters.begin() + static_cast<std::ptrdiff_t>(p.offset));
    }
    if (m == 0)
      network.parameters = std::move(parameters);
    else
      network.others.push_back(std::move(parameters));
  }
  return network;
}

std::string encode_checkpoint(const Checkpoint& checkpoint) {
  const TrainState& state = checkpoint.state;
  ordered_json config = {{"format", kCheckpointFormat},
                         {"version", kVersion},
                         {"config", ordered_json::parse(checkpoint.config)},
                         {"steps", state.adam.steps},
                         {"best_epoch", state.best_epoch},
                         {"is_finished", state.is_finished}};
  for (const Checkpoint::Member& member : checkpoint.members)
    config["members"].push_back({{"best_epoch", member.best_epoch}});
  record::TensorFile file;
  file.config = record::json_text(config);
  file.tensors.push_back(record::make_tensor("parameters", state.parameters));
  file.tensors.push_back(record::make_tensor("adam.first", state.adam.first));
  file.tensors.push_back(record::make_tensor("adam.second", state.adam.second));
  if (!state.average.empty()) file.tensors.push_back(record::make_tensor("average", state.average));
  file.tensors.push_back(record::make_tensor("best_parameters", state.best_parameters));
  file.tensors.push_back(record::make_tensor("best_value", std::vector<double>{state.best_value}));
  file.tensors.push_back(history_tensor("history", state.history));
  for (std::size_t m = 0; m < checkpoint.members.size(); ++m) {
    const std::string name = fmt::format("member.{}", m + 1);
    file.tensors.push_back(record::make_tensor(name, checkpoint.members[m].parameters));
    file.tensors.push_back(history_tensor(name + ".history", checkpoint.members[m].history));
  }
  return record::encode_tensors(file);
}

Checkpoint decode_checkpoint(std::string_view bytes, const std::string& source) {
  const record::TensorFile file = record::decode_tensors(bytes, source);
  const ordered_json config = parse_config(file, kCheckpointFormat, source);
  const JsonView fields(config, source);
  Checkpoint checkpoint;
  checkpoint.config = record::json_text(fields.at("config").object());
  TrainState& state = checkpoint.state;
  state.adam.steps = fields.at("steps").count(std::size_t{1} << 53);
  state.best_epoch = static_cast<int>(fields.at("best_epoch").count(1'000'000'000));
  state.is_finished = fields.at("is_finished").flag();
  state.parameters = record::tensor_values<float>(file, "parameters", 1, source);
  state.adam.first = record::tensor_values<float>(file, "adam.first", 1, source);
  state.adam.second = record::tensor_values<float>(file, "adam.second", 1, source);
  const auto is_average = [](const record::Tensor& tensor) { return tensor.name == "average"; };
  if (std::any_of(file.tensors.begin(), file.tensors.end(), is_average))
    state.average = record::tensor_values<double>(file, "average", 1, source);
  state.best_parameters = record::tensor_values<float>(file, "best_parameters", 1, source);
  const auto best = record::tensor_values<double>(file, "best_value", 1, source);
  const std::size_t size = state.parameters.size();
  if (state.adam.first.size() != size || state.adam.second.size() != size ||
      (!state.average.empty() && state.average.size() != size) ||
      state.best_parameters.size() != (state.best_epoch > 0 ? size : 0))
    refuse(source, "tensors of one size", "others");
  if (best.size() != 1) refuse(source, "one best value", fmt::format("{}", best.size()));
  state.best_value = best[0];
  state.history = read_history(file, "history", source);
  if (state.best_epoch > state.epoch()) refuse(source, "a best epoch within the history", "a later one");
  if (const JsonView members = fields.at("members"); members.is_there())
    for (std::size_t m = 0; m < members.size(); ++m) {
      Checkpoint::Member member;
      const std::string name = fmt::format("member.{}", m + 1);
      member.parameters = record::tensor_values<float>(file, name, 1, source);
      member.history = read_history(file, name + ".history", source);
      member.best_epoch = static_cast<int>(members.item(m).at("best_epoch").count(member.history.size()));
      if (member.parameters.size() != size) refuse(source, "members of one size", "others");
      checkpoint.members.push_back(std::move(member));
    }
  return checkpoint;
}

}  // namespace twofold::train
