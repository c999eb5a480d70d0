#include "tests/support/pair_net_oracle.h"

#include <algorithm>
#include <cmath>

#include "tests/support/pair_oracle.h"
#include "twofold/compute/activation.h"

namespace twofold::testing {
namespace {

using Rows = std::vector<std::vector<double>>;

Rows run_stack(const compute::PairStackShape& shape, const std::vector<double>& parameters, const Rows& input,
               const PlainPairs& pairs) {
  Rows x = input;
  for (std::size_t k = 0; k < shape.layers.size(); ++k) {
    const auto& layer = shape.layers[k];
    const std::size_t d = layer.width;
    const PlainActivation outer = plain_activation(to_string(layer.activation));
    const PlainActivation inner = plain_activation(to_string(layer.inner_activation));
    if (k > 0 && shape.jumping_knowledge)
      for (std::size_t f = 0; f < x.size(); ++f) x[f].insert(x[f].end(), input[f].begin(), input[f].end());
    const auto times = [&](std::size_t f, std::size_t column) {
      double sum = 0;
      for (std::size_t i = 0; i < x[f].size(); ++i)
        sum += x[f][i] * parameters[layer.weight + i * 3 * d + column];
      return sum;
    };
    const auto bias = [&](std::size_t at, std::size_t c) {
      return at == compute::PairStackShape::kNone ? 0 : parameters[at + c];
    };
    Rows y(x.size(), std::vector<double>(d));
    for (std::size_t f = 0; f < x.size(); ++f)
      for (std::size_t c = 0; c < d; ++c) {
        double sum = 0;
        for (const auto& [a, b] : pairs.triples[f])
          sum += inner.value(times(a, 2 * d + c) + times(b, 2 * d + c) + bias(layer.inner_bias, c));
        y[f][c] = outer.value(times(f, c) + bias(layer.bias, c) + times(f, d + c) * sum);
      }
    x = y;
  }
  return x;
}

std::vector<double> pool(const compute::PairNetShape& shape, const std::vector<double>& parameters,
                         const Rows& y, const Rows& scores) {
  const std::size_t w = shape.stack.layers.back().width;
  std::vector<double> out(w, 0);
  for (std::size_t c = 0; c < w && !y.empty(); ++c) {
    double sum = 0, total = 0, most = y[0][c], least = y[0][c];
    for (std::size_t f = 0; f < y.size(); ++f) {
      double weight = 1;
      if (shape.pooling == compute::Pooling::kWeightedMean) {
        double score = 0;
        if (scores.empty())
          for (std::size_t i = 0; i < w; ++i) score += y[f][i] * parameters[shape.score_weight + i];
        else
          score = scores[f][c];
        weight = std::exp(score);
      }
      sum += weight * y[f][c];
      total += weight;
      most = std::max(most, y[f][c]);
      least = std::min(least, y[f][c]);
    }
    switch (shape.pooling) {
      case compute::Pooling::kMean:
      case compute::Pooling::kWeightedMean:
        out[c] = sum / total;
        break;
      case compute::Pooling::kSum:
        out[c] = sum;
        break;
      case compute::Pooling::kMax:
        out[c] = most;
        break;
      case compute::Pooling::kMin:
        out[c] = least;
        break;
    }
  }
  return out;
}

}  // namespace

std::vector<double> plain_net(const compute::PairNetShape& shape, const std::vector<double>& parameters,
                              const PlainGraph& graph, pairs::Radius radius) {
  const PlainPairs pairs = plain_pairs(graph.graph, radius);
  Rows input;
  for (std::size_t f = 0; f < pairs.rows.size(); ++f)
    input.emplace_back(graph.features.begin() + static_cast<std::ptrdiff_t>(f * shape.stack.in),
                       graph.features.begin() + static_cast<std::ptrdiff_t>((f + 1) * shape.stack.in));
  Rows y = run_stack(shape.stack, parameters, input, pairs);
  Rows scores;
  if (!shape.attention.layers.empty()) scores = run_stack(shape.attention, parameters, input, pairs);
  if (shape.loops_only) {
    y.resize(graph.graph.num_nodes());
    if (!scores.empty()) scores.resize(graph.graph.num_nodes());
  }
  std::vector<double> vector = pool(shape, parameters, y, scores);
  if (shape.hidden == 0) {
    if (shape.pools_chances)
      for (double& p : vector) {
        p = std::min(std::max(p, 1e-7), 1 - 1e-7);
        p = std::log(p) - std::log(1 - p);
      }
    return vector;
  }
  const PlainActivation hidden = plain_activation(to_string(shape.hidden_activation));
  std::vector<double> h(shape.hidden);
  for (std::size_t j = 0; j < shape.hidden; ++j) {
    double sum = parameters[shape.hidden_bias + j];
    for (std::size_t i = 0; i < vector.size(); ++i)
      sum += vector[i] * parameters[shape.hidden_weight + i * shape.hidden + j];
    h[j] = hidden.value(sum);
  }
  std::vector<double> out(shape.num_outputs);
  for (std::size_t o = 0; o < shape.num_outputs; ++o) {
    out[o] = parameters[shape.output_bias + o];
    for (std::size_t j = 0; j < shape.hidden; ++j)
      out[o] += h[j] * parameters[shape.output_weight + j * shape.num_outputs + o];
  }
  return out;
}

double plain_net_loss(const compute::PairNetShape& shape, const std::vector<double>& parameters,
                      const std::vector<PlainGraph>& graphs, pairs::Radius radius) {
  double sum = 0;
  for (const PlainGraph& graph : graphs) {
    const std::vector<double> out = plain_net(shape, parameters, graph, radius);
    double loss = 0;
    switch (shape.loss) {
      case compute::Loss::kBinary:
        loss = -std::log(1 / (1 + std::exp(graph.cls == 1 ? -out[0] : out[0])));
        break;
      case compute::Loss::kCross: {
        double total = 0;
        for (const double x : out) total += std::exp(x);
        loss = -std::log(std::exp(out[graph.cls]) / total);
        break;
      }
      case compute::Loss::kSquared:
      case compute::Loss::kAbsolute:
        for (std::size_t o = 0; o < out.size(); ++o) {
          const double x = out[o] - graph.target[o];
          loss +=
              (shape.loss == compute::Loss::kSquared ? x * x : std::fabs(x)) / static_cast<double>(out.size());
        }
        break;
    }
    sum += graph.weight * loss;
  }
  return sum;
}

}  // namespace twofold::testing
