#include "twofold/graph/generate_strongly_regular.h"

#include <string>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/graph/finite_field.h"
#include "twofold/graph/generate_basic.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::graph {
namespace {

// Nodes 0…n-1, joined where `adjacent` says so.
template <typename Predicate>
Graph from_predicate(std::size_t n, Predicate adjacent) {
  GraphBuilder builder(n);
  for (std::size_t u = 0; u < n; ++u)
    for (std::size_t v = u + 1; v < n; ++v)
      if (adjacent(u, v)) builder.add_edge(static_cast<Node>(u), static_cast<Node>(v));
  return std::move(builder).build();
}

// The n(n-1)/2 pairs out of n in the order of triangular_graph's nodes.
std::vector<Edge> pairs_out_of(std::size_t n) {
  std::vector<Edge> pairs;
  for (Node i = 0; i < n; ++i)
    for (Node j = i + 1; j < n; ++j) pairs.push_back({i, j});
  return pairs;
}

void check_latin(std::size_t q, const std::vector<std::size_t>& square) {
  if (square.size() != q * q)
    throw UsageError(
        fmt::format("a Latin square of order {} needs {} cells, found {}", q, q * q, square.size()));
  for (std::size_t i = 0; i < q; ++i) {
    std::vector<bool> in_row(q);
    std::vector<bool> in_column(q);
    for (std::size_t j = 0; j < q; ++j) {
      const std::size_t by_row = square[i * q + j];
      const std::size_t by_column = square[j * q + i];
      if (by_row >= q || by_column >= q || in_row[by_row] || in_column[by_column])
        throw UsageError(
            fmt::format("a Latin square of order {} needs each of 0..{} once in every row and column, row or "
                        "column {} has not",
                        q, q - 1, i));
      in_row[by_row] = true;
      in_column[by_column] = true;
    }
  }
}

// The edges of K_8 that are switched, as a graph on its 8 points.
Graph chang_switching_set(int which) {
  if (which == 2) return cycle_graph(8);
  if (which == 3) return disjoint_union(std::vector<Graph>{cycle_graph(3), cycle_graph(5)});
  return from_predicate(8, [](std::size_t u, std::size_t v) { return u / 2 == v / 2; });
}

bool is_power_of_two(std::size_t q) { return q > 0 && (q & (q - 1)) == 0; }

}  // namespace

Graph rook_graph(std::size_t q) {
  if (q < 2) throw UsageError(fmt::format("a rook graph needs a board of at least 2 rows, found {}", q));
  return from_predicate(q * q, [q](std::size_t u, std::size_t v) { return u / q == v / q || u % q == v % q; });
}

Graph shrikhande_graph() {
  // Z4 × Z4, adjacent iff the difference is ±(0,1), ±(1,0) or ±(1,1).
  return from_predicate(16, [](std::size_t u, std::size_t v) {
    const std::size_t x = (u / 4 + 4 - v / 4) % 4;
    const std::size_t y = (u % 4 + 4 - v % 4) % 4;
    return (x == 0 && y % 2 == 1) || (y == 0 && x % 2 == 1) || (x == y && x % 2 == 1);
  });
}

Graph paley_graph(std::size_t q) {
  if (q % 4 != 1 || prime_power(q).exponent == 0)
    throw UsageError(fmt::format(
        "a Paley graph needs a prime power that leaves 1 when divided by 4 as its order, found {}", q));
  const FiniteField field(q);
  std::vector<bool> is_square(q);
  for (std::uint32_t x = 1; x < q; ++x) is_square[field.multiply(x, x)] = true;
  // -1 is a square, so the order of the difference does not matter.
  return from_predicate(q, [&](std::size_t u, std::size_t v) {
    return is_square[field.subtract(static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v))];
  });
}

Graph triangular_graph(std::size_t n) {
  if (n < 4) throw UsageError(fmt::format("a triangular graph needs pairs out of at least 4, found {}", n));
  const auto pairs = pairs_out_of(n);
  return from_predicate(pairs.size(), [&](std::size_t a, std::size_t b) {
    return pairs[a].u == pairs[b].u || pairs[a].v == pairs[b].v || pairs[a].u == pairs[b].v ||
           pairs[a].v == pairs[b].u;
  });
}

Graph chang_graph(int which) {
  if (which < 1 || which > 3) throw UsageError(fmt::format("needed Chang's graph 1, 2 or 3, found {}", which));
  const Graph set = chang_switching_set(which);
  const auto pairs = pairs_out_of(8);
  const Graph triangular = triangular_graph(8);
  return from_predicate(pairs.size(), [&](std::size_t a, std::size_t b) {
    const bool adjacent = triangular.has_edge(static_cast<Node>(a), static_cast<Node>(b));
    return adjacent != (set.has_edge(pairs[a].u, pairs[a].v) != set.has_edge(pairs[b].u, pairs[b].v));
  });
}

Graph latin_square_graph(std::size_t q, const std::vector<std::size_t>& square) {
  if (q < 3) throw UsageError(fmt::format("a Latin square graph needs an order of at least 3, found {}", q));
  check_latin(q, square);
  return from_predicate(q * q, [&](std::size_t u, std::size_t v) {
    return u / q == v / q || u % q == v % q || square[u] == square[v];
  });
}

std::vector<std::size_t> cyclic_latin_square(std::size_t q) {
  std::vector<std::size_t> square(q * q);
  for (std::size_t cell = 0; cell < square.size(); ++cell) square[cell] = (cell / q + cell % q) % q;
  return square;
}

std::vector<std::size_t> boolean_latin_square(std::size_t q) {
  if (!is_power_of_two(q))
    throw UsageError(fmt::format("a boolean Latin square needs a power of 2 as its order, found {}", q));
  std::vector<std::size_t> square(q * q);
  for (std::size_t cell = 0; cell < square.size(); ++cell) square[cell] = (cell / q) ^ (cell % q);
  return square;
}

Dataset generate_strongly_regular(const StronglyRegularOptions& options, std::uint64_t seed) {
  const auto order_or = [&](std::size_t usual) { return options.order.value_or(usual); };
  const auto check_no_order = [&] {
    if (options.order)
      throw UsageError(fmt::format("this kind has one size: needed no order, found {}", *options.order));
  };
  std::vector<Graph> graphs;
  switch (options.kind) {
    case StronglyRegularKind::kRook:
      graphs = {rook_graph(order_or(4))};
      break;
    case StronglyRegularKind::kShrikhande:
      check_no_order();
      graphs = {rook_graph(4), shrikhande_graph()};
      break;
    case StronglyRegularKind::kPaley:
      graphs = {paley_graph(order_or(13))};
      break;
    case StronglyRegularKind::kTriangular:
      graphs = {triangular_graph(order_or(8))};
      break;
    case StronglyRegularKind::kChang:
      check_no_order();
      graphs = {triangular_graph(8), chang_graph(1), chang_graph(2), chang_graph(3)};
      break;
    case StronglyRegularKind::kLatinSquare: {
      const std::size_t q = order_or(4);
      graphs = {latin_square_graph(q, cyclic_latin_square(q))};
      if (is_power_of_two(q)) graphs.push_back(latin_square_graph(q, boolean_latin_square(q)));
      break;
    }
  }
  std::vector<std::string> classes;
  for (std::size_t i = 0; graphs.size() > 1 && i < graphs.size(); ++i) classes.push_back(std::to_string(i));
  return renamed_copies("srg", graphs, classes, options.copies, seed);
}

}  // namespace twofold::graph
