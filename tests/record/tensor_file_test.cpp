#include "twofold/record/tensor_file.h"

#include <gtest/gtest.h>

namespace twofold::testing {
namespace {

using namespace record;

TensorFile sample() {
  TensorFile file;
  file.config = R"({"a": "b\n"})";
  file.tensors.push_back(make_tensor<double>("x", {1, 2, 3, 4, 5, 6}, {2, 3}));
  file.tensors.push_back(make_tensor<std::uint32_t>("empty", {}));
  file.tensors.push_back(make_tensor<float>("y", {1.5f}));
  return file;
}

std::string with_header(const std::string& header, const std::string& data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + data;
}

TEST(TensorFile, GivesBackWhatWasWritten) {
  const TensorFile file = decode_tensors(encode_tensors(sample()), "f");
  EXPECT_EQ(file.config, sample().config);
  EXPECT_EQ(tensor_values<double>(file, "x", 2, "f"), (std::vector<double>{1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(tensor_values<std::uint32_t>(file, "empty", 1, "f").empty());
  EXPECT_EQ(tensor_values<float>(file, "y", 1, "f"), std::vector<float>{1.5f});
}

// The layout of the safetensors format: length, JSON, data; by its published description.
TEST(TensorFile, ReadsAFileWrittenByHand) {
  const std::string header =
      R"({"__metadata__":{"config":"{}","more":"text"},"b":{"dtype":"U8","shape":[2],"data_offsets":[4,6]},)"
      R"("a":{"dtype":"U32","shape":[],"data_offsets":[0,4]}})";
  const TensorFile file = decode_tensors(with_header(header, std::string("\x07\0\0\0\x01\x02", 6)), "f");
  EXPECT_EQ(tensor_values<std::uint32_t>(file, "a", 0, "f"), std::vector<std::uint32_t>{7});
  EXPECT_EQ(tensor_values<std::uint8_t>(file, "b", 1, "f"), (std::vector<std::uint8_t>{1, 2}));
}

TEST(TensorFile, DataStartsAtAMultipleOfEight) {
  const std::string bytes = encode_tensors(sample());
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), 8);
  EXPECT_EQ(length % 8, 0u);
}

TEST(TensorFile, RefusesEveryTruncation) {
  const std::string bytes = encode_tensors(sample());
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THROW(decode_tensors(bytes.substr(0, size), "f"), InputError) << size;
  EXPECT_THROW(decode_tensors(bytes + "x", "f"), InputError);
}

TEST(TensorFile, RefusesHeadersThatLie) {
  const auto refused = [](const std::string& header, const std::string& data) {
    EXPECT_THROW(decode_tensors(with_header(header, data), "f"), InputError) << header;
  };
  refused("[]", "");
  refused("{", "");
  refused(R"({"a":3})", "");
  refused(R"({"__metadata__":{"config":3}})", "");
  refused(R"({"a":{"dtype":"F9","shape":[1],"data_offsets":[0,1]}})", "x");
  refused(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,1]}})", "x");
  refused(R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", "x");
  refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})", "xy");  // a gap
  refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}})", "xy");  // backwards
  refused(R"({"a":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,0]}})",
          "");  // overflows to 0
  refused(
      R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
      "x");
  refused(
      R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})",
      "x");
  EXPECT_THROW(decode_tensors(std::string(8, '\xff') + "{}", "f"), InputError);
}

TEST(TensorFile, SaysWhichTensorIsMissing) {
  const TensorFile file = sample();
  try {
    tensor_values<double>(file, "z", 1, "model.safetensors");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "model.safetensors: needed a tensor z, found none");
  }
  EXPECT_THROW(tensor_values<float>(file, "x", 2, "f"), InputError);
  EXPECT_THROW(tensor_values<double>(file, "x", 1, "f"), InputError);
}

}  // namespace
}  // namespace twofold::testing
