// The gradient of the pair sum triangle by triangle, compiled once a SIMD target.
//
// Three rows A = {i,j}, B = {j,l}, C = {i,l} of distinct nodes meet in three triples, one in each row's sum,
// and each slope is wanted by two of them:
//   t_AB = g_C act'(z_A + z_B) goes to dz_A and dz_B,   t_AC = g_B act'(z_A + z_C) to dz_A and dz_C,
//   t_BC = g_A act'(z_B + z_C) to dz_B and dz_C.
// Gathering row by row finds every slope twice, six of them from twelve loads; here it is three from six loads
// and two stores. The price is that rows are added to in memory, so one thread does a whole graph (or some
// features of it, which no other thread touches).
#if defined(TWOFOLD_COMPUTE_PAIR_TRIANGLE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TWOFOLD_COMPUTE_PAIR_TRIANGLE_INL_H_
#undef TWOFOLD_COMPUTE_PAIR_TRIANGLE_INL_H_
#else
#define TWOFOLD_COMPUTE_PAIR_TRIANGLE_INL_H_
#endif

#include "twofold/compute/pair_rows-inl.h"
#include "twofold/pairs/triple_scan.h"

HWY_BEFORE_NAMESPACE();
namespace twofold::compute::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Where the strip of one row begins in the buffers of z, g and the gradients, which have one stride.
template <typename T>
struct TriangleRows {
  std::size_t stride;
  const T* HWY_RESTRICT z;
  const T* HWY_RESTRICT g;
  T* HWY_RESTRICT dz;
};

// Adds one triangle; a, own_a and g_a belong to row A, whose gradient `acc` is the caller's.
template <class Op, int NV, typename T>
HWY_INLINE void AddTriangle(const TriangleRows<T> rows, Strip<Tag<T>>& acc, const Strip<Tag<T>>& own_a,
                            const T* HWY_RESTRICT g_a, std::size_t b, std::size_t c) {
  const Tag<T> d;
  const std::size_t N = hn::Lanes(d);
  const T* HWY_RESTRICT z_b = rows.z + b;
  const T* HWY_RESTRICT z_c = rows.z + c;
  const T* HWY_RESTRICT g_b = rows.g + b;
  const T* HWY_RESTRICT g_c = rows.g + c;
  T* dz_b = rows.dz + b;
  T* dz_c = rows.dz + c;
  const auto add = [&](auto v, auto own, std::size_t at) HWY_ATTR {
    const auto zb = hn::Load(d, z_b + at);
    const auto zc = hn::Load(d, z_c + at);
    const auto ab = Op::TimesSlope(d, hn::Load(d, g_c + at), own, zb);
    const auto ac = Op::TimesSlope(d, hn::Load(d, g_b + at), own, zc);
    const auto bc = Op::TimesSlope(d, hn::Load(d, g_a + at), Op::Own(d, zc), zb);
    hn::Store(hn::Add(hn::Load(d, dz_b + at), hn::Add(ab, bc)), d, dz_b + at);
    hn::Store(hn::Add(hn::Load(d, dz_c + at), hn::Add(ac, bc)), d, dz_c + at);
    return hn::Add(v, hn::Add(ab, ac));
  };
  acc.v0 = add(acc.v0, own_a.v0, 0 * N);
  if constexpr (NV > 1) acc.v1 = add(acc.v1, own_a.v1, 1 * N);
  if constexpr (NV > 2) acc.v2 = add(acc.v2, own_a.v2, 2 * N);
  if constexpr (NV > 3) acc.v3 = add(acc.v3, own_a.v3, 3 * N);
}

// What row {i,j} has besides triangles: it meets itself in the sums of both loops, and the loops in its own.
//   dz_ij += 2 (g_ii + g_jj) act'(2 z_ij) + t_i + t_j,  dz_ii += t_i,  dz_jj += t_j,  t_i = g_ij act'(z_ij +
//   z_ii)
template <class Op, int NV, typename T>
HWY_INLINE void AddLoops(const TriangleRows<T> rows, Strip<Tag<T>>& acc, std::size_t row, std::size_t loop_i,
                         std::size_t loop_j) {
  const Tag<T> d;
  UpdateStrip<NV>(d, acc, [&](auto v, std::size_t at) HWY_ATTR {
    const auto z = hn::Load(d, rows.z + row + at);
    const auto own = Op::Own(d, z);
    const auto g = hn::Load(d, rows.g + row + at);
    const auto ends = hn::Add(hn::Load(d, rows.g + loop_i + at), hn::Load(d, rows.g + loop_j + at));
    const auto to_i = Op::TimesSlope(d, g, own, hn::Load(d, rows.z + loop_i + at));
    const auto to_j = Op::TimesSlope(d, g, own, hn::Load(d, rows.z + loop_j + at));
    hn::Store(hn::Add(hn::Load(d, rows.dz + loop_i + at), to_i), d, rows.dz + loop_i + at);
    hn::Store(hn::Add(hn::Load(d, rows.dz + loop_j + at), to_j), d, rows.dz + loop_j + at);
    return hn::Add(v, hn::Add(hn::Add(to_i, to_j), Op::TimesSlope(d, hn::Add(ends, ends), own, z)));
  });
}

// The l > j of a row {i,j} from its list. They come last, and are those whose row {l,j} is one of node j's.
struct ListedTriangles {
  const pairs::RowPair* HWY_RESTRICT first;
  const pairs::RowPair* HWY_RESTRICT end;
  pairs::Row first_of_j;
  std::size_t stride;

  HWY_INLINE bool Next(std::size_t& b, std::size_t& c) {
    if (end == first || end[-1].b < first_of_j) return false;
    --end;
    b = end->b * stride;
    c = end->a * stride;
    return true;
  }
};

// The same where every pair is a row: the next rows of i and all rows of j, no list is read.
struct AllTriangles {
  std::size_t left;
  std::size_t b_next;
  std::size_t c_next;
  std::size_t stride;

  HWY_INLINE bool Next(std::size_t& b, std::size_t& c) {
    if (left == 0) return false;
    --left;
    b = b_next;
    c = c_next;
    b_next += stride;
    c_next += stride;
    return true;
  }
};

// All that row {i,j} takes part in with nodes l > j, and with its own ends.
template <class Op, int NV, typename T, class Triangles>
HWY_INLINE void AddPair(const TriangleRows<T> rows, std::size_t loop_i, std::size_t loop_j, std::size_t row,
                        Triangles triangles) {
  const Tag<T> d;
  Strip<Tag<T>> acc = ZeroStrip(d);
  Strip<Tag<T>> own = ZeroStrip(d);
  UpdateStrip<NV>(d, acc, [&](auto, std::size_t at) HWY_ATTR { return hn::Load(d, rows.dz + row + at); });
  UpdateStrip<NV>(d, own,
                  [&](auto, std::size_t at) HWY_ATTR { return Op::Own(d, hn::Load(d, rows.z + row + at)); });
  std::size_t b = 0;
  std::size_t c = 0;
  while (triangles.Next(b, c)) AddTriangle<Op, NV>(rows, acc, own, rows.g + row, b, c);
  AddLoops<Op, NV>(rows, acc, row, loop_i, loop_j);
  StoreStrip<NV>(d, acc, rows.dz + row, NV * hn::Lanes(d));
}

// The gradients of one strip of a whole graph, added to rows.dz.
template <class Op, int NV, typename T>
void TriangleStrip(const TriangleRows<T> rows, const pairs::PairSet& set, pairs::TripleScan& scan) {
  const Tag<T> d;
  const std::size_t stride = rows.stride;
  const bool is_complete = set.is_complete();
  const std::size_t n = set.num_nodes();
  if (!is_complete) scan.begin(set);
  for (std::size_t i = 0; i < n; ++i) {
    Strip<Tag<T>> loop = ZeroStrip(d);
    UpdateStrip<NV>(d, loop, [&](auto, std::size_t at) HWY_ATTR {
      const auto z = hn::Load(d, rows.z + i * stride + at);
      const auto g = hn::Load(d, rows.g + i * stride + at);
      return hn::Add(hn::Load(d, rows.dz + i * stride + at),
                     Op::TimesSlope(d, hn::Add(g, g), Op::Own(d, z), z));
    });
    StoreStrip<NV>(d, loop, rows.dz + i * stride, NV * hn::Lanes(d));
    if (is_complete) {
      for (std::size_t j = i + 1; j < n; ++j) {
        const std::size_t row = (set.upper_rows[i] + (j - i - 1)) * stride;
        AddPair<Op, NV>(rows, i * stride, j * stride, row,
                        AllTriangles{n - 1 - j, set.upper_rows[j] * stride, row + stride, stride});
      }
      continue;
    }
    // A triangle is visited from its two smallest nodes.
    scan.rows_of(static_cast<Node>(i), [&](pairs::Row row, Span<const pairs::RowPair> triples) HWY_ATTR {
      if (row == i) return;
      const std::size_t j = set.second[row];
      AddPair<Op, NV>(rows, i * stride, j * stride, row * stride,
                      ListedTriangles{triples.begin() + 2, triples.end(), set.upper_rows[j], stride});
    });
  }
}

}  // namespace twofold::compute::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
