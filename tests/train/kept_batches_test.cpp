#include "twofold/train/kept_batches.h"

#include <gtest/gtest.h>

namespace twofold::train {
namespace {

struct Cut {
  std::vector<std::uint32_t> graphs;
  int number = 0;
};

// Counts how often batches are cut; each takes ten bytes per graph.
class Cutting {
 public:
  Cutting(std::size_t most, std::uint64_t most_bytes) : kept_(most, most_bytes) {}
  Cut& get(const std::vector<std::uint32_t>& graphs, std::size_t slot = 0) {
    const auto fill = [&](const auto& given, Cut& to) {
      to.graphs = given;
      to.number = ++count;
      return std::uint64_t{10} * given.size();
    };
    return kept_.get(graphs, fill, slot);
  }
  int count = 0;

 private:
  KeptBatches<Cut> kept_;
};

TEST(KeptBatches, AreThoseThatCameTwice) {
  Cutting cutting(2, 1000);
  EXPECT_EQ(cutting.get({1, 2}).number, 1);
  EXPECT_EQ(cutting.get({3}).number, 2);
  EXPECT_EQ(cutting.get({1, 2}).number, 3);
  EXPECT_EQ(cutting.get({1, 2}).number, 3);
  EXPECT_EQ(cutting.get({2, 1}).number, 4);
  EXPECT_EQ(cutting.get({1, 2}).graphs, (std::vector<std::uint32_t>{1, 2}));
}

TEST(KeptBatches, TakeNoMoreMemoryThanTheyMay) {
  Cutting cutting(10, 35);
  for (int pass = 0; pass < 2; ++pass)
    for (const auto& graphs : {std::vector<std::uint32_t>{1, 2}, {3, 4}, {5}}) cutting.get(graphs);
  EXPECT_EQ(cutting.count, 6);
  // The first and the third fit, the second beside the first does not.
  cutting.get({1, 2});
  cutting.get({5});
  EXPECT_EQ(cutting.count, 6);
  cutting.get({3, 4});
  cutting.get({3, 4});
  EXPECT_EQ(cutting.count, 8);
}

TEST(KeptBatches, OfSeveralSlotsStayValidSideBySide) {
  Cutting cutting(10, 1000);
  for (int pass = 0; pass < 3; ++pass) {
    const Cut& first = cutting.get({1}, 0);
    const Cut& second = cutting.get({2}, 1);
    EXPECT_EQ(first.graphs, (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(second.graphs, (std::vector<std::uint32_t>{2}));
  }
  EXPECT_EQ(cutting.count, 4);
}

}  // namespace
}  // namespace twofold::train
