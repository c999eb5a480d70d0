#include "twofold/gram/feature_counts.h"

#include <algorithm>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"

namespace twofold::gram {
namespace {

constexpr std::size_t kRowsAtOnce = 16;
constexpr std::size_t kWorthThreads = 4096;  // fewer entries are added sooner than threads are woken
constexpr std::uint64_t kLeftOut = std::numeric_limits<std::uint64_t>::max();

// The graphs that have a feature, with their counts: features of two graphs and more.
template <typename Count>
struct Postings {
  std::vector<std::uint64_t> starts;    // one per feature: where its graphs start
  std::vector<std::uint64_t> ends;      // and end
  std::vector<std::uint32_t> graphs;    // ascending within a feature
  std::vector<Count> counts;            // parallel to graphs
  std::vector<std::uint64_t> place_of;  // one per entry of the part: its place in graphs, or kLeftOut
};

template <typename Count>
Postings<Count> transpose(const FeatureCounts& part) {
  Postings<Count> postings;
  std::vector<std::uint64_t> occurrences(part.num_features, 0);
  for (const std::uint32_t feature : part.features) ++occurrences[feature];
  postings.ends.resize(part.num_features);
  std::uint64_t at = 0;
  for (std::size_t f = 0; f < part.num_features; ++f) {
    postings.ends[f] = at;
    at += occurrences[f] > 1 ? occurrences[f] : 0;
  }
  postings.starts = postings.ends;
  postings.graphs.resize(at);
  postings.counts.resize(at);
  postings.place_of.assign(part.features.size(), kLeftOut);
  for (std::size_t g = 0; g < part.num_graphs(); ++g)
    for (std::uint64_t e = part.offsets[g]; e < part.offsets[g + 1]; ++e) {
      const std::uint32_t feature = part.features[e];
      if (occurrences[feature] < 2) continue;
      const std::uint64_t place = postings.ends[feature]++;
      postings.graphs[place] = static_cast<std::uint32_t>(g);
      postings.counts[place] = static_cast<Count>(part.counts[e]);
      postings.place_of[e] = place;
    }
  return postings;
}

// Row g: every feature of g adds to the graphs that have it too, of a whole matrix to those behind g. The row
// stays in cache, the postings are read one after the other.
template <Combine combine, typename Count>
void add_row(const FeatureCounts& part, const Postings<Count>& postings, std::size_t g, bool is_upper,
             std::int64_t* row) {
  for (std::uint64_t e = part.offsets[g]; e < part.offsets[g + 1]; ++e) {
    const std::uint64_t place = postings.place_of[e];
    if (place == kLeftOut) continue;
    const std::uint64_t weight = part.weight(part.features[e]);
    const std::uint64_t factor = part.counts[e] * weight;
    const auto own = static_cast<Count>(part.counts[e]);
    const std::uint64_t end = postings.ends[part.features[e]];
    for (std::uint64_t p = is_upper ? place + 1 : postings.starts[part.features[e]]; p < end; ++p) {
      std::int64_t& entry = row[postings.graphs[p]];
      const std::uint64_t more = combine == Combine::kProduct ? factor * postings.counts[p]
                                                              : weight * std::min(own, postings.counts[p]);
      entry = static_cast<std::int64_t>(static_cast<std::uint64_t>(entry) + more);
    }
  }
}

template <Combine combine, typename Count>
void add_part(const FeatureCounts& part, RowRange rows, std::vector<std::int64_t>& values, int threads) {
  const Postings<Count> postings = transpose<Count>(part);
  const std::size_t size = part.num_graphs();
  if (part.features.size() < kWorthThreads) threads = 1;
  parallel_for((rows.size() + kRowsAtOnce - 1) / kRowsAtOnce, threads, [&](std::size_t block) {
    const std::size_t end = std::min(rows.size(), (block + 1) * kRowsAtOnce);
    for (std::size_t i = block * kRowsAtOnce; i < end; ++i)
      add_row<combine>(part, postings, rows.begin + i, rows.size() == size, values.data() + i * size);
  });
}

template <typename Count>
void add_part(const FeatureCounts& part, Combine combine, RowRange rows, std::vector<std::int64_t>& values,
              int threads) {
  if (combine == Combine::kProduct)
    add_part<Combine::kProduct, Count>(part, rows, values, threads);
  else
    add_part<Combine::kIntersection, Count>(part, rows, values, threads);
}

}  // namespace

void FeatureCounts::check() const {
  TWOFOLD_CHECK(!offsets.empty() && offsets.front() == 0 && offsets.back() == features.size());
  TWOFOLD_CHECK(std::is_sorted(offsets.begin(), offsets.end()) && counts.size() == features.size());
  TWOFOLD_CHECK(weights.empty() || weights.size() == num_features);
  std::vector<std::size_t> last_graph(num_features, 0);
  for (std::size_t g = 0; g < num_graphs(); ++g)
    for (std::uint64_t e = offsets[g]; e < offsets[g + 1]; ++e) {
      TWOFOLD_CHECK(features[e] < num_features && counts[e] > 0 && last_graph[features[e]] <= g);
      last_graph[features[e]] = g + 1;
    }
}

GramSum::GramSum(std::size_t num_graphs, RowRange rows, int threads, std::uint64_t max_memory, Combine combine)
    : size_(num_graphs), rows_(rows), threads_(threads), combine_(combine) {
  TWOFOLD_CHECK(rows.begin <= rows.end && rows.end <= num_graphs);
  const auto wide = static_cast<std::uint64_t>(num_graphs);
  const std::uint64_t need =
      wide < (1u << 30) ? 8 * rows.size() * wide : std::numeric_limits<std::uint64_t>::max();
  require_memory(is_whole() ? fmt::format("the Gram matrix of {} graphs", num_graphs)
                            : fmt::format("{} rows of the Gram matrix of {} graphs", rows.size(), num_graphs),
                 need, resolve_memory_limit(max_memory));
  values_.assign(rows.size() * size_, 0);
  diagonal_.assign(size_, 0);
}

void GramSum::add_private(std::size_t graph, std::uint64_t count, std::uint64_t weight) {
  // Counts are at most the number of vertex pairs, below 2^63: 2^126 each, and the check is made here and now.
  diagonal_[graph] += Unsigned{count} * (combine_ == Combine::kProduct ? count : 1) * weight;
  if (diagonal_[graph] >> 63 != 0)
    throw Error(fmt::format("graph {}: its kernel value with itself exceeds 2^63-1, the largest 64-bit integer",
                            graph + 1));
}

void GramSum::add(const FeatureCounts& part) {
  TWOFOLD_CHECK(part.num_graphs() == size_, "counts of {} graphs, the matrix has {}", part.num_graphs(), size_);
  std::uint64_t largest = 0;
  for (std::size_t g = 0; g < size_; ++g)
    for (std::uint64_t e = part.offsets[g]; e < part.offsets[g + 1]; ++e) {
      add_private(g, part.counts[e], part.weight(part.features[e]));
      largest = std::max(largest, part.counts[e]);
    }
  if (largest <= std::numeric_limits<std::uint32_t>::max())
    add_part<std::uint32_t>(part, combine_, rows_, values_, threads_);
  else
    add_part<std::uint64_t>(part, combine_, rows_, values_, threads_);
}

void GramSum::mirror() {
  constexpr std::size_t kTile = 32;
  const std::size_t tiles = (size_ + kTile - 1) / kTile;
  parallel_for(tiles, threads_, [&](std::size_t block) {
    const std::size_t row_end = std::min(size_, (block + 1) * kTile);
    for (std::size_t tile = 0; tile <= block; ++tile)
      for (std::size_t i = block * kTile; i < row_end; ++i)
        for (std::size_t j = tile * kTile; j < std::min(i, (tile + 1) * kTile); ++j)
          values_[i * size_ + j] = values_[j * size_ + i];
  });
}

GramMatrix GramSum::finish() && {
  if (is_whole()) mirror();
  GramMatrix matrix{size_, std::move(values_), rows_.begin};
  for (const Unsigned value : diagonal_) matrix.diagonal.push_back(static_cast<std::int64_t>(value));
  for (std::size_t i = rows_.begin; i < rows_.end; ++i)
    matrix.values[(i - rows_.begin) * size_ + i] = matrix.diagonal[i];
  return matrix;
}

}  // namespace twofold::gram
