#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/transcript.h"

namespace twofold::testing {
namespace {

// One long test: what is installed is what the examples are built against, elsewhere, as a user would.
TEST(Install, GivesProgramsAndAPackageThatTheExamplesBuildAgainst) {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& command) {
    const auto result = run_in_shell(command, folder.path());
    EXPECT_EQ(result.exit_code, 0) << "$ " << command << "\n" << result.out << result.err;
    return result.out;
  };
  run("cmake --install '" TWOFOLD_BINARY_DIR "' --prefix \"$PWD/prefix\"");
  EXPECT_NE(run("prefix/bin/twofold version").find("twofold "), std::string::npos);
#ifdef TWOFOLD_LEARN
  EXPECT_NE(run("prefix/bin/twofold version --verbose").find("libtorch"), std::string::npos);
#endif
  run("cmake -G Ninja -S '" TWOFOLD_SOURCE_DIR "/examples' -B examples -DCMAKE_PREFIX_PATH=\"$PWD/prefix\"" +
      std::string(TWOFOLD_EXAMPLE_FLAGS));
  run("cmake --build examples");
  const std::string said = run("examples/0_datasets");
  EXPECT_NE(said.find("node 0 has the neighbors 1 2 3"), std::string::npos) << said;
  EXPECT_NE(said.find("TRIANGLE has 228 graphs"), std::string::npos) << said;
  for (const std::string& file : files_below("examples", ".cpp")) {
    const std::string name = std::filesystem::path(file).stem().string();
    EXPECT_NE(run("examples/" + name), "") << name;
  }
}

}  // namespace
}  // namespace twofold::testing
