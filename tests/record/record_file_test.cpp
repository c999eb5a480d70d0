#include "twofold/record/record_file.h"

#include <gtest/gtest.h>

#include "twofold/base/error.h"
#include "twofold/record/run_record.h"

namespace twofold::testing {
namespace {

using namespace record;

const Json kContent = {
    {"name", "x\n\"é"}, {"scores", {0.1, 1e-300, -0.0, nullptr, 18446744073709551615u}}, {"n", 3}};

std::string said(const std::string& text, Checksum checksum = Checksum::kIfThere) {
  try {
    decode_record(text, "f.json", checksum);
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(RecordFile, GivesBackWhatWasWritten) {
  for (const int indent : {-1, 1}) {
    const std::string text = encode_record(kContent, indent);
    EXPECT_EQ(text, encode_record(kContent, indent));
    EXPECT_EQ(decode_record(text, "f", Checksum::kRequired), kContent);
  }
}

TEST(RecordFile, WritesTextsThatAreNoUtf8SoThatTheyCanBeRead) {
  const std::string text = encode_record({{"name", "\xff\xfe"}, {"nan", std::nan("")}});
  EXPECT_EQ(decode_record(text, "f", Checksum::kRequired).at("name"), "\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(RecordFile, NoticesEveryByteThatWasChanged) {
  const std::string text = encode_record(kContent, 1);
  const std::string content = json_text(kContent);
  for (std::size_t i = 0; i < text.size(); ++i)
    for (const char other : {'0', '7', 'e', 'x', ' ', '"', ',', '\0', '\xff'}) {
      std::string changed = text;
      changed[i] = other;
      if (other == text[i]) continue;
      try {
        // Spaces between values may come and go, and -0e0 is -0.0.
        EXPECT_EQ(json_text(decode_record(changed, "f", Checksum::kRequired)), content) << i << " " << other;
      } catch (const InputError&) {
      }
    }
}

TEST(RecordFile, SaysThatItWasEdited) {
  std::string text = encode_record({{"test", 75}});
  text.replace(text.find("75"), 2, "95");
  const std::string words = said(text);
  EXPECT_EQ(words.rfind("f.json: damaged or edited: needed content of checksum '", 0), 0u) << words;
  EXPECT_EQ(said("{\"test\":75}"), "nothing");
  EXPECT_EQ(said("{\"test\":75}", Checksum::kRequired),
            "f.json: damaged or edited: needed a checksum, found none");
  EXPECT_EQ(said("{\"checksum\":75}"), "f.json: checksum: needed a text, found 75");
  EXPECT_EQ(said("[]"), "f.json: needed an object, found an empty list");
}

TEST(RunFile, NeedsAChecksumFromFormatTwoOn) {
  EXPECT_EQ(decode_run("{\"format\": 1}", "run.json").format, 1);
  EXPECT_EQ(decode_run("{}", "run.json").format, 1);
  EXPECT_THROW(decode_run("{\"format\": 2}", "run.json"), InputError);
  EXPECT_EQ(decode_run(encode_record({{"format", 2}}), "run.json").format, 2);
  EXPECT_THROW(decode_run(encode_record({{"format", 3}}), "run.json"), InputError);
  EXPECT_THROW(decode_run("{\"format\": \"x\"}", "run.json"), InputError);
  EXPECT_THROW(decode_run("{\"format\": 1e999}", "run.json"), InputError);
}

}  // namespace
}  // namespace twofold::testing
