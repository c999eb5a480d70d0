#include "twofold/gram/vocabulary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/gram_oracle.h"
#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/gram/gram.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::testing {
namespace {

using gram::GramMatrix;
using gram::GraphFeatures;
using gram::Kernel;
using gram::KernelKind;
using gram::Vocabulary;

constexpr KernelKind kKinds[] = {KernelKind::kWlSubtree, KernelKind::kWlShortestPath, KernelKind::kLocalSets,
                                 KernelKind::kGlobalSets, KernelKind::kRows};

std::vector<Graph> sample(std::uint64_t seed, int count) {
  Random random(seed);
  std::vector<Graph> graphs = {empty_graph(2), star(4)};
  for (int i = 0; i < count; ++i) graphs.push_back(random_decorated(random, 2 + random.below(8), 0.3));
  return graphs;
}

GramMatrix product(const Vocabulary& vocabulary, const std::vector<GraphFeatures>& features) {
  gram::GramSum sum(features.size(), 1, 0);
  for (std::size_t t = 0; t < vocabulary.num_rounds(); ++t) {
    const gram::FeatureCounts part = join_features(vocabulary, features, t);
    part.check();
    sum.add(part);
  }
  return std::move(sum).finish();
}

class EveryVocabulary : public ::testing::TestWithParam<KernelKind> {};

TEST_P(EveryVocabulary, OverAllGraphsGivesTheGramMatrix) {
  const auto graphs = sample(5, 20);
  for (const bool edge_labels : {false, true}) {
    Vocabulary vocabulary({GetParam(), 3, edge_labels});
    std::vector<GraphFeatures> features;
    for (const Graph& g : graphs) features.push_back(vocabulary.add(g));
    EXPECT_EQ(product(vocabulary, features).values, oracle_gram(graphs, vocabulary.kernel()).values);
  }
}

// Unknown features are left out, known ones keep their numbers: between new and fitted graphs nothing changes.
TEST_P(EveryVocabulary, AppliedToNewGraphsGivesTheirValuesWithTheFittedOnes) {
  const auto fitted = sample(1, 15), others = sample(2, 15);
  Vocabulary vocabulary({GetParam(), 2, true});
  std::vector<GraphFeatures> features;
  std::vector<Graph> all = fitted;
  for (const Graph& g : fitted) features.push_back(vocabulary.add(g));
  const std::uint64_t bytes = vocabulary.bytes();
  for (const Graph& g : others) {
    features.push_back(vocabulary.find(g));
    all.push_back(g);
  }
  EXPECT_EQ(vocabulary.bytes(), bytes);
  const GramMatrix matrix = product(vocabulary, features);
  const GramMatrix expected = gram_matrix(all, vocabulary.kernel());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = 0; j < fitted.size(); ++j) EXPECT_EQ(matrix.at(i, j), expected.at(i, j));
  for (std::size_t i = fitted.size(); i < all.size(); ++i) EXPECT_LE(matrix.at(i, i), expected.at(i, i));
}

TEST_P(EveryVocabulary, ObjectsAddUpToTheCounts) {
  const auto fitted = sample(3, 12), others = sample(4, 12);
  Vocabulary vocabulary({GetParam(), 2, false});
  for (const Graph& g : fitted) vocabulary.add(g);
  for (const Graph& g : others) {
    const GraphFeatures features = vocabulary.find(g);
    const auto objects = vocabulary.objects(g);
    for (std::size_t t = 0; t < vocabulary.num_rounds(); ++t) {
      std::map<std::uint32_t, std::uint64_t> counted, expected;
      for (const auto& object : objects)
        if (object.features[t] != gram::kNoColor) counted[object.features[t]] += object.times[t];
      for (const auto& entry : features.rounds[t]) expected[entry.feature] += entry.count;
      EXPECT_EQ(counted, expected);
    }
  }
}

TEST_P(EveryVocabulary, StopsAtTheMemoryLimit) {
  Random random(1);
  Vocabulary vocabulary({GetParam(), 3, false});
  EXPECT_THROW(vocabulary.add(random_graph(random, 40, 0.2, 5), 2000), Error);
}

TEST_P(EveryVocabulary, KnowsTheNodeLabelsThatItWasFittedTo) {
  Vocabulary vocabulary({GetParam(), 1});
  vocabulary.add(star(3));
  EXPECT_TRUE(vocabulary.node_labels().empty());
  for (const Label label : {-4, 7}) {
    GraphBuilder builder(2);
    builder.set_node_labels({2, label});
    vocabulary.add(std::move(builder).build());
  }
  EXPECT_EQ(vocabulary.node_labels(), (std::vector<Label>{-4, 2, 7}));
}

INSTANTIATE_TEST_SUITE_P(Gram, EveryVocabulary, ::testing::ValuesIn(kKinds), [](const auto& test) {
  std::string name = gram::kernel_name(test.param);
  name.erase(std::remove(name.begin(), name.end(), '-'), name.end());
  return "Kernel" + name;
});

}  // namespace
}  // namespace twofold::testing
