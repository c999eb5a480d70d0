#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/wl/symmetry.h"
#include "twofold/wl/wl_test.h"

namespace twofold::wl {

using Color = std::uint32_t;

/// What a test colors in one graph: nodes, tuples, or rows, with their initial colors and neighborhoods.
///
/// Hashes and exact comparisons stand side by side: start_values() and neighborhood_sums() are equal for
/// objects with equal colors, also across graphs; same_start() and signature() decide. Reading is safe from
/// several threads; set_marks and neighborhood_sums belong to one thread at a time.
class Objects {
 public:
  virtual ~Objects() = default;

  /// Their number. Tuple (v1, …, vk) is object number ((v1 n + v2) n + …) + vk; rows come in the order of
  /// list_rows.
  std::size_t size() const { return size_; }
  const Graph& graph() const { return graph_; }

  /// Gives nodes[m] the mark m + 1, all others none.
  void set_marks(Span<const Node> nodes);

  /// One hash an object: of its initial color.
  virtual void start_values(Span<std::uint64_t> values) const = 0;
  /// Whether two initial colors are the same, exactly. `other` must be of the same test.
  virtual bool same_start(std::size_t i, const Objects& other, std::size_t j) const = 0;

  /// One hash per object: of the multiset around it, given one value per object. Uses up to `threads` threads.
  virtual void neighborhood_sums(Span<const std::uint64_t> values, Span<std::uint64_t> sums, int threads) = 0;

  /// How many 64-bit words an item of a signature takes if colors have `color_bits` bits.
  virtual std::size_t item_words(int color_bits) const = 0;
  /// The multiset around object i, exactly: its items in no particular order, item_words words each.
  virtual void signature(std::size_t i, Span<const Color> colors, int color_bits,
                         std::vector<std::uint64_t>& items) const = 0;

  /// Tuples can be permuted, and everything a test sees follows: num_swaps permutations generate them all.
  /// Objects that are not tuples have none.
  virtual std::size_t num_swaps() const { return 0; }
  virtual std::size_t swapped(std::size_t i, std::size_t) const { return i; }
  /// Whether i comes first among its permutations. True for exactly one of them.
  virtual bool is_first(std::size_t) const { return true; }
  /// As signature, for colors that permutations respect: each item is changed by one and the same bijection, to
  /// what is faster to read.
  virtual void symmetric_signature(std::size_t i, Span<const Color> colors, int color_bits,
                                   std::vector<std::uint64_t>& items) const {
    signature(i, colors, color_bits, items);
  }

  /// How many objects of the graph number i stands for; 1 where all are listed.
  virtual std::uint64_t weight(std::size_t) const { return 1; }
  /// Whether some weight is not 1.
  virtual bool is_weighted() const { return false; }

  /// The object that stands for a node: itself, (v, …, v), or its loop.
  virtual std::size_t object_of_node(Node v) const = 0;

 protected:
  Objects(const Graph& graph, const WlTest& test);
  friend bool is_isomorphism(const Objects& a, const Objects& b, Span<const Node> image);
  // A hash of all that distinguishes node v from the start: label, self-loop and its label, mark.
  std::uint64_t node_hash(Node v) const;
  bool same_node(Node v, const Objects& other, Node w) const;
  // edge_code of the edge to the i-th neighbor of v, and the direction it has seen from v. 1 or at least 2^32.
  std::uint64_t code_at(Node v, std::size_t i) const {
    const std::uint64_t code = has_edge_labels_ ? edge_code(graph_.incident_edges(v)[i]) : 1;
    return code | static_cast<std::uint64_t>(graph_.direction(v, i)) << 33;
  }
  // What an edge carries from the start: whether it has a label, and which. Never 0.
  std::uint64_t edge_code(std::size_t edge) const {
    if (!has_edge_labels_) return 1;
    return (std::uint64_t{1} << 32) | static_cast<std::uint32_t>(graph_.edge_labels()[edge]);
  }

  const Graph& graph_;
  std::size_t size_ = 0;
  bool has_edge_labels_;

 private:
  struct NodeStart {
    std::uint64_t labels;  // node label and self-loop label, 0 where there is none
    std::uint64_t flags;   // which of them there are, and whether there is a self-loop
    std::uint64_t mark;
  };
  std::vector<NodeStart> node_start_;
};

/// The objects of `test` in `graph`, which must outlive them. Takes the memory that objects_memory says.
std::unique_ptr<Objects> make_objects(const Graph& graph, const WlTest& test);

/// Bytes that refining `graph` needs at most, buffers of the refinement included; saturates at 2^63.
/// Rows of a limited radius are counted, not guessed, until they need more than `limit`: O(t) time for them.
std::uint64_t objects_memory(const Graph& graph, const WlTest& test, std::uint64_t limit = ~std::uint64_t{0});

/// How many objects there are; saturates at 2^63.
std::uint64_t count_objects(const Graph& graph, const WlTest& test);

/// The rows {i,j}, i <= j, of G^radius, ascending; of a directed graph the ordered pairs (i,j) and (j,i) of
/// each.
std::vector<Edge> list_rows(const Graph& graph, graph::PowerRadius radius);

// The kinds, each in a file of its own.
std::unique_ptr<Objects> make_vertex_objects(const Graph& graph, const WlTest& test);
std::unique_ptr<Objects> make_tuple_objects(const Graph& graph, const WlTest& test);
std::unique_ptr<Objects> make_row_objects(const Graph& graph, const WlTest& test);
std::unique_ptr<Objects> make_edge_objects(const Graph& graph, const WlTest& test);
/// The rows of a directed graph: ordered pairs within the radius of the graph without directions.
std::unique_ptr<Objects> make_ordered_rows(const Graph& graph, const WlTest& test);

/// Throws InputError for directed graphs together with undirected ones (their rows cannot be compared), and for
/// directed ones if `test` is 2-gnn, which has no way to see a direction.
void check_directions(Span<const Graph> graphs, const WlTest& test);

/// k-tuples, k >= 3, of which only those are listed whose first node is the first of its orbit; they weigh as
/// much as the orbit has nodes. Values, sums and signatures are those of make_tuple_objects, so runs show the
/// same pictures. Needs symmetry = find_symmetry(graph, test.edge_labels) and no marks. Memory is at most that
/// of all tuples.
std::unique_ptr<Objects> make_orbit_tuples(const Graph& graph, const WlTest& test, const Symmetry& symmetry);

/// Whether node v of a's graph is image[v] in b's: nodes with their initial colors, and edges with their
/// labels. Needs a permutation and equally many edges. O(n + m log m).
bool is_isomorphism(const Objects& a, const Objects& b, Span<const Node> image);

/// Bits that hold the colors 0…num_colors-1, at least 1.
int bits_for(std::size_t num_colors);

}  // namespace twofold::wl
