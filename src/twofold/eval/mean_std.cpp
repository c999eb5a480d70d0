#include "twofold/eval/mean_std.h"

#include <cmath>

namespace twofold::eval {

MeanStd mean_std(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  MeanStd result;
  for (const double value : values) result.mean += value;
  result.mean /= n;
  for (const double value : values) result.std += (value - result.mean) * (value - result.mean);
  result.std = std::sqrt(result.std / n);
  return result;
}

}  // namespace twofold::eval
