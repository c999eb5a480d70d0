#pragma once

#include <vector>

namespace twofold::eval {

/// A mean and the population standard deviation; NaN without values.
struct MeanStd {
  double mean = 0;
  double std = 0;
};
MeanStd mean_std(const std::vector<double>& values);

}  // namespace twofold::eval
