#include "twofold/base/spelling.h"

#include <gtest/gtest.h>

namespace twofold::cli {
namespace {

const std::vector<std::string> kWords = {"--radius", "--rounds", "--threads", "--lr", "--json"};

TEST(Spelling, FindsTheOptionWithTwoLettersSwapped) { EXPECT_EQ(most_similar("--raduis", kWords), "--radius"); }

TEST(Spelling, FindsTheOptionThatWasCutShort) { EXPECT_EQ(most_similar("--thre", kWords), "--threads"); }

TEST(Spelling, NamesNothingForAWordThatIsFarFromAll) {
  EXPECT_EQ(most_similar("--elephant", kWords), "");
  EXPECT_EQ(most_similar("", kWords), "");
  EXPECT_EQ(most_similar("--radius", {}), "");
}

TEST(Spelling, SurvivesAWordOfAMillionLetters) {
  EXPECT_EQ(most_similar(std::string(1'000'000, 'x'), kWords), "");
}

}  // namespace
}  // namespace twofold::cli
