#include "twofold/compute/matrix_product.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/whole_numbers.h"

namespace twofold::compute {
namespace {

using twofold::testing::whole_numbers;

template <typename T>
class MatrixProduct : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(MatrixProduct, Types);

TYPED_TEST(MatrixProduct, IsTheNestedLoopAroundEverySizeOfTile) {
  using T = TypeParam;
  Random random(1);
  for (const std::size_t m : {0, 1, 5, 6, 7, 13})
    for (const std::size_t k : {0, 1, 3, 32})
      for (const std::size_t n : {1, 3, 4, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 96}) {
        const std::size_t stride = n + 3;
        const std::vector<T> a = whole_numbers<T>(m * (k + 1), random);
        const std::vector<T> b = whole_numbers<T>(k * stride, random);
        for (const bool adds : {false, true}) {
          const std::vector<T> before = whole_numbers<T>(m * stride, random);
          std::vector<T> wanted = before;
          for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < n; ++j) {
              T sum = adds ? before[i * stride + j] : T{0};
              for (std::size_t s = 0; s < k; ++s) sum += a[i * (k + 1) + s] * b[s * stride + j];
              wanted[i * stride + j] = sum;
            }
          std::vector<T> c = before;
          matrix_product<T>(m, k, n, {a.data(), k + 1}, {b.data(), stride}, {c.data(), stride}, adds);
          EXPECT_EQ(c, wanted) << m << ' ' << k << ' ' << n << ' ' << adds;
        }
      }
}

TYPED_TEST(MatrixProduct, OfATransposedIsTheNestedLoop) {
  using T = TypeParam;
  Random random(2);
  for (const std::size_t m : {0, 1, 63, 64, 65, 200})
    for (const std::size_t k : {1, 6, 35})
      for (const std::size_t n : {1, 8, 33, 96}) {
        const std::vector<T> a = whole_numbers<T>(m * k, random);
        const std::vector<T> b = whole_numbers<T>(m * n, random);
        std::vector<T> wanted = whole_numbers<T>(k * n, random);
        std::vector<T> c = wanted;
        for (std::size_t s = 0; s < m; ++s)
          for (std::size_t i = 0; i < k; ++i)
            for (std::size_t j = 0; j < n; ++j) wanted[i * n + j] += a[s * k + i] * b[s * n + j];
        add_transposed_product<T>(m, k, n, {a.data(), k}, {b.data(), n}, {c.data(), n});
        EXPECT_EQ(c, wanted) << m << ' ' << k << ' ' << n;
      }
}

TYPED_TEST(MatrixProduct, TransposingTakesEveryValueToItsPlaceAndWritesNoOther) {
  using T = TypeParam;
  for (const std::size_t m : {0, 1, 7, 8, 9, 16, 35})
    for (const std::size_t n : {0, 1, 7, 8, 9, 16, 35}) {
      const std::size_t from_stride = n + 3, to_stride = m + 5;
      std::vector<T> from(m * from_stride);
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<T>(i + 1);
      std::vector<T> to(n * to_stride, T{-1}), wanted = to;
      for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j) wanted[j * to_stride + i] = from[i * from_stride + j];
      transpose<T>(m, n, {from.data(), from_stride}, {to.data(), to_stride});
      EXPECT_EQ(to, wanted) << m << ' ' << n;
    }
}

}  // namespace
}  // namespace twofold::compute
