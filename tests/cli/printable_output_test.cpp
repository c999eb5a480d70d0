#include "cli/printable_output.h"

#include <gtest/gtest.h>

#include <sstream>

namespace twofold::cli {
namespace {

TEST(PrintableOutput, EscapesWhatIsWrittenWhileItLives) {
  std::ostringstream out;
  {
    const PrintableOutput safe(out);
    out << "red \x1b[31m\n" << 'a' << '\r' << 42 << std::flush;
  }
  out << "\x1b after";
  EXPECT_EQ(out.str(), "red \\u001b[31m\na\\u000d42\x1b after");
}

TEST(PrintableOutput, KeepsLettersThatComeInParts) {
  std::ostringstream out;
  {
    const PrintableOutput safe(out);
    for (const char c : std::string("é日🙂")) out << c;
    out << "\xc3";
  }
  EXPECT_EQ(out.str(), "é日🙂\\xc3");
}

TEST(PrintableOutput, LetsProgressBeDrawnOverItself) {
  std::ostringstream err;
  {
    const PrintableOutput safe(err);
    err << line_start << "50%" << line_rest_cleared << std::flush;
  }
  EXPECT_EQ(err.str(), "\r50%\x1b[K");
  err << line_start << line_rest_cleared;
  EXPECT_EQ(err.str(), "\r50%\x1b[K\r\x1b[K") << "without one the sequences are the same";
}

TEST(PrintableOutput, ANameCannotHideALineOfTheTerminal) {
  std::ostringstream err;
  {
    const PrintableOutput safe(err);
    err << "cannot read evil\r\x1b[Kall is well\n" << std::flush;
  }
  EXPECT_EQ(err.str(), "cannot read evil\\u000d\\u001b[Kall is well\n");
}

TEST(PrintableOutput, KeepsThatWritingFailed) {
  std::ostringstream out;
  {
    const PrintableOutput safe(out);
    out.setstate(std::ios::badbit);
  }
  EXPECT_TRUE(out.bad());
}

}  // namespace
}  // namespace twofold::cli
