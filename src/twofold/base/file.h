#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace twofold {

/// The whole content of a file. `-` is standard input. Throws Error naming the path and the reason;
/// a folder, or a file that cannot be opened, included.
std::string read_file(const std::string& path);

/// A file that appears under its name complete or not at all: written beside it, synced, renamed.
///
/// Until commit() the old file, if any, stays as it was; without commit() nothing is left behind, nor after
/// remove_unfinished_files(). Parents are not created. Throws Error naming the path and the reason.
class AtomicFile {
 public:
  /// Opens the file beside `path`: an unwritable place is found before the long work starts.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void commit();

 private:
  void flush();

  std::string path_;
  std::string temporary_;
  std::string buffer_;
  int slot_ = -1;
  int descriptor_ = -1;
};

/// A folder of files that appears complete or not at all, by the same means.
/// The final path must not exist, or be an empty folder; Error says so from the start.
class AtomicFolder {
 public:
  explicit AtomicFolder(const std::string& path);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  /// Where to write meanwhile; files in it need no care of their own. Plain files only, no folders.
  const std::string& temporary() const { return temporary_; }
  /// Writes one file into it, synced.
  void write_file(const std::string& name, std::string_view bytes);
  void commit();

 private:
  std::string path_;
  std::string temporary_;
  int slot_ = -1;
};

/// Removes what AtomicFile and AtomicFolder have not committed. For signal handlers: it only makes
/// async-signal-safe calls (a folder that was being filled loses its files first).
void remove_unfinished_files();

/// The last component of a path, without trailing slashes: `data/MUTAG/` gives `MUTAG`.
std::string file_name(const std::string& path);

}  // namespace twofold
