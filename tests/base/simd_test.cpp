#include "twofold/base/simd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "twofold/base/error.h"

namespace twofold {
namespace {

class SimdLevel : public ::testing::Test {
 protected:
  void TearDown() override { use_simd_level(before_); }

 private:
  std::string before_ = simd_level();
};

TEST_F(SimdLevel, IsTheBestOfThisCpuUnlessOneIsChosen) {
  const std::vector<std::string> levels = simd_levels();
  ASSERT_FALSE(levels.empty());
  for (const std::string& level : levels) {
    use_simd_level(level);
    EXPECT_EQ(simd_level(), level);
    EXPECT_EQ(simd_levels(), levels) << "what there is does not depend on what is in use";
  }
}

TEST_F(SimdLevel, OfThisCpuIsOneOfTheBuild) {
  const std::vector<std::string> build = simd_build_levels();
  for (const std::string& level : simd_levels())
    EXPECT_NE(std::find(build.begin(), build.end(), level), build.end()) << level;
}

TEST_F(SimdLevel, WrongWordsAreRefusedWithTheOnesThereAre) {
  const std::string before = simd_level();
  for (const std::string word : {"", "AVX2!", "fast", "sse4 "}) {
    try {
      use_simd_level(word, "TWOFOLD_SIMD");
      ADD_FAILURE() << word;
    } catch (const UsageError& error) {
      EXPECT_EQ(std::string(error.what()).rfind("TWOFOLD_SIMD: needed one of ", 0), 0u) << error.what();
      for (const std::string& level : simd_levels())
        EXPECT_NE(std::string(error.what()).find(level), std::string::npos) << error.what();
    }
    EXPECT_EQ(simd_level(), before);
  }
}

TEST_F(SimdLevel, ThatTheCpuLacksIsSaidToBeSo) {
  const std::vector<std::string> has = simd_levels();
  for (const std::string& level : simd_build_levels()) {
    if (std::find(has.begin(), has.end(), level) != has.end()) continue;
    try {
      use_simd_level(level);
      ADD_FAILURE() << level;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("which this CPU does not have"), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace twofold
