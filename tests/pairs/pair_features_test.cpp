#include "twofold/pairs/pair_features.h"

#include <gtest/gtest.h>

#include "tests/support/named_graphs.h"
#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::pairs {
namespace {

Graph labeled_path() {
  GraphBuilder builder(3);
  builder.add_edge(2, 1);
  builder.add_edge(0, 1);
  builder.add_edge(1, 1);
  builder.set_node_labels({0, 2, 0});
  builder.set_edge_labels({5, 7, 6});
  builder.set_node_attributes(1, {1.5, 2.5, 3.5});
  builder.set_edge_attributes(2, {10, 11, 20, 21, 30, 31});
  return std::move(builder).build();
}

TEST(PairFeatures, StandSideBySideAsDefined) {
  const std::vector<Graph> graphs = {labeled_path()};
  const PairSet set = encode_pairs(graphs[0], Radius(2));
  const FeatureLayout layout = feature_layout(graphs);
  EXPECT_EQ(layout.node_labels, (std::vector<Label>{0, 1, 2}));
  // The self-loop's label 6 lies below the largest; columns are counted from 1.
  EXPECT_EQ(layout.edge_labels, (std::vector<Label>{1, 2, 3, 4, 5, 6, 7}));
  ASSERT_EQ(layout.columns(), 3u + 3u + 1u + 7u + 2u);
  std::vector<float> z(set.num_rows() * layout.columns(), -1.0f);
  write_features(graphs[0], set, layout, z.data());
  const std::vector<std::vector<float>> expected = {
      {1, 0, 0, 1, 0, 0, 1.5f, 0, 0, 0, 0, 0, 0, 0, 0, 0},  // {0,0}
      {1, 0, 0, 0, 0, 1, 2.5f, 0, 0, 0, 0, 0, 0, 0, 0, 0},  // {1,1}: its self-loop changes nothing
      {1, 0, 0, 1, 0, 0, 3.5f, 0, 0, 0, 0, 0, 0, 0, 0, 0},  // {2,2}
      {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 20, 21},   // {0,1}
      {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},     // {0,2}
      {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 10, 11}};  // {1,2}
  for (std::size_t row = 0; row < expected.size(); ++row)
    EXPECT_EQ(std::vector<float>(z.begin() + static_cast<std::ptrdiff_t>(row * 16),
                                 z.begin() + static_cast<std::ptrdiff_t>(row * 16 + 16)),
              expected[row])
        << "row " << row;
  EXPECT_FALSE(layout.has_labels_only());
}

TEST(PairFeatures, OfLabelsAreLookUps) {
  Random random(5);
  for (const bool indicators : {true, false})
    for (const Label labels : {0, 1, 6}) {
      std::vector<Graph> graphs;
      for (int i = 0; i < 10; ++i)
        graphs.push_back(testing::random_graph(random, random.below(9), 0.4, labels));
      const FeatureLayout layout = feature_layout(graphs, indicators);
      const std::vector<double> table = layout.label_features<double>();
      const std::size_t d = layout.columns();
      ASSERT_EQ(table.size(), layout.num_row_labels() * d);
      for (const Graph& g : graphs) {
        const PairSet set = encode_pairs(g, Radius(2));
        std::vector<double> z(set.num_rows() * d);
        write_features(g, set, layout, z.data());
        const std::vector<std::uint32_t> label = row_labels(g, set, layout);
        for (std::size_t row = 0; row < set.num_rows(); ++row)
          for (std::size_t c = 0; c < d; ++c) EXPECT_EQ(z[row * d + c], table[label[row] * d + c]);
      }
    }
}

TEST(PairFeatures, OfLabelsAreLookUpsBesideAttributes) {
  const std::vector<Graph> graphs = {labeled_path()};
  const PairSet set = encode_pairs(graphs[0], Radius(2));
  const FeatureLayout layout = feature_layout(graphs);
  const std::size_t d = layout.columns();
  const std::vector<double> table = layout.label_features<double>();
  const std::vector<std::uint32_t> label = row_labels(graphs[0], set, layout);
  std::vector<double> z(set.num_rows() * d);
  write_features(graphs[0], set, layout, z.data());
  for (std::size_t row = 0; row < set.num_rows(); ++row)
    for (std::size_t c = 0; c < d; ++c) {
      const bool is_attribute = c == 6 || c >= 14;
      EXPECT_EQ(table[label[row] * d + c], is_attribute ? 0 : z[row * d + c]) << row << ' ' << c;
    }
}

TEST(PairFeatures, AreScaledInTheColumnsOfAttributesAlone) {
  const std::vector<Graph> graphs = {labeled_path()};
  const PairSet set = encode_pairs(graphs[0], Radius(2));
  const FeatureLayout layout = feature_layout(graphs);
  const std::size_t d = layout.columns();
  std::vector<float> plain(set.num_rows() * d), scaled(plain.size());
  write_features(graphs[0], set, layout, plain.data());
  write_features(graphs[0], set, layout, scaled.data(), {{0.5}, {2}, {10, 1}, {5, 10}});
  for (std::size_t row = 0; row < set.num_rows(); ++row)
    for (std::size_t c = 0; c < d; ++c) {
      const float value = plain[row * d + c];
      const bool is_loop = set.kind[row] == RowKind::kLoop, is_edge = set.kind[row] == RowKind::kEdge;
      const float expected = c == 6 && is_loop    ? (value - 0.5f) / 2
                             : c == 14 && is_edge ? (value - 10) / 5
                             : c == 15 && is_edge ? (value - 1) / 10
                                                  : value;
      EXPECT_EQ(scaled[row * d + c], expected) << row << ' ' << c;
    }
}

TEST(PairFeatures, RefuseGraphsThatDoNotFit) {
  const std::vector<Graph> graphs = {labeled_path()};
  const FeatureLayout layout = feature_layout(graphs);
  const Graph bare = testing::path(3);
  const PairSet set = encode_pairs(bare, Radius(1));
  std::vector<float> z(set.num_rows() * layout.columns());
  EXPECT_THROW(write_features(bare, set, layout, z.data()), InputError);
  EXPECT_THROW(feature_layout(std::vector<Graph>{labeled_path(), bare}), InputError);

  Random random(1);
  const std::vector<Graph> few = {testing::random_graph(random, 20, 0.3, 3)};
  const Graph more = testing::random_graph(random, 50, 0.3, 9);
  const PairSet more_pairs = encode_pairs(more, Radius(1));
  EXPECT_THROW(row_labels(more, more_pairs, feature_layout(few)), InputError);
}

TEST(PairFeatures, GiveLargeOrNegativeLabelsAColumnEachThatOccurs) {
  GraphBuilder builder(3);
  builder.set_node_labels({-5, 1000000, -5});
  const std::vector<Graph> graphs = {std::move(builder).build()};
  EXPECT_EQ(feature_layout(graphs).node_labels, (std::vector<Label>{-5, 1000000}));
}

}  // namespace
}  // namespace twofold::pairs
