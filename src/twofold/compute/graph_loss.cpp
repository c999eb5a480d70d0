#include "twofold/compute/graph_loss.h"

#include <algorithm>
#include <cmath>

namespace twofold::compute {
namespace {

// -log of the chance of `yes` (1 or 0), whose logit is x; log(1 + exp(±x)) without overflow; no number where x
// is infinite, however right.
double logistic_loss(double x, double yes) {
  return std::max(x, 0.0) - x * yes + std::log1p(std::exp(-std::fabs(x)));
}

double logistic(double x) {
  const double e = std::exp(-std::fabs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

// Of one graph; `d` is null or receives the gradient.
template <typename T>
double loss_of(Loss loss, std::size_t n, const T* output, std::uint32_t cls, const T* target, double weight,
               T* d) {
  double sum = 0;
  switch (loss) {
    case Loss::kCrossEntropy: {
      if (n == 1) {
        const double x = static_cast<double>(output[0]);
        if (d != nullptr) d[0] = static_cast<T>(weight * (logistic(x) - cls));
        return logistic_loss(x, cls);
      }
      const double most = static_cast<double>(*std::max_element(output, output + n));
      for (std::size_t c = 0; c < n; ++c) sum += std::exp(static_cast<double>(output[c]) - most);
      if (d != nullptr)
        for (std::size_t c = 0; c < n; ++c)
          d[c] = static_cast<T>(weight * (std::exp(static_cast<double>(output[c]) - most) / sum - (c == cls)));
      return std::log(sum) + most - static_cast<double>(output[cls]);
    }
    case Loss::kSquared:
    case Loss::kAbsolute:
    case Loss::kLogistic: {
      double known = 0;
      for (std::size_t c = 0; c < n; ++c) known += !std::isnan(target[c]);
      for (std::size_t c = 0; c < n; ++c) {
        if (std::isnan(target[c])) {
          if (d != nullptr) d[c] = 0;
          continue;
        }
        if (loss == Loss::kLogistic) {
          const double z = static_cast<double>(output[c]), yes = static_cast<double>(target[c]);
          sum += logistic_loss(z, yes);
          if (d != nullptr) d[c] = static_cast<T>(weight * (logistic(z) - yes) / known);
          continue;
        }
        const double x = static_cast<double>(output[c]) - static_cast<double>(target[c]);
        sum += loss == Loss::kSquared ? x * x : std::fabs(x);
        const double slope = loss == Loss::kSquared ? 2 * x : (x > 0) - (x < 0);
        if (d != nullptr) d[c] = static_cast<T>(weight * slope / known);
      }
      return known > 0 ? sum / known : 0;
    }
  }
  return 0;
}

}  // namespace

template <typename T>
double graph_loss(Loss loss, std::size_t count, std::size_t num_outputs, const T* outputs,
                  const Targets<T>& targets, T* doutputs) {
  double sum = 0;
  for (std::size_t g = 0; g < count; ++g) {
    const double weight = static_cast<double>(targets.weights[g]);
    sum += weight * loss_of(loss, num_outputs, outputs + g * num_outputs,
                            targets.classes == nullptr ? 0 : targets.classes[g],
                            targets.values == nullptr ? nullptr : targets.values + g * num_outputs, weight,
                            doutputs == nullptr ? nullptr : doutputs + g * num_outputs);
  }
  return sum;
}

template double graph_loss(Loss, std::size_t, std::size_t, const float*, const Targets<float>&, float*);
template double graph_loss(Loss, std::size_t, std::size_t, const double*, const Targets<double>&, double*);

}  // namespace twofold::compute
