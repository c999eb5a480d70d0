#include "twofold/base/error.h"

#include <gtest/gtest.h>

namespace twofold {
namespace {

TEST(Error, CheckSaysWhereWhatAndWhy) {
  try {
    const int n = 3;
    TWOFOLD_CHECK(n > 5, "only {} nodes", n);
    FAIL() << "nothing was thrown";
  } catch (const CheckError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("error_test.cpp:"), std::string::npos) << text;
    EXPECT_NE(text.find("n > 5 does not hold: only 3 nodes"), std::string::npos) << text;
  }
  EXPECT_THROW(TWOFOLD_CHECK(false), CheckError);
  EXPECT_NO_THROW(TWOFOLD_CHECK(true));
}

TEST(Error, InputErrorStartsWithThePlace) {
  try {
    throw_input_error("MUTAG_A.txt", 17, "a node in 1..3371", "'3372'");
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "MUTAG_A.txt:17: needed a node in 1..3371, found '3372'");
  }
}

TEST(Error, QuotesShowNoControlCharacters) {
  EXPECT_EQ(in_quotes("a\x1b[31m\n"), "'a\\x1b[31m\\x0a'");
  EXPECT_EQ(in_quotes(std::string(50, 'a')), "'" + std::string(40, 'a') + "…'");
}

}  // namespace
}  // namespace twofold
