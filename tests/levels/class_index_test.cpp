#include "twofold/levels/class_index.h"

#include <gtest/gtest.h>

#include "twofold/base/random.h"

namespace twofold::levels {
namespace {

// Many share the bits that an index goes by: rows must be told apart by comparing.
std::vector<std::uint64_t> hashes(std::size_t count) {
  Random random(5);
  std::vector<std::uint64_t> made;
  for (std::size_t i = 0; i < count; ++i) made.push_back(random.bits() & 0xffff00000000ffffu);
  return made;
}

TEST(ClassIndex, FindsEveryRowWhateverThreadsFiledIt) {
  const std::vector<std::uint64_t> all = hashes(30000);
  for (const int threads : {1, 2, 4}) {
    ClassIndex index;
    // A few one by one, then two lots, of which the second makes it grow.
    for (std::size_t i = 0; i < 10; ++i) ASSERT_EQ(index.add(all[i]), i);
    for (const auto& [begin, end] : {std::pair{10, 9000}, std::pair{9000, 30000}}) {
      std::copy(all.begin() + begin, all.begin() + end, index.add_room(static_cast<std::size_t>(end - begin)));
      index.file_from(static_cast<std::size_t>(begin), threads);
    }
    ASSERT_EQ(index.size(), all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(index.find(all[i], [&](pairs::Row row) { return row == i; }), i) << threads;
      ASSERT_EQ(index.hash(static_cast<pairs::Row>(i)), all[i]);
    }
    EXPECT_EQ(index.find(all[7], [](pairs::Row) { return false; }), pairs::kNoRow);
    index.clear();
    EXPECT_EQ(index.find(all[7], [](pairs::Row) { return true; }), pairs::kNoRow);
    EXPECT_EQ(index.add(all[7]), 0u);
  }
}

}  // namespace
}  // namespace twofold::levels
