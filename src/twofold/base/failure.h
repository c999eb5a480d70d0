#pragma once

#include <string>

#include "twofold/base/error.h"

namespace twofold {

// Errors (error.h) that callers may want to tell from the others.

/// A file or folder that cannot be read or written, and why: `cannot open x.g6: No such file or directory`.
class FileError : public Error {
 public:
  /// `what` is a verb, `code` is errno's.
  FileError(const std::string& what, const std::string& the_path, int the_code)
      : Error(fmt::format("cannot {} {}: {}", what, the_path, system_error_text(the_code))),
        path(the_path),
        code(the_code) {}
  std::string path;
  int code;
};

/// Work that needs more memory than the limit, known before it starts.
class MemoryError : public Error {
 public:
  using Error::Error;
};

}  // namespace twofold
