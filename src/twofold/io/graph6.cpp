#include "twofold/io/graph6.h"

#include <algorithm>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/text_chunks.h"

// The formats are those of nauty's formats.txt: six bits per byte, each byte 63…126.

namespace twofold::io {
namespace {

constexpr int kLowest = 63;
constexpr int kHighest = 126;

// Reads bits, most significant first, from the bytes of one line.
class BitReader {
 public:
  explicit BitReader(std::string_view bytes) : bytes_(bytes) {}

  std::size_t bits_left() const { return 6 * (bytes_.size() - at_) + static_cast<std::size_t>(held_); }
  /// At most 36 bits, and no more than are left.
  std::uint64_t next(int count) {
    while (held_ < count) {
      bits_ = bits_ << 6 | static_cast<unsigned>(bytes_[at_++] - kLowest);
      held_ += 6;
    }
    held_ -= count;
    return bits_ >> held_ & ((std::uint64_t{1} << count) - 1);
  }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t bits_ = 0;  // the last held_ of them are still to be read
  int held_ = 0;
};

class BitWriter {
 public:
  explicit BitWriter(std::string& line) : line_(line) {}

  void put(unsigned bit) {
    pending_ = 2 * pending_ + bit;
    if (++count_ == 6) flush();
  }
  void put(std::uint64_t value, int bits) {
    while (bits-- > 0) put(static_cast<unsigned>((value >> bits) & 1u));
  }
  int pending() const { return count_; }
  void pad(unsigned bit) {
    while (count_ > 0) put(bit);
  }

 private:
  void flush() {
    line_ += static_cast<char>(kLowest + pending_);
    pending_ = 0;
    count_ = 0;
  }

  std::string& line_;
  unsigned pending_ = 0;
  int count_ = 0;
};

// Bits that hold a node's number in sparse6.
int node_bits(std::uint64_t n) {
  int bits = 0;
  while (n > 1 && (n - 1) >> bits != 0) ++bits;
  return bits;
}

void append_size(std::string& line, std::uint64_t n) {
  BitWriter bits(line);
  if (n <= 62) {
    bits.put(n, 6);
  } else if (n <= 258047) {
    bits.put(63, 6);
    bits.put(n, 18);
  } else {
    bits.put(63, 6);
    bits.put(63, 6);
    bits.put(n, 36);
  }
}

class Graph6Line {
 public:
  Graph6Line(std::string_view line, const std::string& source, std::size_t number, std::uint64_t max_nodes)
      : rest_(line), source_(source), number_(number), max_nodes_(max_nodes) {}

  Graph read() {
    if (rest_.empty()) fail("a graph", "an empty line");
    if (rest_[0] == ';')
      fail("a graph6, sparse6 or digraph6 line", "incremental sparse6, which is not supported");
    const bool sparse = rest_[0] == ':';
    const bool directed = rest_[0] == '&';
    if (sparse || directed) rest_.remove_prefix(1);
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      const auto c = static_cast<unsigned char>(rest_[i]);
      if (c < kLowest || c > kHighest)
        fail(fmt::format("bytes '?' to '~' ({}..{})", kLowest, kHighest),
             in_quotes(std::string(rest_.substr(i, 60))));
    }
    const std::uint64_t n = read_size();
    return directed ? read_directed(n) : sparse ? read_sparse(n) : read_dense(n);
  }

 private:
  [[noreturn]] void fail(const std::string& needed, const std::string& found) const {
    throw_input_error(source_, number_, needed, found);
  }

  std::uint64_t read_size() {
    std::size_t skipped = 0;
    std::size_t length = 1;
    if (!rest_.empty() && rest_[0] == kHighest) {
      const bool long_form = rest_.size() > 1 && rest_[1] == kHighest;
      skipped = long_form ? 2 : 1;
      length = long_form ? 6 : 3;
    }
    if (rest_.size() < skipped + length)
      fail(fmt::format("a number of nodes of {} bytes", skipped + length),
           fmt::format("only {}", rest_.size()));
    const std::uint64_t n = BitReader(rest_.substr(skipped, length)).next(static_cast<int>(6 * length));
    rest_.remove_prefix(skipped + length);
    return n;
  }

  Graph read_dense(std::uint64_t n) const {
    // n is below 2^36, so n (n - 1) / 2 is exact in 64 bits only up to 2^32; larger ones cannot be real.
    const std::uint64_t bits = n < (std::uint64_t{1} << 32) ? n * (n > 0 ? n - 1 : 0) / 2 : ~std::uint64_t{0};
    const std::uint64_t bytes = bits / 6 + (bits % 6 != 0 ? 1 : 0);
    if (rest_.size() != bytes)
      fail(fmt::format("{} bytes for the edges of {} nodes", bytes, n), std::to_string(rest_.size()));
    limit_nodes(n);
    GraphBuilder builder(n);
    // Six pairs (0,1), (0,2), (1,2), (0,3), … a byte; most bytes of a sparse graph have none.
    Node u = 0;
    Node v = 1;
    for (const char byte : rest_) {
      const auto six = static_cast<unsigned>(byte - kLowest);
      if (six == 0) {
        for (u += 6; u >= v && v < n; ++v) u -= v;
        continue;
      }
      for (unsigned bit = 32; bit != 0; bit >>= 1) {
        if ((six & bit) != 0) {
          if (v >= n) fail("zero bits behind the last edge", "a one");
          builder.add_edge(u, v);
        }
        if (++u >= v) {
          u = 0;
          ++v;
        }
      }
    }
    return std::move(builder).build();
  }

  // The matrix row by row, six bits a byte.
  Graph read_directed(std::uint64_t n) const {
    const std::uint64_t bits = n < (std::uint64_t{1} << 32) ? n * n : ~std::uint64_t{0};
    const std::uint64_t bytes = bits / 6 + (bits % 6 != 0 ? 1 : 0);
    if (rest_.size() != bytes)
      fail(fmt::format("{} bytes for the arcs of {} nodes", bytes, n), std::to_string(rest_.size()));
    limit_nodes(n);
    GraphBuilder builder(n);
    builder.set_directed();
    std::uint64_t at = 0;
    for (const char byte : rest_) {
      const auto six = static_cast<unsigned>(byte - kLowest);
      for (unsigned bit = 32; bit != 0; bit >>= 1, ++at) {
        if ((six & bit) == 0) continue;
        if (at >= bits) fail("zero bits behind the last arc", "a one");
        builder.add_arc(static_cast<Node>(at / n), static_cast<Node>(at % n));
      }
    }
    return std::move(builder).build();
  }

  Graph read_sparse(std::uint64_t n) const {
    limit_nodes(n);
    GraphBuilder builder(n);
    const int k = node_bits(n);
    BitReader reader(rest_);
    // The stream of (one bit, one node) either moves the current node v on or adds an edge {x, v}.
    std::uint64_t v = 0;
    while (reader.bits_left() >= static_cast<std::size_t>(k) + 1) {
      v += reader.next(1);
      const std::uint64_t x = reader.next(k);
      if (v >= n) {
        // Padding: ones up to the last byte. Anything longer is no padding.
        if (reader.bits_left() >= 6) fail(fmt::format("nodes below {}", n), std::to_string(v));
        break;
      }
      if (x > v) {
        // A move to x; as padding may also read, beyond the last node, when it ends the line.
        if (x >= n && reader.bits_left() >= 6) fail(fmt::format("nodes below {}", n), std::to_string(x));
        v = x;
      } else {
        builder.add_edge(static_cast<Node>(x), static_cast<Node>(v));
      }
    }
    if (reader.bits_left() >= 6)
      fail("at most 5 bits behind the last edge", std::to_string(reader.bits_left()));
    return std::move(builder).build();
  }

  void limit_nodes(std::uint64_t n) const {
    if (n > max_nodes_) fail(fmt::format("at most {} nodes in all graphs together", max_nodes_), "more");
  }

  std::string_view rest_;
  const std::string& source_;
  std::size_t number_;
  std::uint64_t max_nodes_;
};

}  // namespace

std::vector<Graph> Graph6Reader::read(std::string_view text, bool is_last) {
  std::vector<Graph> graphs;
  std::uint64_t nodes_left = limits_.max_nodes;
  for (std::string_view line : lines_of(text, is_last)) {
    ++line_;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line_ == 1) {
      bool had_header = false;
      for (const std::string_view header : {">>graph6<<", ">>sparse6<<", ">>digraph6<<"})
        if (line.substr(0, header.size()) == header) {
          line.remove_prefix(header.size());
          had_header = true;
        }
      if (had_header && line.empty()) continue;
    }
    graphs.push_back(Graph6Line(line, source_, line_, nodes_left).read());
    nodes_left -= graphs.back().num_nodes();
    const bool is_directed = graphs.back().is_directed();
    if (is_directed != is_directed_.value_or(is_directed))
      throw_input_error(source_, line_, "directed graphs (digraph6) on all lines or on none, as on line 1",
                        is_directed ? "a directed graph" : "an undirected graph");
    is_directed_ = is_directed;
  }
  return graphs;
}

std::vector<Graph> read_graph6(std::string_view text, const std::string& source, const ReadLimits& limits) {
  return Graph6Reader(source, limits).read(text, true);
}

std::string to_graph6(const Graph& g) {
  std::string line;
  append_size(line, g.num_nodes());
  BitWriter bits(line);
  for (Node v = 1; v < g.num_nodes(); ++v) {
    const auto around = g.neighbors(v);
    const Node* next = around.begin();
    for (Node u = 0; u < v; ++u) {
      const bool edge = next != around.end() && *next == u;
      bits.put(edge ? 1u : 0u);
      if (edge) ++next;
    }
  }
  bits.pad(0);
  return line;
}

std::string to_digraph6(const Graph& g) {
  const std::size_t n = g.num_nodes();
  std::string line = "&";
  append_size(line, n);
  BitWriter bits(line);
  std::vector<char> row(n);
  for (Node u = 0; u < n; ++u) {
    std::fill(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < g.degree(u); ++i)
      if (g.direction(u, i) != Direction::kIn) row[g.neighbors(u)[i]] = 1;
    if (g.has_self_loop(u)) row[u] = 1;
    for (const char bit : row) bits.put(bit != 0 ? 1u : 0u);
  }
  bits.pad(0);
  return line;
}

std::string to_sparse6(const Graph& g) {
  const std::uint64_t n = g.num_nodes();
  std::string line = ":";
  append_size(line, n);
  const int k = node_bits(n);
  BitWriter bits(line);
  std::uint64_t current = 0;
  const auto add = [&](std::uint64_t x, std::uint64_t v) {
    // v ≥ x, in ascending order of v.
    if (v == current) {
      bits.put(0u);
    } else {
      bits.put(1u);
      if (v > current + 1) {
        bits.put(v, k);
        bits.put(0u);
      }
      current = v;
    }
    bits.put(x, k);
  };
  for (Node v = 0; v < n; ++v) {
    for (const Node u : g.neighbors(v))
      if (u < v) add(u, v);
    if (g.has_self_loop(v)) add(v, v);
  }
  // Padding is ones, but where those could be read as the self-loop of the last node a zero comes first.
  const bool ambiguous = (n == 2 || n == 4 || n == 8 || n == 16) && current == n - 2 && bits.pending() > 0 &&
                         6 - bits.pending() > k;
  if (ambiguous) bits.put(0u);
  bits.pad(1);
  return line;
}

}  // namespace twofold::io
