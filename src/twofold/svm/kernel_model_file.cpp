// The model file of a kernel SVM: the configuration as JSON, the vocabulary's tables and the weights as
// tensors.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "twofold/base/error.h"
#include "twofold/record/tensor_file.h"
#include "twofold/svm/kernel_model.h"

namespace twofold::svm {
namespace {

using nlohmann::ordered_json;

constexpr const char* kFormat = "twofold kernel model";
constexpr int kVersion = 1;
constexpr std::size_t kMaxClasses = 1000;

[[noreturn]] void refuse(const std::string& source, const std::string& needed, const std::string& found) {
  throw_input_error(source, 0, needed, found);
}

// The value of `key` if it is of type T (by nlohmann's own test), else an InputError.
template <typename T>
T value_of(const ordered_json& config, const char* key, bool (ordered_json::*is_type)() const noexcept,
           const std::string& source) {
  if (!config.contains(key) || !(config[key].*is_type)())
    refuse(source, fmt::format("a fitting value of {} in the configuration", key), "none");
  return config[key].get<T>();
}

void require_finite(const std::vector<double>& values, const std::string& source) {
  for (const double value : values)
    if (!std::isfinite(value)) refuse(source, "finite numbers", fmt::format("{}", value));
}

// Files have a row of weights per pair of classes, the model in memory one per feature.
std::vector<double> transposed(const std::vector<double>& values, std::size_t rows, std::size_t columns) {
  std::vector<double> result(values.size());
  constexpr std::size_t kBlock = 32;  // both sides of a block stay in the cache
  for (std::size_t i = 0; i < rows; i += kBlock)
    for (std::size_t j = 0; j < columns; j += kBlock)
      for (std::size_t r = i; r < std::min(i + kBlock, rows); ++r)
        for (std::size_t c = j; c < std::min(j + kBlock, columns); ++c)
          result[c * rows + r] = values[r * columns + c];
  return result;
}

}  // namespace

std::string KernelModel::encode() const {
  const ordered_json config = {{"format", kFormat},
                               {"version", kVersion},
                               {"kernel", gram::kernel_name(kernel().kind)},
                               {"iterations", kernel().iterations},
                               {"edge_labels", kernel().edge_labels},
                               {"normalize", normalize_},
                               {"penalty", penalty_},
                               {"classes", class_names_}};
  record::TensorFile file;
  file.config = config.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  const auto tables = vocabulary_.tables();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    file.tensors.push_back(record::make_tensor(fmt::format("table.{}.words", i), tables[i]->all_words()));
    file.tensors.push_back(record::make_tensor(fmt::format("table.{}.offsets", i), tables[i]->offsets()));
  }
  for (std::size_t t = 0; t < weights_.size(); ++t)
    file.tensors.push_back(record::make_tensor(
        fmt::format("weights.{}", t), transposed(weights_[t], vocabulary_.num_features(t), rho_.size()),
        {rho_.size(), vocabulary_.num_features(t)}));
  file.tensors.push_back(record::make_tensor("rho", rho_));
  return record::encode_tensors(file);
}

KernelModel KernelModel::decode(std::string_view bytes, const std::string& source) {
  const record::TensorFile file = record::decode_tensors(bytes, source);
  const ordered_json config = ordered_json::parse(file.config, nullptr, false);
  if (!config.is_object() || config.value("format", ordered_json()) != kFormat)
    refuse(source, fmt::format("a {}", kFormat), "another file");
  const auto version = value_of<std::int64_t>(config, "version", &ordered_json::is_number_integer, source);
  if (version != kVersion) refuse(source, fmt::format("version {}", kVersion), fmt::format("{}", version));

  gram::Kernel kernel;
  const auto word = value_of<std::string>(config, "kernel", &ordered_json::is_string, source);
  const auto iterations =
      value_of<std::int64_t>(config, "iterations", &ordered_json::is_number_integer, source);
  if (iterations < 0 || iterations > gram::kMaxIterations)
    refuse(source, fmt::format("iterations in 0..{}", gram::kMaxIterations), fmt::format("{}", iterations));
  try {
    kernel.kind = gram::parse_kernel(word);
  } catch (const UsageError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  }
  kernel.iterations = static_cast<int>(iterations);
  kernel.edge_labels = value_of<bool>(config, "edge_labels", &ordered_json::is_boolean, source);

  std::vector<gram::WordTable> tables;
  const std::size_t rounds = static_cast<std::size_t>(iterations) + 1;
  for (std::size_t i = 0; i < 2 * rounds; ++i)
    tables.push_back(gram::WordTable::from_content(
        record::tensor_values<std::uint32_t>(file, fmt::format("table.{}.words", i), 1, source),
        record::tensor_values<std::uint64_t>(file, fmt::format("table.{}.offsets", i), 1, source), source));
  KernelModel model{gram::Vocabulary::from_tables(kernel, std::move(tables), source)};
  model.normalize_ = value_of<bool>(config, "normalize", &ordered_json::is_boolean, source);
  model.penalty_ = value_of<double>(config, "penalty", &ordered_json::is_number, source);
  for (const ordered_json& name : value_of<ordered_json>(config, "classes", &ordered_json::is_array, source)) {
    if (!name.is_string()) refuse(source, "names of classes", name.type_name());
    model.class_names_.push_back(name.get<std::string>());
  }
  const std::size_t classes = model.class_names_.size();
  if (classes == 0 || classes > kMaxClasses)
    refuse(source, fmt::format("1..{} classes", kMaxClasses), fmt::format("{}", classes));
  model.rho_ = record::tensor_values<double>(file, "rho", 1, source);
  if (model.rho_.size() != classes * (classes - 1) / 2)
    refuse(source, fmt::format("{} values in rho", classes * (classes - 1) / 2),
           fmt::format("{}", model.rho_.size()));
  require_finite(model.rho_, source);
  for (std::size_t t = 0; t < rounds; ++t) {
    model.weights_.push_back(record::tensor_values<double>(file, fmt::format("weights.{}", t), 2, source));
    const std::size_t expected = model.rho_.size() * model.vocabulary_.num_features(t);
    if (model.weights_[t].size() != expected)
      refuse(source, fmt::format("{} weights in round {}", expected, t),
             fmt::format("{}", model.weights_[t].size()));
    require_finite(model.weights_[t], source);
    model.weights_[t] = transposed(model.weights_[t], model.rho_.size(), model.vocabulary_.num_features(t));
  }
  return model;
}

}  // namespace twofold::svm
