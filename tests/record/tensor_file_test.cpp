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

// Of 500 bytes changed in a model, 102 were once taken.
TEST(TensorFile, RefusesEveryByteThatWasChanged) {
  const std::string bytes = encode_tensors(sample());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (const int bits : {0x01, 0x08, 0x20, 0x29, 0x40, 0x80, 0xff}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ bits);
      // The key of the checksum itself: whoever needs one sees that it is missing.
      try {
        EXPECT_FALSE(decode_tensors(changed, "f").has_checksum) << i << " " << bits;
      } catch (const InputError&) {
      }
    }
  EXPECT_TRUE(decode_tensors(bytes, "f").has_checksum);
}

TEST(TensorFile, SaysThatItWasEdited) {
  std::string bytes = encode_tensors(sample());
  bytes.back() ^= 1;
  try {
    decode_tensors(bytes, "my.model");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("my.model: damaged or edited: needed content of checksum '", 0),
              0u)
        << error.what();
  }
}

TEST(TensorFile, TellsFilesThatAreNoModels) {
  const auto said = [](const std::string& bytes) -> std::string {
    try {
      decode_tensors(bytes, "f");
      return "nothing";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  const std::string needed = "f: needed a model file that twofold train wrote (safetensors), found ";
  EXPECT_EQ(said(""), needed + "an empty file");
  EXPECT_EQ(said("a,b,c\n1,2,3\n"), needed + "a CSV table");
  EXPECT_EQ(said("{\"nodes\":3,\"edges\":[]}\n"), needed + "a JSON object");
  EXPECT_EQ(said("{\"graph\":{\"nodes\":3}}\n"), needed + "a JSON object");
  EXPECT_EQ(said("no model at all\n"), needed + "text that starts 'no model at all'");
  EXPECT_EQ(said(std::string("\0\0\0\0\1\0\0\0{}", 10)), needed + "binary data");  // a header of 2^32 bytes
  EXPECT_EQ(said(std::string("\x20\0\0\0\0\0\0\0{}", 10)),
            needed + "one cut short, or damaged: a header of 32 bytes in a file of 10");
}

// A header is small beside what it could make a reader build.
TEST(TensorFile, RefusesHeadersMadeToFillMemory) {
  const auto refused = [](const std::string& header) {
    EXPECT_THROW(decode_tensors(with_header(header, ""), "f"), InputError) << header.substr(0, 60);
  };
  std::string many = "{";
  for (int i = 0; i < 400'000; ++i)
    many +=
        fmt::format("{}\"{}\":{{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", i == 0 ? "" : ",", i);
  refused(many + "}");
  std::string lists = "{\"a\":[";
  for (int i = 0; i < 3'000'000; ++i) lists += i == 0 ? "[]" : ",[]";
  refused(lists + "]}");
  refused("{\"a\":" + std::string(66'000, '[') + std::string(66'000, ']') + "}");
  refused(R"({"a":{"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,18446744073709551615]}})");
  refused(R"({"a":{"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]}})");
  refused(R"({"a":{"dtype":"U8","shape":[1e999],"data_offsets":[0,0]}})");
  refused(R"({"a":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}})");
  refused(R"({"a":{"dtype":"U8","shape":0,"data_offsets":[0,0]}})");
  refused(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0]}})");
  refused(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[99999999999999999999,99999999999999999999]}})");
  refused("{\"\xff\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}");
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
