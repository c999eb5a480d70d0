#include "twofold/compute/segment_pool.h"

#include <algorithm>
#include <cmath>

#include "twofold/base/parallel.h"

namespace twofold::compute {
namespace {

// Graphs in items of about this many values; borders depend on the segments alone.
constexpr std::uint64_t kPooledValues = 1 << 15;

template <typename Body>
void for_graphs(const Segments& s, std::size_t d, int threads, const Body& body) {
  if (threads == 1) {
    for (std::size_t g = 0; g < s.num_graphs(); ++g) body(g);
    return;
  }
  std::vector<std::size_t> borders = {0};
  std::uint64_t values = 0;
  for (std::size_t g = 0; g < s.num_graphs(); ++g) {
    values += (s.end[g] - s.begin[g] + 1) * d;
    if (values < kPooledValues && g + 1 < s.num_graphs()) continue;
    borders.push_back(g + 1);
    values = 0;
  }
  parallel_for(borders.size() - 1, threads, [&](std::size_t item) {
    for (std::size_t g = borders[item]; g < borders[item + 1]; ++g) body(g);
  });
}

// The entries of one graph, with their row and count.
struct Entries {
  const Segments& s;
  std::size_t g;

  template <typename Visit>
  void visit(const Visit& visit) const {
    for (std::uint64_t k = s.begin[g]; k < s.end[g]; ++k)
      visit(k, s.rows.empty() ? k : s.rows[k], s.counts.empty() ? 1u : s.counts[k]);
  }
  bool empty() const { return s.begin[g] == s.end[g]; }
  double total() const {
    if (s.counts.empty()) return static_cast<double>(s.end[g] - s.begin[g]);
    double sum = 0;
    for (std::uint64_t k = s.begin[g]; k < s.end[g]; ++k) sum += s.counts[k];
    return sum;
  }
};

// Where the weights of each graph's entries begin.
std::vector<std::uint64_t> entry_offsets(const Segments& s) {
  std::vector<std::uint64_t> offsets(s.num_graphs() + 1, 0);
  for (std::size_t g = 0; g < s.num_graphs(); ++g) offsets[g + 1] = offsets[g] + s.end[g] - s.begin[g];
  return offsets;
}

// By runs of rows, so that rounding does not grow with their number.
template <typename T>
void sum_graph(const SegmentPoolArgs<T>& a, const Entries& entries, T* out) {
  constexpr std::uint64_t kRun = 64;
  std::vector<T> part(a.d, T(0));
  T* const __restrict to = part.data();
  std::uint64_t in_part = 0;
  const auto flush = [&] {
    for (std::size_t c = 0; c < a.d; ++c) out[c] += to[c];
    std::fill_n(to, a.d, T(0));
    in_part = 0;
  };
  entries.visit([&](std::uint64_t, std::uint64_t row, std::uint32_t count) {
    const T* const __restrict x = a.x + row * a.d;
    const T times = static_cast<T>(count);
    for (std::size_t c = 0; c < a.d; ++c) to[c] += times * x[c];
    if (++in_part == kRun) flush();
  });
  flush();
}

template <typename T>
void pool_graph(const SegmentPoolArgs<T>& a, std::size_t g) {
  const Entries entries{*a.segments, g};
  T* const __restrict out = a.out + g * a.d;
  std::fill_n(out, a.d, T(0));
  if (entries.empty()) return;
  if (a.reduction == SegmentReduction::kSum || a.reduction == SegmentReduction::kMean) {
    sum_graph(a, entries, out);
    const T scale = static_cast<T>(1 / entries.total());
    if (a.reduction == SegmentReduction::kMean)
      for (std::size_t c = 0; c < a.d; ++c) out[c] *= scale;
    return;
  }
  bool is_first = true;
  entries.visit([&](std::uint64_t, std::uint64_t row, std::uint32_t) {
    const T* const __restrict x = a.x + row * a.d;
    if (is_first) {
      std::copy_n(x, a.d, out);
      is_first = false;
    } else if (a.reduction == SegmentReduction::kMax) {
      for (std::size_t c = 0; c < a.d; ++c) out[c] = std::max(out[c], x[c]);
    } else {
      for (std::size_t c = 0; c < a.d; ++c) out[c] = std::min(out[c], x[c]);
    }
  });
}

// weights[k] = count exp(score - max) / sum of these; out = sum of weights[k] x[k].
template <typename T>
void pool_graph_weighted(const SegmentPoolArgs<T>& a, std::size_t g, T* weights) {
  const Entries entries{*a.segments, g};
  T* const __restrict out = a.out + g * a.d;
  std::fill_n(out, a.d, T(0));
  if (entries.empty()) return;
  const std::size_t q = a.score_columns;
  const std::uint64_t begin = a.segments->begin[g];
  std::vector<T> largest(q, -std::numeric_limits<T>::infinity());
  std::vector<T> total(q, T(0));
  entries.visit([&](std::uint64_t, std::uint64_t row, std::uint32_t) {
    for (std::size_t c = 0; c < q; ++c) largest[c] = std::max(largest[c], a.scores[row * q + c]);
  });
  entries.visit([&](std::uint64_t k, std::uint64_t row, std::uint32_t count) {
    T* const w = weights + (k - begin) * q;
    for (std::size_t c = 0; c < q; ++c) {
      w[c] = static_cast<T>(count) * std::exp(a.scores[row * q + c] - largest[c]);
      total[c] += w[c];
    }
  });
  for (T& value : total) value = 1 / value;
  entries.visit([&](std::uint64_t k, std::uint64_t row, std::uint32_t) {
    T* const w = weights + (k - begin) * q;
    for (std::size_t c = 0; c < q; ++c) w[c] *= total[c];
    const T* const __restrict x = a.x + row * a.d;
    if (q == 1) {
      for (std::size_t c = 0; c < a.d; ++c) out[c] += w[0] * x[c];
    } else {
      for (std::size_t c = 0; c < a.d; ++c) out[c] += w[c] * x[c];
    }
  });
}

template <typename T>
void unpool_graph(const SegmentPoolArgs<T>& a, std::size_t g) {
  const Entries entries{*a.segments, g};
  const T* const __restrict dout = a.dout + g * a.d;
  const T* const out = a.out + g * a.d;
  if (entries.empty()) return;
  if (a.reduction == SegmentReduction::kSum || a.reduction == SegmentReduction::kMean) {
    const double scale = a.reduction == SegmentReduction::kMean ? 1 / entries.total() : 1;
    entries.visit([&](std::uint64_t, std::uint64_t row, std::uint32_t count) {
      const T times = static_cast<T>(count * scale);
      T* const __restrict dx = a.dx + row * a.d;
      for (std::size_t c = 0; c < a.d; ++c) dx[c] += times * dout[c];
    });
    return;
  }
  std::vector<bool> is_given(a.d, false);
  entries.visit([&](std::uint64_t, std::uint64_t row, std::uint32_t) {
    for (std::size_t c = 0; c < a.d; ++c) {
      if (is_given[c] || a.x[row * a.d + c] != out[c]) continue;
      a.dx[row * a.d + c] += dout[c];
      is_given[c] = true;
    }
  });
}

// dx = w dout; dscore = w (x - out) dout, summed over the columns that share a score.
template <typename T>
void unpool_graph_weighted(const SegmentPoolArgs<T>& a, std::size_t g, const T* weights) {
  const Entries entries{*a.segments, g};
  const T* const __restrict dout = a.dout + g * a.d;
  const T* const __restrict out = a.out + g * a.d;
  const std::size_t q = a.score_columns;
  const std::uint64_t begin = a.segments->begin[g];
  entries.visit([&](std::uint64_t k, std::uint64_t row, std::uint32_t) {
    const T* const __restrict w = weights + (k - begin) * q;
    const T* const __restrict x = a.x + row * a.d;
    T* const __restrict dx = a.dx + row * a.d;
    T* const __restrict dscore = a.dscores + row * q;
    if (q == 1) {
      T sum = 0;
      for (std::size_t c = 0; c < a.d; ++c) {
        dx[c] += w[0] * dout[c];
        sum += (x[c] - out[c]) * dout[c];
      }
      dscore[0] += w[0] * sum;
    } else {
      for (std::size_t c = 0; c < a.d; ++c) {
        const T slope = w[c] * dout[c];
        dx[c] += slope;
        dscore[c] += slope * (x[c] - out[c]);
      }
    }
  });
}

}  // namespace

Segments contiguous_segments(const std::vector<std::uint64_t>& offsets,
                             const std::vector<std::uint64_t>& lengths) {
  Segments segments;
  segments.num_rows = offsets.back();
  segments.begin.assign(offsets.begin(), offsets.end() - 1);
  segments.end.assign(offsets.begin() + 1, offsets.end());
  for (std::size_t g = 0; g < lengths.size(); ++g) segments.end[g] = segments.begin[g] + lengths[g];
  return segments;
}

std::uint64_t num_entries(const Segments& segments) { return entry_offsets(segments).back(); }

template <typename T>
void segment_pool(const SegmentPoolArgs<T>& args) {
  if (args.scores == nullptr) {
    for_graphs(*args.segments, args.d, args.threads, [&](std::size_t g) { pool_graph(args, g); });
    return;
  }
  const std::vector<std::uint64_t> offsets = entry_offsets(*args.segments);
  for_graphs(*args.segments, args.d, args.threads, [&](std::size_t g) {
    pool_graph_weighted(args, g, args.weights + offsets[g] * args.score_columns);
  });
}

template <typename T>
void segment_pool_backward(const SegmentPoolArgs<T>& args) {
  // Graphs that share rows add to the same places: one after the other.
  const int threads = args.segments->rows.empty() ? args.threads : 1;
  if (args.scores == nullptr) {
    for_graphs(*args.segments, args.d, threads, [&](std::size_t g) { unpool_graph(args, g); });
    return;
  }
  const std::vector<std::uint64_t> offsets = entry_offsets(*args.segments);
  for_graphs(*args.segments, args.d, threads, [&](std::size_t g) {
    unpool_graph_weighted(args, g, args.weights + offsets[g] * args.score_columns);
  });
}

template void segment_pool(const SegmentPoolArgs<float>& args);
template void segment_pool(const SegmentPoolArgs<double>& args);
template void segment_pool_backward(const SegmentPoolArgs<float>& args);
template void segment_pool_backward(const SegmentPoolArgs<double>& args);

}  // namespace twofold::compute
