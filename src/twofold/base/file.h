#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "twofold/base/output_target.h"
#include "twofold/base/unfinished.h"

namespace twofold {

/// The whole content of a file. `-` is standard input. Throws Error naming the path and the reason;
/// a folder, or a file that cannot be opened, included.
std::string read_file(const std::string& path);

/// A file that appears under its name complete or not at all: written beside it, synced, renamed.
///
/// Until commit() the old file, if any, stays as it was; without commit() nothing is left behind, nor after
/// remove_unfinished_files(). The new file has the mode of the one it replaces, and its owner as far as this
/// process may set it. Links are followed: the file they lead to is replaced, or made. What killed writers of
/// the same output left is removed. Parents are not created. Throws Error naming the path and the reason.
///
/// A pipe, a device or a descriptor (/dev/stdout) is not replaced but written: as the bytes come, in blocks, so
/// that without commit() a part of them may have gone.
class AtomicFile {
 public:
  /// Opens the file beside `path`: an unwritable place is found before the long work starts.
  /// A pipe is opened with the first block only: a reader would take an earlier end for the whole.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  void flush();

  std::string path_;  // as the user gave it
  OutputTarget target_;
  Unfinished unfinished_;  // of what is not replaced only the descriptor is used
  std::string buffer_;
  bool is_committed_ = false;
};

/// A folder of files that appears complete or not at all, by the same means; links are followed too.
/// The final path must not exist, or be an empty folder; Error says so from the start.
class AtomicFolder {
 public:
  explicit AtomicFolder(const std::string& path);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  /// Where to write meanwhile; files in it need no care of their own. Plain files only, no folders.
  const std::string& temporary() const { return unfinished_.path; }
  /// Writes one file into it, synced.
  void write_file(const std::string& name, std::string_view bytes);
  void commit();

 private:
  std::string path_;  // as the user gave it
  std::string target_;
  Unfinished unfinished_;
};

/// Removes what AtomicFile and AtomicFolder have not committed. For signal handlers: it only makes
/// async-signal-safe calls (a folder that was being filled loses its files first).
void remove_unfinished_files();

/// The last component of a path, without trailing slashes: `data/MUTAG/` gives `MUTAG`.
std::string file_name(const std::string& path);

}  // namespace twofold
