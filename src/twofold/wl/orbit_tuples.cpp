// What k-fwl colors in a symmetric graph: of the ordered k-tuples those whose first node is the first of its
// orbit.
#include <algorithm>
#include <array>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/wl/mix.h"
#include "twofold/wl/objects.h"
#include "twofold/wl/tuple_relations.h"
#include "twofold/wl/tuple_sums.h"

namespace twofold::wl {
namespace {

// An automorphism maps a tuple to one of the same color, in every round. So the color of any tuple (x, v, …) is
// that of (r, g(v), …), where g maps x to the first node r of its orbit: colors of all tuples are read from
// those listed.
class OrbitTuples : public Objects {
 public:
  OrbitTuples(const Graph& graph, const WlTest& test, const Symmetry& symmetry)
      : Objects(graph, test), n_(graph.num_nodes()), k_(static_cast<std::size_t>(test.k)) {
    TWOFOLD_CHECK(k_ >= 3 && test.marks == 0);  // pairs have a start of their own
    number_of_.resize(n_);
    for (Node v = 0; v < n_; ++v) {
      if (symmetry.orbit_of[v] == v) {
        number_of_[v] = firsts_.size();
        firsts_.push_back(v);
        orbit_size_.push_back(0);
      }
      number_of_[v] = number_of_[symmetry.orbit_of[v]];
      ++orbit_size_[number_of_[v]];
    }
    rest_ = 1;
    for (std::size_t j = 1; j < k_; ++j) rest_ *= n_;
    size_ = firsts_.size() * rest_;
    find_ways(symmetry);
    relation_ = TupleRelations(graph, [&](Node v, std::size_t i) { return code_at(v, i); });
  }

  std::uint64_t weight(std::size_t i) const override { return orbit_size_[i / rest_]; }
  bool is_weighted() const override { return true; }

  void start_values(Span<std::uint64_t> values) const override {
    std::vector<std::uint64_t> nodes(n_);
    for (Node v = 0; v < n_; ++v) nodes[v] = node_hash(v);
    std::vector<std::size_t> tuple(k_, 0);
    for (std::size_t i = 0; i < size_; ++i) {
      read_tuple(i, tuple);
      std::uint64_t hash = 0;
      for (std::size_t a = 0; a < k_; ++a) {
        hash = mix(hash, nodes[tuple[a]]);
        for (std::size_t b = 0; b < a; ++b) hash = mix(hash, relation_(tuple[b], tuple[a]));
      }
      values[i] = hash;
    }
  }

  bool same_start(std::size_t i, const Objects& other_objects, std::size_t j) const override {
    const auto& other = static_cast<const OrbitTuples&>(other_objects);
    std::vector<std::size_t> tuple(k_);
    std::vector<std::size_t> second(k_);
    read_tuple(i, tuple);
    other.read_tuple(j, second);
    for (std::size_t a = 0; a < k_; ++a) {
      if (!same_node(static_cast<Node>(tuple[a]), other, static_cast<Node>(second[a]))) return false;
      for (std::size_t b = 0; b < a; ++b)
        if (relation_(tuple[b], tuple[a]) != other.relation_(second[b], second[a])) return false;
    }
    return true;
  }

  void neighborhood_sums(Span<const std::uint64_t> values, Span<std::uint64_t> sums, int threads) override {
    if (size_ == 0) return;
    const std::size_t stride = padded_row(n_);
    tables_.resize(k_);
    fill_first_table(values, threads);
    for (std::size_t j = 1; j < k_; ++j) fill_table(j, values, threads);
    const std::size_t num_prefixes = size_ / n_;
    constexpr std::size_t kChunk = 64;
    parallel_for((num_prefixes + kChunk - 1) / kChunk, threads, [&](std::size_t at) {
      std::vector<const std::uint64_t*> others(k_ - 1);
      for (std::size_t p = at * kChunk; p < std::min(num_prefixes, (at + 1) * kChunk); ++p) {
        // p without place j, then c: row number of the tuple without place j. Without place 0 nothing is left
        // of the orbits.
        others[0] = tables_[0].data() + p % (rest_ / n_) * n_ * stride;
        std::size_t low = rest_ / n_;
        for (std::size_t j = 1; j + 1 < k_; ++j) {
          const std::size_t above = p / low;
          low /= n_;
          others[j] = tables_[j].data() + (above * low + p % low) * n_ * stride;
        }
        tuple_sums({n_, stride, tables_[k_ - 1].data() + p * stride, others.data(), k_ - 1, &sums[p * n_]});
      }
    });
  }

  std::size_t item_words(int color_bits) const override { return PlacePacking(k_, color_bits).words(); }
  void signature(std::size_t i, Span<const Color> colors, int color_bits,
                 std::vector<std::uint64_t>& items) const override {
    const PlacePacking packing(k_, color_bits);
    items.assign(n_ * packing.words(), 0);
    std::size_t low = 1;
    for (std::size_t j = k_; j-- > 1; low *= n_)
      packing.put(j, &colors[i - i / low % n_ * low], low, n_, items);
    std::vector<std::size_t> tuple(k_);
    read_tuple(i, tuple);
    for (std::size_t w = 0; w < n_; ++w) {
      std::size_t object = number_of_[w];
      for (std::size_t j = 1; j < k_; ++j) object = object * n_ + way(w)[tuple[j]];
      items[w * packing.words()] |= colors[object];
    }
  }

  std::size_t object_of_node(Node v) const override {
    std::size_t object = number_of_[v];
    for (std::size_t j = 1; j < k_; ++j) object = object * n_ + way(v)[v];
    return object;
  }

 private:
  void read_tuple(std::size_t i, std::vector<std::size_t>& tuple) const {
    for (std::size_t j = k_; j-- > 1; i /= n_) tuple[j] = i % n_;
    tuple[0] = firsts_[i];
  }
  const Node* way(std::size_t x) const { return &ways_[x * n_]; }

  // ways_[x * n + v]: the image of v under an automorphism that maps x to the first of its orbit.
  void find_ways(const Symmetry& symmetry) {
    ways_.resize(n_ * n_);
    std::vector<char> is_reached(n_, 0);
    std::vector<std::vector<Node>> backwards;
    for (const auto& image : symmetry.generators) {
      backwards.emplace_back(n_);
      for (Node v = 0; v < n_; ++v) backwards.back()[image[v]] = v;
    }
    std::vector<Node> found;
    for (const Node first : firsts_) {
      for (Node v = 0; v < n_; ++v) ways_[first * n_ + v] = v;
      is_reached[first] = 1;
      found.assign(1, first);
      for (std::size_t at = 0; at < found.size(); ++at)
        for (std::size_t i = 0; i < backwards.size(); ++i) {
          const Node next = symmetry.generators[i][found[at]];
          if (is_reached[next]) continue;
          is_reached[next] = 1;
          // Back to found[at], and from there on.
          for (Node v = 0; v < n_; ++v) ways_[next * n_ + v] = way(found[at])[backwards[i][v]];
          found.push_back(next);
        }
    }
    TWOFOLD_CHECK(std::count(is_reached.begin(), is_reached.end(), 1) == static_cast<std::ptrdiff_t>(n_));
  }

  // tables_[0]: a row of padded_row(n) values for each of n^(k-1) tuples (v2, …, vk), over all x in the first
  // place.
  void fill_first_table(Span<const std::uint64_t> values, int threads) {
    const std::size_t stride = padded_row(n_);
    std::vector<std::uint64_t>& table = tables_[0];
    table.resize(rest_ * stride);
    const std::uint64_t factor = mix(0) | 1;
    // A row of values for each x at a time: 8 of them fill a cache line of each table row.
    constexpr std::size_t kLine = 8;
    parallel_for(rest_ / n_, threads, [&](std::size_t middle) {
      std::vector<std::size_t> places(k_ - 2);
      for (std::size_t j = k_ - 2, left = middle; j-- > 0; left /= n_) places[j] = left % n_;
      std::array<const std::uint64_t*, kLine> rows{};
      for (std::size_t x = 0; x < n_; x += kLine) {
        const std::size_t count = std::min(kLine, n_ - x);
        for (std::size_t i = 0; i < count; ++i) {
          std::size_t row = number_of_[x + i];
          for (const std::size_t v : places) row = row * n_ + way(x + i)[v];
          rows[i] = &values[row * n_];
        }
        for (std::size_t c = 0; c < n_; ++c)
          for (std::size_t i = 0; i < count; ++i)
            table[(middle * n_ + c) * stride + x + i] = in_place(rows[i][way(x + i)[c]], factor);
      }
    });
  }

  // tables_[j], j > 0: a row of padded_row(n) values for each listed tuple without its place j, over all w in
  // it.
  void fill_table(std::size_t j, Span<const std::uint64_t> values, int threads) {
    const std::size_t stride = padded_row(n_);
    std::vector<std::uint64_t>& table = tables_[j];
    table.resize(size_ / n_ * stride);
    std::size_t low = 1;
    for (std::size_t a = j + 1; a < k_; ++a) low *= n_;
    const std::uint64_t factor = mix(j) | 1;
    constexpr std::size_t kRows = 16;  // stay in the cache while w runs
    parallel_for(size_ / n_ / low, threads, [&](std::size_t high) {
      const std::uint64_t* source = &values[high * n_ * low];
      std::uint64_t* target = &table[high * low * stride];
      for (std::size_t first = 0; first < low; first += kRows)
        for (std::size_t w = 0; w < n_; ++w)
          for (std::size_t l = first; l < std::min(low, first + kRows); ++l)
            target[l * stride + w] = in_place(source[w * low + l], factor);
    });
  }

  std::size_t n_;
  std::size_t k_;
  std::size_t rest_;                       // n^(k-1)
  std::vector<Node> firsts_;               // the first node of every orbit, ascending
  std::vector<std::uint64_t> orbit_size_;  // parallel to firsts_
  std::vector<std::size_t> number_of_;     // one per node: which of firsts_ is in its orbit
  std::vector<Node> ways_;
  TupleRelations relation_;
  std::vector<std::vector<std::uint64_t>> tables_;
};

}  // namespace

std::unique_ptr<Objects> make_orbit_tuples(const Graph& graph, const WlTest& test, const Symmetry& symmetry) {
  return std::make_unique<OrbitTuples>(graph, test, symmetry);
}

}  // namespace twofold::wl
