#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"
#include "twofold/base/simd.h"

namespace twofold::testing {
namespace {

TEST(SimdLevelOfTheProgram, RefusesAWordThatIsNoneWithThoseOfThisCpu) {
  const TemporaryFolder folder;
  for (const std::string command : {"data info TRIANGLE", "version --verbose", "--help"}) {
    const auto result = run_in_shell("TWOFOLD_SIMD=fast twofold " + command, folder.path());
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, fmt::format("twofold: TWOFOLD_SIMD: needed one of {}, found 'fast'\n",
                                      fmt::join(simd_levels(), ", ")));
  }
  EXPECT_EQ(run_in_shell("TWOFOLD_SIMD= twofold data info TRIANGLE", folder.path()).exit_code, 0);
}

TEST(SimdLevelOfTheProgram, IsInRunJsonAndKernelsGoOnAtAnyOther) {
  const TemporaryFolder folder;
  const std::string command =
      "twofold evaluate TRIANGLE --model wl-st --iterations 1 --penalty 1 --normalize false --folds 3 -q -o "
      "run";
  std::string first;
  for (const std::string& level : simd_levels()) {
    const auto result = run_in_shell(fmt::format("TWOFOLD_SIMD={} {}", level, command), folder.path());
    EXPECT_EQ(result.exit_code, 0) << result.err;
    if (first.empty()) first = level;
    EXPECT_NE(read_file(folder.path("run/run.json")).find("\"simd\": \"" + first + "\""), std::string::npos);
  }
}

TEST(SimdLevelOfTheProgram, IsToldByVersion) {
  const TemporaryFolder folder;
  for (const std::string& level : simd_levels()) {
    const std::string variable = "TWOFOLD_SIMD=" + level;
    const auto json = run_in_shell(variable + " twofold version --verbose --json", folder.path());
    EXPECT_NE(json.out.find("\"simd\":\"" + level + "\""), std::string::npos) << json.out << json.err;
  }
  const auto text = run_in_shell("twofold version --verbose", folder.path());
  EXPECT_NE(text.out.find("simd           " + simd_level() + "\n"), std::string::npos) << text.out << text.err;
}

// Widths that are no multiple of a vector's end in a part of one, which killed every CPU without AVX2.
TEST(SimdLevelOfTheProgram, TrainsAndPredictsOnCpusWithoutAvx2) {
  const TemporaryFolder folder;
  for (const std::string& level : simd_levels())
    for (const std::string model : {"2-wl-gnn", "gin"}) {
      const auto result = run_in_shell(
          fmt::format(
              "export TWOFOLD_SIMD={}; twofold train TRIANGLE --model {} --width 7 --epochs 1 --keep last -q "
              "-o t.model && twofold predict t.model TRIANGLE > out",
              level, model),
          folder.path());
      EXPECT_EQ(result.exit_code, 0) << level << " " << model << ": " << result.err;
    }
}

TEST(SimdLevelOfTheProgram, OfANetworksRunIsTheOneItGoesOnAt) {
  if (simd_levels().size() < 2) GTEST_SKIP() << "this CPU has one SIMD level";
  const TemporaryFolder folder;
  const std::string best = simd_levels().front(), least = simd_levels().back();
  const std::string command =
      " twofold evaluate TRIANGLE --model gin --width 4 --layers 1 --epochs 1 --lr 0.01 --repeats 1 --folds 2 "
      "-q -o run";
  const auto there = run_in_shell("TWOFOLD_SIMD=" + least + command, folder.path());
  ASSERT_EQ(there.exit_code, 0) << there.err;
  const auto here = run_in_shell("TWOFOLD_SIMD=" + best + command, folder.path());
  EXPECT_EQ(here.exit_code, 2);
  EXPECT_NE(here.err.find(fmt::format("  simd: \"{}\" there, \"{}\" now\n", least, best)), std::string::npos)
      << here.err;
  EXPECT_NE(here.err.find("TWOFOLD_SIMD=" + least), std::string::npos) << here.err;
  EXPECT_EQ(run_in_shell("TWOFOLD_SIMD=" + least + command, folder.path()).exit_code, 0);
}

}  // namespace
}  // namespace twofold::testing
