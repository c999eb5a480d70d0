#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/file.h"

namespace twofold::testing {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// What files of JSON were found to crash on, or to be called a bug.
const std::vector<std::string>& hostile_json() {
  static const std::vector<std::string> texts = {
      "",
      "{",
      "[]",
      "{}",
      "null",
      "1e999",
      "[1e999]",
      "{\"checksum\":1e999}",
      "{\"a\":1,\"a\":2}",
      "\"\xff\xfe\"",
      repeated("[", 66'000),
      repeated("[", 66'000) + repeated("]", 66'000),
      repeated("{\"a\":", 66'000) + "1" + repeated("}", 66'000),
      "{\"format\":1,\"task\":3,\"class_of\":[-1,1.5,\"x\",18446744073709551616],\"folds\":{},\"dataset\":[]}",
  };
  return texts;
}

class HostileFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    expect_exit(0,
                "twofold data convert TRIANGLE all.jsonl --quiet && (head -9 all.jsonl; tail -9 all.jsonl) > "
                "d.jsonl && " +
                    evaluate());
  }
  static std::string evaluate() {
    return "twofold evaluate d.jsonl --model wl-st --iterations 0,1 --penalty 1 --normalize false --folds 2 "
           "--quiet -o run";
  }
  void expect_exit(int code, const std::string& command, const std::string& place = "") const {
    const ProgramResult result = run_in_shell(command, place_.path());
    EXPECT_EQ(result.exit_code, code) << command << "\n" << result.err;
    EXPECT_EQ(result.err.find("bug"), std::string::npos) << command << "\n" << result.err;
    if (!place.empty()) {
      EXPECT_NE(result.err.find(place), std::string::npos) << command << "\n" << result.err;
    }
  }

  TemporaryFolder place_;
};

TEST_F(HostileFiles, OfARunAreRefusedByName) {
  for (const char* name : {"run.json", "splits.json", "twins.json", "tasks/final-f01-r1.json"}) {
    const std::string path = std::string("run/") + name;
    const std::string before = read_file(place_.path(path));
    for (const std::string& text : hostile_json()) {
      place_.write(path, text);
      expect_exit(1, evaluate(), name);
    }
    // One digit of the content.
    std::string edited = before;
    const std::size_t digit = edited.find_last_of("0123456789", edited.rfind("checksum"));
    edited[digit] = edited[digit] == '1' ? '2' : '1';
    place_.write(path, edited);
    expect_exit(1, evaluate(), name);
    place_.write(path, before);
  }
  expect_exit(0, evaluate());
}

TEST_F(HostileFiles, OfASelectionFailTheTasksThatNeedIt) {
  const std::string name = "select-f00-c001.json";
  const std::string before = read_file(place_.path("run/tasks/" + name));
  expect_exit(0, "rm run/tasks/final-f00-r1.json run/result.json");
  for (const std::string& text : hostile_json()) {
    place_.write("run/tasks/" + name, text);
    expect_exit(1, evaluate(), name);
  }
  place_.write("run/tasks/" + name, before);
  expect_exit(0, evaluate());
}

TEST_F(HostileFiles, OfAResultAreRefusedByCompareAndDoReportNoHarm) {
  expect_exit(0, "cp -r run other && twofold compare run other > compare.txt");
  for (const char* name : {"run.json", "result.json"}) {
    const std::string path = std::string("other/") + name;
    const std::string before = read_file(place_.path(path));
    for (const std::string& text : hostile_json()) {
      place_.write(path, text);
      expect_exit(1, "twofold compare run other", name);
      expect_exit(0, "twofold report run other -o page.html --quiet");
    }
    place_.write(path, before);
  }
}

TEST_F(HostileFiles, OfFoldsAndOptionsAreRefusedByName) {
  const std::string run = "twofold evaluate d.jsonl --model wl-st --folds 2 --quiet -o new ";
  for (const std::string& text : hostile_json()) {
    place_.write("s.json", text);
    expect_exit(1, run + "--splits s.json", "s.json");
  }
  for (const std::string& text :
       {"a = " + repeated("[", 66'000), "[" + repeated("a.", 66'000) + "a]", repeated("a.", 66'000) + "a = 1",
        std::string("a = 1e999"), std::string("\xff"), std::string("[wl-st]\npenalty = inf"),
        std::string("wl-st = 3")}) {
    place_.write("o.toml", text);
    expect_exit(2, run + "--config o.toml", "o.toml:");
  }
}

}  // namespace
}  // namespace twofold::testing
