#include "tests/support/plain_fwl_oracle.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

namespace twofold::testing {
namespace {

using Signature = std::vector<std::uint64_t>;
using Numbers = std::map<Signature, std::uint32_t>;

struct Side {
  const Graph* graph;
  std::vector<std::uint32_t> colors;
};

std::vector<std::size_t> tuple_of(std::size_t i, std::size_t n, int k) {
  std::vector<std::size_t> tuple(static_cast<std::size_t>(k));
  for (int j = k - 1; j >= 0; --j, i /= n) tuple[static_cast<std::size_t>(j)] = i % n;
  return tuple;
}

void start(Side& side, int k, Numbers& numbers) {
  const Graph& g = *side.graph;
  const std::size_t n = g.num_nodes();
  std::size_t size = 1;
  for (int j = 0; j < k; ++j) size *= n;
  side.colors.resize(size);
  Signature s;
  for (std::size_t i = 0; i < size; ++i) {
    const auto tuple = tuple_of(i, n, k);
    s.clear();
    for (const std::size_t u : tuple)
      for (const std::size_t v : tuple)
        s.push_back(u == v ? 2 : g.has_edge(static_cast<Node>(u), static_cast<Node>(v)));
    side.colors[i] = numbers.emplace(s, static_cast<std::uint32_t>(numbers.size())).first->second;
  }
}

void step(Side& side, int k, int bits, Numbers& numbers) {
  const std::size_t n = side.graph->num_nodes();
  std::vector<std::uint32_t> next(side.colors.size());
  Signature s(n + 1);
  for (std::size_t i = 0; i < side.colors.size(); ++i) {
    std::fill(s.begin(), s.end(), 0);
    s[0] = side.colors[i];
    std::size_t place = 1;
    for (int j = 0; j < k; ++j, place *= n) {
      const std::size_t base = i - i / place % n * place;
      for (std::size_t w = 0; w < n; ++w) s[w + 1] = (s[w + 1] << bits) | side.colors[base + w * place];
    }
    std::sort(s.begin() + 1, s.end());
    next[i] = numbers.emplace(s, static_cast<std::uint32_t>(numbers.size())).first->second;
  }
  side.colors = next;
}

std::vector<std::uint32_t> histogram(const Side& side, std::size_t num_colors) {
  std::vector<std::uint32_t> counts(num_colors);
  for (const std::uint32_t c : side.colors) ++counts[c];
  return counts;
}

}  // namespace

bool plain_fwl_distinguishes(int k, const Graph& a, const Graph& b, std::uint64_t* items) {
  if (a.num_nodes() != b.num_nodes()) return true;
  Side sides[] = {{&a, {}}, {&b, {}}};
  Numbers numbers;
  for (Side& side : sides) start(side, k, numbers);
  for (;;) {
    const std::size_t num_colors = numbers.size();
    if (histogram(sides[0], num_colors) != histogram(sides[1], num_colors)) return true;
    int bits = 1;
    while ((std::size_t{1} << bits) < num_colors) ++bits;
    if (k * bits > 64) throw std::runtime_error("plain_fwl_distinguishes: too many colors");
    numbers.clear();
    for (Side& side : sides) {
      step(side, k, bits, numbers);
      if (items != nullptr) *items += side.colors.size() * a.num_nodes();
    }
    if (numbers.size() == num_colors) return false;
  }
}

}  // namespace twofold::testing
