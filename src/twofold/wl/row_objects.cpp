// What 2-wl and 2-gnn color: rows {i,j}, loops included.
#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/wl/mix.h"
#include "twofold/wl/objects.h"
#include "twofold/wl/row_numbers.h"
#include "twofold/wl/tuple_sums.h"

namespace twofold::wl {
namespace {

// Work below this many items is not worth a second thread.
constexpr std::size_t kRowItemsWorthThreads = 1 << 20;

// The initial colors: loops carry their node's, edges their label, all other rows are alike.
class Rows : public Objects {
 public:
  void start_values(Span<std::uint64_t> values) const override {
    for (std::size_t i = 0; i < size_; ++i)
      values[i] = rows_[i].u == rows_[i].v ? node_hash(rows_[i].u) : mix(codes_[i] + kNotALoop);
  }
  bool same_start(std::size_t i, const Objects& other_objects, std::size_t j) const override {
    const auto& other = static_cast<const Rows&>(other_objects);
    if (codes_[i] != other.codes_[j]) return false;
    return codes_[i] != kLoop || same_node(rows_[i].u, other, other.rows_[j].u);
  }
  std::size_t object_of_node(Node v) const override { return loops_[v]; }

 protected:
  Rows(const Graph& graph, const WlTest& test, graph::PowerRadius radius) : Objects(graph, test) {
    rows_ = list_rows(graph, radius);
    size_ = rows_.size();
    codes_.assign(size_, kIndirect);
    std::size_t edge = 0;  // edges come in the order of rows
    const auto edges = graph.edges();
    for (std::size_t i = 0; i < size_; ++i) {
      if (rows_[i].u == rows_[i].v) {
        codes_[i] = kLoop;
        loops_.push_back(i);
      } else if (edge < edges.size() && rows_[i] == edges[edge]) {
        codes_[i] = edge_code(edge++);
      }
    }
  }

  std::vector<Edge> rows_;

 private:
  static constexpr std::uint64_t kLoop = 0;
  static constexpr std::uint64_t kIndirect = 2;  // an edge's code is 1 or at least 2^32
  static constexpr std::uint64_t kNotALoop = 0x5851f42d4c957f2du;

  std::vector<std::uint64_t> codes_;  // kLoop, kIndirect, or the edge's code
  std::vector<std::size_t> loops_;    // the row {v,v} of node v
};

std::uint64_t unordered_item(Color a, Color b, int color_bits) {
  return (std::uint64_t{std::max(a, b)} << color_bits) | std::min(a, b);
}

// G^r without some pair: the triples of every row are listed.
class SparseRows : public Rows {
 public:
  SparseRows(const Graph& graph, const WlTest& test) : Rows(graph, test, test.radius) {
    const NumberedBalls power = number_rows(graph, test.radius);
    offsets_.assign(size_ + 1, 0);
    for_triples(power, [&](std::uint32_t row, std::uint32_t, std::uint32_t) { ++offsets_[row + 1]; });
    for (std::size_t i = 0; i < size_; ++i) offsets_[i + 1] += offsets_[i];
    triples_.resize(offsets_[size_]);
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for_triples(power, [&](std::uint32_t row, std::uint32_t a, std::uint32_t b) {
      triples_[next[row]++] = {a, b};
    });
  }

  void neighborhood_sums(Span<const std::uint64_t> values, Span<std::uint64_t> sums, int threads) override {
    if (triples_.size() < kRowItemsWorthThreads) threads = 1;
    constexpr std::size_t kChunk = 1 << 14;
    parallel_for((size_ + kChunk - 1) / kChunk, threads, [&](std::size_t at) {
      for (std::size_t i = at * kChunk; i < std::min(size_, (at + 1) * kChunk); ++i) {
        std::uint64_t sum = 0;
        for (std::size_t t = offsets_[i]; t < offsets_[i + 1]; ++t)
          sum += pair_product(values[triples_[t].a], values[triples_[t].b]);
        sums[i] = sum;
      }
    });
  }

  std::size_t item_words(int) const override { return 1; }
  void signature(std::size_t i, Span<const Color> colors, int color_bits,
                 std::vector<std::uint64_t>& items) const override {
    items.clear();
    for (std::size_t t = offsets_[i]; t < offsets_[i + 1]; ++t)
      items.push_back(unordered_item(colors[triples_[t].a], colors[triples_[t].b], color_bits));
  }

 private:
  struct Triple {
    std::uint32_t a, b;  // the rows {i,l} and {l,j}, in no fixed order
  };

  // visit(row, a, b) for every triple. The end with the larger ball is marked, the other one's ball scanned, so
  // hubs cost no more than their rows.
  template <typename Visit>
  static void for_triples(const NumberedBalls& power, Visit visit) {
    const std::size_t n = power.balls.num_nodes();
    constexpr std::uint32_t kNone = 0xffffffffu;
    std::vector<std::uint32_t> row_to(n, kNone);
    for (Node v = 0; v < n; ++v) {
      const auto ball = power.ball(v);
      const auto rows = power.rows_at(v);
      for (std::size_t i = 0; i < ball.size(); ++i) row_to[ball[i]] = rows[i];
      for (std::size_t i = 0; i < ball.size(); ++i) {
        const auto other = power.ball(ball[i]);
        if (other.size() > ball.size() || (other.size() == ball.size() && ball[i] > v)) continue;
        const auto other_rows = power.rows_at(ball[i]);
        for (std::size_t j = 0; j < other.size(); ++j)
          if (row_to[other[j]] != kNone) visit(rows[i], row_to[other[j]], other_rows[j]);
      }
      for (const Node u : ball) row_to[u] = kNone;
    }
  }

  std::vector<std::size_t> offsets_;  // size() + 1 positions in triples_
  std::vector<Triple> triples_;       // of row i at offsets_[i]…offsets_[i+1]
};

// Every pair is a row: triples are not listed, and the sums are those of 2-tuples with one table for both
// places.
class AllRows : public Rows {
 public:
  AllRows(const Graph& graph, const WlTest& test)
      : Rows(graph, test, graph::PowerRadius::all()), n_(graph.num_nodes()) {}

  void neighborhood_sums(Span<const std::uint64_t> values, Span<std::uint64_t> sums, int threads) override {
    const std::size_t stride = padded_row(n_);
    table_.resize(n_ * stride);
    for (std::size_t i = 0, row = 0; i < n_; ++i)
      for (std::size_t j = i; j < n_; ++j, ++row) table_[i * stride + j] = table_[j * stride + i] = values[row];
    if (size_ * n_ < kRowItemsWorthThreads) threads = 1;
    parallel_for(n_, threads, [&](std::size_t i) {
      const std::uint64_t* others = &table_[i * stride];
      tuple_sums({n_ - i, stride, &table_[i * stride], &others, 1, &sums[row_number(i, i)]});
    });
  }

  std::size_t item_words(int) const override { return 1; }
  void signature(std::size_t row, Span<const Color> colors, int color_bits,
                 std::vector<std::uint64_t>& items) const override {
    const auto [i, j] = rows_[row];
    items.resize(n_);
    // Rows {l,i}: down a column for l < i, then along a row.
    std::size_t at_i = i;
    std::size_t at_j = j;
    for (std::size_t l = 0; l < n_; ++l) {
      items[l] = unordered_item(colors[at_i], colors[at_j], color_bits);
      at_i += l < i ? n_ - 1 - l : 1;
      at_j += l < j ? n_ - 1 - l : 1;
    }
  }

 private:
  // Of {i,j}, i <= j.
  std::size_t row_number(std::size_t i, std::size_t j) const { return i * (2 * n_ + 1 - i) / 2 + (j - i); }

  std::size_t n_;
  std::vector<std::uint64_t> table_;
};

// Loops and edges. Neighbors of {a,b}: both loops and all other edges at a or b; of {a,a}: the edges at a.
class EdgeRows : public Rows {
 public:
  EdgeRows(const Graph& graph, const WlTest& test) : Rows(graph, test, 1), power_(number_rows(graph, 1)) {}

  // The sum at a node serves all its rows, so a hub costs its degree and not the square of it.
  void neighborhood_sums(Span<const std::uint64_t> values, Span<std::uint64_t> sums, int) override {
    at_node_.assign(graph_.num_nodes(), 0);
    for (std::size_t i = 0; i < size_; ++i) {
      const std::uint64_t x = values[i];
      at_node_[rows_[i].u] += x;
      if (rows_[i].u != rows_[i].v) at_node_[rows_[i].v] += x;
    }
    for (std::size_t i = 0; i < size_; ++i) {
      const std::uint64_t x = values[i];
      sums[i] = at_node_[rows_[i].u] - x;
      if (rows_[i].u != rows_[i].v) sums[i] += at_node_[rows_[i].v] - x;
    }
  }

  std::size_t item_words(int) const override { return 1; }
  void signature(std::size_t i, Span<const Color> colors, int,
                 std::vector<std::uint64_t>& items) const override {
    items.clear();
    const auto add = [&](Node v) {
      for (const std::uint32_t row : power_.rows_at(v))
        if (row != i) items.push_back(colors[row]);
    };
    add(rows_[i].u);
    if (rows_[i].u != rows_[i].v) add(rows_[i].v);
  }

 private:
  NumberedBalls power_;
  std::vector<std::uint64_t> at_node_;
};

}  // namespace

std::unique_ptr<Objects> make_row_objects(const Graph& graph, const WlTest& test) {
  if (graph::is_power_complete(graph, test.radius)) return std::make_unique<AllRows>(graph, test);
  return std::make_unique<SparseRows>(graph, test);
}

std::unique_ptr<Objects> make_edge_objects(const Graph& graph, const WlTest& test) {
  return std::make_unique<EdgeRows>(graph, test);
}

}  // namespace twofold::wl
