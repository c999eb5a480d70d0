#include "twofold/train/item_explanation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/learning_sample.h"
#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/graph/generate_regular.h"
#include "twofold/graph/removal.h"
#include "twofold/train/engine.h"

namespace twofold::train {
namespace {

using model::ModelKind;

constexpr ModelKind kModels[] = {ModelKind::k2WlGnn, ModelKind::k2Gnn, ModelKind::kGin,
                                 ModelKind::kGcn,    ModelKind::kSage, ModelKind::kMlp};

Network item_network(const Graph& graph, ModelKind kind, TargetOf about, int layers, int radius = 1) {
  Network network;
  model::ModelOptions& options = network.settings.model;
  options = model::plain_options(kind);
  options.about = about;
  options.width = 5;
  options.layers = layers;
  options.radius = pairs::Radius(radius);
  options.task = model::TaskKind::kMultiClass;
  options.outputs = 3;
  options.degree_features = !graph.has_node_labels();
  network.layout = input_layout({&graph, 1}, options);
  network.task.kind = options.task;
  network.task.outputs = 3;
  const auto start = model::initial_parameters(model::parameter_layout(options, network.layout.columns()), 7);
  network.parameters.assign(start.begin(), start.end());
  return network;
}

std::vector<float> outputs_of_item(const Network& network, const Graph& graph, Item item) {
  EncodedDataset data({&graph, 1}, network.settings.model, network.layout);
  data.items = {item};
  Batch batch;
  batch.graphs = {0};
  std::vector<float> outputs(3);
  make_engine(data, network.settings.model, network.task)->outputs(batch, network.parameters, outputs);
  return outputs;
}

// A cubic graph with a few more edges: degrees and distances vary, and no part is all of it.
Graph sparse_graph(std::uint64_t seed) {
  Random random(seed);
  Graph cubic = graph::random_regular_graph(120, 3, random);
  std::vector<bool> is_removed(cubic.num_edges(), false);
  for (std::size_t e = 0; e < is_removed.size(); ++e) is_removed[e] = random.chance(0.15);
  return without_edges(cubic, is_removed);
}

TEST(ItemField, IsAllThatTheAnswerDependsOn) {
  const Graph graph = sparse_graph(3);
  for (const TargetOf about : {TargetOf::kNodes, TargetOf::kLinks})
    for (const ModelKind kind : kModels)
      for (const int layers : {1, 2, 3, 4})
        for (const int radius : {1, 2, 3}) {
          if (kind != ModelKind::k2WlGnn && radius > 1) continue;
          if (radius == 3 && layers > 2) continue;
          const Network network = item_network(graph, kind, about, layers, radius);
          for (Node u = 5; u < 60; u += 23) {
            const Node v = about == TargetOf::kNodes ? u : u + 7;
            const Item item{0, u, v};
            const Neighborhood field = field_of(graph, {&item, 1}, network.settings.model);
            if (layers < 3 && radius == 1) {
              EXPECT_LT(field.nodes.size(), graph.num_nodes());
            }
            const Item there{0, field.name_of(u), field.name_of(v)};
            const std::vector<float> whole = outputs_of_item(network, graph, item);
            const std::vector<float> part = outputs_of_item(network, field.graph, there);
            for (std::size_t c = 0; c < 3; ++c)
              EXPECT_NEAR(whole[c], part[c], 1e-5 * std::max(1.0f, std::abs(whole[c])))
                  << model::to_string(kind) << " " << layers << " layers, radius " << radius;
          }
        }
}

TEST(ItemExplanation, ByRemovalIsWhatTheAnswerLosesInTheWholeGraph) {
  const Graph graph = sparse_graph(4);
  const std::vector<Edge> edges = graph.edges();
  for (const ModelKind kind : {ModelKind::kGin, ModelKind::kGcn, ModelKind::k2WlGnn}) {
    const Network network = item_network(graph, kind, TargetOf::kNodes, 2);
    const Item item{0, 31, 31};
    const ExplainBy by = ExplainBy::kRemoval;
    const ItemExplanation found = explain_item(network, graph, item, &by, 0, {}, {});
    const auto answer = [&](const std::vector<float>& outputs, std::size_t predicted) {
      double others = 0;
      for (std::size_t c = 0; c < 3; ++c)
        if (c != predicted) others += std::exp(outputs[c]);
      return outputs[predicted] - std::log(others);
    };
    const std::vector<float>& said = found.explanation.outputs;
    const auto predicted = static_cast<std::size_t>(std::max_element(said.begin(), said.end()) - said.begin());
    std::map<std::pair<Node, Node>, double> contribution;
    for (const RowContribution& row : found.explanation.rows)
      contribution[{found.field.nodes[row.u], found.field.nodes[row.v]}] = row.contribution;
    EXPECT_EQ(contribution.count({31, 31}), 0u) << "what is asked about cannot be taken away";
    const double whole = answer(outputs_of_item(network, graph, item), predicted);
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const double without = answer(outputs_of_item(network, without_edge(graph, e), item), predicted);
      const auto known = contribution.find({edges[e].u, edges[e].v});
      EXPECT_NEAR(whole - without, known == contribution.end() ? 0 : known->second, 1e-4)
          << model::to_string(kind) << " edge " << edges[e].u << "-" << edges[e].v;
    }
    for (Node v = 0; v < graph.num_nodes(); ++v) {
      if (v == 31) continue;
      const Item moved{0, v < 31 ? 30u : 31u, v < 31 ? 30u : 31u};
      const double without = answer(outputs_of_item(network, without_node(graph, v), moved), predicted);
      const auto known = contribution.find({v, v});
      EXPECT_NEAR(whole - without, known == contribution.end() ? 0 : known->second, 1e-4)
          << model::to_string(kind) << " node " << v;
    }
  }
}

TEST(ItemExplanation, ByGradientOfANetworkWithoutLayersThatActAddsUpToItsAnswer) {
  // Linear: gradient times input, with the bias of the head, is the answer.
  Graph graph = sparse_graph(5);
  for (const TargetOf about : {TargetOf::kNodes, TargetOf::kLinks}) {
    Network network = item_network(graph, ModelKind::kGcn, about, 2);
    network.settings.model.activation = model::Activation::kIdentity;
    network.settings.model.head = model::Head::kLinear;
    network.settings.model.bias = false;
    network.settings.model.pooling = model::Pooling::kMean;
    const model::ParameterLayout layout =
        model::parameter_layout(network.settings.model, network.layout.columns());
    const auto start = model::initial_parameters(layout, 7);
    network.parameters.assign(start.begin(), start.end());
    const ExplainBy by = ExplainBy::kGradient;
    const ItemExplanation found =
        explain_item(network, graph, {0, 10, about == TargetOf::kNodes ? 10u : 44u}, &by, 0, {}, {});
    const std::vector<float>& said = found.explanation.outputs;
    const auto predicted = static_cast<std::size_t>(std::max_element(said.begin(), said.end()) - said.begin());
    double sum = 0;
    for (const RowContribution& row : found.explanation.rows) sum += row.contribution;
    double bias = 0;
    for (const model::Parameter& p : layout.parameters)
      if (p.size() == 3) bias = network.parameters[p.offset + predicted];
    EXPECT_NEAR(sum + bias, said[predicted], 1e-5) << model::to_string(about);
  }
}

TEST(ItemExplanation, RefusesWhatNodesHaveNot) {
  const Graph graph = sparse_graph(6);
  const Network network = item_network(graph, ModelKind::kGcn, TargetOf::kNodes, 2);
  const ExplainBy by = ExplainBy::kScore;
  EXPECT_THROW(explain_item(network, graph, {0, 1, 1}, &by, 0, {}, {}), UsageError);
}

}  // namespace
}  // namespace twofold::train
