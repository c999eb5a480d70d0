#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace twofold::testing {

/// Names of what lies in a folder, hidden files included.
inline std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) out.insert(entry.path().filename());
  return out;
}

}  // namespace twofold::testing
