#include "twofold/record/tensor_file.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

namespace twofold::record {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "values are stored as they lie in memory");

using nlohmann::ordered_json;

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
constexpr const char* kMetadata = "__metadata__";

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

std::uint64_t natural(const ordered_json& value, const std::string& source, const std::string& name) {
  if (!value.is_number_unsigned())
    refuse(source, fmt::format("whole numbers for tensor {}", in_quotes(name)), value.type_name());
  return value.get<std::uint64_t>();
}

// One entry of the header; `begin` and `end` are its place among the data.
Tensor read_entry(const std::string& name, const ordered_json& entry, const std::string& source,
                  std::uint64_t& begin, std::uint64_t& end) {
  const std::string needed = fmt::format("dtype, shape and data_offsets for tensor {}", in_quotes(name));
  if (!entry.is_object() || entry.size() != 3 || !entry.contains("dtype") || !entry["dtype"].is_string() ||
      !entry.contains("shape") || !entry["shape"].is_array() || !entry.contains("data_offsets") ||
      !entry["data_offsets"].is_array() || entry["data_offsets"].size() != 2)
    refuse(source, needed, "another content");
  Tensor tensor;
  tensor.name = name;
  const auto word = entry["dtype"].get<std::string>();
  const auto type =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeName& t) { return word == t.name; });
  if (type == kTypes.end())
    refuse(source, fmt::format("a dtype U8, U32, U64, I64, F32 or F64 for tensor {}", in_quotes(name)),
           in_quotes(word));
  tensor.type = type->type;
  for (const ordered_json& extent : entry["shape"]) tensor.shape.push_back(natural(extent, source, name));
  begin = natural(entry["data_offsets"][0], source, name);
  end = natural(entry["data_offsets"][1], source, name);
  const std::uint64_t size = shape_bytes(tensor.shape, type->size);
  if (begin > end || end - begin != size)
    refuse(source, fmt::format("{} bytes for tensor {}", size, in_quotes(name)),
           fmt::format("{}..{}", begin, end));
  return tensor;
}

}  // namespace

std::size_t tensor_item_size(TensorType type) { return type_name(type).size; }

std::string encode_tensors(const TensorFile& file) {
  ordered_json header;
  header[kMetadata] = {{"config", file.config}};
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
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length) refuse(source, "a safetensors file", fmt::format("{} bytes", bytes.size()));
  std::memcpy(&length, bytes.data(), sizeof length);
  if (length > kMaxHeader || length > bytes.size() - sizeof length)
    refuse(source, "a safetensors file", fmt::format("a header of {} bytes in {}", length, bytes.size()));
  const std::string_view text = bytes.substr(sizeof length, length);
  const std::string_view data = bytes.substr(sizeof length + length);

  // Keys that come twice would shadow each other.
  std::vector<std::set<std::string>> keys;
  bool is_twice = false;
  const auto watch = [&](int, ordered_json::parse_event_t event, ordered_json& parsed) {
    if (event == ordered_json::parse_event_t::object_start) keys.emplace_back();
    if (event == ordered_json::parse_event_t::object_end) keys.pop_back();
    if (event == ordered_json::parse_event_t::key)
      is_twice = !keys.back().insert(parsed.get<std::string>()).second || is_twice;
    return true;
  };
  const ordered_json header = ordered_json::parse(text.begin(), text.end(), watch, false);
  if (!header.is_object() || is_twice) refuse(source, "a JSON object as header", "none");

  TensorFile file;
  struct Place {
    std::uint64_t begin, end;
    std::size_t tensor;
  };
  std::vector<Place> places;
  for (const auto& [name, entry] : header.items()) {
    if (name == kMetadata) {
      if (!entry.is_object()) refuse(source, "texts in __metadata__", entry.type_name());
      for (const auto& [key, value] : entry.items()) {
        if (!value.is_string()) refuse(source, "texts in __metadata__", value.type_name());
        if (key == "config") file.config = value.get<std::string>();
      }
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
