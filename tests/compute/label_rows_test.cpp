#include "twofold/compute/label_rows.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/whole_numbers.h"

namespace twofold::compute {
namespace {

using twofold::testing::whole_numbers;

constexpr std::size_t kCount = 40;
constexpr std::size_t kLabels = 5;

// Labels as they come: now and then the next, in between runs of one.
std::vector<std::uint32_t> labels_with_runs(Random& random) {
  std::vector<std::uint32_t> labels;
  std::uint32_t label = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (random.chance(0.3)) label = static_cast<std::uint32_t>(random.below(kLabels));
    labels.push_back(label);
  }
  return labels;
}

template <typename T>
class LabelRows : public ::testing::Test {};
using Types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(LabelRows, Types);

TYPED_TEST(LabelRows, AreLookedUpAndAddedUpAsTheNestedLoopsSay) {
  using T = TypeParam;
  Random random(1);
  for (const std::size_t width : {0, 1, 3, 4, 7, 8, 15, 16, 17, 31, 33, 64, 65, 100})
    for (const bool has_labels : {false, true})
      for (const bool has_factors : {false, true}) {
        SCOPED_TRACE(::testing::Message()
                     << width << (has_labels ? " labels" : "") << (has_factors ? " factors" : ""));
        const std::vector<std::uint32_t> labels = labels_with_runs(random);
        const std::vector<T> factors = whole_numbers<T>(kCount, random);
        const auto label = [&](std::size_t i) { return has_labels ? labels[i] : i; };
        const auto factor = [&](std::size_t i) { return has_factors ? factors[i] : T{1}; };
        const std::uint32_t* const given_labels = has_labels ? labels.data() : nullptr;
        const T* const given_factors = has_factors ? factors.data() : nullptr;
        const std::size_t table_stride = width + 2, stride = width + 3;
        const std::vector<T> table = whole_numbers<T>(kCount * table_stride, random);
        const std::vector<T> rows = whole_numbers<T>(kCount * stride, random);

        for (const bool adds : {false, true}) {
          std::vector<T> found = rows, wanted = rows;
          for (std::size_t i = 0; i < kCount; ++i)
            for (std::size_t c = 0; c < width; ++c) {
              const T value = table[label(i) * table_stride + c];
              T& to = wanted[i * stride + c];
              to = adds ? to + factor(i) * value : value;
            }
          look_up_rows<T>(kCount, given_labels, width, {table.data(), table_stride}, {found.data(), stride},
                          adds, given_factors);
          EXPECT_EQ(found, wanted) << adds;
        }

        std::vector<T> sums = table, wanted = table;
        for (std::size_t i = 0; i < kCount; ++i)
          for (std::size_t c = 0; c < width; ++c)
            wanted[label(i) * table_stride + c] += factor(i) * rows[i * stride + c];
        add_rows_by_label<T>(kCount, given_labels, width, {rows.data(), stride}, {sums.data(), table_stride},
                             given_factors);
        EXPECT_EQ(sums, wanted);
      }
}

// A run of one label is added up elsewhere than in memory, and in the same order.
TYPED_TEST(LabelRows, AreAddedUpInTheirOrder) {
  using T = TypeParam;
  Random random(2);
  const std::size_t width = 70;
  std::vector<T> rows(kCount * width);
  for (T& value : rows) value = static_cast<T>(random.uniform() - 0.5);
  const std::vector<std::uint32_t> labels = labels_with_runs(random);
  std::vector<T> wanted(kLabels * width, T{0}), sums = wanted;
  for (std::size_t i = 0; i < kCount; ++i)
    for (std::size_t c = 0; c < width; ++c) wanted[labels[i] * width + c] += rows[i * width + c];
  add_rows_by_label<T>(kCount, labels.data(), width, {rows.data(), width}, {sums.data(), width});
  EXPECT_EQ(sums, wanted);
}

}  // namespace
}  // namespace twofold::compute
