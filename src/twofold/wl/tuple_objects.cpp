// What k-fwl colors: all ordered k-tuples of nodes.
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

// Work below this many items is not worth a second thread.
constexpr std::size_t kTupleItemsWorthThreads = 1 << 20;

class TupleObjects : public Objects {
 public:
  TupleObjects(const Graph& graph, const WlTest& test)
      : Objects(graph, test), n_(graph.num_nodes()), k_(static_cast<std::size_t>(test.k)) {
    size_ = 1;
    for (std::size_t j = 0; j < k_; ++j) size_ *= n_;
    relation_ = TupleRelations(graph, [&](Node v, std::size_t i) { return code_at(v, i); });
  }

  void start_values(Span<std::uint64_t> values) const override {
    std::vector<std::uint64_t> nodes(n_);
    for (Node v = 0; v < n_; ++v) nodes[v] = node_hash(v);
    if (k_ == 2) {
      for (std::size_t u = 0, i = 0; u < n_; ++u)
        for (std::size_t v = 0; v < n_; ++v, ++i) values[i] = mix(mix(nodes[u], nodes[v]), relation_(u, v));
      return;
    }
    std::vector<std::size_t> tuple(k_, 0);
    for (std::size_t i = 0; i < size_; ++i) {
      std::uint64_t hash = 0;
      for (std::size_t a = 0; a < k_; ++a) {
        hash = mix(hash, nodes[tuple[a]]);
        for (std::size_t b = 0; b < a; ++b) hash = mix(hash, relation_(tuple[b], tuple[a]));
      }
      values[i] = hash;
      for (std::size_t a = k_; a > 0 && ++tuple[a - 1] == n_; --a) tuple[a - 1] = 0;
    }
  }

  bool same_start(std::size_t i, const Objects& other_objects, std::size_t j) const override {
    const auto& other = static_cast<const TupleObjects&>(other_objects);
    // Place by place from the last; the places behind a are the low digits that were taken off before.
    std::size_t rest_i = i;
    std::size_t rest_j = j;
    for (std::size_t a = 0; a < k_; ++a, rest_i /= n_, rest_j /= other.n_) {
      const std::size_t u = rest_i % n_;
      const std::size_t v = rest_j % other.n_;
      if (!same_node(static_cast<Node>(u), other, static_cast<Node>(v))) return false;
      std::size_t before_i = i;
      std::size_t before_j = j;
      for (std::size_t b = 0; b < a; ++b, before_i /= n_, before_j /= other.n_)
        if (relation_(before_i % n_, u) != other.relation_(before_j % other.n_, v)) return false;
    }
    return true;
  }

  void neighborhood_sums(Span<const std::uint64_t> values, Span<std::uint64_t> sums, int threads) override {
    if (size_ == 0) return;
    const std::size_t stride = padded_row(n_);
    const std::size_t num_prefixes = size_ / n_;
    if (size_ * n_ < kTupleItemsWorthThreads) threads = 1;
    tables_.resize(k_);
    for (std::size_t j = 0; j < k_; ++j) fill_table(j, values, threads);
    const std::size_t chunk = std::max<std::size_t>(1, kTupleItemsWorthThreads / 8 / (n_ * n_));
    const std::size_t num_chunks = (num_prefixes + chunk - 1) / chunk;
    const auto sum_chunk = [&](std::size_t at) {
      std::vector<const std::uint64_t*> others(k_ - 1);
      for (std::size_t p = at * chunk; p < std::min(num_prefixes, (at + 1) * chunk); ++p) {
        // p without place j, then c: row number of the tuple without place j.
        std::size_t low = num_prefixes;
        for (std::size_t j = 0; j + 1 < k_; ++j) {
          const std::size_t above = p / low;
          low /= n_;
          others[j] = tables_[j].data() + (above * low + p % low) * n_ * stride;
        }
        tuple_sums({n_, stride, tables_[k_ - 1].data() + p * stride, others.data(), k_ - 1, &sums[p * n_]});
      }
    };
    if (threads == 1)
      for (std::size_t at = 0; at < num_chunks; ++at) sum_chunk(at);
    else
      parallel_for(num_chunks, threads, sum_chunk);
  }

  std::size_t item_words(int color_bits) const override { return PlacePacking(k_, color_bits).words(); }
  void signature(std::size_t i, Span<const Color> colors, int color_bits,
                 std::vector<std::uint64_t>& items) const override {
    const PlacePacking packing(k_, color_bits);
    if (k_ == 2 && packing.words() == 1) {
      items.resize(n_);
      const Color* from_u = &colors[i / n_ * n_];
      const Color* to_v = &colors[i % n_];
      for (std::size_t w = 0; w < n_; ++w) items[w] = (std::uint64_t{to_v[w * n_]} << color_bits) | from_u[w];
      return;
    }
    items.assign(n_ * packing.words(), 0);
    std::size_t low = 1;
    for (std::size_t j = k_; j-- > 0; low *= n_)
      packing.put(j, &colors[i - i / low % n_ * low], low, n_, items);
  }

  // Neighboring places j and j + 1 change places.
  std::size_t num_swaps() const override { return k_ - 1; }
  std::size_t swapped(std::size_t i, std::size_t j) const override {
    std::size_t low = 1;
    for (std::size_t a = j + 2; a < k_; ++a) low *= n_;
    const std::size_t right = i / low % n_;
    const std::size_t left = i / low / n_ % n_;
    return i + (right - left) * low * n_ + (left - right) * low;
  }
  bool is_first(std::size_t i) const override {
    std::size_t right = i % n_;
    for (std::size_t a = 1; a < k_; ++a) {
      i /= n_;
      const std::size_t left = i % n_;
      if (left > right) return false;
      right = left;
    }
    return true;
  }
  // w moves to the last place of every tuple, so each color is read along a row.
  void symmetric_signature(std::size_t i, Span<const Color> colors, int color_bits,
                           std::vector<std::uint64_t>& items) const override {
    const PlacePacking packing(k_, color_bits);
    if (k_ == 2 && packing.words() == 1) {
      items.resize(n_);
      const Color* first = &colors[i / n_ * n_];
      const Color* second = &colors[i % n_ * n_];
      for (std::size_t w = 0; w < n_; ++w) items[w] = (std::uint64_t{second[w]} << color_bits) | first[w];
      return;
    }
    items.assign(n_ * packing.words(), 0);
    std::size_t low = 1;
    for (std::size_t j = k_; j-- > 0; low *= n_)
      packing.put(j, &colors[(i / low / n_ * low + i % low) * n_], 1, n_, items);
  }

  std::size_t object_of_node(Node v) const override {
    std::size_t object = 0;
    for (std::size_t j = 0; j < k_; ++j) object = object * n_ + v;
    return object;
  }

 private:
  // tables_[j]: a row of padded_row(n) values for each tuple without its place j, over all w in that place.
  void fill_table(std::size_t j, Span<const std::uint64_t> values, int threads) {
    const std::size_t stride = padded_row(n_);
    std::vector<std::uint64_t>& table = tables_[j];
    table.resize(size_ / n_ * stride);
    std::size_t low = 1;
    for (std::size_t a = j + 1; a < k_; ++a) low *= n_;
    const std::size_t high = size_ / n_ / low;
    const std::uint64_t factor = mix(j) | 1;
    const auto fill = [&](std::size_t h, std::size_t first, std::size_t last) {
      const std::uint64_t* source = &values[h * n_ * low];
      std::uint64_t* target = &table[h * low * stride];
      for (std::size_t w = 0; w < n_; ++w)
        for (std::size_t l = first; l < last; ++l)
          target[l * stride + w] = in_place(source[w * low + l], factor);
    };
    // 16 rows at a time stay in the cache while w runs.
    constexpr std::size_t kRows = 16;
    if (low == 1) {
      parallel_for((high + 255) / 256, threads, [&](std::size_t at) {
        for (std::size_t h = at * 256; h < std::min(high, (at + 1) * 256); ++h) fill(h, 0, 1);
      });
    } else {
      parallel_for(high, threads, [&](std::size_t h) {
        for (std::size_t l = 0; l < low; l += kRows) fill(h, l, std::min(low, l + kRows));
      });
    }
  }

  std::size_t n_;
  std::size_t k_;
  TupleRelations relation_;
  std::vector<std::vector<std::uint64_t>> tables_;
};

}  // namespace

std::unique_ptr<Objects> make_tuple_objects(const Graph& graph, const WlTest& test) {
  return std::make_unique<TupleObjects>(graph, test);
}

}  // namespace twofold::wl
