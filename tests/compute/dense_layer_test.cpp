#include "twofold/compute/dense_layer.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace twofold::compute {
namespace {

template <typename T>
class AllFinite : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(AllFinite, Types);

TYPED_TEST(AllFinite, FindsOneThatIsNotWhereverItStands) {
  using T = TypeParam;
  using Limits = std::numeric_limits<T>;
  for (const std::size_t count : {1, 3, 4, 15, 16, 17, 63, 64, 65, 130}) {
    std::vector<T> values(count, -Limits::max());
    for (std::size_t i = 0; i < count; i += 3) values[i] = Limits::denorm_min();
    EXPECT_TRUE(all_finite(count, values.data())) << count;
    for (std::size_t i = 0; i < count; ++i)
      for (const T bad : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), -Limits::quiet_NaN()}) {
        const T before = values[i];
        values[i] = bad;
        EXPECT_FALSE(all_finite(count, values.data())) << count << ' ' << i << ' ' << bad;
        values[i] = before;
      }
  }
  EXPECT_TRUE(all_finite(0, static_cast<const T*>(nullptr)));
}

}  // namespace
}  // namespace twofold::compute
