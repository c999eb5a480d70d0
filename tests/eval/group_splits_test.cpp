#include "twofold/eval/group_splits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "twofold/base/error.h"

namespace twofold::eval {
namespace {

// 60 groups of 1, 2, 3, … graphs in turn.
std::vector<std::uint32_t> some_groups() {
  std::vector<std::uint32_t> groups;
  for (std::uint32_t g = 0; g < 60; ++g) groups.insert(groups.end(), 1 + g % 7, g);
  return groups;
}

TEST(GroupSplits, AGroupStandsInOnePart) {
  const auto groups = some_groups();
  const Splits splits = make_group_splits(groups, 5, 1);
  std::set<std::uint32_t> tested;
  for (const Fold& fold : splits) {
    std::map<std::uint32_t, std::set<int>> parts;
    int part = 0;
    for (const auto* graphs : {&fold.train, &fold.validation, &fold.test}) {
      for (const std::uint32_t g : *graphs) parts[groups[g]].insert(part);
      ++part;
    }
    for (const auto& [group, where] : parts) EXPECT_EQ(where.size(), 1u) << group;
    EXPECT_EQ(fold.train.size() + fold.validation.size() + fold.test.size(), groups.size());
    EXPECT_GE(fold.validation.size(), 1u);
    tested.insert(fold.test.begin(), fold.test.end());
    EXPECT_NEAR(static_cast<double>(fold.test.size()), static_cast<double>(groups.size()) / 5, 2);
  }
  EXPECT_EQ(tested.size(), groups.size());
  EXPECT_EQ(make_group_splits(groups, 5, 1), splits);
  EXPECT_NE(make_group_splits(groups, 5, 2), splits);
}

TEST(GroupSplits, HoldsOutWholeGroupsOfAboutTheShare) {
  const auto groups = some_groups();
  const Fold fold = hold_out_groups(groups, 0.2, 3);
  EXPECT_NEAR(static_cast<double>(fold.validation.size()), 0.2 * static_cast<double>(groups.size()), 4);
  std::set<std::uint32_t> held;
  for (const std::uint32_t g : fold.validation) held.insert(groups[g]);
  for (const std::uint32_t g : fold.train) EXPECT_EQ(held.count(groups[g]), 0u);
  EXPECT_TRUE(hold_out_groups(groups, 0, 3).validation.empty());
}

TEST(GroupSplits, TooFewGroupsAreRefused) {
  EXPECT_THROW(make_group_splits(std::vector<std::uint32_t>{0, 0, 1, 1}, 2, 1), InputError);
  EXPECT_THROW(make_group_splits(some_groups(), 1, 1), UsageError);
}

TEST(GroupSplits, PartsAreTakenAsTheyAre) {
  const Fold fold = fold_of_parts({"test", "train", "validation", "train"});
  EXPECT_EQ(fold.train, (std::vector<std::uint32_t>{1, 3}));
  EXPECT_EQ(fold.validation, std::vector<std::uint32_t>{2});
  EXPECT_EQ(fold.test, std::vector<std::uint32_t>{0});
}

}  // namespace
}  // namespace twofold::eval
