// What 2-wl colors in a directed graph: ordered pairs (i,j), (i,i) included.
#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/graph/power.h"
#include "twofold/wl/mix.h"
#include "twofold/wl/objects.h"

namespace twofold::wl {
namespace {

// A row (i,j) sees the ordered pair of the rows (i,l) and (l,j) for every l near both. Rows are numbered in the
// order of the balls, so row (i,j) is found where j stands in the ball of i, and triples need not be listed.
class OrderedRows : public Objects {
 public:
  OrderedRows(const Graph& graph, const WlTest& test)
      : Objects(graph, test), balls_(graph::find_balls(graph, test.radius)) {
    size_ = balls_.nodes.size();
    if (size_ >= kNoRow)
      throw Error(fmt::format("2-wl: a directed graph may have fewer than 2^32 rows, this one has {}", size_));
    mirror_.resize(size_);
    codes_.assign(size_, kFar);
    // The balls that hold v are visited in ascending order of their centers: the next unused place of v's ball
    // is the one for u.
    std::vector<std::uint64_t> next(balls_.offsets.begin(), balls_.offsets.end() - 1);
    for (Node u = 0; u < graph.num_nodes(); ++u) {
      std::size_t edge = 0;
      const auto neighbors = graph.neighbors(u);
      for (std::uint64_t at = balls_.offsets[u]; at < balls_.offsets[u + 1]; ++at) {
        const Node v = balls_.nodes[at];
        mirror_[next[v]++] = static_cast<std::uint32_t>(at);
        if (v == u) codes_[at] = kSameNode;
        if (edge == neighbors.size() || neighbors[edge] != v) continue;
        codes_[at] = code_at(u, edge++);
      }
    }
  }

  void start_values(Span<std::uint64_t> values) const override {
    for_rows(0, graph_.num_nodes(), [&](Node u, std::size_t row) {
      values[row] = codes_[row] == kSameNode ? node_hash(u) : mix(codes_[row] + kTwoNodes);
    });
  }
  bool same_start(std::size_t i, const Objects& other_objects, std::size_t j) const override {
    const auto& other = static_cast<const OrderedRows&>(other_objects);
    if (codes_[i] != other.codes_[j]) return false;
    return codes_[i] != kSameNode || same_node(balls_.nodes[i], other, other.balls_.nodes[j]);
  }

  void neighborhood_sums(Span<const std::uint64_t> values, Span<std::uint64_t> sums, int threads) override {
    constexpr std::size_t kChunk = 64;  // nodes
    const std::size_t n = graph_.num_nodes();
    parallel_for((n + kChunk - 1) / kChunk, threads, [&](std::size_t chunk) {
      std::vector<std::uint32_t> row_to(n, kNoRow);
      for (std::size_t u = chunk * kChunk; u < std::min(n, (chunk + 1) * kChunk); ++u) {
        note_ball(u, row_to);
        for_rows(u, u + 1, [&](Node, std::size_t row) {
          std::uint64_t sum = 0;
          for_items(row, row_to, [&](std::size_t a, std::size_t b) { sum += mix(values[a], values[b]); });
          sums[row] = sum;
        });
        forget_ball(u, row_to);
      }
    });
  }

  std::size_t item_words(int) const override { return 1; }
  void signature(std::size_t row, Span<const Color> colors, int color_bits,
                 std::vector<std::uint64_t>& items) const override {
    const auto after = std::upper_bound(balls_.offsets.begin(), balls_.offsets.end(), row);
    const auto u = static_cast<std::size_t>(after - balls_.offsets.begin()) - 1;
    const auto from = balls_.of(static_cast<Node>(u));
    const auto to = balls_.of(balls_.nodes[row]);
    items.clear();
    for (std::size_t i = 0, j = 0; i < from.size() && j < to.size();) {
      if (from[i] == to[j]) {
        const Color a = colors[balls_.offsets[u] + i];
        const Color b = colors[mirror_[balls_.offsets[balls_.nodes[row]] + j]];
        items.push_back(std::uint64_t{a} << color_bits | b);
      }
      const bool is_behind = from[i] <= to[j];
      if (to[j] <= from[i]) ++j;
      if (is_behind) ++i;
    }
  }

  std::size_t object_of_node(Node v) const override {
    const auto ball = balls_.of(v);
    return balls_.offsets[v] +
           static_cast<std::size_t>(std::lower_bound(ball.begin(), ball.end(), v) - ball.begin());
  }

 private:
  static constexpr std::uint32_t kNoRow = 0xffffffffu;
  static constexpr std::uint64_t kSameNode = 0;
  static constexpr std::uint64_t kFar = 2;  // an edge's code is 1 or at least 2^32
  static constexpr std::uint64_t kTwoNodes = 0x5851f42d4c957f2du;

  // visit(u, row) for every row (u,v), u from `first` to before `last`.
  template <typename Visit>
  void for_rows(std::size_t first, std::size_t last, Visit visit) const {
    for (std::size_t u = first; u < last; ++u)
      for (std::size_t row = balls_.offsets[u]; row < balls_.offsets[u + 1]; ++row)
        visit(static_cast<Node>(u), row);
  }
  // row_to[l]: the row (u,l), if there is one.
  void note_ball(std::size_t u, std::vector<std::uint32_t>& row_to) const {
    for_rows(u, u + 1,
             [&](Node, std::size_t row) { row_to[balls_.nodes[row]] = static_cast<std::uint32_t>(row); });
  }
  void forget_ball(std::size_t u, std::vector<std::uint32_t>& row_to) const {
    for_rows(u, u + 1, [&](Node, std::size_t row) { row_to[balls_.nodes[row]] = kNoRow; });
  }
  // visit((u,l), (l,v)) for the row (u,v), given row_to of u.
  template <typename Visit>
  void for_items(std::size_t row, const std::vector<std::uint32_t>& row_to, Visit visit) const {
    const Node v = balls_.nodes[row];
    for (std::uint64_t at = balls_.offsets[v]; at < balls_.offsets[v + 1]; ++at)
      if (row_to[balls_.nodes[at]] != kNoRow) visit(row_to[balls_.nodes[at]], mirror_[at]);
  }

  graph::Balls balls_;
  std::vector<std::uint32_t> mirror_;  // of row (u,v): the number of (v,u)
  std::vector<std::uint64_t> codes_;   // kSameNode, kFar, or the edge's code seen from the first node
};

}  // namespace

std::unique_ptr<Objects> make_ordered_rows(const Graph& graph, const WlTest& test) {
  return std::make_unique<OrderedRows>(graph, test);
}

}  // namespace twofold::wl
