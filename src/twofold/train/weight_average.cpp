#include "twofold/train/weight_average.h"

#include <cmath>

#include "twofold/base/error.h"

namespace twofold::train {

void average_step(Span<const float> parameters, const model::ParameterLayout& layout, double decay,
                  std::uint64_t step, std::vector<double>& average) {
  TWOFOLD_CHECK(parameters.size() == layout.size && step > 0);
  if (step == 1) average.assign(layout.size, 0);
  TWOFOLD_CHECK(average.size() == layout.size, "the average has {} values, the network {}", average.size(),
                layout.size);
  // The sum of the weights is (1 - decay^step) / (1 - decay), and the newest has the weight 1; the first step
  // alone counts wholly, without a rounding.
  const double part = step == 1 ? 1 : (1 - decay) / (1 - std::pow(decay, static_cast<double>(step)));
  for (const model::Parameter& p : layout.parameters)
    for (std::size_t i = p.offset; i < p.offset + p.size(); ++i) {
      const auto value = static_cast<double>(parameters[i]);
      average[i] = p.is_trained ? average[i] + part * (value - average[i]) : value;
    }
}

}  // namespace twofold::train
