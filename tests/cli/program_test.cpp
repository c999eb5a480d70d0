#include <fmt/format.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

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

// Starts the program with interrupts held back from its very first instruction on, sends one at once and
// returns how it ends.
int end_of_interrupted(const std::vector<std::string>& arguments, int signal) {
  std::string program = std::string(TWOFOLD_BINARY_DIR) + "/twofold";
  std::vector<std::string> words = arguments;
  std::vector<char*> argv = {program.data()};
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, signal);
  posix_spawnattr_setsigmask(&attributes, &held);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t process = 0;
  const int failed = posix_spawn(&process, program.c_str(), nullptr, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (failed != 0) return -1;
  kill(process, signal);
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(Program, AnswersAnInterruptFromItsFirstMomentsWith130) {
  EXPECT_EQ(end_of_interrupted({"data", "info", "TRIANGLE"}, SIGINT), 130);
  EXPECT_EQ(end_of_interrupted({"data", "info", "TRIANGLE"}, SIGTERM), 130);
}

#ifdef TWOFOLD_LEARN
TEST(Program, AnswersAnInterruptWhileLibtorchIsLoadedWith130) {
  const TemporaryFolder folder;
  for (const char* signal : {"INT", "TERM"})
    for (const char* delay : {"0", "0.1", "0.3", "0.6", "1"}) {
      const auto result = run_in_shell(
          fmt::format(
              "twofold train TRIANGLE --epochs 1000000 --patience 0 --stop-below 0 --quiet & learn=$!\n"
              "until readlink /proc/$learn/exe | grep -q twofold-learn || ! kill -0 $learn; do :; done\n"
              "sleep {}; kill -{} $learn; wait $learn",
              delay, signal),
          folder.path());
      EXPECT_EQ(result.exit_code, 130) << signal << " after " << delay << " s: " << result.err;
    }
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
