#include "twofold/eval/reveal.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/toy_run.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"

namespace twofold::eval {
namespace {

using model::Config;
using testing::TemporaryFolder;
using testing::ToyRun;

std::string said(ToyRun& run, const std::string& ledger) {
  try {
    reveal(run.folder, run.plan, ledger);
  } catch (const Error& error) {
    std::string text = error.what();
    for (const std::string& path : {run.folder.path(), ledger})
      for (auto at = text.find(path); at != std::string::npos; at = text.find(path))
        text.replace(at, path.size(), "X");
    return text;
  }
  return "nothing";
}

std::string key_of(const ToyRun& run) {
  for (const auto& entry : std::filesystem::directory_iterator(run.folder.file("seal")))
    return entry.path().stem().string();
  return "";
}

TEST(Seal, GivesBackWhatItTook) {
  ToyRun run(true);
  run.start();
  const Config content = {{"test", 87.5}, {"predictions", {0, 1, 1}}};
  const Config sealed = seal(run.folder, "one", content);
  EXPECT_EQ(open_seal(run.folder, "one", {sealed, "file"}).dump(), content.dump());
  EXPECT_EQ(sealed.at("text").get<std::string>().size(), 2048u);
  EXPECT_NE(seal(run.folder, "two", content).at("text"), sealed.at("text"));
  EXPECT_EQ(seal(run.folder, "one", content), sealed);
  EXPECT_THROW(open_seal(run.folder, "two", {sealed, "file"}), InputError);
  // Another run has another key.
  ToyRun other(true);
  other.start();
  EXPECT_NE(key_of(other), key_of(run));
  EXPECT_THROW(open_seal(other.folder, "one", {sealed, "file"}), InputError);
}

TEST(Seal, RefusesWhatIsBroken) {
  ToyRun run(true);
  run.start();
  const Config sealed = seal(run.folder, "one", {{"test", 87.5}});
  for (const auto& [key, value] : std::vector<std::pair<std::string, Config>>{{"key", "../run"},
                                                                              {"key", 3},
                                                                              {"key", "0123456789abcdef"},
                                                                              {"text", "xy"},
                                                                              {"text", "abc"},
                                                                              {"text", ""}}) {
    Config broken = sealed;
    broken[key] = value;
    try {
      open_seal(run.folder, "one", {broken, "file"});
      ADD_FAILURE() << broken.dump();
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find("87.5"), std::string::npos) << error.what();
    }
  }
}

TEST(Reveal, OpensARunOnceAndCountsThoseBefore) {
  const TemporaryFolder state;
  const std::string ledger = state.path("twofold/revealed.jsonl");
  ToyRun open;
  open.evaluate();
  for (std::size_t i = 0; i < 3; ++i) {
    ToyRun run(true);
    run.evaluate();
    if (i == 2) run.plan.checksum = "other data";
    const Revealed first = reveal(run.folder, run.plan, ledger);
    EXPECT_EQ(first.before, i == 2 ? 0 : i);
    EXPECT_FALSE(first.was_open);
    EXPECT_EQ(read_file(run.folder.file("result.json")), read_file(open.folder.file("result.json")));
    EXPECT_EQ(read_file(run.folder.file("predictions.csv")), read_file(open.folder.file("predictions.csv")));
    const std::string noted = read_file(ledger);
    const Revealed second = reveal(run.folder, run.plan, "nowhere/else");
    EXPECT_TRUE(second.was_open);
    EXPECT_EQ(second.time, first.time);
    EXPECT_EQ(second.before, first.before);
    EXPECT_EQ(second.result.dump(), first.result.dump());
    EXPECT_EQ(read_file(ledger), noted);
    // Evaluated once more it stays open.
    write_result(run.folder, run.plan, run.result());
    EXPECT_EQ(read_file(run.folder.file("result.json")), read_file(open.folder.file("result.json")));
  }
}

TEST(Reveal, ThatWasKilledCountsOnce) {
  const TemporaryFolder state;
  const std::string ledger = state.path("revealed.jsonl");
  ToyRun run(true);
  run.evaluate();
  const Revealed first = reveal(run.folder, run.plan, ledger);
  run.folder.remove("revealed.json");
  run.folder.remove("predictions.csv");
  const std::string noted = read_file(ledger);
  state.write("revealed.jsonl", noted + "{\"time\":\"20");  // the disk was full
  const Revealed again = reveal(run.folder, run.plan, ledger);
  EXPECT_EQ(again.time, first.time);
  EXPECT_EQ(again.before, 0u);
  EXPECT_EQ(read_file(ledger), noted);
  EXPECT_TRUE(run.folder.has("predictions.csv"));
}

TEST(Reveal, RefusesWhatCannotBeOpened) {
  const TemporaryFolder state;
  const std::string ledger = state.path("revealed.jsonl");
  ToyRun open;
  open.evaluate();
  EXPECT_EQ(said(open, ledger), "X was not evaluated with --blind: its test scores are open");
  ToyRun run(true);
  run.start();
  EXPECT_EQ(said(run, ledger), "X is not finished (0 of 15 tasks are): end its evaluation first");
  run.work();
  EXPECT_EQ(said(run, ledger), "X is not finished (15 of 15 tasks are): end its evaluation first");
  write_result(run.folder, run.plan, run.result());
  {
    RunFolder other(run.folder.path());
    const RunLock lock = other.lock({});
    EXPECT_EQ(said(run, ledger).rfind("X is in use by process ", 0), 0u);
  }
  state.write("revealed.jsonl", "{\"time\":\"now\"}\n");
  EXPECT_EQ(said(run, ledger), "X: line 1: data: needed a text, found nothing");
  state.write("revealed.jsonl", "words\n");
  EXPECT_EQ(said(run, ledger).rfind("X: line 1:1: needed ", 0), 0u) << said(run, ledger);
  EXPECT_FALSE(run.folder.has("predictions.csv"));
  EXPECT_FALSE(run.folder.has("revealed.json"));
  state.write("revealed.jsonl", "");
  const std::string key = "seal/" + key_of(run) + ".json", kept = read_file(run.folder.file(key));
  run.folder.remove(key);
  EXPECT_EQ(said(run, ledger),
            fmt::format("X/{} is missing: without this key X/sealed.json cannot be opened", key));
  run.folder.write(key, {{"key", "00"}});
  EXPECT_EQ(said(run, ledger),
            fmt::format("X/sealed.json: what is sealed in it cannot be opened with X/{}: was one of "
                        "both changed?",
                        key));
  run.folder.write_text(key, kept);
  EXPECT_EQ(said(run, ledger), "nothing");
}

TEST(Reveal, OpensShardsThatWereCopiedTogether) {
  const TemporaryFolder state;
  ToyRun first(true), second(true);
  first.start();
  second.start();
  const auto work = [](ToyRun& run, std::size_t part) {
    eval::work(run.plan, run.folder, run.targets,
               [&] {
                 return std::make_unique<testing::ToyLearner>(
                     model::LearnerInput{run.dataset.graphs, run.targets.task()});
               },
               {{part, 2}, 1, {}});
  };
  work(first, 1);
  work(second, 2);
  std::filesystem::copy(
      second.folder.path(), first.folder.path(),
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  write_result(first.folder, first.plan, first.result());
  ToyRun open;
  open.evaluate();
  reveal(first.folder, first.plan, state.path("revealed.jsonl"));
  EXPECT_EQ(read_file(first.folder.file("result.json")), read_file(open.folder.file("result.json")));
}

}  // namespace
}  // namespace twofold::eval
