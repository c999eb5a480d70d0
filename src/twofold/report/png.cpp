#include "twofold/report/png.h"

#include "twofold/report/filter.h"

namespace twofold::report {

std::string png_of_svg(const std::string& svg) {
  return run_filter(kRsvgConvert, {"--format=png", "--zoom=2", "--background-color=white"}, svg);
}

void require_png() { run_filter(kRsvgConvert, {"--version"}, ""); }

}  // namespace twofold::report
