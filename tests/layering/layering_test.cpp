#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "tests/support/transcript.h"
#include "twofold/base/file.h"

namespace twofold::testing {
namespace {

using Folders = std::set<std::string>;

// What each step may include besides itself: the steps that CMakeLists.txt says it stands on, and those they
// stand on.
const std::map<std::string, Folders>& allowed() {
  static const std::map<std::string, Folders> table = [] {
    const std::string text = read_file(std::string(TWOFOLD_SOURCE_DIR) + "/CMakeLists.txt");
    static const std::regex step("twofold_(?:torch_)?step\\((\\w+)([^)]*)\\)");
    static const std::regex library("twofold::(\\w+)");
    std::map<std::string, Folders> rows;
    for (std::sregex_iterator at(text.begin(), text.end(), step), end; at != end; ++at) {
      Folders& row = rows[(*at)[1]];
      const std::string rest = (*at)[2];
      for (std::sregex_iterator name(rest.begin(), rest.end(), library); name != end; ++name) {
        const std::string other = (*name)[1];
        // Steps stand in the order of the flow, so what it stands on is known by now.
        EXPECT_TRUE(rows.count(other)) << (*at)[1] << " stands on " << other << ", which comes later";
        row.insert(other);
        row.insert(rows[other].begin(), rows[other].end());
      }
    }
    return rows;
  }();
  return table;
}

bool may_name_torch(const std::string& file) {
  for (const char* place : {"src/twofold/torch/", "cli/torch/", "tests/torch/", "bench/torch/"})
    if (file.rfind(place, 0) == 0) return true;
  return false;
}

std::vector<std::string> sources(const std::string& folder) {
  auto files = files_below(folder, ".h");
  for (const std::string& file : files_below(folder, ".cpp")) files.push_back(file);
  return files;
}

std::vector<std::string> includes(const std::string& file) {
  const std::string text = read_file(std::string(TWOFOLD_SOURCE_DIR) + "/" + file);
  static const std::regex pattern("#\\s*include\\s*[<\"]([^>\"]+)[>\"]");
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), pattern), end; at != end; ++at)
    found.push_back((*at)[1]);
  return found;
}

TEST(Layering, IncludesPointOneWay) {
  for (const std::string& file : sources("src/twofold")) {
    const std::string step = file.substr(12, file.find('/', 12) - 12);
    ASSERT_TRUE(allowed().count(step)) << file << ": the folder " << step << " is not in the flow";
    for (const std::string& name : includes(file)) {
      EXPECT_NE(name.rfind("cli/", 0), 0u) << file << " includes " << name;
      EXPECT_NE(name.rfind("tests/", 0), 0u) << file << " includes " << name;
      if (name.rfind("twofold/", 0) != 0) continue;
      const std::string other = name.substr(8, name.find('/', 8) - 8);
      EXPECT_TRUE(other == step || allowed().at(step).count(other)) << file << " includes " << name;
    }
  }
}

TEST(Layering, OnlyTheGuestTorchNamesTorch) {
  std::vector<std::string> files;
  for (const char* folder : {"src/twofold", "cli", "tests", "bench"})
    for (const std::string& file : sources(folder)) files.push_back(file);
  // Libtorch's own headers, and those of the step that includes them.
  const std::regex torch("^(torch|ATen|c10|caffe2|twofold/torch)/.*");
  for (const std::string& file : files) {
    if (may_name_torch(file)) continue;
    for (const std::string& name : includes(file))
      EXPECT_FALSE(std::regex_match(name, torch)) << file << ": " << name;
  }
}

TEST(Layering, TestsMirrorTheSources) {
  const std::set<std::string> others = {"cli",     "data",     "docs",    "fuzz",
                                        "install", "layering", "support", "theory"};
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TWOFOLD_SOURCE_DIR) + "/tests")) {
    if (!entry.is_directory()) continue;
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(others.count(name) || allowed().count(name)) << "tests/" << name;
  }
}

}  // namespace
}  // namespace twofold::testing
