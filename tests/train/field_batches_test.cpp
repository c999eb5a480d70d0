#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/learning_sample.h"
#include "twofold/base/random.h"
#include "twofold/compute/net.h"
#include "twofold/graph/generate_regular.h"
#include "twofold/graph/removal.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/net_shape.h"
#include "twofold/train/training.h"

namespace twofold::train {
namespace {

using model::ModelKind;

// Cubic graphs with some edges taken out, so that degrees and distances vary.
std::vector<Graph> sparse_graphs() {
  std::vector<Graph> graphs;
  for (const std::size_t n : {90, 40}) {
    Random random(n);
    const Graph cubic = graph::random_regular_graph(n, 3, random);
    std::vector<bool> is_removed(cubic.num_edges());
    for (std::size_t e = 0; e < is_removed.size(); ++e) is_removed[e] = random.chance(0.2);
    graphs.push_back(without_edges(cubic, is_removed));
  }
  return graphs;
}

struct LargeSample {
  LargeSample(ModelKind kind, TargetOf about, int radius)
      : graphs(sparse_graphs()),
        options(make_options(kind, about, radius)),
        data(graphs, options, input_layout(graphs, options)),
        layout(model::parameter_layout(options, data.columns())),
        parameters(model::initial_parameters(layout, 7)),
        net(net_shape(options, data.columns(), layout, objective())),
        batches(make_field_batches<double>(data, options, net.shape(), {})) {
    Random random(11);
    for (std::uint32_t g = 0; g < graphs.size(); ++g)
      for (Node u = 0; u + 9 < graphs[g].num_nodes(); u += 9) {
        data.items.push_back({g, u, about == TargetOf::kNodes ? u : u + 5});
        all.push_back(static_cast<std::uint32_t>(all.size()));
        classes.push_back(static_cast<std::uint32_t>(random.below(3)));
      }
  }

  static model::ModelOptions make_options(ModelKind kind, TargetOf about, int radius) {
    model::ModelOptions o = model::plain_options(kind);
    o.about = about;
    o.width = 5;
    o.layers = 2;
    o.radius = pairs::Radius(radius);
    o.task = model::TaskKind::kMultiClass;
    o.outputs = 3;
    o.degree_features = true;
    o.batch_norm = false;  // its statistics are those of a batch
    return o;
  }
  static Objective objective() {
    Objective task;
    task.kind = model::TaskKind::kMultiClass;
    task.outputs = 3;
    return task;
  }

  std::vector<double> outputs(const Batch& batch) {
    std::vector<double> found(batch.graphs.size() * 3);
    net.outputs(batches->make(batch), parameters.data(), {found.data()});
    return found;
  }
  // Of the sum of the losses: each counts 1.
  std::vector<double> gradient(const Batch& batch) {
    std::vector<double> gradient(parameters.size());
    std::vector<std::uint32_t> own;
    for (const std::uint32_t i : batch.graphs) own.push_back(classes[i]);
    const std::vector<double> weights(own.size(), 1.0);
    std::vector<double> moved = parameters;
    net.loss_and_gradient(batches->make(batch), {own.data(), nullptr, weights.data()}, moved.data(),
                          gradient.data(), {});
    return gradient;
  }

  std::vector<Graph> graphs;
  model::ModelOptions options;
  EncodedDataset data;
  model::ParameterLayout layout;
  std::vector<double> parameters;
  compute::Net<double> net;
  std::unique_ptr<BatchMaker<double>> batches;
  std::vector<std::uint32_t> all, classes;
};

TEST(FieldBatches, AnswerAndLearnAsTheWholeGraphDoes) {
  for (const TargetOf about : {TargetOf::kNodes, TargetOf::kLinks})
    for (const ModelKind kind : {ModelKind::k2WlGnn, ModelKind::k2Gnn, ModelKind::kGin, ModelKind::kGcn,
                                 ModelKind::kSage, ModelKind::kMlp})
      for (const int radius : {1, 2}) {
        if (radius > 1 && kind != ModelKind::k2WlGnn) continue;
        LargeSample sample(kind, about, radius);
        const std::vector<double> answers = sample.outputs({sample.all});
        const std::vector<double> gradient = sample.gradient({sample.all});
        // So small that the larger graph has to be cut several times.
        model::BatchLimits limits;
        limits.graphs = 0;
        limits.rows = sample.data.num_rows(0) / 2;
        const std::vector<Batch> parts = make_batches(sample.data, sample.all, limits);
        EXPECT_GT(parts.size(), kind == ModelKind::kMlp ? 0u : 2u);
        std::vector<double> sum(gradient.size(), 0);
        std::size_t seen = 0;
        for (const Batch& part : parts) {
          EXPECT_TRUE(part.rows <= limits.rows || part.graphs.size() == 1);
          const std::vector<double> some = sample.outputs(part);
          for (std::size_t i = 0; i < part.graphs.size(); ++i)
            for (std::size_t c = 0; c < 3; ++c)
              ASSERT_NEAR(some[3 * i + c], answers[3 * part.graphs[i] + c], 1e-10) << model::to_string(kind);
          const std::vector<double> more = sample.gradient(part);
          for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += more[p];
          seen += part.graphs.size();
        }
        EXPECT_EQ(seen, sample.all.size());
        for (std::size_t p = 0; p < sum.size(); ++p)
          ASSERT_NEAR(sum[p], gradient[p], 1e-9) << model::to_string(kind) << " " << model::to_string(about);
      }
}

TEST(FieldBatches, AreNotMadeOfGraphsThatGoThroughWhole) {
  LargeSample sample(ModelKind::kGcn, TargetOf::kNodes, 1);
  const std::vector<Batch> batches = make_batches(sample.data, sample.all, {});
  ASSERT_EQ(batches.size(), 1u);
  EXPECT_FALSE(batches[0].by_need);
  EXPECT_EQ(batches[0].rows, sample.data.num_rows());
}

TEST(FieldBatches, CountTheRowsThatTheyHave) {
  for (const ModelKind kind : {ModelKind::k2WlGnn, ModelKind::k2Gnn, ModelKind::kGin, ModelKind::kGcn}) {
    LargeSample sample(kind, TargetOf::kNodes, 2);
    const std::vector<std::uint32_t> some = {0, 3};
    Batch batch;
    batch.graphs = some;
    batch.by_need = true;
    std::size_t rows = 0;
    for (const auto& part : sample.batches->make(batch).parts) rows += part.num_rows;
    EXPECT_EQ(rows, rows_needed(sample.data, 0, some)) << model::to_string(kind);
    EXPECT_LT(rows, sample.data.num_rows(0));
  }
}

}  // namespace
}  // namespace twofold::train
