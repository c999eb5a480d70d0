#include "twofold/record/json_reader.h"

#include <gtest/gtest.h>

#include <limits>

#include "twofold/base/error.h"

namespace twofold::testing {
namespace {

using namespace record;

std::string said(const std::string& text) {
  try {
    parse_json(text, "f.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

template <typename Read>
std::string refusal(const Json& json, const Read& read) {
  try {
    read(JsonView(json, "f.json"));
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(JsonReader, GivesWhatTheTextHolds) {
  const std::string text = R"({"b":[1,-2,2.5,true,null,"x\né"],"a":{"c":{}},"big":18446744073709551615})";
  EXPECT_EQ(parse_json(text, "f").dump(), text);
  EXPECT_EQ(parse_json(" 3 ", "f"), 3);
}

TEST(JsonReader, RefusesNestingBeyondTheLimit) {
  const auto nested = [](std::size_t depth, const std::string& open, const std::string& close) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += open;
    text += "1";
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return text;
  };
  EXPECT_EQ(said(nested(kMaxJsonDepth, "[", "]")), "nothing");
  EXPECT_EQ(said(nested(kMaxJsonDepth, "{\"a\":", "}")), "nothing");
  EXPECT_EQ(said(nested(kMaxJsonDepth + 1, "[", "]")),
            "f.json:1: needed lists and objects at most 64 deep, found deeper ones at byte 65");
  EXPECT_NE(said(nested(kMaxJsonDepth + 1, "{\"a\":", "}")), "nothing");
  EXPECT_NE(said(std::string(66'000, '[')), "nothing");
  EXPECT_NE(said(nested(1'000'000, "[", "]")), "nothing");
  EXPECT_NE(said(nested(1'000'000, "{\"a\":[", "]}")), "nothing");
}

TEST(JsonReader, NamesLineAndByteOfAMistake) {
  EXPECT_EQ(said("[1,\n2,\nfoo]"), "f.json:3: needed JSON, found 'fo' at byte 2");
  EXPECT_EQ(said("[1"), "f.json:1: needed JSON, found the end of the text at byte 2");
  EXPECT_EQ(said(""), "f.json:1: needed JSON, found the end of the text at byte 1");
  EXPECT_EQ(said("[1] 2").rfind("f.json:1: needed JSON, found ", 0), 0u);
  EXPECT_EQ(said("[NaN]").rfind("f.json:1: needed JSON, found ", 0), 0u);
  EXPECT_EQ(said("[Infinity]").rfind("f.json:1: needed JSON, found ", 0), 0u);
  EXPECT_EQ(said("[1e999]"), "f.json:1: needed numbers below 1.8e308, found '1e999' at byte 7");
  EXPECT_EQ(said("\n[-1e999]"), "f.json:2: needed numbers below 1.8e308, found '-1e999' at byte 8");
  EXPECT_EQ(said("[\"\xff\xfe\"]"), "f.json:1: needed JSON in UTF-8, found other bytes at byte 3");
  EXPECT_EQ(said("{\"a\": 1,\n \"a\": 2}"), "f.json:2: needed each key once, found 'a' twice at byte 4");
  EXPECT_EQ(said("\"" + std::string(100'000, 'x')),
            "f.json:1: needed JSON, found a text without end at byte 100001");
}

TEST(JsonReader, TakesAMillionKeysInLinearTime) {
  std::string text = "{";
  for (int i = 0; i < 300'000; ++i) text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":0";
  EXPECT_EQ(parse_json(text + "}", "f").size(), 300'000u);
}

TEST(JsonReader, BoundsTheNumberOfValues) {
  EXPECT_EQ(parse_json("[1,2,3]", "f", 4).size(), 3u);
  EXPECT_THROW(parse_json("[1,2,3,4]", "f", 4), InputError);
}

TEST(JsonView, SaysWhereAValueOfAnotherKindStands) {
  const Json json = parse_json(
      R"({"folds":[{},{"test":"x","n":-1,"big":99999999999999999999,"half":0.5,"list":[1,"two"]}],"text":"t"})",
      "f.json");
  const auto at = [&](const char* key, auto read) {
    return refusal(json, [&](const JsonView& view) { read(view.at("folds").item(1).at(key)); });
  };
  EXPECT_EQ(at("test", [](const JsonView& v) { v.integers(0, 3); }),
            "f.json: folds[1].test: needed a list, found the text 'x'");
  EXPECT_EQ(at("none", [](const JsonView& v) { v.number(); }),
            "f.json: folds[1].none: needed a number, found nothing");
  EXPECT_EQ(at("n", [](const JsonView& v) { v.count(7); }),
            "f.json: folds[1].n: needed an integer in 0..7, found -1");
  EXPECT_EQ(at("big", [](const JsonView& v) { v.count(std::numeric_limits<std::uint64_t>::max()); }),
            "f.json: folds[1].big: needed an integer from 0 on, found 1e+20");
  EXPECT_EQ(at("half", [](const JsonView& v) { v.count(7); }),
            "f.json: folds[1].half: needed an integer in 0..7, found 0.5");
  EXPECT_EQ(at("list", [](const JsonView& v) { v.numbers(); }),
            "f.json: folds[1].list[1]: needed a number, found the text 'two'");
  EXPECT_EQ(at("list", [](const JsonView& v) { v.integers(2, 9); }),
            "f.json: folds[1].list[0]: needed an integer in 2..9, found 1");
  EXPECT_EQ(at("list", [](const JsonView& v) { v.at("x"); }),
            "f.json: folds[1].list: needed an object, found a list");
  EXPECT_EQ(at("list", [](const JsonView& v) { v.flag(); }),
            "f.json: folds[1].list: needed true or false, found a list");
  EXPECT_EQ(refusal(json, [](const JsonView& v) { v.texts(); }), "f.json: needed a list, found an object");
}

TEST(JsonView, RefusesIntegersThatOnlyWrapIntoTheRange) {
  const Json json = parse_json("[18446744073709551615, -9223372036854775808]", "f");
  EXPECT_THROW(JsonView(json, "f").integers(-10, 10), InputError);
  EXPECT_THROW(JsonView(json, "f").item(1).count(std::numeric_limits<std::uint64_t>::max()), InputError);
  EXPECT_EQ(JsonView(json, "f").item(0).count(std::numeric_limits<std::uint64_t>::max()),
            std::numeric_limits<std::uint64_t>::max());
}

}  // namespace
}  // namespace twofold::testing
