#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace twofold::cli {

/// While it lives, what is written to a stream passes through printable_lines(): class names, labels and file
/// names come from files that others made, and must not send sequences to the terminal that shows them.
///
/// A letter may come in parts; one that is never completed is shown as its bytes when this ends.
class PrintableOutput : private std::streambuf {
 public:
  /// With `draws_over`, for the terminal that progress is shown on, a return to the line's start and the
  /// sequence that clears its rest pass. A name that holds them can hide a line, and do nothing else.
  explicit PrintableOutput(std::ostream& stream, bool draws_over = false);
  ~PrintableOutput() override;
  PrintableOutput(const PrintableOutput&) = delete;
  PrintableOutput& operator=(const PrintableOutput&) = delete;

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;
  int sync() override;

  bool put(std::string_view bytes);

  std::ostream& stream_;
  std::streambuf* inner_;
  bool draws_over_;
  std::string begun_;  // the first bytes of a letter, at most 3
};

}  // namespace twofold::cli
