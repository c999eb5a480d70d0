#include "twofold/record/toml_reader.h"

#include <gtest/gtest.h>

#include "twofold/base/error.h"

namespace twofold::testing {
namespace {

using namespace record;

std::string said(const std::string& text) {
  try {
    parse_toml(text, "f.toml");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "nothing";
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

constexpr const char* kTooDeep = ": needed tables and lists at most 64 deep, found deeper ones";

TEST(TomlReader, GivesValuesWithTheirLines) {
  const TomlValue root = parse_toml("a = [1, 2.5, \"x\"]\n\n[t]\nyes = true\nday = 2020-01-01\n", "f");
  ASSERT_EQ(root.items.size(), 2u);
  const TomlValue& list = root.items[0];
  EXPECT_TRUE(list.is_list());
  EXPECT_EQ(list.key, "a");
  EXPECT_EQ(list.line, 1u);
  ASSERT_EQ(list.items.size(), 3u);
  EXPECT_EQ(list.items[0].scalar, 1);
  EXPECT_EQ(list.items[1].scalar, 2.5);
  EXPECT_EQ(list.items[2].scalar, "x");
  const TomlValue& table = root.items[1];
  EXPECT_TRUE(table.is_table());
  ASSERT_EQ(table.items.size(), 2u);
  EXPECT_EQ(table.items[0].key, "day");
  EXPECT_TRUE(table.items[0].scalar.is_null());
  EXPECT_EQ(table.items[1].scalar, true);
  EXPECT_EQ(table.items[1].key_line, 4u);
}

TEST(TomlReader, RefusesNestingBeyondTheLimitInEveryForm) {
  const std::vector<std::string> deep = {
      "a = " + repeated("[", 66'000),
      "a = " + repeated("{a=", 66'000),
      "a = " + repeated("[{a=", 33'000),
      repeated("a.", 66'000) + "a = 1",
      "[" + repeated("a.", 66'000) + "a]",
      "[[" + repeated("a.", 66'000) + "a]]",
      repeated("\"a\" . ", 66'000) + "a = 1",
      "['x'" + repeated(" . 'a'", 66'000) + "]",
      // None of them deep, but together.
      "[" + repeated("a.", 30) + "a]\n" + repeated("b.", 30) + "b = " + repeated("[", 10) + repeated("]", 10),
      "a = {" + repeated("b.", 40) + "b = {" + repeated("c.", 40) + "c = 1}}",
  };
  for (const std::string& text : deep) {
    const std::string words = said(text);
    EXPECT_NE(words.find(kTooDeep), std::string::npos) << text.substr(0, 40) << ": " << words;
  }
}

TEST(TomlReader, TakesNestingUpToTheLimitAndMuchThatIsNotNested) {
  EXPECT_EQ(said("a = " + repeated("[", 60) + repeated("]", 60)), "nothing");
  EXPECT_EQ(said(repeated("a.", 60) + "a = 1.5"), "nothing");
  EXPECT_EQ(said("[" + repeated("a.", 60) + "a]\nb = 1"), "nothing");
  EXPECT_EQ(said("a = [" + repeated("1.5, ", 1000) + "]\n"), "nothing");
  EXPECT_EQ(said("a = [" + repeated("[1.5, 2.5], ", 1000) + "]\n"), "nothing");
  EXPECT_EQ(said(repeated("[[a]]\nb.c = 1\n", 1000)), "nothing");
  // Brackets and dots of texts and comments are none.
  const std::string marks = repeated("[.{", 100);
  EXPECT_EQ(said("a = \"" + marks + "\\\"" + marks + "\"\nb = '" + marks + "' # " + marks + "\n"), "nothing");
  EXPECT_EQ(
      said("a = \"\"\"" + marks + "\n\"\" " + marks + "\"\"\"\nb = '''" + marks + "\n'' " + marks + "'''\n"),
      "nothing");
  EXPECT_EQ(said("\"" + marks + "\" = 1\n"), "nothing");
}

TEST(TomlReader, FindsNestingBehindTexts) {
  const std::string deep = repeated("[", 1000);
  EXPECT_NE(said("a = \"\"\"x\"\"\"\"\"\nb = " + deep).find("f.toml:2" + std::string(kTooDeep)),
            std::string::npos);
  EXPECT_NE(said("a = '''\n\n'''\nb = " + deep).find("f.toml:4" + std::string(kTooDeep)), std::string::npos);
  EXPECT_NE(said("a = \"\\\\\"\nb = " + deep).find("f.toml:2" + std::string(kTooDeep)), std::string::npos);
  EXPECT_NE(said("# '\nb = " + deep).find("f.toml:2" + std::string(kTooDeep)), std::string::npos);
}

TEST(TomlReader, NamesTheLineOfAMistakeWithoutWritingOnTheTerminal) {
  EXPECT_EQ(said("a = 1\nb = \n").rfind("f.toml:2: ", 0), 0u);
  EXPECT_EQ(said("a = 99999999999999999999\n").rfind("f.toml:1: ", 0), 0u);
  EXPECT_EQ(said("a = 1\na = 2\n").rfind("f.toml:2: ", 0), 0u);
  for (const char* text :
       {"a = \x1b[31m\n", "a = \"\xff\xfe\"\n", "\xff = 1\n", "a = 1\x01\n", "\xf0\x9f\x92\xa9 = 1\n"}) {
    const std::string words = said(text);
    EXPECT_EQ(words.rfind("f.toml:1: ", 0), 0u) << words;
    for (const char c : words) EXPECT_TRUE(c >= 0x20 && c < 0x7f) << words;
  }
}

}  // namespace
}  // namespace twofold::testing
