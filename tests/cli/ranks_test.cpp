#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"

namespace twofold::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMpirun = "mpirun --allow-run-as-root --oversubscribe ";
// Normalized over the batch, so that ranks need each other within a step.
constexpr const char* kTrain =
    "twofold train TRIANGLE --radius 2 --width 8 --layers 2 --norm batch --dropout 0.2 --patience 0 "
    "--stop-below 0 --schedule constant --quiet ";

// `mpirun -n N twofold train`.
class RanksOfTrain : public ::testing::Test {
 protected:
  void SetUp() override {
    if (shell("command -v mpirun").exit_code != 0) GTEST_SKIP() << "needs mpirun (Debian: openmpi-bin)";
    if (!fs::exists(TWOFOLD_BINARY_DIR "/libtwofold_mpi.so"))
      GTEST_SKIP() << "needs the module of MPI (Debian: libopenmpi-dev)";
    // Under AddressSanitizer: Open MPI itself gives some of its memory back to nobody.
    const char* const asked = std::getenv("ASAN_OPTIONS");
    setenv("ASAN_OPTIONS", (std::string(asked == nullptr ? "" : asked) + ":detect_leaks=0").c_str(), 1);
  }
  ProgramResult shell(const std::string& command) const { return run_in_shell(command, place_.path()); }
  ProgramResult ranks(int count, const std::string& options) const {
    return shell(kMpirun + ("-n " + std::to_string(count)) + " " + kTrain + options);
  }
  std::string file(const std::string& name) const { return read_file(place_.path(name)); }
  bool has(const std::string& name) const { return fs::exists(place_.path(name)); }
  // Ends one of the ranks (counted from 1 in the order of their numbers) of a training that would not end by
  // itself, once it has saved an epoch, and waits for mpirun.
  ProgramResult end_rank(int count, int which, const std::string& signal) const {
    // It has time to save what it has, however busy the machine is.
    return shell(kMpirun + ("--mca odls_base_sigkill_timeout 4 -n " + std::to_string(count)) + " " + kTrain +
                 "--epochs 1000000 --checkpoint-every 0 -o long.model & launched=$!; "
                 "until [ -e long.model.checkpoint ]; do sleep 0.05; done; "
                 "kill -" +
                 signal + " $(pgrep -P $launched twofold | sort -n | sed -n " + std::to_string(which) +
                 "p); wait $launched");
  }

  // Of the checkpoint of long.model; 0 if there is none.
  int epochs_done() const {
    const ProgramResult refused = shell("twofold train TRIANGLE -o long.model");
    EXPECT_EQ(refused.exit_code, 2);
    const std::size_t at = refused.err.find("training of ");
    return at == std::string::npos ? 0 : std::stoi(refused.err.substr(at + 12));
  }

  TemporaryFolder place_;
};

TEST_F(RanksOfTrain, GiveTheSameBytesInAnyNumberAndAsOneProcessWithShards) {
  const ProgramResult alone = shell(kTrain + std::string("--epochs 3 --shards 8 -o alone.model"));
  ASSERT_EQ(alone.exit_code, 0) << alone.err;
  for (const int count : {1, 2, 4, 8}) {
    const ProgramResult result = ranks(count, "--epochs 3 --json -o ranks.model");
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(file("ranks.model"), file("alone.model")) << count;
    // One rank prints.
    EXPECT_EQ(nlohmann::json::parse(result.out)["epochs"], 3) << result.out;
  }
  // Shards shape bits, so a model tells them; without any nothing has changed.
  EXPECT_NE(file("alone.model").find("\\\"shards\\\":8"), std::string::npos);
  ASSERT_EQ(shell(kTrain + std::string("--epochs 3 -o plain.model")).exit_code, 0);
  EXPECT_EQ(file("plain.model").find("shards"), std::string::npos);
}

TEST_F(RanksOfTrain, GoOnInAnotherNumberToTheSameBytes) {
  ASSERT_EQ(ranks(2, "--epochs 6 -o whole.model").exit_code, 0);
  // Interrupted, by a signal to one rank only; an epoch is saved before.
  const ProgramResult stopped = end_rank(3, 2, "TERM");
  EXPECT_NE(stopped.err.find("go on with --resume (long.model.checkpoint)"), std::string::npos) << stopped.err;
  EXPECT_FALSE(has("long.model"));
  const int done = epochs_done();
  ASSERT_GT(done, 0);
  const std::string epochs = "--epochs " + std::to_string(done + 2);
  ASSERT_EQ(ranks(2, epochs + " -o whole.model").exit_code, 0);
  fs::copy(place_.path("long.model.checkpoint"), place_.path("again.model.checkpoint"));
  const ProgramResult four = ranks(4, epochs + " --resume -o long.model");
  ASSERT_EQ(four.exit_code, 0) << four.err;
  EXPECT_EQ(file("long.model"), file("whole.model"));
  EXPECT_FALSE(has("long.model.checkpoint"));
  const ProgramResult one = shell(kTrain + epochs + " --shards 8 --resume -o again.model");
  ASSERT_EQ(one.exit_code, 0) << one.err;
  EXPECT_EQ(file("again.model"), file("whole.model"));
}

TEST_F(RanksOfTrain, OfOneMachineShareTheirColorsAndLeaveNothing) {
  const std::string colors = "--epochs 2 --engine colors ";
  ASSERT_EQ(shell(kTrain + colors + "--shards 8 -o alone.model").exit_code, 0);
  ASSERT_EQ(shell("mkdir tmp").exit_code, 0);
  const ProgramResult result =
      shell("TMPDIR=$PWD/tmp " + std::string(kMpirun) + "-n 3 " + kTrain + colors + "-o ranks.model");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(file("ranks.model"), file("alone.model"));
  EXPECT_EQ(shell("find tmp -name 'twofold*' -o -name 'levels*'").out, "");
  // Without a place for temporary files each finds its own.
  const ProgramResult nowhere =
      shell("TMPDIR=$PWD/missing " + std::string(kMpirun) + "-n 2 " + kTrain + colors + "-o own.model");
  ASSERT_EQ(nowhere.exit_code, 0) << nowhere.err;
  EXPECT_EQ(file("own.model"), file("alone.model"));
}

TEST_F(RanksOfTrain, ThatDieLeaveAWordAndACheckpoint) {
  const ProgramResult result = end_rank(3, 3, "KILL");
  EXPECT_NE(result.exit_code, 0);
  EXPECT_NE(result.err.find("go on with --resume (long.model.checkpoint)"), std::string::npos) << result.err;
  EXPECT_FALSE(has("long.model"));
  // How many epochs it had time for differs.
  const int done = epochs_done();
  ASSERT_GT(done, 0);
  const ProgramResult resumed = ranks(2, "--epochs " + std::to_string(done + 1) + " --resume -o long.model");
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
}

TEST_F(RanksOfTrain, FailTogetherAndSayWhyOnce) {
  const auto count = [](const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
    return found;
  };
  struct Case {
    std::string command, words;
    int exit_code;
  };
  const std::string infinite =
      "twofold train TRIANGLE --radius 2 --width 8 --layers 3 --lr 1000 --gate linear --norm none --warmup 0 "
      "--inner-activation relu --activation relu --pooling sum --epochs 4 --quiet";
  for (const Case& c : {Case{infinite, "epoch 1: convolution 3: a value is infinite", 1},
                        Case{kTrain + std::string("--shards 2"), "needed --shards 3 or more", 2},
                        Case{"twofold train TRIANGLE --model wl-st", "fitted at once", 2},
                        Case{kTrain + std::string("--resume -o none.model"), "nothing to resume", 1}}) {
    const ProgramResult result = shell(kMpirun + ("-n 3 " + c.command));
    EXPECT_EQ(result.exit_code, c.exit_code) << result.err;
    EXPECT_EQ(count(result.err, c.words), 1u) << result.err;
    EXPECT_EQ(result.out, "");
  }
  // Only one rank lacks the data.
  const ProgramResult lacking = shell(kMpirun + std::string("-n 2 bash -c '[ $OMPI_COMM_WORLD_RANK = 0 ] && ") +
                                      kTrain + "--epochs 2 || twofold train nowhere.jsonl'");
  EXPECT_NE(lacking.exit_code, 0);
  EXPECT_EQ(count(lacking.err, "rank 1: cannot open nowhere.jsonl"), 1u) << lacking.err;
  const ProgramResult other =
      shell(kMpirun + std::string("-n 2 bash -c '") + kTrain + "--epochs 2 --seed $OMPI_COMM_WORLD_RANK'");
  EXPECT_NE(other.exit_code, 0);
  EXPECT_NE(other.err.find("found on rank 1"), std::string::npos) << other.err;
  EXPECT_NE(other.err.find("seed 1 instead of 0"), std::string::npos) << other.err;
}

// Two machines, as far as MPI can see: a network namespace and a host name each, reached by a stand-in for ssh.
TEST_F(RanksOfTrain, OnTwoMachinesGiveTheSameBytes) {
  if (shell(
          "[ $(id -u) = 0 ] && command -v ip && command -v unshare && ip netns add twofold-try && ip netns del "
          "twofold-try")
          .exit_code != 0)
    GTEST_SKIP() << "needs root and network namespaces (Debian: iproute2)";
  ASSERT_EQ(shell(kTrain + std::string("--epochs 2 --shards 8 -o alone.model")).exit_code, 0);
  const ProgramResult result = shell(R"(
bridge=tf$$ network=10.77.$(($$ % 250))
end() { for k in 2 3; do ip netns del $bridge-$network.$k; done; ip link del $bridge; }
trap end EXIT
printf '#!/bin/sh\nhost=$1; shift\nexec ip netns exec %s-$host unshare -u sh -c "hostname node-$host; $*"\n' $bridge > agent
chmod +x agent
ip link add $bridge type bridge && ip addr add $network.1/24 dev $bridge && ip link set $bridge up || exit 1
for k in 2 3; do
  ip netns add $bridge-$network.$k && ip link add $bridge.$k type veth peer name e0 netns $bridge-$network.$k || exit 1
  ip link set $bridge.$k master $bridge up
  ip netns exec $bridge-$network.$k ip addr add $network.$k/24 dev e0
  ip netns exec $bridge-$network.$k ip link set e0 up
  ip netns exec $bridge-$network.$k ip link set lo up
done
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
launch() {
  mpirun --mca plm_rsh_agent $PWD/agent --mca btl tcp,self --mca btl_tcp_if_include $network.0/24 \
    --mca oob_tcp_if_include $network.0/24 --host $network.2:2,$network.3:2 -n 4 -x PATH -x OMPI_ALLOW_RUN_AS_ROOT \
    -x OMPI_ALLOW_RUN_AS_ROOT_CONFIRM --wdir $PWD "$@"
}
# New links may lose what is said first.
for try in 1 2 3; do launch true && break || sleep 1; done
launch )" + std::string(kTrain) + "--epochs 2 -o machines.model");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(file("machines.model"), file("alone.model"));
}

TEST_F(RanksOfTrain, SayWhatIsMissingWithoutMpi) {
  const ProgramResult result = shell("TWOFOLD_MPI=/nowhere " + std::string(kMpirun) + "-n 2 " + kTrain);
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.err.find("training on several ranks needs MPI, and this twofold finds none"),
            std::string::npos)
      << result.err;
  // One process has no need of it.
  EXPECT_EQ(shell("TWOFOLD_MPI=/nowhere " + std::string(kTrain) + "--epochs 1 --shards 8").exit_code, 0);
}

}  // namespace
}  // namespace twofold::testing
