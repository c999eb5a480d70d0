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

TEST(Program, TwofoldDoesNotLinkLibtorch) {
  const TemporaryFolder folder;
  const auto result = run_in_shell("ldd $(command -v twofold)", folder.path());
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_NE(result.out.find("libarchive"), std::string::npos) << result.out;
  for (const char* library : {"libtorch", "libc10", "blas"})
    EXPECT_EQ(result.out.find(library), std::string::npos) << result.out;
}

TEST(Program, MapsNoLibtorchToTrain) {
  const TemporaryFolder folder;
  // The loader itself tells what it loads.
  const auto result = run_in_shell("LD_DEBUG=files twofold train TRIANGLE --epochs 1 --quiet", folder.path());
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

// The two ways to ask for gather-scatter.
constexpr const char* kStock[] = {"train TRIANGLE --epochs 1 --engine gather-scatter",
                                  "bench epoch TRIANGLE --limit 9 --repeats 1 --against gather-scatter"};

// BLAS ignores libtorch's own setting.
TEST(Program, TurnsIntoTwofoldTorchWithTheSameArgumentsOnOneThreadOfBlas) {
  const TemporaryFolder folder;
  const auto made = run_in_shell(
      "cp $(command -v twofold) . && printf '#!/bin/sh\\necho $OPENBLAS_NUM_THREADS $OMP_NUM_THREADS $*' > "
      "twofold-torch && chmod +x twofold-torch",
      folder.path());
  ASSERT_EQ(made.exit_code, 0) << made.err;
  for (const std::string arguments : kStock) {
    const auto result = run_in_shell("./twofold " + arguments, folder.path());
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out, "1 1 " + arguments + "\n");
    EXPECT_EQ(result.err, "");
  }
  EXPECT_EQ(run_in_shell("OMP_NUM_THREADS=3 ./twofold train TRIANGLE --device cuda", folder.path()).out,
            "1 3 train TRIANGLE --device cuda\n");
}

TEST(Program, NamesTwofoldTorchWhenItIsMissing) {
  const TemporaryFolder folder;
  for (const std::string arguments : kStock) {
    const auto result = run_in_shell("cp $(command -v twofold) alone && ./alone " + arguments, folder.path());
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "twofold: --engine gather-scatter and --device need the component torch: " +
                              folder.path() + "/twofold-torch: No such file or directory\n");
  }
}

#ifdef TWOFOLD_TORCH
TEST(Program, RunsGatherScatterThroughTwofoldTorch) {
  const TemporaryFolder folder;
  const auto bench = run_in_shell(
      "twofold bench epoch TRIANGLE --limit 20 --repeats 1 --quiet --json --engine "
      "gather-scatter --against fused",
      folder.path());
  EXPECT_EQ(bench.exit_code, 0);
  EXPECT_EQ(bench.err, "");
  EXPECT_EQ(bench.out.find("{\"engine\":\"gather-scatter\""), 0u) << bench.out;
  EXPECT_NE(bench.out.find("\"against\":{\"engine\":\"fused\""), std::string::npos) << bench.out;
  // What it trained is predicted without it.
  const auto learnt = run_in_shell(
      "twofold train TRIANGLE --model gin --epochs 2 --quiet --engine gather-scatter -o t.model && "
      "LD_DEBUG=files twofold predict t.model TRIANGLE -o said.csv",
      folder.path());
  EXPECT_EQ(learnt.exit_code, 0) << learnt.err;
  const std::string predict = learnt.err.substr(learnt.err.rfind("initialize program"));
  EXPECT_EQ(predict.find("libtorch"), std::string::npos);
  EXPECT_NE(run_in_shell("twofold-torch version --verbose --json", folder.path()).out.find("\"libtorch\":\""),
            std::string::npos);
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

#ifdef TWOFOLD_TORCH
TEST(Program, AnswersAnInterruptWhileLibtorchIsLoadedWith130) {
  const TemporaryFolder folder;
  for (const char* signal : {"INT", "TERM"})
    for (const char* delay : {"0", "0.1", "0.3", "0.6", "1"}) {
      const auto result = run_in_shell(
          fmt::format(
              "twofold train TRIANGLE --engine gather-scatter --epochs 1000000 --patience 0 --stop-below 0 "
              "--quiet & learn=$!\n"
              "until readlink /proc/$learn/exe | grep -q twofold-torch || ! kill -0 $learn; do :; done\n"
              "sleep {}; kill -{} $learn; wait $learn",
              delay, signal),
          folder.path());
      EXPECT_EQ(result.exit_code, 130) << signal << " after " << delay << " s: " << result.err;
    }
}
#endif

}  // namespace
}  // namespace twofold::testing
