#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "twofold/base/error.h"

namespace twofold::record {

enum class TensorType { kU8, kU32, kU64, kI64, kF32, kF64 };

/// Bytes of one value.
std::size_t tensor_item_size(TensorType type);

struct Tensor {
  std::string name;
  TensorType type = TensorType::kF64;
  std::vector<std::uint64_t> shape;
  // Little-endian, row by row: the product of the shape times the item size. An empty shape is one value.
  std::string bytes;
};

/// What a model or checkpoint file holds: the safetensors container, that other programs read too.
/// 8 bytes little-endian length of the header, the header (JSON), the tensors one after the other.
///
/// `__metadata__` also has a checksum of all that the file holds. Files of before it was written have none.
struct TensorFile {
  // The configuration, as one JSON text in `__metadata__`.
  std::string config;
  std::vector<Tensor> tensors;
  // Whether the file that was read had a checksum; it was right.
  bool has_checksum = false;
};

/// The bytes of a file. Needs names that differ from each other and from `__metadata__`, in UTF-8.
std::string encode_tensors(const TensorFile& file);

/// The reverse. Nothing in the bytes is trusted: whatever is not such a file, complete, without gaps and as it
/// was written, is an InputError that names `source`. Memory: what the tensors take, once more, and some
/// hundred megabytes at most for a hostile header.
TensorFile decode_tensors(std::string_view bytes, const std::string& source);

/// The tensor of that name; throws InputError naming `source` if it is missing, or not of that type and number
/// of dimensions.
const Tensor& require_tensor(const TensorFile& file, const std::string& name, TensorType type,
                             std::size_t dimensions, const std::string& source);

template <typename T>
struct TensorTypeOf;
template <>
struct TensorTypeOf<std::uint8_t> {
  static constexpr TensorType value = TensorType::kU8;
};
template <>
struct TensorTypeOf<std::uint32_t> {
  static constexpr TensorType value = TensorType::kU32;
};
template <>
struct TensorTypeOf<std::uint64_t> {
  static constexpr TensorType value = TensorType::kU64;
};
template <>
struct TensorTypeOf<std::int64_t> {
  static constexpr TensorType value = TensorType::kI64;
};
template <>
struct TensorTypeOf<float> {
  static constexpr TensorType value = TensorType::kF32;
};
template <>
struct TensorTypeOf<double> {
  static constexpr TensorType value = TensorType::kF64;
};

/// A tensor of these values; one dimension unless a shape of as many values is given.
template <typename T>
Tensor make_tensor(std::string name, const std::vector<T>& values, std::vector<std::uint64_t> shape = {}) {
  if (shape.empty()) shape = {values.size()};
  Tensor tensor{std::move(name), TensorTypeOf<T>::value, std::move(shape), {}};
  tensor.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return tensor;
}

/// The values of the tensor of that name, type and number of dimensions (require_tensor).
template <typename T>
std::vector<T> tensor_values(const TensorFile& file, const std::string& name, std::size_t dimensions,
                             const std::string& source) {
  const Tensor& tensor = require_tensor(file, name, TensorTypeOf<T>::value, dimensions, source);
  std::vector<T> values(tensor.bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
  return values;
}

}  // namespace twofold::record
