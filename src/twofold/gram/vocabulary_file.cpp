#include "twofold/gram/vocabulary_file.h"

#include "twofold/base/content_kind.h"
#include "twofold/base/digest.h"
#include "twofold/base/error.h"

namespace twofold::gram {
namespace {

using nlohmann::ordered_json;

constexpr const char* kVocabularyFormat = "twofold vocabulary";
constexpr int kVocabularyVersion = 1;

}  // namespace

void write_kernel(const Kernel& kernel, ordered_json& config) {
  config["kernel"] = kernel_name(kernel.kind);
  config["iterations"] = kernel.iterations;
  config["edge_labels"] = kernel.edge_labels;
  if (kernel.kind == KernelKind::kRows) config["radius"] = to_string(kernel.radius);
  if (kernel.combine != Combine::kProduct) config["combine"] = to_string(kernel.combine);
}

Kernel read_kernel(const record::JsonView& fields, const std::string& source) {
  Kernel kernel;
  const std::uint64_t iterations = fields.at("iterations").count(kMaxIterations);
  try {
    kernel.kind = parse_kernel(fields.at("kernel").text());
    if (fields.at("combine").is_there()) kernel.combine = parse_combine(fields.at("combine").text());
    if (kernel.kind == KernelKind::kRows) kernel.radius = graph::parse_radius(fields.at("radius").text());
  } catch (const UsageError& error) {
    throw InputError(fmt::format("{}: {}", source, error.what()));
  }
  kernel.iterations = static_cast<int>(iterations);
  kernel.edge_labels = fields.at("edge_labels").flag();
  return kernel;
}

void add_tables(const Vocabulary& vocabulary, record::TensorFile& file) {
  const auto tables = vocabulary.tables();
  for (std::size_t i = 0; i < tables.size(); ++i) {
    file.tensors.push_back(record::make_tensor(fmt::format("table.{}.words", i), tables[i]->all_words()));
    file.tensors.push_back(record::make_tensor(fmt::format("table.{}.offsets", i), tables[i]->offsets()));
  }
}

std::size_t num_table_tensors(const Kernel& kernel) {
  return 4 * (static_cast<std::size_t>(kernel.iterations) + 1);
}

Vocabulary read_tables(const Kernel& kernel, const record::TensorFile& file, const std::string& source) {
  std::vector<WordTable> tables;
  for (std::size_t i = 0; i < num_table_tensors(kernel) / 2; ++i)
    tables.push_back(WordTable::from_content(
        record::tensor_values<std::uint32_t>(file, fmt::format("table.{}.words", i), 1, source),
        record::tensor_values<std::uint64_t>(file, fmt::format("table.{}.offsets", i), 1, source), source));
  return Vocabulary::from_tables(kernel, std::move(tables), source);
}

std::string encode_vocabulary(const Vocabulary& vocabulary) {
  ordered_json config = {{"format", kVocabularyFormat}, {"version", kVocabularyVersion}};
  write_kernel(vocabulary.kernel(), config);
  record::TensorFile file;
  file.config = record::json_text(config);
  add_tables(vocabulary, file);
  return record::encode_tensors(file);
}

Vocabulary decode_vocabulary(std::string_view bytes, const std::string& source) {
  if (bytes.size() <= 8 || bytes[8] != '{')  // no safetensors file, whatever it is
    throw_input_error(source, 0, "a vocabulary that twofold features --save-vocabulary wrote (safetensors)",
                      describe_content(bytes));
  const record::TensorFile file = record::decode_tensors(bytes, source);
  const ordered_json config = record::parse_json(file.config, source + ": configuration");
  if (!config.is_object() || config.value("format", ordered_json()) != kVocabularyFormat)
    throw_input_error(source, 0, fmt::format("a {}", kVocabularyFormat), "another file");
  const record::JsonView fields(config, source);
  fields.at("version").count_in(kVocabularyVersion, kVocabularyVersion);
  if (!file.has_checksum && kChecksumsCount)
    throw InputError(fmt::format("{}: damaged or edited: needed a checksum, found none", source));
  const Kernel kernel = read_kernel(fields, source);
  if (file.tensors.size() != num_table_tensors(kernel))
    throw_input_error(source, 0, fmt::format("{} tensors", num_table_tensors(kernel)),
                      fmt::format("{}", file.tensors.size()));
  return read_tables(kernel, file, source);
}

}  // namespace twofold::gram
