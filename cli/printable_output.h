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
class PrintableOutput : public std::streambuf {
 public:
  explicit PrintableOutput(std::ostream& stream);
  ~PrintableOutput() override;
  PrintableOutput(const PrintableOutput&) = delete;
  PrintableOutput& operator=(const PrintableOutput&) = delete;

 private:
  int_type overflow(int_type c) override;
  std::streamsize xsputn(const char* bytes, std::streamsize count) override;
  int sync() override;

  bool put(std::string_view bytes);
  void draw(std::string_view sequence);
  friend std::ostream& draw(std::ostream& stream, std::string_view sequence);

  std::ostream& stream_;
  std::streambuf* inner_;
  std::string begun_;  // the first bytes of a letter, at most 3
};

/// Progress is drawn with these, as `err << line_start << text << line_rest_cleared`: they alone pass a
/// PrintableOutput, so that a name which holds the same sequences cannot hide a line.
std::ostream& line_start(std::ostream& stream);
std::ostream& line_rest_cleared(std::ostream& stream);

}  // namespace twofold::cli
