#include "tests/support/pair_oracle.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>
#include <string>

namespace twofold::testing {

std::size_t PlainPairs::num_triples() const {
  std::size_t count = 0;
  for (const auto& of_row : triples) count += of_row.size();
  return count;
}

PlainPairs plain_pairs(const Graph& g, pairs::Radius radius) {
  const std::size_t n = g.num_nodes();
  constexpr std::size_t kFar = 1u << 30;
  std::vector<std::vector<std::size_t>> distance(n, std::vector<std::size_t>(n, kFar));
  for (std::size_t v = 0; v < n; ++v) distance[v][v] = 0;
  for (const Edge e : g.edges()) distance[e.u][e.v] = distance[e.v][e.u] = 1;
  for (std::size_t l = 0; l < n; ++l)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        distance[i][j] = std::min(distance[i][j], distance[i][l] + distance[l][j]);
  const auto is_near = [&](std::size_t u, std::size_t v) {
    return radius.is_all() || distance[u][v] <= radius.steps();
  };

  PlainPairs pairs;
  std::map<std::array<Node, 2>, std::size_t> number;
  const auto add = [&](Node i, Node j) {
    number[{i, j}] = number[{j, i}] = pairs.rows.size();
    pairs.rows.push_back({i, j});
  };
  for (Node i = 0; i < n; ++i) add(i, i);
  for (Node i = 0; i < n; ++i)
    for (Node j = i + 1; j < n; ++j)
      if (is_near(i, j)) add(i, j);
  for (const auto& [i, j] : pairs.rows) {
    std::vector<std::array<std::size_t, 2>> of_row;
    const auto meet = [&, i = i, j = j](Node l) { of_row.push_back({number.at({i, l}), number.at({l, j})}); };
    meet(i);
    if (i != j) meet(j);
    for (Node l = 0; l < n; ++l)
      if (l != i && l != j && is_near(i, l) && is_near(l, j)) meet(l);
    pairs.triples.push_back(of_row);
  }
  return pairs;
}

PlainActivation plain_activation(const char* name) {
  const std::string word = name;
  if (word == "identity") return {[](double x) { return x; }, [](double) { return 1.0; }};
  if (word == "relu")
    return {[](double x) { return x > 0 ? x : 0.0; }, [](double x) { return x > 0 ? 1.0 : 0.0; }};
  if (word == "logistic") {
    const auto value = [](double x) { return 1 / (1 + std::exp(-x)); };
    return {value, [value](double x) { return value(x) * value(-x); }};
  }
  if (word == "tanh")
    return {[](double x) { return std::tanh(x); }, [](double x) { return 1 / (std::cosh(x) * std::cosh(x)); }};
  throw std::invalid_argument("no such activation: " + word);
}

std::vector<double> plain_pair_sum(const PlainPairs& pairs, const std::vector<double>& z, std::size_t d,
                                   const PlainActivation& activation) {
  std::vector<double> sums(pairs.rows.size() * d, 0.0);
  for (std::size_t f = 0; f < pairs.rows.size(); ++f)
    for (const auto& [a, b] : pairs.triples[f])
      for (std::size_t c = 0; c < d; ++c) sums[f * d + c] += activation.value(z[a * d + c] + z[b * d + c]);
  return sums;
}

std::vector<double> plain_pair_sum_gradient(const PlainPairs& pairs, const std::vector<double>& z,
                                            const std::vector<double>& g, std::size_t d,
                                            const PlainActivation& activation) {
  std::vector<double> gradient(z.size(), 0.0);
  for (std::size_t f = 0; f < pairs.rows.size(); ++f)
    for (const auto& [a, b] : pairs.triples[f])
      for (std::size_t c = 0; c < d; ++c) {
        const double slope = g[f * d + c] * activation.slope(z[a * d + c] + z[b * d + c]);
        gradient[a * d + c] += slope;
        gradient[b * d + c] += slope;
      }
  return gradient;
}

}  // namespace twofold::testing
