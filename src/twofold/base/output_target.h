#pragma once

#include <string>

namespace twofold {

/// What an output path leads to, links followed.
struct OutputTarget {
  enum class Kind {
    kFile,        // a regular file or folder, or nothing yet: what is written may replace it
    kThrough,     // a pipe, a device or another process's descriptor: it is opened and written, never replaced
    kDescriptor,  // an open descriptor of this process: /dev/stdout, /dev/fd/63
  };
  Kind kind = Kind::kFile;
  std::string path;     // the last link's target; it need not exist for kFile
  int descriptor = -1;  // for kDescriptor
};

/// Follows `path` to where its bytes belong. Throws Error naming `path` and the reason if it leads nowhere
/// (too many links, an unreachable folder, a socket, a closed descriptor) or to what may not be written.
OutputTarget find_output_target(const std::string& path);

/// True for what is not a file of its own: nothing can lie beside it, and it cannot be read again.
/// False where find_output_target throws: whoever writes finds out.
bool is_written_through(const std::string& path);

/// True if both name one file or folder, through links too; for two that do not exist, one place.
/// Standard input is `-`, and is what it was redirected from. Pipes and devices are never the same file:
/// reading and writing one overwrites nothing.
bool is_same_file(const std::string& a, const std::string& b);

/// True if `path` lies in `folder`, at any depth, links followed; false if it is the folder itself.
/// The path itself need not exist.
bool lies_in_folder(const std::string& path, const std::string& folder);

}  // namespace twofold
