#include "twofold/compute/neighbor_sum.h"

#include <algorithm>

#include "twofold/base/parallel.h"

namespace twofold::compute {
namespace {

// Values written by one item of a parallel loop, about: less is not worth a thread's attention.
constexpr std::size_t kItemValues = 1 << 15;

// [begin, end) of blocks with about kItemValues values each; borders depend on the blocks alone.
template <typename Rows>
std::vector<std::size_t> item_borders(std::size_t num_blocks, std::size_t d, const Rows& rows_of) {
  std::vector<std::size_t> borders = {0};
  std::size_t values = 0;
  for (std::size_t b = 0; b < num_blocks; ++b) {
    values += (rows_of(b) + 1) * d;
    if (values < kItemValues && b + 1 < num_blocks) continue;
    borders.push_back(b + 1);
    values = 0;
  }
  return borders;
}

template <typename Rows, typename Body>
void for_blocks(std::size_t num_blocks, std::size_t d, int threads, const Rows& rows_of, const Body& body) {
  if (threads == 1) {
    for (std::size_t b = 0; b < num_blocks; ++b) body(b);
    return;
  }
  const std::vector<std::size_t> borders = item_borders(num_blocks, d, rows_of);
  parallel_for(borders.size() - 1, threads, [&](std::size_t item) {
    for (std::size_t b = borders[item]; b < borders[item + 1]; ++b) body(b);
  });
}

template <typename T>
inline void add_scaled(T* __restrict out, const T* __restrict x, T scale, std::size_t d) {
  for (std::size_t c = 0; c < d; ++c) out[c] += scale * x[c];
}
template <typename T>
inline void add(T* __restrict out, const T* __restrict x, std::size_t d) {
  for (std::size_t c = 0; c < d; ++c) out[c] += x[c];
}

// out += the entries from `begin` to `end` of a block's lists.
template <typename T>
inline void add_entries(const NeighborSumArgs<T>& args, const NeighborBlock& block, std::uint64_t begin,
                        std::uint64_t end, T* out) {
  const T* const sources = args.x + block.first_source * args.x_stride;
  const bool is_plain = block.counts == nullptr && block.source_scale == nullptr;
  for (std::uint64_t k = begin; k < end; ++k) {
    const std::size_t s = block.sources[k];
    const T* const x = sources + s * args.x_stride;
    if (is_plain) {
      add(out, x, args.d);
      continue;
    }
    double scale = block.source_scale == nullptr ? 1 : block.source_scale[s];
    if (block.counts != nullptr) scale *= block.counts[k];
    add_scaled(out, x, static_cast<T>(scale), args.d);
  }
}

// Long lists are added up in runs of so many, and those one after the other: the thousands of leaves of a hub
// are alike, so that in one go each would be rounded the same way.
constexpr std::uint64_t kRun = 64;

template <typename T>
void sum_block(const NeighborSumArgs<T>& args, const NeighborBlock& block) {
  const std::size_t d = args.d;
  // Kept by each thread from block to block.
  static thread_local std::vector<T> part;
  for (std::size_t v = 0; v < block.num_rows; ++v) {
    T* const out = args.out + (block.first_row + v) * args.out_stride;
    std::fill_n(out, d, T(0));
    const std::uint64_t begin = block.offsets[v], end = block.offsets[v + 1];
    if (end - begin <= kRun) {
      add_entries(args, block, begin, end, out);
    } else {
      for (std::uint64_t k = begin; k < end; k += kRun) {
        part.assign(d, T(0));
        add_entries(args, block, k, std::min(k + kRun, end), part.data());
        add(out, part.data(), d);
      }
    }
    if (block.row_scale != nullptr) {
      const T scale = static_cast<T>(block.row_scale[v]);
      for (std::size_t c = 0; c < d; ++c) out[c] *= scale;
    }
    if (args.own != 0)
      add_scaled(out, args.x + (block.first_row + v) * args.x_stride, static_cast<T>(args.own), d);
  }
}

template <typename T>
void edge_block(const EdgeSumArgs<T>& args, std::size_t b) {
  const pairs::PairSet& set = *(*args.sets)[b];
  const std::size_t n = set.num_nodes();
  const std::size_t d = args.d;
  const T* const x = args.x + (*args.row_offsets)[b] * args.x_stride;
  T* const out = args.out + (*args.row_offsets)[b] * args.out_stride;
  // Kept by each thread from graph to graph.
  static thread_local std::vector<T> totals;
  totals.assign(n * d, T(0));
  for (std::size_t v = 0; v < n; ++v)
    for (std::uint64_t k = set.balls.offsets[v]; k < set.balls.offsets[v + 1]; ++k)
      add(totals.data() + v * d, x + set.ball_rows[k] * args.x_stride, d);
  for (std::size_t row = 0; row < set.num_rows(); ++row) {
    const T* const first = totals.data() + set.first[row] * d;
    const T* const own = x + row * args.x_stride;
    T* const to = out + row * args.out_stride;
    if (row < n) {
      for (std::size_t c = 0; c < d; ++c) to[c] = first[c] - own[c];
    } else {
      const T* const second = totals.data() + set.second[row] * d;
      for (std::size_t c = 0; c < d; ++c) to[c] = first[c] + second[c] - 2 * own[c];
    }
  }
}

}  // namespace

template <typename T>
void neighbor_sum(const NeighborSumArgs<T>& args) {
  for_blocks(
      args.blocks->size(), args.d, args.threads, [&](std::size_t b) { return (*args.blocks)[b].num_rows; },
      [&](std::size_t b) { sum_block(args, (*args.blocks)[b]); });
}

template <typename T>
void edge_sum(const EdgeSumArgs<T>& args) {
  for_blocks(
      args.sets->size(), args.d, args.threads, [&](std::size_t b) { return (*args.sets)[b]->num_rows(); },
      [&](std::size_t b) { edge_block(args, b); });
}

template void neighbor_sum(const NeighborSumArgs<float>& args);
template void neighbor_sum(const NeighborSumArgs<double>& args);
template void edge_sum(const EdgeSumArgs<float>& args);
template void edge_sum(const EdgeSumArgs<double>& args);

}  // namespace twofold::compute
