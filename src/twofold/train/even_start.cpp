#include "twofold/train/even_start.h"

#include <cmath>
#include <numeric>

#include "twofold/base/error.h"

namespace twofold::train {
namespace {

using pairs::PairSet;

// A channel whose deviation is smaller, relative to its mean, is left as it is.
constexpr double kLeastDeviation = 1e-4;

// Calls see(a, b) with both rows of every triple of a row.
template <typename See>
void for_each_triple(const PairSet& set, std::size_t row, const See& see) {
  if (set.has_stored_triples()) {
    for (std::uint64_t t = set.triple_offsets[row]; t < set.triple_offsets[row + 1]; ++t)
      see(set.triples[t].a, set.triples[t].b);
    return;
  }
  const Node i = set.first[row], j = set.second[row];
  for (std::size_t at = set.balls.offsets[i]; at < set.balls.offsets[i + 1]; ++at) {
    const pairs::Row other = set.find_row(set.balls.nodes[at], j);
    if (other != pairs::kNoRow) see(set.ball_rows[at], other);
  }
}

struct Moments {
  double mean = 0;
  double deviation = 0;
};

Moments moments_of(const std::vector<std::vector<double>>& values, std::size_t width, std::size_t channel) {
  double sum = 0, count = 0;
  for (const auto& of_graph : values)
    for (std::size_t at = channel; at < of_graph.size(); at += width) {
      sum += of_graph[at];
      ++count;
    }
  Moments found;
  if (count == 0) return found;
  found.mean = sum / count;
  double squares = 0;
  for (const auto& of_graph : values)
    for (std::size_t at = channel; at < of_graph.size(); at += width)
      squares += (of_graph[at] - found.mean) * (of_graph[at] - found.mean);
  found.deviation = std::sqrt(squares / count);
  return found;
}

bool varies(const Moments& found) {
  return found.deviation > kLeastDeviation * std::max(1.0, std::abs(found.mean));
}

}  // namespace

void even_start(const EncodedDataset& data, const model::ModelOptions& model,
                const model::ParameterLayout& layout, std::vector<double>& parameters) {
  TWOFOLD_CHECK(model.model == model::ModelKind::k2WlGnn && model.gate == model::Gate::kLinear && model.bias &&
                !model.jumping_knowledge && model.norm == model::Norm::kNone &&
                model.sum_norm == model::Norm::kNone && model.activation == model::Activation::kTanh &&
                model.inner_activation == model::Activation::kLogistic);
  std::vector<std::uint32_t> all(data.num_graphs());
  std::iota(all.begin(), all.end(), 0u);
  const PairSlice slice = data.pair_sets(all);
  std::size_t in = data.columns();
  std::vector<std::vector<double>> rows;
  for (const std::uint32_t g : all) {
    std::vector<float> features(data.num_rows(g) * in);
    data.write_features(g, slice.sets[g], {}, features.data());
    rows.emplace_back(features.begin(), features.end());
  }
  for (int t = 0; t < model.layers; ++t) {
    const model::Parameter& weight = layout.at(fmt::format("conv.{}.weight", t));
    double* const matrix = parameters.data() + weight.offset;
    double* const bias = parameters.data() + layout.at(fmt::format("conv.{}.bias", t)).offset;
    const double* const inner_bias = parameters.data() + layout.at(fmt::format("conv.{}.inner_bias", t)).offset;
    const std::size_t out = weight.columns / 3;
    const auto entry = [&](std::size_t k, std::size_t block, std::size_t c) -> double& {
      return matrix[k * weight.columns + block * out + c];
    };
    // Products of each row with one of the three blocks.
    const auto products = [&](const std::vector<double>& from, std::size_t block) {
      std::vector<double> made(from.size() / in * out, 0);
      for (std::size_t row = 0; row < from.size() / in; ++row)
        for (std::size_t k = 0; k < in; ++k)
          for (std::size_t c = 0; c < out; ++c) made[row * out + c] += from[row * in + k] * entry(k, block, c);
      return made;
    };
    std::vector<std::vector<double>> sums;
    for (const std::uint32_t g : all) {
      const std::vector<double> inner = products(rows[g], 2);
      sums.emplace_back(data.num_rows(g) * out, 0.0);
      for (std::size_t row = 0; row < data.num_rows(g); ++row)
        for_each_triple(*slice.sets[g], row, [&](pairs::Row a, pairs::Row b) {
          for (std::size_t c = 0; c < out; ++c)
            sums.back()[row * out + c] +=
                1 / (1 + std::exp(-(inner[a * out + c] + inner[b * out + c] + inner_bias[c])));
        });
    }
    for (std::size_t c = 0; c < out; ++c) {
      const Moments found = moments_of(sums, out, c);
      const double scale = varies(found) ? 1 / found.deviation : 1;
      for (std::size_t k = 0; k < in; ++k) {
        entry(k, 1, c) *= scale;
        entry(k, 0, c) -= entry(k, 1, c) * found.mean;
      }
    }
    std::vector<std::vector<double>> next;
    for (const std::uint32_t g : all) {
      next.push_back(products(rows[g], 0));
      const std::vector<double> factors = products(rows[g], 1);
      for (std::size_t at = 0; at < next.back().size(); ++at)
        next.back()[at] += bias[at % out] + factors[at] * sums[g][at];
    }
    for (std::size_t c = 0; c < out; ++c) {
      const Moments found = moments_of(next, out, c);
      const double scale = varies(found) ? 1 / found.deviation : 1;
      for (std::size_t k = 0; k < in; ++k) {
        entry(k, 0, c) *= scale;
        entry(k, 1, c) *= scale;
      }
      bias[c] = (bias[c] - found.mean) * scale;
      for (auto& of_graph : next)
        for (std::size_t at = c; at < of_graph.size(); at += out)
          of_graph[at] = std::tanh((of_graph[at] - found.mean) * scale);
    }
    rows = std::move(next);
    in = out;
  }
}

}  // namespace twofold::train
