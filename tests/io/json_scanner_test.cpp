#include "twofold/io/json_scanner.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "twofold/base/error.h"
#include "twofold/base/random.h"

namespace twofold::io {
namespace {

// Any JSON value, by the scanner's own pieces.
void skip_value(JsonScanner& scan) {
  JsonNumber number;
  if (scan.skip('{')) {
    if (scan.skip('}')) return;
    do {
      scan.string();
      scan.expect(':');
      skip_value(scan);
    } while (scan.skip(','));
    scan.expect('}');
  } else if (scan.skip('[')) {
    if (scan.skip(']')) return;
    do skip_value(scan);
    while (scan.skip(','));
    scan.expect(']');
  } else if (scan.peek() == '"') {
    scan.string();
  } else if (!scan.number(number)) {
    scan.fail_syntax();  // null, true and false are no pieces of ours
  }
}

bool is_accepted(const std::string& text) {
  const std::string source = "x";
  try {
    JsonScanner scan(text, source, 1);
    skip_value(scan);
    scan.end();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TEST(JsonScanner, AcceptsWhatAnotherParserAccepts) {
  for (const char* text : {"0",
                           "-0",
                           "01",
                           "-",
                           "+1",
                           "1.",
                           ".5",
                           "1.5",
                           "1e5",
                           "1E+5",
                           "1e",
                           "1e-07",
                           "\"\"",
                           "\"a",
                           "\"\\n\"",
                           "\"\\x\"",
                           "\"\\u00e9\"",
                           "\"\\ud83d\\ude00\"",
                           "\"\\ud83d\"",
                           "\"\\ude00\"",
                           "\"\\u12g4\"",
                           "\"\x01\"",
                           "\"\xc3\xa9\"",
                           "\"\xc3\"",
                           "\"\xc0\x80\"",
                           "\"\xed\xa0\x80\"",
                           "\"\xf4\x90\x80\x80\"",
                           "[]",
                           "[1,]",
                           "[,1]",
                           "[1 2]",
                           "{}",
                           "{\"a\":1}",
                           "{\"a\" : [1 , 2]} ",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{\"a\"1}",
                           "1 2",
                           "",
                           " ",
                           "[1]]",
                           "123456789012345678901"})
    EXPECT_EQ(is_accepted(text), nlohmann::json::accept(text)) << text;
}

// Texts made by small damage to a sound one: both parsers must agree on each.
TEST(JsonScanner, AgreesWithAnotherParserOnDamagedTexts) {
  const std::string sound =
      R"({"nodes": 3, "edges": [[0,1],[1,-2.5e-3]], "target": "a\u00e9\"b", "x": [1e9, 0.25]})";
  const std::string letters = "{}[]\",:\\0123456789.eE+-u \x80\xff";
  Random random(6);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = sound;
    for (std::uint64_t i = 1 + random.below(2); i > 0; --i) {
      const std::size_t at = random.below(text.size());
      switch (random.below(3)) {
        case 0:
          text[at] = letters[random.below(letters.size())];
          break;
        case 1:
          text.erase(at, 1);
          break;
        default:
          text.insert(at, 1, letters[random.below(letters.size())]);
      }
    }
    accepted += is_accepted(text) ? 1 : 0;
    ASSERT_EQ(is_accepted(text), nlohmann::json::accept(text)) << text;
  }
  EXPECT_GT(accepted, 1000);
}

TEST(JsonScanner, ReadsValuesAsAnotherParserDoes) {
  const std::string source = "x";
  for (const char* text : {"\"a\\u00e9\\ud83d\\ude00\\\\\\/\\b\\f\\n\\r\\t\"", "\"\xe2\x82\xac\""})
    EXPECT_EQ(JsonScanner(text, source, 1).string(), nlohmann::json::parse(text).get<std::string>());
  for (const char* text :
       {"0", "-7", "123456789012345678", "0.1", "-1e-320", "1.7976931348623157e308", "5e-324"}) {
    JsonNumber number;
    ASSERT_TRUE(JsonScanner(text, source, 1).number(number));
    EXPECT_EQ(number.real, nlohmann::json::parse(text).get<double>()) << text;
  }
}

}  // namespace
}  // namespace twofold::io
