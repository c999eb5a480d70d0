#include <gtest/gtest.h>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace twofold::testing {
namespace {

TEST(Program, MapsNoLibtorchForDataInfo) {
  const TemporaryFolder folder;
  // The loader itself tells what it loads.
  const auto result = run_in_shell("LD_DEBUG=files twofold data info TRIANGLE", folder.path());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.err.find("libarchive"), std::string::npos) << "the loader said nothing";
  EXPECT_EQ(result.err.find("libtorch"), std::string::npos);
  EXPECT_EQ(result.err.find("openblas"), std::string::npos);
}

TEST(Program, SaysThatAFullDiskTookNoOutput) {
  const TemporaryFolder folder;
  const auto result = run_in_shell("twofold data info TRIANGLE > /dev/full", folder.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_EQ(result.err, "twofold: cannot write standard output: No space left on device\n");
}

#ifdef TWOFOLD_LEARN
TEST(Program, TurnsIntoTwofoldLearnForWhatNeedsLibtorch) {
  const TemporaryFolder folder;
  const auto result = run_in_shell("twofold version --verbose --json", folder.path());
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("\"libtorch\":\""), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\"simd\":\""), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\"torch_threads\":1"), std::string::npos)
      << "BLAS and OpenMP must be set to one thread";
}
#endif

TEST(Program, NamesTwofoldLearnWhenItIsMissing) {
  const TemporaryFolder folder;
  const auto result =
      run_in_shell("cp $(command -v twofold) alone && ./alone version --verbose", folder.path());
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("this command needs " + folder.path() + "/twofold-learn: No such file"),
            std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace twofold::testing
