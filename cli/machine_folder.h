#pragma once

#include <string>

#include "twofold/base/group.h"

namespace twofold::cli {

/// A folder for the ranks of one machine, where one of them puts the colors of a dataset and all map them: they
/// are found once and lie in memory once. It is there from the start of a training until all have them.
class MachineFolder {
 public:
  /// All ranks of the group make one, which shares two messages. Machines are told apart by their names.
  explicit MachineFolder(Group& group);
  ~MachineFolder() { remove(); }
  MachineFolder(const MachineFolder&) = delete;
  MachineFolder& operator=(const MachineFolder&) = delete;

  /// Empty for a rank that has its machine for itself, and where no folder could be made among the temporary
  /// files (TMPDIR) or this rank does not see it.
  const std::string& path() const { return path_; }
  /// Takes it away, if this rank made it; what is mapped stays.
  void remove() noexcept;

 private:
  std::string path_;
  bool is_own_ = false;
};

}  // namespace twofold::cli
