#include "twofold/torch/torch_engine.h"

#include <gtest/gtest.h>
#include <torch/torch.h>

#include <cmath>

#include "tests/support/double_net.h"
#include "tests/support/learning_sample.h"
#include "tests/support/network_forms.h"
#include "twofold/base/error.h"
#include "twofold/train/library_versions.h"
#include "twofold/train/tensor_engine.h"
#include "twofold/train/trainer.h"

namespace twofold::tensors {
namespace {

using model::EngineKind;
using model::ModelKind;
using model::ModelOptions;

struct Sample {
  explicit Sample(const ModelOptions& options, bool with_attributes = false)
      : graphs(testing::learning_graphs(5, 12, with_attributes)),
        model(options),
        data(graphs, options, train::input_layout(graphs, options)),
        task(testing::objective_of(options)),
        layout(model::parameter_layout(options, data.columns())) {
    Random random(7);
    for (std::size_t g = 0; g < graphs.size(); ++g)
      data.targets.push_back(static_cast<double>(random.below(2)));
    batch.graphs = {3, 0, 7, 1, 11, 2};
    batch.seed = 5;
    if (with_attributes) task.features = train::attribute_scaling(graphs, batch.graphs);
    for (const double value : testing::random_parameters(layout, 3))
      parameters.push_back(static_cast<float>(value));
    install_torch_engine();
  }

  std::unique_ptr<train::Engine> engine(EngineKind kind, const std::string& device = "cpu") const {
    model::EngineOptions how;
    how.kind = kind;
    how.device = device;
    return train::make_engine(data, model, task, how);
  }

  std::vector<Graph> graphs;
  ModelOptions model;
  train::EncodedDataset data;
  train::Objective task;
  model::ParameterLayout layout;
  train::Batch batch;
  std::vector<float> parameters;
};

float largest(const std::vector<float>& values) {
  float most = 0;
  for (const float value : values) most = std::max(most, std::fabs(value));
  return most;
}

void expect_near(const std::vector<float>& found, const std::vector<float>& wanted, double part,
                 const std::string& what) {
  ASSERT_EQ(found.size(), wanted.size()) << what;
  const double most = static_cast<double>(largest(wanted)) + 1e-2;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    ASSERT_NEAR(found[i], wanted[i], part * most) << what << " " << i;
}

// Batches that come again are kept: the third time is from what was kept.
TEST(GatherScatterEngine, GivesTheLossGradientOutputsAndVectorsOfTheFusedOne) {
  for (const testing::NetworkForm& form : testing::network_forms()) {
    const Sample sample(form.options, true);
    const auto stock = sample.engine(EngineKind::kGatherScatter), own = sample.engine(EngineKind::kFused);
    ASSERT_EQ(stock->kind(), EngineKind::kGatherScatter);
    ASSERT_EQ(stock->vector_width(), own->vector_width()) << form.name;
    const std::size_t count = sample.batch.graphs.size();
    for (int again = 0; again < 3; ++again) {
      std::vector<float> a(sample.layout.size, 9), b(sample.layout.size, 9), x(count * sample.task.outputs),
          y(x);
      std::vector<float> moved = sample.parameters, others = sample.parameters;
      const double wanted = stock->loss_and_gradient(sample.batch, moved, a, x);
      EXPECT_NEAR(own->loss_and_gradient(sample.batch, others, b, y), wanted, 1e-4 * (1 + wanted)) << form.name;
      expect_near(y, x, 1e-3, form.name + " outputs in training");
      expect_near(b, a, 1e-3, form.name + " gradient");
      expect_near(others, moved, 1e-4, form.name + " running statistics");
      stock->outputs(sample.batch, sample.parameters, x);
      own->outputs(sample.batch, sample.parameters, y);
      expect_near(y, x, 1e-3, form.name + " outputs");
      std::vector<float> u(count * own->vector_width()), v(u);
      stock->graph_vectors(sample.batch, sample.parameters, u);
      own->graph_vectors(sample.batch, sample.parameters, v);
      expect_near(v, u, 1e-3, form.name + " vectors");
    }
  }
}

TEST(GatherScatterEngine, RefusesADeviceThatIsNotThere) {
  const Sample sample(model::plain_options(ModelKind::kMlp));
  if (!torch::cuda::is_available()) {
    EXPECT_THROW(sample.engine(EngineKind::kGatherScatter, "cuda"), UsageError);
    EXPECT_THROW(sample.engine(EngineKind::kAuto, "cuda"), UsageError);
  }
  EXPECT_THROW(sample.engine(EngineKind::kGatherScatter, "abacus"), UsageError);
  EXPECT_THROW(sample.engine(EngineKind::kFused, "cuda"), UsageError);
}

TEST(GatherScatterEngine, TellsTheVersionsOfItsLibraries) {
  install_torch_engine();
  std::vector<std::string> names;
  for (const auto& library : train::network_libraries()) {
    names.push_back(library.first);
    EXPECT_FALSE(library.second.empty()) << library.first;
  }
  EXPECT_EQ(names, (std::vector<std::string>{"libtorch", "blas", "highway"}));
}

TEST(GatherScatterEngine, LearnsAsTheFusedOneDoes) {
  for (const ModelKind kind : {ModelKind::k2WlGnn, ModelKind::kGin, ModelKind::kGcn}) {
    const Sample sample(model::plain_options(kind));
    std::vector<double> losses[2];
    for (const bool stock : {false, true}) {
      const auto engine = sample.engine(stock ? EngineKind::kGatherScatter : EngineKind::kFused);
      std::vector<float> parameters = sample.parameters, gradient(sample.layout.size),
                         outputs(sample.batch.graphs.size());
      for (int epoch = 0; epoch < 10; ++epoch) {
        losses[stock].push_back(engine->loss_and_gradient(sample.batch, parameters, gradient, outputs));
        for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i] -= 0.02f * gradient[i];
      }
    }
    EXPECT_LT(losses[0].back(), losses[0].front()) << model::to_string(kind);
    for (std::size_t i = 0; i < losses[0].size(); ++i)
      EXPECT_NEAR(losses[1][i], losses[0][i], 1e-3 * (1 + losses[0][i])) << model::to_string(kind) << " " << i;
  }
}

}  // namespace
}  // namespace twofold::tensors
