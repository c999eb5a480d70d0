#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/support/transcript.h"
#include "twofold/base/file.h"

namespace twofold::testing {
namespace {

// What a file defines in its unnamed namespace: types and constants by name, functions with the first line of
// their parameters, as overloads may share a name.
std::set<std::string> unnamed_names(const std::string& file) {
  static const std::regex type("^(?:struct|class|enum class) (\\w+)[ {:].*");
  static const std::regex constant("^(?:inline )?const(?:expr)? .*?\\b(k[A-Z]\\w*)\\b.*");
  static const std::regex function("^[A-Za-z_].*?[ *&](\\w+)\\((.*)$");
  std::istringstream lines(read_file(std::string(TWOFOLD_SOURCE_DIR) + "/" + file));
  std::set<std::string> names;
  bool is_inside = false, is_template = false;
  std::string line;
  std::smatch found;
  while (std::getline(lines, line)) {
    if (line == "namespace {") is_inside = true;
    if (line == "}  // namespace") is_inside = false;
    if (!is_inside) continue;
    if (std::regex_match(line, found, type) && line.back() != ';')
      names.insert(found[1]);
    else if (std::regex_match(line, found, constant))
      names.insert(found[1]);
    else if (!is_template && line.rfind("using ", 0) != 0 && std::regex_match(line, found, function))
      names.insert(found[1].str() + "(" + found[2].str());
    is_template = line.rfind("template", 0) == 0;
  }
  return names;
}

TEST(Names, InUnnamedNamespacesStandInOneFileOfAFolder) {
  // The release build compiles several files of a folder as one (twofold_unity in cmake/Steps.cmake).
  std::map<std::string, std::map<std::string, std::string>> first;  // folder, name: file
  std::size_t seen = 0;
  for (const char* top : {"src/twofold", "cli"})
    for (const std::string& file : files_below(top, ".cpp")) {
      const std::string folder = file.substr(0, file.find_last_of('/'));
      for (const std::string& name : unnamed_names(file)) {
        const auto [at, is_new] = first[folder].emplace(name, file);
        EXPECT_TRUE(is_new) << name << " stands in " << at->second << " and in " << file;
        ++seen;
      }
    }
  EXPECT_GT(seen, 1000u);
}

}  // namespace
}  // namespace twofold::testing
