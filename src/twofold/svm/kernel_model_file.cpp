// The model file of a kernel SVM: the configuration as JSON, the vocabulary's tables and the weights as
// tensors.
#include <algorithm>
#include <cmath>

#include "twofold/base/digest.h"
#include "twofold/base/error.h"
#include "twofold/gram/vocabulary_file.h"
#include "twofold/record/json_reader.h"
#include "twofold/record/tensor_file.h"
#include "twofold/svm/input_names.h"
#include "twofold/svm/kernel_model.h"

namespace twofold::svm {
namespace {

using nlohmann::ordered_json;

constexpr const char* kFormat = "twofold kernel model";
constexpr int kVersion = 4;              // behind a Gaussian
constexpr int kIntersectionVersion = 3;  // what models by intersection are written as
constexpr int kProductVersion = 2;       // what models by product are written as: older programs read them
constexpr int kChecksumVersion = 2;      // from here on files have a checksum
constexpr std::size_t kMaxClasses = 1000;

[[noreturn]] void refuse(const std::string& source, const std::string& needed, const std::string& found) {
  throw_input_error(source, 0, needed, found);
}

void require_finite(const std::vector<double>& values, const std::string& source) {
  for (const double value : values)
    if (!std::isfinite(value)) refuse(source, "finite numbers", fmt::format("{}", value));
}

void require_bends(const std::vector<std::uint64_t>& offsets, const std::vector<std::uint64_t>& counts,
                   std::size_t num_features, const std::string& source) {
  bool sound = offsets.size() == num_features + 1 && offsets.front() == 0 && offsets.back() == counts.size() &&
               std::is_sorted(offsets.begin(), offsets.end());
  for (std::size_t f = 0; sound && f < num_features; ++f)
    for (std::uint64_t i = offsets[f]; sound && i < offsets[f + 1]; ++i)
      sound = counts[i] > (i == offsets[f] ? 0 : counts[i - 1]);
  if (!sound) refuse(source, fmt::format("ascending counts of {} features", num_features), "others");
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

SupportIndex read_supports(const record::TensorFile& file, const gram::Vocabulary& vocabulary,
                           std::size_t num_pairs, const std::string& source) {
  SupportIndex index;
  index.own = record::tensor_values<double>(file, "supports.own", 1, source);
  index.coefficients = record::tensor_values<double>(file, "supports.coefficients", 2, source);
  const std::size_t supports = index.own.size();
  if (index.coefficients.size() != supports * num_pairs)
    refuse(source, fmt::format("{} coefficients", supports * num_pairs),
           fmt::format("{}", index.coefficients.size()));
  require_finite(index.own, source);
  require_finite(index.coefficients, source);
  for (std::size_t t = 0; t < vocabulary.num_rounds(); ++t) {
    SupportIndex::Round round;
    const auto read = [&](const char* what) {
      return record::tensor_values<std::uint64_t>(file, fmt::format("supports.{}.{}", t, what), 1, source);
    };
    round.offsets = read("offsets");
    round.supports = read("graphs");
    round.counts = read("counts");
    const std::size_t entries = round.supports.size();
    const bool sound =
        round.offsets.size() == vocabulary.num_features(t) + 1 && round.offsets.front() == 0 &&
        round.offsets.back() == entries && std::is_sorted(round.offsets.begin(), round.offsets.end()) &&
        round.counts.size() == entries &&
        std::all_of(round.supports.begin(), round.supports.end(), [&](auto s) { return s < supports; }) &&
        std::none_of(round.counts.begin(), round.counts.end(), [](auto count) { return count == 0; });
    if (!sound)
      refuse(source,
             fmt::format("lists of {} support vectors by {} features", supports, vocabulary.num_features(t)),
             "others");
    index.rounds.push_back(std::move(round));
  }
  return index;
}

}  // namespace

std::string KernelModel::encode() const {
  ordered_json config = {{"format", kFormat},
                         {"version", gamma_ > 0       ? kVersion
                                     : bends_.empty() ? kProductVersion
                                                      : kIntersectionVersion},
                         {"kernel", gram::kernel_name(kernel().kind)},
                         {"iterations", kernel().iterations},
                         {"edge_labels", kernel().edge_labels},
                         {"normalize", normalize_},
                         {"penalty", penalty_},
                         {"tolerance", tolerance_},
                         {"classes", class_names_}};
  if (kernel().kind == gram::KernelKind::kRows) config["radius"] = to_string(kernel().radius);
  if (kernel().combine != gram::Combine::kProduct) config["combine"] = to_string(kernel().combine);
  if (gamma_ > 0) config["gamma"] = gamma_;
  // Files of libsvm's machines say nothing, as before there was another.
  if (solver_ != Solver::kLibsvm) config["solver"] = to_string(solver_);
  if (!names.none()) config["names"] = input_names_json(names);
  record::TensorFile file;
  file.config = record::json_text(config);
  gram::add_tables(vocabulary_, file);
  for (std::size_t t = 0; t < weights_.size(); ++t)
    file.tensors.push_back(record::make_tensor(fmt::format("weights.{}", t),
                                               transposed(weights_[t], num_weight_rows(t), rho_.size()),
                                               {rho_.size(), num_weight_rows(t)}));
  for (std::size_t t = 0; t < bends_.size(); ++t) {
    file.tensors.push_back(record::make_tensor(fmt::format("bends.{}.offsets", t), bends_[t].offsets));
    file.tensors.push_back(record::make_tensor(fmt::format("bends.{}.counts", t), bends_[t].counts));
  }
  for (std::size_t t = 0; t < supports_.rounds.size(); ++t) {
    const SupportIndex::Round& round = supports_.rounds[t];
    file.tensors.push_back(record::make_tensor(fmt::format("supports.{}.offsets", t), round.offsets));
    file.tensors.push_back(record::make_tensor(fmt::format("supports.{}.graphs", t), round.supports));
    file.tensors.push_back(record::make_tensor(fmt::format("supports.{}.counts", t), round.counts));
  }
  if (gamma_ > 0) {
    file.tensors.push_back(record::make_tensor("supports.own", supports_.own));
    file.tensors.push_back(record::make_tensor("supports.coefficients", supports_.coefficients,
                                               {supports_.own.size(), rho_.size()}));
  }
  file.tensors.push_back(record::make_tensor("rho", rho_));
  return record::encode_tensors(file);
}

KernelModel KernelModel::decode(std::string_view bytes, const std::string& source) {
  const record::TensorFile file = record::decode_tensors(bytes, source);
  const ordered_json config = record::parse_json(file.config, source + ": configuration");
  if (!config.is_object() || config.value("format", ordered_json()) != kFormat)
    refuse(source, fmt::format("a {}", kFormat), "another file");
  const record::JsonView fields(config, source);
  const std::uint64_t version = fields.at("version").count_in(1, 1'000'000);
  if (version > kVersion)
    refuse(source, fmt::format("version 1..{}", kVersion), fmt::format("version {}", version));
  if (version >= kChecksumVersion && !file.has_checksum && kChecksumsCount)
    throw InputError(fmt::format("{}: damaged or edited: needed a checksum, found none", source));

  const gram::Kernel kernel = gram::read_kernel(fields, source);
  if (fields.at("solver").is_there() && fields.at("solver").text() != to_string(Solver::kLinear))
    fields.at("solver").refuse(to_string(Solver::kLinear));

  const auto rounds = static_cast<std::size_t>(kernel.iterations) + 1;
  double gamma = 0;
  if (fields.at("gamma").is_there()) gamma = fields.at("gamma").number();
  if (gamma < 0) fields.at("gamma").refuse("a number from 0");
  const bool is_gaussian = gamma > 0;
  const bool has_bends = kernel.combine == gram::Combine::kIntersection && !is_gaussian;
  const std::size_t tensors = (has_bends || is_gaussian ? 7 : 5) * rounds + (is_gaussian ? 3 : 1);
  if (file.tensors.size() != tensors)
    refuse(source, fmt::format("{} tensors", tensors), fmt::format("{}", file.tensors.size()));
  KernelModel model{gram::read_tables(kernel, file, source)};
  model.names = input_names_from(fields.at("names"));
  model.normalize_ = fields.at("normalize").flag();
  model.gamma_ = gamma;
  if (fields.at("solver").is_there()) model.solver_ = Solver::kLinear;
  model.penalty_ = fields.at("penalty").number();
  if (model.penalty_ <= 0) fields.at("penalty").refuse("a positive number");
  if (fields.at("tolerance").is_there()) model.tolerance_ = fields.at("tolerance").number();
  if (model.tolerance_ <= 0) fields.at("tolerance").refuse("a positive number");
  model.class_names_ = fields.at("classes").texts();
  const std::size_t classes = model.class_names_.size();
  if (classes == 0 || classes > kMaxClasses)
    refuse(source, fmt::format("1..{} classes", kMaxClasses), fmt::format("{}", classes));
  model.rho_ = record::tensor_values<double>(file, "rho", 1, source);
  if (model.rho_.size() != classes * (classes - 1) / 2)
    refuse(source, fmt::format("{} values in rho", classes * (classes - 1) / 2),
           fmt::format("{}", model.rho_.size()));
  require_finite(model.rho_, source);
  if (is_gaussian) {
    model.supports_ = read_supports(file, model.vocabulary_, model.rho_.size(), source);
    return model;
  }
  for (std::size_t t = 0; t < rounds; ++t) {
    if (has_bends) {
      Bends bends;
      bends.offsets = record::tensor_values<std::uint64_t>(file, fmt::format("bends.{}.offsets", t), 1, source);
      bends.counts = record::tensor_values<std::uint64_t>(file, fmt::format("bends.{}.counts", t), 1, source);
      require_bends(bends.offsets, bends.counts, model.vocabulary_.num_features(t), source);
      model.bends_.push_back(std::move(bends));
    }
    model.weights_.push_back(record::tensor_values<double>(file, fmt::format("weights.{}", t), 2, source));
    const std::size_t expected = model.rho_.size() * model.num_weight_rows(t);
    if (model.weights_[t].size() != expected)
      refuse(source, fmt::format("{} weights in round {}", expected, t),
             fmt::format("{}", model.weights_[t].size()));
    require_finite(model.weights_[t], source);
    model.weights_[t] = transposed(model.weights_[t], model.rho_.size(), model.num_weight_rows(t));
  }
  return model;
}

}  // namespace twofold::svm
