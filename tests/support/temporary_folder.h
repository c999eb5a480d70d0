#pragma once

#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>

namespace twofold::testing {

/// A fresh empty folder, removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string form = (std::filesystem::temp_directory_path() / "twofold-test-XXXXXX").string();
    if (mkdtemp(form.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
    path_ = form;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

  /// Names of what lies in it, hidden files included.
  std::set<std::string> names() const {
    std::set<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) out.insert(entry.path().filename());
    return out;
  }

 private:
  std::string path_;
};

}  // namespace twofold::testing
