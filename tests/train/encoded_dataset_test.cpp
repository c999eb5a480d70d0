#include "twofold/train/encoded_dataset.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <limits>

#include "tests/support/learning_sample.h"
#include "tests/support/temporary_folder.h"
#include "twofold/base/error.h"

namespace twofold::train {
namespace {

using model::ModelKind;
using model::ModelOptions;

template <typename F>
std::string message_of(const F& body) {
  try {
    body();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

std::vector<float> features(const EncodedDataset& data, std::uint32_t graph) {
  std::vector<float> rows(data.num_rows(graph) * data.columns());
  const std::vector<std::uint32_t> one = {graph};
  const PairSlice slice = model::has_pair_rows(data.model()) ? data.pair_sets(one) : PairSlice();
  data.write_features(graph, slice.sets.empty() ? nullptr : slice.sets[0], {}, rows.data());
  return rows;
}

TEST(EncodedDataset, GivesTheSameFeaturesByLabelsAndByRows) {
  const std::vector<Graph> graphs = testing::learning_graphs(1, 6, false);
  for (const ModelKind kind : {ModelKind::k2WlGnn, ModelKind::k2Gnn, ModelKind::kGin}) {
    const ModelOptions options = model::plain_options(kind);
    const EncodedDataset data(graphs, options, input_layout(graphs, options));
    ASSERT_TRUE(data.has_labels_only());
    for (std::uint32_t g = 0; g < graphs.size(); ++g) {
      std::vector<std::uint32_t> labels(data.num_rows(g));
      data.write_labels(g, nullptr, labels.data());
      const std::vector<float> rows = features(data, g);
      for (std::size_t row = 0; row < labels.size(); ++row) {
        ASSERT_LT(labels[row], data.num_labels());
        std::vector<float> of_label(data.columns(), 0);
        data.layout().features.for_each_label_value(
            labels[row], {}, [&](std::size_t column, float value) { of_label[column] = value; });
        for (std::size_t c = 0; c < data.columns(); ++c) EXPECT_EQ(rows[row * data.columns() + c], of_label[c]);
      }
    }
  }
}

TEST(EncodedDataset, KeepsTheColorsOfEveryModelInTheCache) {
  const testing::TemporaryFolder folder;
  const std::vector<Graph> graphs = testing::learning_graphs(1, 6, false);
  EncodeLimits limits;
  limits.cache = folder.path();
  const auto num_files = [&] {
    const std::filesystem::directory_iterator files(folder.path());
    return std::distance(begin(files), end(files));
  };
  std::ptrdiff_t expected = 0;
  for (const ModelKind kind :
       {ModelKind::k2WlGnn, ModelKind::k2Gnn, ModelKind::kGin, ModelKind::kGcn, ModelKind::kSage}) {
    const ModelOptions options = model::plain_options(kind);
    const InputLayout layout = input_layout(graphs, options);
    const EncodedDataset plain(graphs, options, layout);
    // sage has the colors of gin.
    if (kind != ModelKind::kSage) ++expected;
    for (int time = 0; time < 2; ++time) {
      const EncodedDataset data(graphs, options, layout, limits);
      if (kind == ModelKind::k2WlGnn) {
        EXPECT_TRUE(data.color_levels(2).pool_rows == plain.color_levels(2).pool_rows);
      } else {
        EXPECT_TRUE(data.neighbor_levels(2).pool_rows == plain.neighbor_levels(2).pool_rows);
      }
      EXPECT_EQ(data.cache_trouble(), "");
      EXPECT_EQ(num_files(), expected) << model::to_string(kind);
    }
  }
}

TEST(EncodedDataset, StreamsPairsThatDoNotFitToTheSameRows) {
  Random random(2);
  std::vector<Graph> graphs;
  for (int i = 0; i < 40; ++i) graphs.push_back(testing::random_graph(random, 14, 0.3, 2));
  const ModelOptions options = model::plain_options(ModelKind::k2WlGnn);
  const InputLayout layout = input_layout(graphs, options);
  const EncodedDataset kept(graphs, options, layout);
  EncodeLimits limits;
  limits.max_memory = 20000;
  const EncodedDataset streamed(graphs, options, layout, limits);
  EXPECT_FALSE(kept.is_streamed());
  ASSERT_TRUE(streamed.is_streamed());
  EXPECT_LT(streamed.memory(), limits.max_memory);
  EXPECT_EQ(kept.num_rows(), streamed.num_rows());
  EXPECT_EQ(kept.num_triples(), streamed.num_triples());
  for (const std::uint32_t g : {0u, 17u, 39u}) {
    EXPECT_EQ(features(kept, g), features(streamed, g));
    const std::vector<std::uint32_t> one = {g};
    EXPECT_EQ(kept.pair_sets(one).sets[0]->num_triples, streamed.pair_sets(one).sets[0]->num_triples);
  }
  limits.max_memory = 2000;
  EXPECT_THROW(EncodedDataset(graphs, options, layout, limits).is_streamed(), Error);
}

TEST(EncodedDataset, ScalesAttributesOnTheirOwnRowsOnly) {
  const std::vector<Graph> graphs = testing::learning_graphs(3, 5, true);
  const ModelOptions options = model::plain_options(ModelKind::k2WlGnn);
  const EncodedDataset data(graphs, options, input_layout(graphs, options));
  FeatureScaling scaling;
  scaling.node_mean = {10};
  scaling.node_scale = {2};
  scaling.edge_mean = {-1};
  scaling.edge_scale = {4};
  for (const std::uint32_t g : {0u, 2u, 4u}) {
    const std::vector<std::uint32_t> one = {g};
    const PairSlice slice = data.pair_sets(one);
    const pairs::PairSet& set = *slice.sets[0];
    const std::vector<float> raw = features(data, g);
    std::vector<float> scaled(raw.size());
    data.write_features(g, &set, scaling, scaled.data());
    const std::size_t columns = data.columns();
    ASSERT_EQ(columns, 3u + 3 + 1 + 1);
    for (std::size_t row = 0; row < set.num_rows(); ++row)
      for (std::size_t c = 0; c < columns; ++c) {
        const float value = raw[row * columns + c];
        float expected = value;
        if (c == 6 && set.kind[row] == pairs::RowKind::kLoop) expected = (value - 10) / 2;
        if (c == 7 && set.kind[row] == pairs::RowKind::kEdge) expected = (value + 1) / 4;
        EXPECT_NEAR(scaled[row * columns + c], expected, 1e-6);
      }
  }
}

TEST(EncodedDataset, GivesNodesWithoutAnythingAConstantAndDegreesOnDemand) {
  const std::vector<Graph> graphs = {testing::path(3), testing::star(4)};
  ModelOptions options = model::plain_options(ModelKind::kGcn);
  const EncodedDataset plain(graphs, options, input_layout(graphs, options));
  EXPECT_EQ(plain.columns(), 1u);
  EXPECT_EQ(features(plain, 0), (std::vector<float>{1, 1, 1}));
  options.degree_features = true;
  const InputLayout layout = input_layout(graphs, options);
  EXPECT_EQ(layout.features.node_labels, (std::vector<Label>{1, 2, 4}));
  const EncodedDataset degrees(graphs, options, layout);
  EXPECT_EQ(features(degrees, 0), (std::vector<float>{1, 0, 0, 0, 1, 0, 1, 0, 0}));
  // A degree without a column counts as the next smaller one.
  const std::vector<Graph> larger = {testing::star(3)};
  const EncodedDataset others(larger, options, layout);
  EXPECT_EQ(features(others, 0)[1], 1);
  const std::vector<Graph> labelled = testing::learning_graphs(1, 2, false);
  EXPECT_THROW(input_layout(labelled, options), UsageError);
}

TEST(EncodedDataset, TellsHowGraphsDifferFromWhatAModelReads) {
  const std::vector<Graph> graphs = testing::learning_graphs(1, 4, false);
  const ModelOptions options = model::plain_options(ModelKind::k2WlGnn);
  const InputLayout layout = input_layout(graphs, options);
  const auto difference = [&](const std::vector<Graph>& others) {
    return message_of([&] { require_fitting(others, layout, options.model, "new.jsonl"); });
  };
  EXPECT_EQ(difference(graphs), "");
  EXPECT_EQ(difference({testing::path(3)}),
            "new.jsonl: the graphs do not fit the model: needed node labels: 3 labels 0..2, found none");
  Random random(1);
  GraphBuilder builder(2);
  builder.set_node_labels({1, 9});
  builder.set_node_attributes(1, {0, 0});
  EXPECT_EQ(difference({std::move(builder).build()}),
            "new.jsonl: the graphs do not fit the model: graph 1: node label 9 was not in the training data (3 "
            "labels 0..2); needed 0 node attributes, found 1");
}

TEST(EncodedDataset, NamesTheFirstGraphWithALabelUnknownToTheModel) {
  std::vector<Graph> graphs = testing::learning_graphs(1, 4, false);
  const ModelOptions options = model::plain_options(ModelKind::k2WlGnn);
  const InputLayout layout = input_layout(graphs, options);
  for (const Label label : {7, 9}) {
    GraphBuilder builder(2);
    builder.set_node_labels({1, label});
    graphs.push_back(std::move(builder).build());
  }
  EXPECT_EQ(message_of([&] { require_fitting(graphs, layout, options.model, "new.jsonl"); }),
            "new.jsonl: the graphs do not fit the model: graph 5: node label 7 was not in the training data (3 "
            "labels 0..2), in all 2 graphs have such labels");
}

TEST(EncodedDataset, RefusesAttributesThatAreNoNumbers) {
  GraphBuilder builder(2);
  builder.set_node_attributes(1, {0, std::numeric_limits<double>::quiet_NaN()});
  std::vector<Graph> graphs;
  graphs.push_back(std::move(builder).build());
  const ModelOptions options = model::plain_options(ModelKind::kGin);
  EXPECT_EQ(message_of([&] { EncodedDataset(graphs, options, input_layout(graphs, options)); }),
            "graph 1: needed finite attributes, found nan at node 2");
}

TEST(EncodedDataset, RefusesAttributesBeyondFloatsUnlessTheyAreNotLookedAt) {
  GraphBuilder builder(2);
  builder.set_node_attributes(1, {0, -1e308});
  std::vector<Graph> graphs;
  graphs.push_back(std::move(builder).build());
  ModelOptions options = model::plain_options(ModelKind::kGin);
  options.node_attributes = true;
  EXPECT_EQ(message_of([&] { EncodedDataset(graphs, options, input_layout(graphs, options)); }),
            "graph 1: needed attributes within ±3.4e+38 (networks compute in 32-bit floats), found -1e+308 at "
            "node 2");
  options.node_attributes = false;
  EXPECT_EQ(message_of([&] { EncodedDataset(graphs, options, input_layout(graphs, options)); }), "");
}

}  // namespace
}  // namespace twofold::train
