#include "twofold/base/printable.h"

#include <gtest/gtest.h>

namespace twofold {
namespace {

TEST(Printable, LeavesLettersOfAllLanguages) {
  for (const char* text : {"plain", "café", "日本語", "🙂", "a ± b"}) EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsControlsInsteadOfSendingThem) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a\\u001b[31mb");
  EXPECT_EQ(printable("a\rb\nc\td\x7f"), "a\\u000db\\u000ac\\u0009d\\u007f");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\u0000b");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m");  // the one-letter form of ESC [
  EXPECT_EQ(printable_lines("a\nb\t\x1b"), "a\nb\t\\u001b");
}

TEST(Printable, ShowsWhatReordersOrHidesText) {
  EXPECT_EQ(printable("a\u202eb\u2066c\u200bd\ufeff"), "a\\u202eb\\u2066c\\u200bd\\ufeff");
  EXPECT_EQ(printable("a\u2028b"), "a\\u2028b");
  EXPECT_EQ(printable("a\U000e0041b"), "a\\udb40\\udc41b");
}

TEST(Printable, ShowsBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("a\xff"
                      "b"),
            "a\\xffb");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // a slash in too many bytes
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("caf\xc3"), "caf\\xc3");
}

TEST(Shortened, CutsBetweenLetters) {
  EXPECT_EQ(shortened("abc", 3), "abc");
  EXPECT_EQ(shortened("abcd", 3), "abc…");
  EXPECT_EQ(shortened("ééé", 2), "éé…");
  EXPECT_EQ(shortened("\xff\xff\xff", 2), "\xff\xff…");
}

}  // namespace
}  // namespace twofold
