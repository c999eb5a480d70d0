#include "twofold/train/explanation.h"
#include "twofold/model/network_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "tests/support/double_net.h"
#include "tests/support/learning_sample.h"
#include "twofold/base/error.h"

namespace twofold::train {
namespace {

using model::ModelKind;
using model::ModelOptions;
using model::Pooling;

ModelOptions small(ModelKind kind) {
  ModelOptions options = model::plain_options(kind);
  options.width = 5;
  options.layers = 2;
  return options;
}

ModelOptions headless(ModelKind kind, Pooling pooling, model::TaskKind task, int outputs) {
  ModelOptions options = small(kind);
  options.head = model::Head::kNone;
  options.pooling = pooling;
  options.task = task;
  options.outputs = outputs;
  return options;
}

// An untrained network for these graphs.
Network network_for(const std::vector<Graph>& graphs, const ModelOptions& options) {
  Network network;
  network.settings.model = options;
  network.layout = input_layout(graphs, options);
  network.task.kind = options.task;
  network.task.outputs = static_cast<std::size_t>(options.outputs);
  if (options.task == model::TaskKind::kRegression) network.task.target_scale = {3};
  const auto layout = model::parameter_layout(options, network.layout.columns());
  const auto start = model::initial_parameters(layout, 7);
  network.parameters.assign(start.begin(), start.end());
  return network;
}

double total(const Explanation& explanation) {
  double sum = 0;
  for (const RowContribution& row : explanation.rows) sum += row.contribution;
  return sum;
}

// A batch of one graph with the features of one row `factor` times as large: the row gets a label of its own,
// and what attributes it has are scaled.
class ScaledRow {
 public:
  ScaledRow(const compute::NetBatch<double>& from, std::uint32_t row, double factor)
      : from_(from), row_(row), factor_(factor), batch(from) {
    compute::NetPart<double> part;
    from.fill(0, part);
    const std::uint32_t label = part.steps[0].labels[row];
    const compute::SparseRows<double>& table = from.table;
    offsets_.assign(table.offsets, table.offsets + table.num_rows + 1);
    columns_.assign(table.columns, table.columns + offsets_.back());
    values_.assign(table.values, table.values + offsets_.back());
    for (std::uint32_t i = offsets_[label]; i < offsets_[label + 1]; ++i) {
      columns_.push_back(columns_[i]);
      values_.push_back(factor * values_[i]);
    }
    offsets_.push_back(static_cast<std::uint32_t>(columns_.size()));
    batch.table = {table.num_rows + 1, offsets_.data(), columns_.data(), values_.data()};
    batch.fill = [this](std::size_t p, compute::NetPart<double>& to) { fill(p, to); };
  }
  ScaledRow(const ScaledRow&) = delete;

 private:
  void fill(std::size_t p, compute::NetPart<double>& to) {
    from_.fill(p, to);
    const compute::NetStep<double>& first = to.steps[0];
    labels_.assign(first.labels, first.labels + first.num_sources);
    labels_[row_] = static_cast<std::uint32_t>(batch.table.num_rows - 1);
    for (compute::NetStep<double>& step : to.steps) step.labels = labels_.data();
    attributes_.assign(to.attributes.size(), {});
    for (std::size_t a = 0; a < to.attributes.size(); ++a) {
      compute::RowAttributes<double>& part = to.attributes[a];
      attributes_[a].assign(part.values, part.values + part.count * part.columns);
      for (std::size_t i = 0; i < part.count; ++i) {
        if ((part.rows == nullptr ? part.first + i : part.rows[i]) != row_) continue;
        for (std::size_t c = 0; c < part.columns; ++c) attributes_[a][i * part.columns + c] *= factor_;
      }
      part.values = attributes_[a].data();
    }
  }

  const compute::NetBatch<double>& from_;
  std::uint32_t row_;
  double factor_;
  std::vector<std::uint32_t> offsets_, columns_, labels_;
  std::vector<double> values_;
  std::vector<std::vector<double>> attributes_;

 public:
  compute::NetBatch<double> batch;
};

// The answer if the features of one row are `factor` times as large.
double answer_with_row_scaled(const Network& network, const EncodedDataset& data, std::uint32_t graph,
                              std::uint32_t row, double factor, const Explanation& explanation) {
  testing::DoubleNet net(data, network.settings.model, network.task);
  Batch one;
  one.graphs = {graph};
  const ScaledRow scaled(net.make(one), row, factor);
  const std::vector<double> parameters(network.parameters.begin(), network.parameters.end());
  std::vector<double> outputs(network.task.outputs);
  net.net().outputs(scaled.batch, parameters.data(), {outputs.data()});
  if (network.task.kind == model::TaskKind::kRegression) return outputs[0] * network.task.target_scale[0];
  const std::uint32_t predicted = predicted_class(network.task, explanation.outputs);
  if (network.task.kind == model::TaskKind::kBinary) return (predicted == 1 ? 1 : -1) * outputs[0];
  return outputs[predicted];
}

TEST(Explanation, GradientTimesInputIsTheSlopeOfTheAnswerAsARowGrows) {
  std::vector<ModelOptions> all;
  for (const ModelKind kind : {ModelKind::k2WlGnn, ModelKind::k2Gnn, ModelKind::kGin, ModelKind::kGcn,
                               ModelKind::kSage, ModelKind::kMlp})
    all.push_back(small(kind));
  all.push_back(headless(ModelKind::k2WlGnn, Pooling::kMean, model::TaskKind::kBinary, 1));
  all.push_back(headless(ModelKind::k2WlGnn, Pooling::kSum, model::TaskKind::kRegression, 1));
  ModelOptions classes = small(ModelKind::k2WlGnn);
  classes.task = model::TaskKind::kMultiClass;
  classes.outputs = 3;
  classes.loops_only = true;
  all.push_back(classes);
  for (const bool with_attributes : {false, true})
    for (const ModelOptions& options : all) {
      const auto graphs = testing::learning_graphs(3, 4, with_attributes);
      const Network network = network_for(graphs, options);
      const EncodedDataset data(graphs, options, network.layout);
      for (const std::uint32_t g : {1u, 3u}) {
        const Explanation explanation = explain(network, data, g, ExplainBy::kGradient);
        ASSERT_EQ(explanation.rows.size(), data.num_rows(g));
        for (std::size_t f = 0; f < explanation.rows.size(); ++f) {
          const double h = 1e-6;
          const auto row = static_cast<std::uint32_t>(f);
          const double slope = (answer_with_row_scaled(network, data, g, row, 1 + h, explanation) -
                                answer_with_row_scaled(network, data, g, row, 1 - h, explanation)) /
                               (2 * h);
          ASSERT_NEAR(explanation.rows[f].contribution, slope, 1e-6 * (1 + std::abs(slope)))
              << model::describe(options) << " row " << f;
        }
      }
    }
}

TEST(Explanation, OfALinearNetworkAddsUpToItsAnswer) {
  ModelOptions options = headless(ModelKind::kSage, Pooling::kSum, model::TaskKind::kRegression, 1);
  options.activation = compute::Activation::kIdentity;
  options.bias = false;
  const auto graphs = testing::learning_graphs(4, 4, true);
  const Network network = network_for(graphs, options);
  const EncodedDataset data(graphs, options, network.layout);
  for (std::uint32_t g = 0; g < 4; ++g) {
    const Explanation gradient = explain(network, data, g, ExplainBy::kGradient);
    EXPECT_NEAR(total(gradient), 3 * static_cast<double>(gradient.outputs[0]), 1e-5);
    EXPECT_NEAR(total(explain(network, data, g, ExplainBy::kScore)), gradient.outputs[0], 1e-5);
  }
}

TEST(Explanation, ByScoreAddsUpToWhatPoolingGives) {
  for (const Pooling pooling :
       {Pooling::kMean, Pooling::kWeightedMean, Pooling::kSum, Pooling::kMax, Pooling::kMin})
    for (const bool loops_only : {false, true})
      for (const model::TaskKind task : {model::TaskKind::kBinary, model::TaskKind::kMultiClass}) {
        // A sum of probabilities is none.
        if (task == model::TaskKind::kBinary && pooling == Pooling::kSum) continue;
        ModelOptions options =
            headless(ModelKind::k2WlGnn, pooling, task, task == model::TaskKind::kBinary ? 1 : 3);
        options.loops_only = loops_only;
        const auto graphs = testing::learning_graphs(5, 4, false);
        const Network network = network_for(graphs, options);
        const EncodedDataset data(graphs, options, network.layout);
        for (std::uint32_t g = 0; g < 4; ++g) {
          const Explanation explanation = explain(network, data, g, ExplainBy::kScore);
          const std::uint32_t predicted = predicted_class(network.task, explanation.outputs);
          const double expected = task == model::TaskKind::kBinary
                                      ? predicted_scores(network.task, explanation.outputs)[predicted] - 0.5
                                      : static_cast<double>(explanation.outputs[predicted]);
          EXPECT_NEAR(total(explanation), expected, 1e-6 * (1 + std::fabs(expected)))
              << model::describe(options);
          for (const RowContribution& row : explanation.rows) {
            ASSERT_TRUE(row.score.has_value() && row.weight.has_value());
            if (loops_only && row.u != row.v) {
              EXPECT_EQ(*row.weight, 0);
            }
          }
        }
      }
}

TEST(Explanation, ByAttentionSharesOutOne) {
  for (const model::Attention attention : {model::Attention::kScalar, model::Attention::kStack})
    for (const ModelKind kind : {ModelKind::k2WlGnn, ModelKind::kGcn}) {
      ModelOptions options = small(kind);
      options.pooling = Pooling::kWeightedMean;
      options.attention = attention;
      const auto graphs = testing::learning_graphs(6, 4, true);
      const Network network = network_for(graphs, options);
      const EncodedDataset data(graphs, options, network.layout);
      for (std::uint32_t g = 0; g < 4; ++g) {
        const Explanation explanation = explain(network, data, g, ExplainBy::kAttention);
        EXPECT_NEAR(total(explanation), 1, 1e-9);
        for (const RowContribution& row : explanation.rows) EXPECT_GE(row.contribution, 0);
      }
    }
}

TEST(Explanation, FollowsRelabelledNodes) {
  const auto graphs = testing::learning_graphs(8, 4, true);
  std::vector<Graph> others;
  std::vector<std::vector<Node>> names;
  Random random(9);
  for (const Graph& g : graphs) {
    names.emplace_back(g.num_nodes());
    std::iota(names.back().begin(), names.back().end(), 0u);
    random.shuffle(names.back());
    others.push_back(relabeled(g, names.back()));
  }
  const ModelOptions attention = small(ModelKind::k2WlGnn);
  const ModelOptions scores = headless(ModelKind::k2WlGnn, Pooling::kMean, model::TaskKind::kBinary, 1);
  for (const auto& [options, by] :
       {std::make_pair(attention, ExplainBy::kAttention), std::make_pair(attention, ExplainBy::kGradient),
        std::make_pair(scores, ExplainBy::kScore),
        std::make_pair(small(ModelKind::kGin), ExplainBy::kGradient)}) {
    const Network network = network_for(graphs, options);
    const EncodedDataset data(graphs, options, network.layout);
    const EncodedDataset other(others, options, network.layout);
    for (std::uint32_t g = 0; g < graphs.size(); ++g) {
      std::map<std::pair<Node, Node>, double> expected;
      for (const RowContribution& row : explain(network, data, g, by).rows) {
        const auto ends = std::minmax(names[g][row.u], names[g][row.v]);
        expected[{ends.first, ends.second}] = row.contribution;
      }
      const Explanation found = explain(network, other, g, by);
      ASSERT_EQ(found.rows.size(), expected.size());
      for (const RowContribution& row : found.rows)
        EXPECT_NEAR(row.contribution, expected.at({row.u, row.v}), 1e-9);
    }
  }
}

TEST(Explanation, SaysWhatANetworkHasInstead) {
  const auto graphs = testing::learning_graphs(6, 4, false);
  const auto message = [&](const ModelOptions& options, ExplainBy by) {
    const Network network = network_for(graphs, options);
    const EncodedDataset data(graphs, options, network.layout);
    try {
      explain(network, data, 0, by);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(small(ModelKind::kGin), ExplainBy::kAttention),
            "this gin (pooling sum, head mlp) has no attention; it has gradient and removal");
  EXPECT_EQ(
      message(small(ModelKind::k2WlGnn), ExplainBy::kScore),
      "this 2-wl-gnn (pooling weighted-mean, head mlp) has no score; it has attention, gradient and removal");
  // --by votes, which kernels have.
  EXPECT_THROW(
      try { refuse_explanation(small(ModelKind::kGin), "votes"); } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(),
                     "this gin (pooling sum, head mlp) has no votes; it has gradient and removal");
        throw;
      },
      UsageError);
  const ModelOptions scored = headless(ModelKind::kGcn, Pooling::kMean, model::TaskKind::kBinary, 1);
  EXPECT_EQ(default_explanation(scored, testing::path(250)), ExplainBy::kRemoval);
  EXPECT_EQ(default_explanation(scored, testing::path(251)), ExplainBy::kScore);
  EXPECT_EQ(default_explanation(small(ModelKind::kGcn), testing::path(251)), ExplainBy::kGradient);
}

TEST(Explanation, OfAGraphWithoutNodesIsEmpty) {
  const std::vector<Graph> graphs = {testing::path(3), Graph()};
  for (const ExplainBy by : {ExplainBy::kGradient, ExplainBy::kAttention}) {
    const ModelOptions options = small(ModelKind::k2WlGnn);
    const Network network = network_for(graphs, options);
    const EncodedDataset data(graphs, options, network.layout);
    EXPECT_TRUE(explain(network, data, 1, by).rows.empty());
  }
}

}  // namespace
}  // namespace twofold::train
