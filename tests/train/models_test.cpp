// What the models compute, on graphs whose answers can be told by hand, and what they cannot see.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/double_net.h"
#include "tests/support/learning_sample.h"
#include "tests/support/network_forms.h"

namespace twofold::train {
namespace {

using model::ModelKind;
using model::ModelOptions;
using model::Pooling;
using testing::DoubleNet;

struct Sample {
  std::vector<Graph> graphs;
  EncodedDataset data;
  Batch batch;

  Sample(std::vector<Graph> given, const ModelOptions& options)
      : graphs(std::move(given)), data(graphs, options, input_layout(graphs, options)) {
    for (std::uint32_t g = 0; g < graphs.size(); ++g) batch.graphs.push_back(g);
    batch.seed = 5;
  }
  Sample(const Sample&) = delete;
};

TEST(Models, DoNotSeeHowNodesAreNumberedNorWhichGraphsAreBeside) {
  for (const bool with_attributes : {false, true})
    for (const testing::NetworkForm& form : testing::network_forms()) {
      const std::vector<Graph> graphs = testing::learning_graphs(3, 6, with_attributes);
      std::vector<Graph> shuffled;
      Random random(4);
      shuffled.reserve(graphs.size());
      for (const Graph& g : graphs) shuffled.push_back(testing::shuffled(g, random));
      const Sample a(graphs, form.options), b(shuffled, form.options);
      const Objective task = testing::objective_of(form.options);
      const std::vector<double> parameters =
          testing::random_parameters(model::parameter_layout(form.options, a.data.columns()), 7);
      for (const bool on_colors : {false, true}) {
        DoubleNet one(a.data, form.options, task, on_colors), other(b.data, form.options, task, on_colors);
        const std::vector<double> x = one.evaluate(a.batch, parameters).outputs;
        EXPECT_LT(testing::apart(other.evaluate(b.batch, parameters).outputs, x), 1e-11) << form.name;
        Batch alone;
        alone.graphs = {3};
        const auto third = x.begin() + std::ptrdiff_t{3} * form.options.outputs;
        EXPECT_LT(testing::apart(one.evaluate(alone, parameters).outputs,
                                 std::vector<double>(third, third + form.options.outputs)),
                  1e-11)
            << form.name;
      }
    }
}

// ---- layers by hand, on the path 0 - 1 - 2 whose nodes hold 1, 2, 4

Graph path_with_values(bool with_loop_at_0 = false) {
  GraphBuilder builder(3);
  builder.add_edge(0, 1);
  builder.add_edge(1, 2);
  if (with_loop_at_0) builder.add_edge(0, 0);
  builder.set_node_attributes(1, {1, 2, 4});
  return std::move(builder).build();
}

// The answer of a network whose parameters are 0 but for these.
double answer(const Graph& g, const ModelOptions& options,
              const std::vector<std::pair<std::string, std::vector<double>>>& values) {
  const Sample sample({g}, options);
  const model::ParameterLayout layout = model::parameter_layout(options, 1);
  std::vector<double> parameters(layout.size, 0);
  for (const auto& [name, given] : values) {
    const model::Parameter& p = layout.at(name);
    EXPECT_EQ(p.size(), given.size()) << name;
    std::copy(given.begin(), given.end(), parameters.begin() + static_cast<std::ptrdiff_t>(p.offset));
  }
  DoubleNet net(sample.data, options, testing::objective_of(options));
  return net.evaluate(sample.batch, parameters).outputs.at(0);
}

// One linear convolution of width 1 whose rows are summed into the answer.
double sum_of_rows(const Graph& g, ModelKind kind, const std::vector<double>& weight) {
  ModelOptions options = model::plain_options(kind);
  options.layers = 1;
  options.head = model::Head::kNone;
  options.task = model::TaskKind::kRegression;
  options.pooling = Pooling::kSum;
  options.indicators = false;
  return answer(g, options, {{"conv.0.weight", weight}});
}

TEST(Models, GcnByHand) {
  // With self-loops the degrees are 2, 3, 2; entries 1/2, 1/3, 1/2 and 1/sqrt(6) on the edges.
  const double s = 1 / std::sqrt(6.0);
  EXPECT_NEAR(sum_of_rows(path_with_values(), ModelKind::kGcn, {3}),
              3 * (1 * (0.5 + s) + 2 * (1.0 / 3 + 2 * s) + 4 * (0.5 + s)), 1e-12);
}

TEST(Models, SageByHand) {
  // Own twice, the neighbors' mean thrice: 2 + 6, 4 + 7.5, 8 + 6.
  EXPECT_NEAR(sum_of_rows(path_with_values(), ModelKind::kSage, {2, 3}), 33.5, 1e-12);
}

TEST(Models, TwoGnnByHand) {
  // Loops keep 1, 2, 4 (their neighbors are edges, which hold 0); edges get 10 times their ends: 30 and 60.
  EXPECT_NEAR(sum_of_rows(path_with_values(), ModelKind::k2Gnn, {1, 10}), 97, 1e-12);
}

double gin_by_hand(const Graph& g, bool self_loops, double eps) {
  ModelOptions o = model::plain_options(ModelKind::kGin);
  o.layers = 1;
  o.width = 1;
  o.batch_norm = false;
  o.train_eps = true;
  o.task = model::TaskKind::kRegression;
  o.self_loops = self_loops;
  return answer(g, o,
                {{"conv.0.0.weight", {1}},
                 {"conv.0.1.weight", {1}},
                 {"conv.1.0.weight", {1}},
                 {"conv.1.1.weight", {1}},
                 {"readout.0.weight", {1}},
                 {"readout.1.weight", {100}},
                 {"conv.1.eps", {eps}}});
}

TEST(Models, GinByHand) {
  // Layer 0 keeps 1, 2, 4 (7 together); layer 1 adds the neighbors: 3, 7, 6 (16 together).
  EXPECT_NEAR(gin_by_hand(path_with_values(), true, 0), 7 + 1600, 1e-12);
  EXPECT_NEAR(gin_by_hand(path_with_values(), true, 0.5), 7 + 1950, 1e-12);
  EXPECT_NEAR(gin_by_hand(path_with_values(true), true, 0), 7 + 1700, 1e-12);
  EXPECT_NEAR(gin_by_hand(path_with_values(true), false, 0), 7 + 1600, 1e-12);
}

}  // namespace
}  // namespace twofold::train
