#include "twofold/wl/counterexample.h"

#include <gtest/gtest.h>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"

namespace twofold::wl {
namespace {

using namespace testing;  // NOLINT: the graphs' names are the words of this file

Classes classes_of(const std::vector<std::uint32_t>& class_of, std::size_t num_classes) {
  Classes classes;
  classes.class_of = class_of;
  classes.num_classes = num_classes;
  return classes;
}

TEST(Counterexample, IsNoneWhereAClassHasOneValue) {
  const std::vector<Graph> graphs = {path(3), path(3), cycle(3)};
  EXPECT_FALSE(find_counterexample(graphs, classes_of({0, 0, 1}, 2), std::vector<std::uint64_t>{5, 5, 7}));
  EXPECT_FALSE(find_counterexample(graphs, classes_of({0, 1, 2}, 3), std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_FALSE(find_counterexample({}, classes_of({}, 0), {}));
}

TEST(Counterexample, IsTheSmallestByNodesThenEdgesThenPlace) {
  const std::vector<Graph> graphs = {path(5), path(5), cycle(4), cycle(4), path(4), path(4), path(4), path(4)};
  const Classes classes = classes_of({0, 0, 1, 1, 2, 2, 3, 2}, 4);
  const auto found = [&](const std::vector<std::uint64_t>& values) {
    const auto pair = find_counterexample(graphs, classes, values);
    return pair ? std::vector<std::size_t>{pair->first, pair->second} : std::vector<std::size_t>{};
  };
  using Pair = std::vector<std::size_t>;
  EXPECT_EQ(found({0, 1, 0, 0, 0, 0, 0, 0}), (Pair{0, 1}));
  EXPECT_EQ(found({0, 1, 0, 1, 0, 0, 0, 0}), (Pair{2, 3}));  // fewer nodes
  EXPECT_EQ(found({0, 1, 0, 1, 0, 0, 9, 1}), (Pair{4, 7}));  // fewer edges
  EXPECT_EQ(found({0, 1, 0, 1, 0, 2, 9, 1}), (Pair{4, 5}));  // earlier
}

// The definition, tried on all pairs.
TEST(CycleKnowledge, IsWhatTryingAllPairsGives) {
  if (all_graphs(3).empty()) GTEST_SKIP() << "nauty-geng is not installed";
  const std::vector<Graph> graphs = all_graphs(6);
  const auto counts = graph::count_cycles(graphs, {3, 6});
  for (const char* word : {"1-wl", "2-gnn", "2-wl", "2-fwl"}) {
    const WlTest test = parse_test(word);
    const CycleKnowledge knowledge = cycle_knowledge(graphs, counts, test, {0});
    const Classes classes = classify(graphs, test, {0});
    EXPECT_EQ(knowledge.num_classes, classes.num_classes);
    ASSERT_EQ(knowledge.lengths.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      bool is_counted = true;
      bool is_detected = true;
      for (std::size_t a = 0; a < graphs.size(); ++a)
        for (std::size_t b = 0; b < a; ++b) {
          if (classes.class_of[a] != classes.class_of[b]) continue;
          const std::uint64_t in_a = counts[a].in_graph[i];
          const std::uint64_t in_b = counts[b].in_graph[i];
          if (in_a != in_b) is_counted = false;
          if ((in_a > 0) != (in_b > 0)) is_detected = false;
        }
      const CyclePower& power = knowledge.lengths[i];
      EXPECT_EQ(power.length, static_cast<int>(i) + 3);
      EXPECT_EQ(power.counts(), is_counted) << word << " " << power.length;
      EXPECT_EQ(power.detects(), is_detected) << word << " " << power.length;
      if (power.counts()) continue;
      const Counterexample pair = *power.against_counting;
      EXPECT_EQ(classes.class_of[pair.first], classes.class_of[pair.second]);
      EXPECT_NE(counts[pair.first].in_graph[i], counts[pair.second].in_graph[i]);
    }
  }
}

}  // namespace
}  // namespace twofold::wl
