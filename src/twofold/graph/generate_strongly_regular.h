#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "twofold/graph/dataset.h"
#include "twofold/graph/graph.h"

namespace twofold::graph {

// Strongly regular graphs (v, k, λ, μ): v nodes of degree k; adjacent ones have λ common neighbors, others μ.
// 2-FWL tells no two connected ones of the same parameters apart. Sources: Brouwer and Van Maldeghem, "Strongly
// Regular Graphs", 2022.

/// The rook's graph K_q □ K_q, also called the lattice graph L2(q): squares of a board in one row or column.
/// (q², 2(q-1), q-2, 2); node i · q + j is the square (i, j). Throws UsageError for q < 2.
Graph rook_graph(std::size_t q);

/// (16, 6, 2, 2), as rook_graph(4), but not isomorphic to it.
Graph shrikhande_graph();

/// The elements of the field of q elements, adjacent iff their difference is a square.
/// (q, (q-1)/2, (q-5)/4, (q-1)/4). Throws UsageError unless q is a prime power, q mod 4 = 1 and q <= 65535.
/// O(q²).
Graph paley_graph(std::size_t q);

/// T(n), the line graph of K_n: pairs out of n, adjacent iff they share one. (n(n-1)/2, 2(n-2), n-2, 4).
/// Pairs are numbered {0,1}, {0,2}, …, {1,2}, …. Throws UsageError for n < 4.
Graph triangular_graph(std::size_t n);

/// Chang's graph 1, 2 or 3: (28, 12, 6, 4), as triangular_graph(8), no two of the four isomorphic. Each is T(8)
/// with adjacency exchanged between a set and the rest (Seidel switching); the set is the edges of K_8 in four
/// disjoint edges, in an 8-cycle, or in a triangle and a 5-cycle. Throws UsageError for another number.
Graph chang_graph(int which);

/// The cells of a Latin square of order q, adjacent iff they share row, column or symbol: (q², 3(q-1), q, 6).
/// square[i * q + j] is the symbol of cell (i, j). Throws UsageError for q < 3 or if a symbol is missing or
/// repeated in a row or column.
Graph latin_square_graph(std::size_t q, const std::vector<std::size_t>& square);

/// The addition table of the integers mod q.
std::vector<std::size_t> cyclic_latin_square(std::size_t q);
/// i xor j: the table of the group Z2 × … × Z2. Throws UsageError unless q is a power of 2.
std::vector<std::size_t> boolean_latin_square(std::size_t q);

enum class StronglyRegularKind {
  kRook,
  kShrikhande,  // rook_graph(4), then Shrikhande's
  kPaley,
  kTriangular,
  kChang,        // triangular_graph(8), then the three Chang graphs
  kLatinSquare,  // of the cyclic square and, if the order is a power of 2, of the boolean one
};

struct StronglyRegularOptions {
  StronglyRegularKind kind = StronglyRegularKind::kShrikhande;
  // q or n of the graphs above; by default 4 (rook, Latin square), 13 (Paley), 8 (triangular). Must not be
  // given for kShrikhande and kChang.
  std::optional<std::size_t> order;
  std::size_t copies = 1;  // of each graph, all but the first randomly renamed
};

/// Strongly regular graphs, all of the same parameters. Where there is more than one, the classes 0, 1, … tell
/// which it is. Throws UsageError as the graphs above do, and for copies = 0.
Dataset generate_strongly_regular(const StronglyRegularOptions& options = {}, std::uint64_t seed = 1);

}  // namespace twofold::graph
