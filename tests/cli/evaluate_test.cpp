#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/data_folder.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"
#include "twofold/base/random.h"

namespace twofold::testing {
namespace {

namespace fs = std::filesystem;

// Many tasks of a few milliseconds: 4 folds of 8 configurations and a final run.
constexpr const char* kTiny =
    "twofold evaluate small.jsonl --model wl-st --iterations 0,1 --penalty 1,0.1,0.01,0.001 --normalize false "
    "--folds 4 --quiet";

class Evaluate : public ::testing::Test {
 protected:
  void SetUp() override {
    const ProgramResult made = shell(
        "twofold data convert TRIANGLE all.jsonl --quiet && (head -20 all.jsonl; tail -20 all.jsonl) > "
        "small.jsonl");
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  ProgramResult shell(const std::string& command) const { return run_in_shell(command, place_.path()); }
  void expect_done(const std::string& command) const {
    const ProgramResult result = shell(command);
    EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.err;
    EXPECT_EQ(result.err, "") << command;
  }
  // Every file of a run that equal runs share, by name.
  std::map<std::string, std::string> promised(const std::string& run) const {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(place_.path(run))) {
      const std::string name = fs::relative(entry.path(), place_.path(run)).string();
      if (!entry.is_regular_file() || name.rfind("timing/", 0) == 0 || name.rfind(".lock", 0) == 0 ||
          name == ".claims" || name == ".session")
        continue;
      files[name] = read_file(entry.path().string());
    }
    return files;
  }
  TemporaryFolder place_;
};

TEST_F(Evaluate, GivesTheSameBytesHoweverTheWorkIsShared) {
  expect_done(std::string(kTiny) + " -o one");
  const auto expected = promised("one");
  EXPECT_EQ(expected.size(), 4u * 8 + 4 + 5);  // and run, splits, twins, result, predictions
  expect_done(std::string(kTiny) + " --jobs 2 -o two");
  EXPECT_EQ(promised("two"), expected);
  expect_done(std::string(kTiny) + " --threads 2 -o threads");
  EXPECT_EQ(promised("threads"), expected);
  // Shards in folders of their own, copied together; then one that finishes what is left.
  for (const char* shard : {"1", "2", "3"}) {
    const std::string name = shard;
    expect_done(std::string(kTiny) + " --shard " + name + "/3 -o shard" + name);
  }
  expect_done("mkdir merged && cp -r shard1/. shard2/. shard3/. merged");
  expect_done(std::string(kTiny) + " -o merged");
  EXPECT_EQ(promised("merged"), expected);
  // More shards than folds, at once, in one folder.
  expect_done("for i in 1 2 3 4 5; do " + std::string(kTiny) +
              " --shard $i/5 --jobs 2 -o shared & done; wait; " + kTiny + " -o shared");
  EXPECT_EQ(promised("shared"), expected);
}

TEST_F(Evaluate, SharesTheWorkBetweenTheRanksOfMpirun) {
  if (shell("command -v mpirun").exit_code != 0) GTEST_SKIP() << "needs mpirun (Debian: openmpi-bin)";
  expect_done(std::string(kTiny) + " -o one");
  const auto expected = promised("one");
  for (const std::string ranks : {"2", "3"}) {
    const ProgramResult result = shell("mpirun --allow-run-as-root --oversubscribe -n " + ranks + " " + kTiny +
                                       " --json -o mpi" + ranks);
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(promised("mpi" + ranks), expected);
    // One answer, not one per rank: what the record has, without its checksum.
    auto recorded = nlohmann::ordered_json::parse(expected.at("result.json"));
    recorded.erase("checksum");
    EXPECT_EQ(nlohmann::ordered_json::parse(result.out), recorded);
  }
}

// Whatever the test graphs of a fold are called, every rank chooses for that fold as before.
TEST_F(Evaluate, NoRankOfMpirunChoosesByTestTargets) {
  if (shell("command -v mpirun").exit_code != 0) GTEST_SKIP() << "needs mpirun (Debian: openmpi-bin)";
  using Json = nlohmann::ordered_json;
  expect_done(std::string(kTiny) + " -o drawn");
  const Json splits = Json::parse(read_file(place_.path("drawn/splits.json")));
  std::vector<Json> lines;
  std::istringstream text(read_file(place_.path("small.jsonl")));
  for (std::string line; std::getline(text, line);) lines.push_back(Json::parse(line));
  const auto& tested = splits.at(0).at("test");
  ASSERT_GT(tested.size(), 3u);
  std::string changed;
  for (std::size_t i = 0; i < tested.size(); ++i) {
    Json& target = lines.at(tested[i].get<std::size_t>()).at("target");
    target = 1 - target.get<int>();
  }
  for (const Json& line : lines) changed += line.dump() + "\n";
  place_.write("changed.jsonl", changed);
  const auto selections = [&](const std::string& run) {
    std::map<std::string, std::string> files;
    for (const auto& [name, content] : promised(run))
      if (name.rfind("tasks/select-f00", 0) == 0) files[name] = content;
    return files;
  };
  const std::string options = " --splits drawn/splits.json --no-twins --quiet -o ";
  const struct {
    const char* name;
    const char* model;
    std::size_t configs;
  } models[] = {{"kernel", "--model wl-st --iterations 0,1 --penalty 1,0.1 --normalize false", 4},
                {"network", "--model gin --preset quick --layers 1,2 --epochs 3 --repeats 1", 2}};
  for (const auto& one : models) {
    for (const std::string data : {"small", "changed"}) {
      const ProgramResult result = shell("mpirun --allow-run-as-root --oversubscribe -n 3 twofold evaluate " +
                                         data + ".jsonl " + one.model + options + data + "-" + one.name);
      ASSERT_EQ(result.exit_code, 0) << result.err;
    }
    const auto before = selections(std::string("small-") + one.name);
    EXPECT_EQ(before.size(), one.configs);
    EXPECT_EQ(selections(std::string("changed-") + one.name), before);
  }
}

TEST_F(Evaluate, KilledAtFiftyMomentsEndsWithTheSameBytes) {
  expect_done(std::string(kTiny) + " -o one");
  const auto expected = promised("one");
  Random random(11);
  int round = 0, finished = 0;
  for (int kill = 0; kill < 50; ++kill) {
    const std::string run = "run" + std::to_string(round);
    const double delay = 0.12 * random.uniform();
    shell(std::string(kTiny) + (kill % 2 == 0 ? " --jobs 2" : "") + " -o " + run + " & sleep " +
          std::to_string(delay) + "; kill -9 $!; wait");
    if (!fs::exists(place_.path(run) + "/result.json")) continue;
    // It came to its end: the next kills hit another one.
    expect_done(std::string(kTiny) + " -o " + run);
    EXPECT_EQ(promised(run), expected);
    ++round;
    ++finished;
  }
  const std::string last = "run" + std::to_string(round);
  expect_done(std::string(kTiny) + " -o " + last);
  EXPECT_EQ(promised(last), expected);
  EXPECT_LT(finished, 50);
}

TEST_F(Evaluate, InterruptedSaysSoAndGoesOnLater) {
  const ProgramResult result = shell(
      "set -m; twofold evaluate TRIANGLE --model wl-sp -o long & "
      "until [ -e long/run.json ]; do sleep 0.02; done; kill -INT $!; wait $!");
  EXPECT_EQ(result.exit_code, 130);
  EXPECT_NE(result.err.find("interrupted; the same command goes on from here"), std::string::npos)
      << result.err;
  EXPECT_TRUE(fs::exists(place_.path("long")));
}

TEST_F(Evaluate, WorkersEndWithTheirParent) {
  // Until none of them lives (a dead one that nobody has waited for does not count).
  const ProgramResult result = shell(
      "twofold evaluate TRIANGLE --model wl-sp --quiet --jobs 2 -o long & parent=$!; "
      "until [ $(pgrep -P $parent | wc -w) = 2 ]; do sleep 0.05; done; workers=$(pgrep -P $parent); "
      "kill -9 $parent; wait $parent 2> /dev/null; "
      "for w in $workers; do while ps -o stat= -p $w | grep -qv Z; do sleep 0.05; done; echo gone; done");
  EXPECT_EQ(result.out, "gone\ngone\n") << result.err;
}

TEST_F(Evaluate, RefusesASecondOneInTheSameFolder) {
  const ProgramResult result =
      shell("mkdir -p busy && (flock -x 9; echo -n 'process 77 on here' > busy/.lock; " + std::string(kTiny) +
            " -o busy; echo $?) 9> busy/.lock");
  EXPECT_EQ(result.out, "1\n");
  EXPECT_EQ(result.err, "twofold evaluate: busy is in use by process 77 on here\n");
  // The name of a holder that is gone stops nobody.
  expect_done(std::string(kTiny) + " -o busy > /dev/null");
}

TEST_F(Evaluate, SaysWhenTheDiskIsFullAndGoesOnLater) {
  fs::create_directory(place_.path("disk"));
  if (mount("tmpfs", place_.path("disk").c_str(), "tmpfs", 0, "size=48k") != 0)
    GTEST_SKIP() << "needs the right to mount a small file system";
  struct Unmount {
    std::string path;
    ~Unmount() { umount2(path.c_str(), MNT_DETACH); }
  } unmount{place_.path("disk")};
  for (const char* jobs : {"1", "2"}) {
    const ProgramResult full = shell(std::string(kTiny) + " --jobs " + jobs + " -o disk/run");
    EXPECT_EQ(full.exit_code, 1);
    EXPECT_NE(full.err.find("No space left on device"), std::string::npos) << full.err;
  }
  expect_done(std::string(kTiny) + " -o one");
  ASSERT_EQ(mount("tmpfs", place_.path("disk").c_str(), "tmpfs", MS_REMOUNT, "size=8m"), 0);
  expect_done(std::string(kTiny) + " -o disk/run");
  EXPECT_EQ(promised("disk/run"), promised("one"));
}

TEST(EvaluateKernels, ReachThePapersAccuracyOnImdb) {
  const std::string data = data_folder();
  if (data.empty()) GTEST_SKIP() << kNeedsData;
  const TemporaryFolder place;
  const std::string folder = data + "/IMDB-BINARY";
  const ProgramResult result = run_in_shell("twofold evaluate " + folder + " --model wl-st --preset paper" +
                                                " --iterations 3 --splits " + folder +
                                                "/IMDB-BINARY_splits.json --jobs 2 -o run --json --quiet",
                                            place.path());
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_NEAR(json.at("test_mean").get<double>(), 72.9, 1.0);
  const auto& twins = json.at("twins");
  EXPECT_EQ(twins.at("seen_by"), "1-wl");
  EXPECT_EQ(twins.at("sharing"), 579);
  EXPECT_EQ(twins.at("mixed"), 318);
}

}  // namespace
}  // namespace twofold::testing
