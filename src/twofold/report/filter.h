#pragma once

#include <string>
#include <vector>

#include "twofold/base/error.h"

namespace twofold::report {

/// A program that draws for us. Pages come without it too, and then say what to install.
struct DrawingProgram {
  std::string name;     // on the PATH: `neato`
  std::string product;  // as people know it: `Graphviz`
  std::string package;  // of Debian: `graphviz`
};

extern const DrawingProgram kNeato;
extern const DrawingProgram kGnuplot;
extern const DrawingProgram kRsvgConvert;

/// The program is not installed.
class MissingProgram : public Error {
 public:
  MissingProgram(const DrawingProgram& program, int code);
  const DrawingProgram& program() const { return program_; }

 private:
  DrawingProgram program_;
};

/// What a program prints when given `input` on its standard input. No shell takes part; the locale is C, so
/// that numbers have points. Throws MissingProgram if it cannot be started for want of it, Error if it fails
/// (with what it said last).
std::string run_filter(const DrawingProgram& program, const std::vector<std::string>& arguments,
                       const std::string& input);

}  // namespace twofold::report
