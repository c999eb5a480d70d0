#include "twofold/train/even_start.h"

#include <cmath>
#include <cstddef>

#include "twofold/base/error.h"

namespace twofold::train {
namespace {

// A channel whose deviation is smaller, relative to its mean, is left as it is.
constexpr double kLeastDeviation = 1e-4;

struct Moments {
  double mean = 0;
  double deviation = 0;
};

// Of one channel; row r counts counts[r] times.
Moments moments_of(const std::vector<double>& values, const std::vector<double>& counts, std::size_t width,
                   std::size_t channel) {
  double sum = 0, total = 0;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    sum += counts[row] * values[row * width + channel];
    total += counts[row];
  }
  Moments found;
  if (total == 0) return found;
  found.mean = sum / total;
  double squares = 0;
  for (std::size_t row = 0; row < counts.size(); ++row) {
    const double apart = values[row * width + channel] - found.mean;
    squares += counts[row] * apart * apart;
  }
  found.deviation = std::sqrt(squares / total);
  return found;
}

bool varies(const Moments& found) {
  return found.deviation > kLeastDeviation * std::max(1.0, std::abs(found.mean));
}

// Per level and row of it: how many rows of all graphs are of that color.
std::vector<std::vector<double>> count_colors(const levels::ColorLevels& colors) {
  std::vector<std::vector<double>> counts;
  for (const auto& level : colors.levels) counts.emplace_back(level.num_rows(), 0.0);
  for (std::size_t k = 0; k < colors.pool_rows.size(); ++k)
    counts.back()[colors.pool_rows[k]] += static_cast<double>(colors.pool_counts[k]);
  for (std::size_t t = counts.size() - 1; t > 0; --t)
    for (std::size_t row = 0; row < counts[t].size(); ++row)
      counts[t - 1][colors.levels[t].own[row]] += counts[t][row];
  return counts;
}

}  // namespace

void even_start(const EncodedDataset& data, const model::ModelOptions& model,
                const model::ParameterLayout& layout, std::vector<double>& parameters) {
  TWOFOLD_CHECK(model.model == model::ModelKind::k2WlGnn && model.gate == model::Gate::kLinear && model.bias &&
                !model.jumping_knowledge && model.norm == model::Norm::kNone &&
                model.sum_norm == model::Norm::kNone && model.activation == model::Activation::kTanh &&
                model.inner_activation == model::Activation::kLogistic);
  const levels::ColorLevels& colors = data.color_levels(model.layers);
  const std::vector<std::vector<double>> counts = count_colors(colors);
  std::size_t in = data.columns();
  std::vector<double> rows(colors.initial.size() * in);
  levels::write_initial_features(colors.initial, data.graphs(), data.layout().features, {}, rows.data());
  for (int t = 0; t < model.layers; ++t) {
    const auto& level = colors.levels[static_cast<std::size_t>(t) + 1];
    const std::vector<double>& times = counts[static_cast<std::size_t>(t) + 1];
    const model::Parameter& weight = layout.at(fmt::format("conv.{}.weight", t));
    double* const matrix = parameters.data() + weight.offset;
    double* const bias = parameters.data() + layout.at(fmt::format("conv.{}.bias", t)).offset;
    const double* const inner_bias = parameters.data() + layout.at(fmt::format("conv.{}.inner_bias", t)).offset;
    const std::size_t out = weight.columns / 3;
    const auto entry = [&](std::size_t k, std::size_t block, std::size_t c) -> double& {
      return matrix[k * weight.columns + block * out + c];
    };
    // Products of each row of the level before with one of the three blocks.
    const auto products = [&](std::size_t block) {
      std::vector<double> made(rows.size() / in * out, 0);
      for (std::size_t row = 0; row < rows.size() / in; ++row)
        for (std::size_t k = 0; k < in; ++k)
          for (std::size_t c = 0; c < out; ++c) made[row * out + c] += rows[row * in + k] * entry(k, block, c);
      return made;
    };
    const std::vector<double> inner = products(2);
    std::vector<double> sums(level.num_rows() * out, 0);
    for (std::size_t row = 0; row < level.num_rows(); ++row)
      for (std::uint64_t k = level.offsets[row]; k < level.offsets[row + 1]; ++k)
        for (std::size_t c = 0; c < out; ++c)
          sums[row * out + c] +=
              level.multiplicity[k] / (1 + std::exp(-(inner[level.items[k].a * out + c] +
                                                      inner[level.items[k].b * out + c] + inner_bias[c])));
    for (std::size_t c = 0; c < out; ++c) {
      const Moments found = moments_of(sums, times, out, c);
      const double scale = varies(found) ? 1 / found.deviation : 1;
      for (std::size_t k = 0; k < in; ++k) {
        entry(k, 1, c) *= scale;
        entry(k, 0, c) -= entry(k, 1, c) * found.mean;
      }
    }
    const std::vector<double> own = products(0), factors = products(1);
    std::vector<double> next(level.num_rows() * out);
    for (std::size_t row = 0; row < level.num_rows(); ++row)
      for (std::size_t c = 0; c < out; ++c) {
        const std::size_t before = level.own[row] * out + c;
        next[row * out + c] = own[before] + bias[c] + factors[before] * sums[row * out + c];
      }
    for (std::size_t c = 0; c < out; ++c) {
      const Moments found = moments_of(next, times, out, c);
      const double scale = varies(found) ? 1 / found.deviation : 1;
      for (std::size_t k = 0; k < in; ++k) {
        entry(k, 0, c) *= scale;
        entry(k, 1, c) *= scale;
      }
      bias[c] = (bias[c] - found.mean) * scale;
      for (std::size_t at = c; at < next.size(); at += out)
        next[at] = std::tanh((next[at] - found.mean) * scale);
    }
    rows = std::move(next);
    in = out;
  }
}

}  // namespace twofold::train
