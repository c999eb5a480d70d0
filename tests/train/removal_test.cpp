#include "twofold/train/removal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "tests/support/learning_sample.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/random.h"
#include "twofold/graph/generate_triangle.h"
#include "twofold/graph/removal.h"
#include "twofold/train/engine.h"
#include "twofold/train/trainer.h"

namespace twofold::train {
namespace {

using model::ModelKind;

// A network for these graphs with weights by chance, or as given.
Network network_for(Span<const Graph> graphs, const model::ModelOptions& options) {
  Network network;
  network.settings.model = options;
  network.layout = input_layout(graphs, options);
  network.task.kind = options.task;
  network.task.outputs = static_cast<std::size_t>(options.outputs);
  const auto start = model::initial_parameters(model::parameter_layout(options, network.layout.columns()), 7);
  network.parameters.assign(start.begin(), start.end());
  return network;
}

float logit(const Network& network, const Graph& graph) {
  const EncodedDataset data({&graph, 1}, network.settings.model, network.layout);
  Batch batch;
  batch.graphs = {0};
  float value = 0;
  make_engine(data, network.settings.model, network.task)->outputs(batch, network.parameters, {&value, 1});
  return value;
}

TEST(Removal, IsWhatTheLogitLoses) {
  const auto graphs = testing::learning_graphs(6, 4, true);
  for (const ModelKind kind : {ModelKind::k2WlGnn, ModelKind::kGin, ModelKind::kMlp}) {
    model::ModelOptions options = model::plain_options(kind);
    options.width = 5;
    options.layers = 2;
    const Network network = network_for(graphs, options);
    for (const Graph& g : graphs) {
      const float whole = logit(network, g);
      const double sign = whole > 0 ? 1 : -1;
      const Explanation explanation = explain_by_removal(network, g);
      ASSERT_EQ(explanation.rows.size(), g.num_nodes() + g.num_edges());
      for (Node v = 0; v < g.num_nodes(); ++v)
        EXPECT_NEAR(explanation.rows[v].contribution, sign * (whole - logit(network, without_node(g, v))),
                    1e-4);
      for (std::size_t e = 0; e < g.num_edges(); ++e)
        EXPECT_NEAR(explanation.rows[g.num_nodes() + e].contribution,
                    sign * (whole - logit(network, without_edge(g, e))), 1e-4);
    }
  }
}

TEST(Removal, OfAGraphWithoutNodesIsEmpty) {
  const std::vector<Graph> graphs = {testing::path(3), Graph()};
  const Network network = network_for(graphs, model::plain_options(ModelKind::k2WlGnn));
  EXPECT_TRUE(explain_by_removal(network, graphs[1]).rows.empty());
}

// The one triangle with three equal labels.
std::set<Node> triangle_of(const Graph& g) {
  const auto labels = g.node_labels();
  for (const Edge e : g.edges())
    for (const Node w : g.neighbors(e.u))
      if (g.has_edge(e.v, w) && labels[e.u] == labels[e.v] && labels[e.u] == labels[w]) return {e.u, e.v, w};
  return {};
}

// Whether the three strongest of the nodes, or of the edges, are the triangle's.
bool lights_up(const Explanation& explanation, const std::set<Node>& triangle) {
  for (const bool of_nodes : {true, false}) {
    std::vector<RowContribution> rows;
    for (const RowContribution& row : explanation.rows)
      if ((row.u == row.v) == of_nodes) rows.push_back(row);
    std::sort(rows.begin(), rows.end(),
              [](const auto& a, const auto& b) { return a.contribution > b.contribution; });
    rows.resize(3);
    if (std::all_of(rows.begin(), rows.end(),
                    [&](const auto& row) { return triangle.count(row.u) > 0 && triangle.count(row.v) > 0; }))
      return true;
  }
  return false;
}

// The law: in at least 80 % of the test graphs that a trained network gets right, the unicolored triangle is
// what its answer rests on.
TEST(Removal, LightsUpTheTriangleOfTriangle) {
  const Dataset dataset = graph::generate_triangle();
  model::ModelOptions options = model::plain_options(ModelKind::k2WlGnn);
  options.radius = pairs::Radius(1);
  options.layers = 2;
  Network network = network_for(dataset.graphs, options);
  EncodedDataset data(dataset.graphs, options, network.layout);
  data.targets.assign(dataset.class_of.begin(), dataset.class_of.end());
  std::vector<std::uint32_t> order(dataset.graphs.size());
  std::iota(order.begin(), order.end(), 0u);
  Random(1).shuffle(order);
  const std::size_t num_test = 40, num_validation = 20;
  const std::vector<std::uint32_t> validation(order.begin() + num_test,
                                              order.begin() + num_test + num_validation);
  const std::vector<std::uint32_t> train_graphs(order.begin() + num_test + num_validation, order.end());
  model::TrainOptions how;
  how.epochs = 120;
  how.learning_rate = 0.01;  // learns TRIANGLE in fewer epochs
  const auto layout = model::parameter_layout(options, data.columns());
  const auto engine = make_engine(data, options, network.task);
  TrainState state = initial_state(layout, how.seed);
  train(*engine, data, train_graphs, validation, layout, network.task, how, state,
        [](const EpochRecord&) { return true; });
  network.parameters = state.best_parameters;

  int right = 0, lit = 0;
  for (std::size_t i = 0; i < num_test; ++i) {
    const Graph& g = dataset.graphs[order[i]];
    const Explanation explanation = explain_by_removal(network, g);
    if (predicted_class(network.task, explanation.outputs) != dataset.class_of[order[i]]) continue;
    ++right;
    lit += lights_up(explanation, triangle_of(g));
  }
  EXPECT_GE(right, 36) << "the network has not learned";
  EXPECT_GE(lit, 0.8 * right);
}

}  // namespace
}  // namespace twofold::train
