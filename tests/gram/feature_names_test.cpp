#include "twofold/gram/feature_names.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/support/rich_dataset.h"

namespace twofold::gram {
namespace {

std::vector<Kernel> kernels() {
  std::vector<Kernel> all;
  for (const KernelKind kind : {KernelKind::kWlSubtree, KernelKind::kWlShortestPath, KernelKind::kLocalSets,
                                KernelKind::kGlobalSets, KernelKind::kRows})
    for (const bool edge_labels : {false, true}) {
      Kernel kernel;
      kernel.kind = kind;
      kernel.iterations = 2;
      kernel.edge_labels = edge_labels;
      kernel.radius = 2;
      all.push_back(kernel);
    }
  return all;
}

// Feature by name, with its count; a feature of weight 2 under both names.
std::map<std::string, std::uint64_t> named_counts(const Vocabulary& vocabulary, const Graph& g) {
  const std::vector<std::string> names = feature_names(vocabulary);
  const GraphFeatures found = vocabulary.find(g);
  std::map<std::string, std::uint64_t> counts;
  std::size_t at = 0;
  for (std::size_t t = 0; t < found.rounds.size(); ++t) {
    std::vector<std::size_t> place;
    for (std::uint32_t f = 0; f < vocabulary.num_features(t); ++f) {
      place.push_back(at);
      at += vocabulary.weight(t, f);
    }
    for (const auto& entry : found.rounds[t])
      for (std::size_t i = 0; i < vocabulary.weight(t, entry.feature); ++i)
        counts[names[place[entry.feature] + i]] = entry.count;
  }
  EXPECT_EQ(at, names.size());
  return counts;
}

TEST(FeatureNames, AreTheSameWhateverGraphsCameBefore) {
  const std::vector<Graph> graphs = testing::rich_dataset(15).graphs;
  for (const Kernel& kernel : kernels()) {
    Vocabulary forward(kernel), backward(kernel);
    for (const Graph& g : graphs) forward.add(g);
    for (std::size_t i = graphs.size(); i-- > 0;) backward.add(graphs[i]);
    for (const Graph& g : graphs) {
      Vocabulary alone(kernel);
      alone.add(g);
      const auto counts = named_counts(forward, g);
      EXPECT_EQ(counts, named_counts(backward, g)) << describe(kernel);
      EXPECT_EQ(counts, named_counts(alone, g)) << describe(kernel);
    }
  }
}

TEST(FeatureNames, DifferWithinAVocabulary) {
  for (const Kernel& kernel : kernels()) {
    Vocabulary vocabulary(kernel);
    for (const Graph& g : testing::rich_dataset(15).graphs) vocabulary.add(g);
    const std::vector<std::string> names = feature_names(vocabulary);
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << describe(kernel);
  }
}

}  // namespace
}  // namespace twofold::gram
