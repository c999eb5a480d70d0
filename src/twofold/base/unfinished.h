#pragma once

#include <sys/types.h>

#include <string>

namespace twofold {

/// A file or folder beside the one that it will become. Its name is random, and it is locked as long as its
/// descriptor is open, so that the next writer of the same output knows the leftovers of killed ones for sure.
struct Unfinished {
  std::string path;
  int descriptor = -1;  // of the file, for writing, or of the folder
  int slot = -1;        // under which remove_unfinished_files() knows it
};

/// Makes one for the output `target`, and removes those that killed writers of the same output left.
/// What it will replace keeps others out already while it is written: nobody but the owner may open it then.
/// Throws Error naming `shown`.
Unfinished make_unfinished_file(const std::string& target, const std::string& shown);
Unfinished make_unfinished_folder(const std::string& target, const std::string& shown);

/// Gives the file or folder the mode of what it will replace, and the owner as far as this process may.
/// Without a `target` it does nothing: the mode is that of any new file.
void take_mode_and_owner(const Unfinished& unfinished, const std::string& target);

/// Ends the care for one that has been renamed or given up: closes its descriptor, keeps its file.
void release(Unfinished& unfinished);

/// Removes it, and the files in it, then releases it.
void discard(Unfinished& unfinished);

}  // namespace twofold
