// Theorem 4.5 by the paper's Algorithm 1 (torch/gather_scatter.h), word for word; train/simulate_test.cpp has
// every option, by our own loops.
#include "twofold/train/simulate.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include "tests/support/double_net.h"
#include "tests/support/learning_sample.h"
#include "twofold/torch/graph_batch.h"
#include "twofold/torch/graph_model.h"

namespace twofold::tensors {
namespace {

using model::ModelKind;
using model::ModelOptions;

torch::Tensor outputs_of(const std::vector<Graph>& graphs, const ModelOptions& options,
                         const train::InputLayout& layout, const std::vector<double>& parameters) {
  const train::EncodedDataset data(graphs, options, layout);
  train::Batch batch;
  for (std::uint32_t g = 0; g < graphs.size(); ++g) batch.graphs.push_back(g);
  GraphModel model(options, static_cast<std::int64_t>(data.columns()), torch::kDouble);
  const torch::NoGradGuard guard;
  model->flat.copy_(torch::tensor(parameters, torch::kDouble));
  model->eval();
  return model->forward(make_graph_batch(data, batch, options, {}, torch::kDouble)).outputs;
}

TEST(Theorem45, SimulationAgreesByAlgorithm1) {
  for (const ModelKind kind : {ModelKind::kGcn, ModelKind::kGin, ModelKind::kSage})
    for (int layers = 1; layers <= 3; ++layers)
      for (const bool with_attributes : {false, true}) {
        const std::vector<Graph> graphs = testing::learning_graphs(5, 40, with_attributes);
        ModelOptions options = model::plain_options(kind);
        options.width = 6;
        options.layers = layers;
        options.train_eps = kind == ModelKind::kGin;
        const train::InputLayout layout = train::input_layout(graphs, options);
        const std::vector<double> parameters =
            testing::random_parameters(model::parameter_layout(options, layout.columns()), 3);
        const train::Simulation simulation =
            train::simulate(options, layout.columns(), layout.features.columns() == 0, parameters);
        train::InputLayout pairs = layout;
        pairs.features.indicators = true;
        pairs.weights = simulation.weights;
        const torch::Tensor expected = outputs_of(graphs, options, layout, parameters);
        const torch::Tensor found = outputs_of(graphs, simulation.options, pairs, simulation.parameters);
        EXPECT_LE((found - expected).abs().max().item<double>(), 1e-9 * expected.abs().max().item<double>())
            << model::to_string(kind) << ", " << layers << " layers";
      }
}

}  // namespace
}  // namespace twofold::tensors
