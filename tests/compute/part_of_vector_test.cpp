// Rows whose length is no multiple of a vector's: the last loads and stores cover a part of one. On CPUs
// without masked loads they once read whole vectors from aligned addresses only, which killed the program.
#include <gtest/gtest.h>

#include <limits>

#include "tests/support/guarded_buffer.h"
#include "tests/support/whole_numbers.h"
#include "twofold/base/random.h"
#include "twofold/base/simd.h"
#include "twofold/compute/batch_norm.h"
#include "twofold/compute/dense_layer.h"
#include "twofold/compute/label_rows.h"
#include "twofold/compute/matrix_product.h"
#include "twofold/compute/pooling.h"

namespace twofold::compute {
namespace {

using twofold::testing::GuardedBuffer;
using twofold::testing::whole_numbers;

constexpr std::size_t kWidths[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33};

// Calls body(a float, then a double; width; random) on every level of this CPU.
template <class F>
void on_every_level(const F& body) {
  const std::string before = simd_level();
  for (const std::string& level : simd_levels()) {
    SCOPED_TRACE(level);
    use_simd_level(level);
    for (const std::size_t d : kWidths) {
      SCOPED_TRACE(d);
      Random random(d);
      body(float{}, d, random);
      body(double{}, d, random);
    }
  }
  use_simd_level(before);
}

TEST(PartOfVector, OfMatrixProductsTouchesNothingBehindUnalignedRows) {
  on_every_level([](auto type, std::size_t n, Random& random) {
    using T = decltype(type);
    for (const std::size_t m : {1, 5, 6, 7, 13}) {
      const std::size_t k = 5;
      const std::vector<T> left = whole_numbers<T>(m * k, random), right = whole_numbers<T>(k * n, random);
      GuardedBuffer<T> a(left), b(right), c(m * n, T{1});
      matrix_product<T>(m, k, n, {a.get(), k}, {b.get(), n}, {c.get(), n}, true);
      std::vector<T> expected(m * n, T{1});
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t s = 0; s < k; ++s)
          for (std::size_t j = 0; j < n; ++j) expected[i * n + j] += left[i * k + s] * right[s * n + j];
      EXPECT_EQ(c.values(), expected);

      // transpose(a) c, both of m rows.
      GuardedBuffer<T> sums(k * n, T{2});
      add_transposed_product<T>(m, k, n, {a.get(), k}, {c.get(), n}, {sums.get(), n});
      std::vector<T> transposed(k * n, T{2});
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t s = 0; s < k; ++s)
          for (std::size_t j = 0; j < n; ++j) transposed[s * n + j] += left[i * k + s] * expected[i * n + j];
      EXPECT_EQ(sums.values(), transposed);
    }
  });
}

TEST(PartOfVector, OfMatrixProductsLeavesTheColumnsBesideAlone) {
  on_every_level([](auto type, std::size_t n, Random& random) {
    using T = decltype(type);
    const std::size_t m = 7, k = 3, stride = n + 3;
    const std::vector<T> left = whole_numbers<T>(m * k, random), right = whole_numbers<T>(k * n, random);
    std::vector<T> c(m * stride, T{99});
    matrix_product<T>(m, k, n, {left.data(), k}, {right.data(), n}, {c.data(), stride});
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = n; j < stride; ++j) EXPECT_EQ(c[i * stride + j], T{99});
  });
}

TEST(PartOfVector, OfDenseLayersTouchesNothingBehindUnalignedRows) {
  on_every_level([](auto type, std::size_t d, Random& random) {
    using T = decltype(type);
    const std::size_t rows = 3;
    const std::vector<T> x = whole_numbers<T>(rows * d, random), shift = whole_numbers<T>(d, random);
    GuardedBuffer<T> y(x), bias(shift), dy(rows * d, T{3}), dx(rows * d, T{0}), dbias(d, T{1});
    activate_rows<T>(Activation::kRelu, rows, d, bias.get(), y.get());
    activate_rows_backward<T>(Activation::kRelu, rows, d, y.get(), dy.get(), dx.get(), dbias.get());
    std::vector<T> out(rows * d), slope(rows * d), total(d, T{1});
    for (std::size_t i = 0; i < rows * d; ++i) {
      out[i] = std::max(T{0}, x[i] + shift[i % d]);
      slope[i] = out[i] > 0 ? T{3} : T{0};
      total[i % d] += slope[i];
    }
    EXPECT_EQ(y.values(), out);
    EXPECT_EQ(dx.values(), slope);
    EXPECT_EQ(dbias.values(), total);
  });
}

TEST(PartOfVector, OfPoolingsTouchesNothingBehindUnalignedRows) {
  on_every_level([](auto type, std::size_t d, Random& random) {
    using T = decltype(type);
    const std::size_t rows = 5;
    const std::vector<T> values = whole_numbers<T>(rows * d, random);
    GuardedBuffer<T> y(values), scores(rows * d, T{0}), weights(rows * d, T{0}), out(d, T{0}), dout(d, T{1});
    PoolSegment segment;
    segment.size = rows;
    for (const Pooling pooling : {Pooling::kSum, Pooling::kMax, Pooling::kMin, Pooling::kWeightedMean}) {
      GuardedBuffer<T> dy(rows * d, T{0}), dscores(rows * d, T{0});
      PoolArgs<T> args;
      args.pooling = pooling;
      args.d = d;
      args.segments = &segment;
      args.num_segments = 1;
      args.y = {y.get(), d};
      args.scores = {scores.get(), d};
      args.score_columns = d;
      args.weights = weights.get();
      args.out = out.get();
      args.dout = dout.get();
      args.dy = {dy.get(), d};
      args.dscores = {dscores.get(), d};
      pool_rows(args);
      pool_rows_backward(args);
      for (std::size_t c = 0; c < d; ++c) {
        T sum = 0, most = values[c], least = values[c], gradient = 0;
        for (std::size_t row = 0; row < rows; ++row) {
          const T value = values[row * d + c];
          sum += value;
          most = std::max(most, value);
          least = std::min(least, value);
          gradient += dy.get()[row * d + c];
        }
        const T expected = pooling == Pooling::kMax   ? most
                           : pooling == Pooling::kMin ? least
                           : pooling == Pooling::kSum ? sum
                                                      : sum / rows;
        EXPECT_NEAR(out.get()[c], expected, 1e-5);
        EXPECT_NEAR(gradient, pooling == Pooling::kSum ? rows : 1, 1e-5);
      }
    }
  });
}

TEST(PartOfVector, OfNormsTouchesNothingBehindUnalignedRows) {
  on_every_level([](auto type, std::size_t d, Random& random) {
    using T = decltype(type);
    const std::size_t rows = 6;
    GuardedBuffer<T> x(whole_numbers<T>(rows * d, random)), weights(rows, T{2}), scale(d, T{1}),
        shift(d, T{10});
    GuardedBuffer<T> out(rows * d, T{0}), dout(rows * d, T{1}), dx(rows * d, T{5});
    GuardedBuffer<double> mean(d, 0), variance(d, 0), slopes(d, 5), y_slopes(d, 5);
    BatchNormArgs<T> args;
    args.num_rows = rows;
    args.d = d;
    args.epsilon = 1;
    args.relu = true;
    args.x = x.get();
    args.weights = weights.get();
    args.scale = scale.get();
    args.shift = shift.get();
    args.out = out.get();
    args.mean = mean.get();
    args.variance = variance.get();
    args.dout = dout.get();
    args.dx = dx.get();
    args.slopes = slopes.get();
    args.y_slopes = y_slopes.get();
    batch_norm_statistics(args);
    batch_norm(args);
    batch_norm_slopes(args);
    batch_norm_backward(args);
    for (std::size_t c = 0; c < d; ++c) {
      T sum = 0;
      for (std::size_t row = 0; row < rows; ++row) sum += out.get()[row * d + c] - 10;
      EXPECT_NEAR(sum, 0, 1e-3) << "centered, and far enough above 0 for relu";
      EXPECT_NEAR(slopes.get()[c], rows * 1.0, 1e-5);
    }
  });
}

TEST(PartOfVector, OfLabelRowsTouchesNothingBehindUnalignedRows) {
  on_every_level([](auto type, std::size_t d, Random& random) {
    using T = decltype(type);
    const std::vector<T> rows = whole_numbers<T>(3 * d, random);
    const std::uint32_t labels[] = {2, 0, 2, 1};
    GuardedBuffer<T> table(rows), to(4 * d, T{1}), sums(3 * d, T{0});
    look_up_rows<T>(4, labels, d, {table.get(), d}, {to.get(), d}, true);
    add_rows_by_label<T>(4, labels, d, {to.get(), d}, {sums.get(), d});
    for (std::size_t c = 0; c < d; ++c) {
      for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(to.get()[i * d + c], 1 + rows[labels[i] * d + c]);
      EXPECT_EQ(sums.get()[2 * d + c], 2 * (1 + rows[2 * d + c]));
    }
  });
}

TEST(PartOfVector, OfLooksForInfinitiesTouchesNothingBehind) {
  on_every_level([](auto type, std::size_t d, Random& random) {
    using T = decltype(type);
    GuardedBuffer<T> values(whole_numbers<T>(5 * d, random));
    EXPECT_TRUE(all_finite(5 * d, values.get()));
    values.get()[5 * d - 1] = std::numeric_limits<T>::infinity();
    EXPECT_FALSE(all_finite(5 * d, values.get()));
  });
}

}  // namespace
}  // namespace twofold::compute
