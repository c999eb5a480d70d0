#include "twofold/record/tensor_file.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "twofold/base/content_kind.h"
#include "twofold/base/digest.h"
#include "twofold/record/json_reader.h"

namespace twofold::record {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are stored as they lie in memory");

struct TypeName {
  TensorType type;
  const char* name;
  std::size_t size;
};
constexpr std::array<TypeName, 6> kTypes = {{{TensorType::kU8, "U8", 1},
                                             {TensorType::kU32, "U32", 4},
                                             {TensorType::kU64, "U64", 8},
                                             {TensorType::kI64, "I64", 8},
                                             {TensorType::kF32, "F32", 4},
                                             {TensorType::kF64, "F64", 8}}};

// As in the reference implementation; no model of ours comes near.
constexpr std::uint64_t kMaxHeader = 100u << 20;
// What a header of that size could hold takes some gigabytes; of values, models have a dozen per tensor.
constexpr std::size_t kMaxValues = 2'000'000;
constexpr const char* kMetadata = "__metadata__";
constexpr const char* kConfig = "config";
constexpr const char* kChecksum = "checksum";

const TypeName& type_name(TensorType type) {
  return *std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& t) { return t.type == type; });
}

[[noreturn]] void refuse(const std::string& source, const std::string& needed, const std::string& found) {
  throw_input_error(source, 0, needed, found);
}

// The number of bytes a shape takes, or more than any file has if it overflows.
std::uint64_t shape_bytes(const std::vector<std::uint64_t>& shape, std::size_t item_size) {
  std::uint64_t bytes = item_size;
  for (const std::uint64_t extent : shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return ~std::uint64_t{0};
  return bytes;
}

// One entry of the header; `begin` and `end` are its place among the data.
Tensor read_entry(const std::string& name, const Json& entry, const std::string& source, std::uint64_t& begin,
                  std::uint64_t& end) {
  const JsonView view(entry, fmt::format("{}: tensor {}", source, in_quotes(name)));
  if (view.object().size() != 3)
    view.refuse("dtype, shape and data_offsets", fmt::format("{} keys", entry.size()));
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  Tensor tensor;
  tensor.name = name;
  const std::string word = view.at("dtype").text();
  const auto type =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& t) { return word == t.name; });
  if (type == kTypes.end()) view.at("dtype").refuse("U8, U32, U64, I64, F32 or F64");
  tensor.type = type->type;
  const JsonView shape = view.at("shape"), offsets = view.at("data_offsets");
  for (std::size_t i = 0; i < shape.size(); ++i) tensor.shape.push_back(shape.item(i).count(kMost));
  if (offsets.size() != 2) offsets.refuse("two integers", fmt::format("{}", offsets.size()));
  begin = offsets.item(0).count(kMost);
  end = offsets.item(1).count(kMost);
  const std::uint64_t size = shape_bytes(tensor.shape, type->size);
  if (begin > end || end - begin != size)
    view.refuse(size == kMost ? "a shape that fits into memory" : fmt::format("{} bytes", size),
                fmt::format("{}..{}", begin, end));
  return tensor;
}

// Of all that a file holds; in which order its header names the tensors does not count.
std::string checksum_of(const std::map<std::string, std::string>& metadata,
                        const std::vector<Tensor>& tensors) {
  std::vector<const Tensor*> sorted;
  for (const Tensor& tensor : tensors) sorted.push_back(&tensor);
  std::sort(sorted.begin(), sorted.end(), [](const Tensor* a, const Tensor* b) { return a->name < b->name; });
  Digest digest;
  for (const auto& [key, text] : metadata) {
    digest.add_bytes(key);
    digest.add_bytes(text);
  }
  digest.add(static_cast<std::uint64_t>(tensors.size()));
  for (const Tensor* tensor : sorted) {
    digest.add_bytes(tensor->name);
    digest.add_bytes(type_name(tensor->type).name);
    digest.add_integers(Span<const std::uint64_t>(tensor->shape));
    digest.add_bytes(tensor->bytes);
  }
  return digest.text();
}

// Texts of __metadata__ but the checksum, which is put into `checksum`.
std::map<std::string, std::string> read_metadata(const Json& entry, const std::string& source,
                                                 std::string& checksum) {
  const JsonView view(entry, source + ": __metadata__");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : view.object().items()) {
    if (!value.is_string()) view.refuse(fmt::format("a text for {}", in_quotes(key)), describe_json(value));
    metadata[key] = value.get<std::string>();
  }
  if (const auto found = metadata.find(kChecksum); found != metadata.end()) {
    checksum = found->second;
    metadata.erase(found);
  }
  return metadata;
}

}  // namespace

std::size_t tensor_item_size(TensorType type) { return type_name(type).size; }

std::string encode_tensors(const TensorFile& file) {
  Json header;
  header[kMetadata] = {{kConfig, file.config},
                       {kChecksum, checksum_of({{kConfig, file.config}}, file.tensors)}};
  std::uint64_t at = 0;
  for (const Tensor& tensor : file.tensors) {
    TWOFOLD_CHECK(!header.contains(tensor.name), "two tensors are called {}", tensor.name);
    TWOFOLD_CHECK(shape_bytes(tensor.shape, tensor_item_size(tensor.type)) == tensor.bytes.size(),
                  "tensor {}: the shape does not fit {} bytes", tensor.name, tensor.bytes.size());
    header[tensor.name] = {{"dtype", type_name(tensor.type).name},
                           {"shape", tensor.shape},
                           {"data_offsets", {at, at + tensor.bytes.size()}}};
    at += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string bytes;
  bytes.reserve(8 + text.size() + at);
  const std::uint64_t length = text.size();
  bytes.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes += text;
  for (const Tensor& tensor : file.tensors) bytes += tensor.bytes;
  return bytes;
}

TensorFile decode_tensors(std::string_view bytes, const std::string& source) {
  const std::string needed = "a model file that twofold train wrote (safetensors)";
  std::uint64_t length = 0;
  if (bytes.size() >= sizeof length) std::memcpy(&length, bytes.data(), sizeof length);
  // A header starts so, by definition of the format: whatever does not is another kind of file.
  if (bytes.size() <= sizeof length || bytes[sizeof length] != '{' || length > kMaxHeader)
    refuse(source, needed, describe_content(bytes));
  if (length > bytes.size() - sizeof length)
    refuse(
        source, needed,
        fmt::format("one cut short, or damaged: a header of {} bytes in a file of {}", length, bytes.size()));
  std::string_view text = bytes.substr(sizeof length, length);
  const std::string_view data = bytes.substr(sizeof length + length);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (text.empty() || text.back() != '}') refuse(source, needed, "a header that ends otherwise");
  const Json header = parse_json(text, source + ": header", kMaxValues);

  TensorFile file;
  struct Place {
    std::uint64_t begin, end;
    std::size_t tensor;
  };
  std::vector<Place> places;
  std::map<std::string, std::string> metadata;
  std::string checksum;
  for (const auto& [name, entry] : header.items()) {
    if (name == kMetadata) {
      metadata = read_metadata(entry, source, checksum);
      continue;
    }
    Place place{0, 0, file.tensors.size()};
    file.tensors.push_back(read_entry(name, entry, source, place.begin, place.end));
    places.push_back(place);
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::uint64_t at = 0;
  for (const Place& place : places) {
    if (place.begin != at || place.end > data.size())
      refuse(source, fmt::format("tensors without gaps in {} bytes", data.size()),
             fmt::format("one at {}..{}", place.begin, place.end));
    at = place.end;
  }
  if (at != data.size()) refuse(source, fmt::format("{} bytes of tensors", at), fmt::format("{}", data.size()));
  for (const Place& place : places)
    file.tensors[place.tensor].bytes = data.substr(place.begin, place.end - place.begin);
  file.config = metadata[kConfig];
  file.has_checksum = !checksum.empty();
  if (const std::string found = checksum_of(metadata, file.tensors);
      file.has_checksum && found != checksum && kChecksumsCount)
    throw InputError(fmt::format("{}: damaged or edited: needed content of checksum {}, found {}", source,
                                 in_quotes(checksum), found));
  return file;
}

const Tensor& require_tensor(const TensorFile& file, const std::string& name, TensorType type,
                             std::size_t dimensions, const std::string& source) {
  for (const Tensor& tensor : file.tensors) {
    if (tensor.name != name) continue;
    if (tensor.type != type || tensor.shape.size() != dimensions)
      refuse(source,
             fmt::format("tensor {} of type {} and {} dimensions", name, type_name(type).name, dimensions),
             fmt::format("{}, {}", type_name(tensor.type).name, tensor.shape.size()));
    return tensor;
  }
  refuse(source, fmt::format("a tensor {}", name), "none");
}

}  // namespace twofold::record
