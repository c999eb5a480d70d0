#pragma once

#include <string>

namespace twofold {

/// The folder that `path` lies in, by its name alone: `.` for one without a slash, `/` for what lies in the
/// root.
inline std::string parent_folder(const std::string& path) {
  const auto slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

}  // namespace twofold
