#include "cli/machine_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace twofold::cli {
namespace {

namespace fs = std::filesystem;

// Empty if it cannot be made. Its name is drawn, so that it is found on this machine alone.
std::string make_folder() {
  std::error_code failed;
  const fs::path place = fs::temp_directory_path(failed);
  if (failed) return "";
  std::string name = (place / "twofold-ranks-XXXXXX").string();
  return mkdtemp(name.data()) == nullptr ? "" : name;
}

}  // namespace

MachineFolder::MachineFolder(Group& group) {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  int first = group.rank(), ranks = 0;
  const std::vector<std::string>& hosts = group.share(host);
  for (int r = group.size(); r-- > 0;)
    if (hosts[static_cast<std::size_t>(r)] == host) {
      first = r;
      ++ranks;
    }
  if (ranks > 1 && first == group.rank()) {
    path_ = make_folder();
    is_own_ = !path_.empty();
  }
  path_ = group.share(path_)[static_cast<std::size_t>(first)];
  std::error_code failed;
  if (!path_.empty() && !fs::is_directory(path_, failed)) path_.clear();
}

void MachineFolder::remove() noexcept {
  if (!is_own_) return;
  is_own_ = false;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

}  // namespace twofold::cli
