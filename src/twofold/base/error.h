#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace twofold {

/// Something outside failed: a file cannot be written, memory does not suffice (exit 1).
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The data is wrong (exit 1). The message says where, what was needed and what was found:
/// `MUTAG_A.txt:17: needed a node in 1..3371, found 3372`.
class InputError : public Error {
 public:
  using Error::Error;
};

/// The command line or the configuration is wrong (exit 2).
class UsageError : public Error {
 public:
  using Error::Error;
};

/// One of our own promises was broken: a bug in twofold, or a caller that ignored a stated need.
class CheckError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// `source` is a file name as the user knows it, `line` counts from 1; 0 stands for the file as a whole.
[[noreturn]] void throw_input_error(const std::string& source, std::size_t line, const std::string& needed,
                                    const std::string& found);

[[noreturn]] void throw_check_error(const char* condition, const char* file, int line,
                                    const std::string& message);

/// The text of errno `code`, as in `No such file or directory`.
std::string system_error_text(int code);

/// `text` between quotes for a message: cut after 40 characters, control characters and bytes
/// outside ASCII as \xNN, so that hostile input cannot write on the reader's terminal.
std::string in_quotes(const std::string& text);

}  // namespace twofold

/// TWOFOLD_CHECK(condition[, format, values…]): always on; format and values are fmt's.
#define TWOFOLD_CHECK(...) TWOFOLD_CHECK_OR_SAY(__VA_ARGS__, "")
// Behind the caller's values always stands one more, an empty text, that no format asks for: it is the format
// itself where the caller gave none.
#define TWOFOLD_CHECK_OR_SAY(condition, ...)                                                    \
  do {                                                                                          \
    if (!(condition))                                                                           \
      ::twofold::throw_check_error(#condition, __FILE__, __LINE__, ::fmt::format(__VA_ARGS__)); \
  } while (false)

/// As TWOFOLD_CHECK, but free in builds with NDEBUG.
#ifdef NDEBUG
#define TWOFOLD_ASSERT(...) static_cast<void>(0)
#else
#define TWOFOLD_ASSERT(...) TWOFOLD_CHECK(__VA_ARGS__)
#endif
