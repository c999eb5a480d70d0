#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"

namespace twofold::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kKernel =
    "twofold evaluate small.jsonl --model wl-st --iterations 0,1 --penalty 1,0.1 --normalize false --folds 3";
constexpr const char* kNetwork =
    "twofold evaluate small.jsonl --model gin --preset quick --layers 1,2 --epochs 3 --folds 3 --repeats 2";

// A number as someone might write it.
std::set<std::string> forms_of(double value, bool with_short_ones) {
  std::set<std::string> forms = {ordered_json(value).dump(), fmt::format("{}", value)};
  for (const char* form : {"{:.4f}", "{:.6g}", "{:.3f}", "{:.2f}"})
    forms.insert(fmt::format(fmt::runtime(form), value));
  if (with_short_ones) forms.insert(fmt::format("{:.1f}", value));
  return forms;
}

// Whether the text has it, and not as a part of a longer number: 48.0 is not told by 48.07.
bool tells(const std::string& text, const std::string& secret) {
  const auto is_of_number = [&](std::size_t i) {
    return i < text.size() && (std::isdigit(static_cast<unsigned char>(text[i])) != 0 || text[i] == '.');
  };
  for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at + 1)) {
    const bool ends = !is_of_number(at + secret.size());
    const bool starts = at == 0 || !is_of_number(at - 1);
    // A number that is that long is told by its beginning already.
    if (starts && (ends || secret.size() >= 8)) return true;
  }
  return false;
}

class Blind : public ::testing::Test {
 protected:
  void SetUp() override {
    // Prime sizes of folds, so that no test score is a round number.
    const ProgramResult made = shell(
        "twofold data convert TRIANGLE all.jsonl --quiet && (head -39 all.jsonl; tail -39 all.jsonl) > "
        "small.jsonl");
    ASSERT_EQ(made.exit_code, 0) << made.err;
  }
  ProgramResult shell(const std::string& command) const { return run_in_shell(command, place_.path()); }
  std::string done(const std::string& command) const {
    const ProgramResult result = shell(command);
    EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.err;
    return result.out + result.err;
  }
  ordered_json read(const std::string& path) const { return ordered_json::parse(read_file(place_.path(path))); }

  // All that a run tells: its files by name, without the drawings of pages, which are full of numbers.
  std::map<std::string, std::string> files(const std::string& folder) const {
    std::map<std::string, std::string> texts;
    for (const auto& entry : fs::recursive_directory_iterator(place_.path(folder))) {
      const std::string name = fs::relative(entry.path(), place_.path()).string();
      if (entry.is_regular_file()) texts[name] = read_file(entry.path().string());
    }
    return texts;
  }

  // What the open run `open` says of test graphs, in every form, but for what training and validation graphs
  // give too.
  std::set<std::string> secrets(const std::string& open, bool with_short_ones) const {
    std::set<std::string> secret, harmless;
    const ordered_json flat = read(open + "/result.json").flatten();
    for (const auto& item : flat.items()) {
      if (!item.value().is_number()) continue;
      const bool is_test = item.key().find("test") != std::string::npos &&
                           item.key().find("/graphs/") == std::string::npos &&
                           item.key().find("/twins/") == std::string::npos;
      const auto forms = forms_of(item.value().get<double>(), with_short_ones);
      (is_test ? secret : harmless).insert(forms.begin(), forms.end());
    }
    for (const auto& entry : fs::directory_iterator(place_.path(open + "/tasks"))) {
      const ordered_json task = ordered_json::parse(read_file(entry.path().string()));
      ordered_json others = task;
      for (const char* key : {"test", "predictions", "scores"}) others.erase(key);
      const ordered_json of_others = others.flatten();
      for (const auto& item : of_others.items())
        if (item.value().is_number()) {
          const auto forms = forms_of(item.value().get<double>(), with_short_ones);
          harmless.insert(forms.begin(), forms.end());
        }
      if (!task.contains("predictions")) continue;
      std::string commas, blanks, bare;
      for (const ordered_json& one : task["predictions"]) {
        commas += (commas.empty() ? "" : ",") + one.dump();
        blanks += (blanks.empty() ? "" : " ") + one.dump();
        bare += one.dump();
      }
      secret.insert({commas, blanks, bare});
      for (const ordered_json& row : task["scores"])
        for (const ordered_json& score : row)
          // Few digits are no secret: 1 and 0.5 stand everywhere.
          if (const std::string text = score.dump(); text.size() > 8) secret.insert({text, text.substr(0, 8)});
    }
    for (const std::string& form : harmless) secret.erase(form);
    for (auto at = secret.begin(); at != secret.end();) at = at->size() < 4 ? secret.erase(at) : std::next(at);
    return secret;
  }

  void expect_hidden(const std::string& open, const std::string& text, const std::string& place,
                     bool with_short_ones) const {
    for (const std::string& secret : secrets(open, with_short_ones))
      EXPECT_FALSE(tells(text, secret)) << place << " tells " << secret;
  }

  // Everything about the blind run `blind` of which `open` is the same without --blind.
  void expect_sealed(const std::string& open, const std::string& blind, const std::string& said) const {
    expect_hidden(open, said, "the terminal", true);
    for (const auto& [name, text] : files(blind)) expect_hidden(open, text, name, false);
    const std::string told = done("twofold status " + blind) + done("twofold status --json " + blind) +
                             done("twofold compare " + blind) + done("twofold compare --json " + blind) +
                             done("twofold compare --format csv " + blind) +
                             done("twofold compare --format latex " + blind);
    expect_hidden(open, told, "status or compare", true);
    EXPECT_NE(told.find("sealed; twofold reveal RUN opens them"), std::string::npos) << told;
    done("rm -rf page* && mkdir -p page && twofold report " + blind + " -o page/page.html --quiet");
    for (const auto& [name, text] : files("page")) {
      if (fs::path(name).extension() == ".pdf" || fs::path(name).extension() == ".svg") continue;
      std::string plain;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t start = text.find("<svg", at);
        plain += text.substr(at, start - at);
        if (start == std::string::npos) break;
        at = text.find("</svg>", start);
      }
      expect_hidden(open, plain, name, fs::path(name).extension() == ".csv");
    }
    EXPECT_NE(read_file(place_.path("page/page.html")).find("sealed; twofold reveal RUN opens them"),
              std::string::npos);
  }

  void expect_opened(const std::string& open, const std::string& blind) const {
    EXPECT_EQ(read_file(place_.path(blind + "/result.json")), read_file(place_.path(open + "/result.json")));
    EXPECT_EQ(read_file(place_.path(blind + "/predictions.csv")),
              read_file(place_.path(open + "/predictions.csv")));
  }

  TemporaryFolder place_;
};

TEST_F(Blind, KernelTellsNothingOfItsTestsUntilItIsRevealed) {
  done(std::string(kKernel) + " -o open");
  ASSERT_GT(secrets("open", false).size(), 50u);
  // What is looked for is found where it is open.
  std::size_t found = 0;
  std::string all;
  for (const auto& [name, text] : files("open")) all += text;
  for (const std::string& secret : secrets("open", false)) found += tells(all, secret);
  EXPECT_GT(found, 50u);

  expect_sealed("open", "blind", done(std::string(kKernel) + " --blind -o blind"));
  expect_sealed("open", "workers", done(std::string(kKernel) + " --blind --jobs 2 --json -o workers"));
  // Once more: nothing is left to do, and nothing is told.
  expect_sealed("open", "blind", done(std::string(kKernel) + " --blind -o blind"));
  const std::string first = done("twofold reveal blind");
  EXPECT_NE(first.find("0 runs of this data and these splits were revealed before"), std::string::npos)
      << first;
  expect_opened("open", "blind");
  const ordered_json second = ordered_json::parse(done("twofold reveal --json workers"));
  EXPECT_EQ(second["before"], 1);
  EXPECT_EQ(second["was_open"], false);
  expect_opened("open", "workers");
  EXPECT_NE(done("twofold report workers -o page.html --quiet && cat page.html").find("1 run of the same data"),
            std::string::npos);
}

TEST_F(Blind, RanksOfMpirunTellNothingUntilTheRunIsRevealed) {
  if (shell("command -v mpirun").exit_code != 0) GTEST_SKIP() << "needs mpirun (Debian: openmpi-bin)";
  const std::string ranks = "mpirun --allow-run-as-root --oversubscribe -n 2 ";
  for (const char* command : {kKernel, kNetwork}) {
    const std::string name = command == kKernel ? "kernel" : "network";
    done(command + (" -o open-" + name));
    expect_sealed("open-" + name, "blind-" + name, done(ranks + command + " --blind -o blind-" + name));
    done("twofold reveal blind-" + name);
    expect_opened("open-" + name, "blind-" + name);
  }
}

TEST_F(Blind, NetworkTellsNothingOfItsTestsUntilItIsRevealed) {
  done(std::string(kNetwork) + " --quiet -o open");
  expect_sealed("open", "blind", done(std::string(kNetwork) + " --blind --jobs 2 -o blind"));
  done("twofold reveal blind");
  expect_opened("open", "blind");
}

TEST_F(Blind, ResumesAndStaysSealed) {
  done(std::string(kKernel) + " -o open");
  done(std::string(kKernel) + " --blind --quiet -o blind");
  for (const char* lost :
       {"tasks/final-f01-r1.json", "tasks/select-f02-c001.json", "result.json", "sealed.json"})
    fs::remove(place_.path(std::string("blind/") + lost));
  const ProgramResult early = shell("twofold reveal blind");
  EXPECT_EQ(early.exit_code, 1);
  EXPECT_EQ(early.out, "");
  EXPECT_EQ(early.err, "blind is not finished (13 of 15 tasks are): end its evaluation first\n");
  expect_sealed("open", "blind", done(std::string(kKernel) + " --blind -o blind"));
  // The same folder without --blind would open it on the sly.
  const ProgramResult sly = shell(std::string(kKernel) + " -o blind");
  EXPECT_EQ(sly.exit_code, 2);
  EXPECT_NE(sly.err.find("blind: true there, nothing now"), std::string::npos) << sly.err;
  expect_sealed("open", "blind", sly.out + sly.err);
  done("twofold reveal blind");
  expect_opened("open", "blind");
  // It stays open when it is evaluated again.
  EXPECT_NE(done(std::string(kKernel) + " --blind -o blind").find("test accuracy"), std::string::npos);
  expect_opened("open", "blind");
}

TEST_F(Blind, RevealFailsWithAWord) {
  EXPECT_EQ(shell("twofold reveal nothing").exit_code, 1);
  EXPECT_EQ(shell("twofold reveal").exit_code, 2);
  done(std::string(kKernel) + " -o open");
  const ProgramResult open = shell("twofold reveal open");
  EXPECT_EQ(open.exit_code, 1);
  EXPECT_EQ(open.err, "open was not evaluated with --blind: its test scores are open\n");
  done(std::string(kKernel) + " --blind -o blind");
  const ProgramResult homeless = shell("unset HOME XDG_STATE_HOME; twofold reveal blind");
  EXPECT_EQ(homeless.exit_code, 1);
  EXPECT_NE(homeless.err.find("HOME and XDG_STATE_HOME are not set"), std::string::npos) << homeless.err;
  const ProgramResult unwritable = shell("touch file; XDG_STATE_HOME=$PWD/file twofold reveal blind");
  EXPECT_EQ(unwritable.exit_code, 1);
  expect_sealed("open", "blind", homeless.out + homeless.err + unwritable.out + unwritable.err);
}

TEST_F(Blind, TwoAtOnceAreCountedOneAfterTheOther) {
  for (const char* name : {"a", "b", "c", "d"}) done(std::string(kKernel) + " --blind --quiet -o " + name);
  done("for run in a b c d; do twofold reveal $run > $run.txt & done; wait");
  std::set<int> before;
  for (const char* name : {"a", "b", "c", "d"})
    before.insert(read(std::string(name) + "/revealed.json")["before"].get<int>());
  EXPECT_EQ(before, (std::set<int>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace twofold::testing
