#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/data_folder.h"
#include "tests/support/named_graphs.h"
#include "twofold/base/file.h"
#include "twofold/eval/splits.h"
#include "twofold/io/dataset_file.h"
#include "twofold/train/trainer.h"

namespace twofold::train {
namespace {

struct Learning {
  std::vector<Graph> graphs;
  std::vector<double> targets;
  model::ModelOptions model;
  Objective task;
  model::TrainOptions options;

  // Trains on all graphs; the scores before and after.
  std::pair<Scores, Scores> train_all() {
    std::vector<std::uint32_t> all(graphs.size());
    std::iota(all.begin(), all.end(), 0u);
    task.kind = model.task;
    task.outputs = static_cast<std::size_t>(model.outputs);
    if (task.kind == model::TaskKind::kRegression) task.loss = model::Loss::kSquared;
    fit_targets(task, targets, false);
    task.features = attribute_scaling(graphs, all);
    const InputLayout layout = input_layout(graphs, model);
    if (layout.features.node_attributes == 0) task.features = {};
    EncodedDataset data(graphs, model, layout);
    data.targets = targets;
    const model::ParameterLayout parameters = model::parameter_layout(model, data.columns());
    const auto engine = make_engine(data, model, task);
    TrainState state = initial_state(parameters, options.seed);
    const Scores before = evaluate(*engine, data, all, task, options.batch, state.parameters);
    train(*engine, data, all, {}, parameters, task, options, state);
    return {before, evaluate(*engine, data, all, task, options.batch, state.parameters)};
  }
};

// Every step-th graph, so that all classes are there.
Learning sample_of(const std::string& folder, const std::string& name, std::size_t step) {
  const Dataset dataset = io::read_dataset(folder + "/" + name);
  Learning run;
  for (std::size_t g = 0; g < dataset.graphs.size(); g += step) {
    run.graphs.push_back(dataset.graphs[g]);
    run.targets.push_back(dataset.class_of[g]);
  }
  int epochs = 15;
  if (dataset.class_names.size() > 2) {
    run.model.task = model::TaskKind::kMultiClass;
    run.model.outputs = static_cast<int>(dataset.class_names.size());
    epochs = 40;
  }
  run.model.radius = pairs::Radius(1);
  run.model.width = 16;
  run.options.epochs = epochs;
  run.options.learning_rate = 0.01;  // few epochs
  return run;
}

TEST(RealData, LossGoesDown) {
  const std::string folder = testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << testing::kNeedsData;
  for (const auto& [name, step] : {std::pair<const char*, std::size_t>{"NCI1", 40},
                                   {"PROTEINS_full", 16},
                                   {"IMDB-BINARY", 12},
                                   {"ENZYMES", 6}}) {
    Learning run = sample_of(folder, name, step);
    const auto [before, after] = run.train_all();
    EXPECT_LT(after.loss, 0.98 * before.loss) << name;
    if (run.model.outputs > 1) {
      EXPECT_GT(after.accuracy, 1.5 / 6) << name;
    }
  }
}

TEST(RealData, TriangleLearnsOnItsOwnSplits) {
  const std::string folder = testing::data_folder();
  if (folder.empty()) GTEST_SKIP() << testing::kNeedsData;
  const Dataset dataset = io::read_dataset(folder + "/TRIANGLE");
  const std::string path = folder + "/TRIANGLE/TRIANGLE_splits.json";
  const eval::Splits splits = eval::parse_splits(read_file(path), dataset.graphs.size(), path);
  ASSERT_EQ(splits.size(), 10u);
  Learning run;
  run.targets.assign(dataset.class_of.begin(), dataset.class_of.end());
  run.options.batch.graphs = 0;
  run.options.epochs = 12;
  EncodedDataset data(dataset.graphs, run.model, input_layout(dataset.graphs, run.model));
  data.targets = run.targets;
  const model::ParameterLayout layout = model::parameter_layout(run.model, data.columns());
  const auto engine = make_engine(data, run.model, run.task);
  TrainState state = initial_state(layout, 1);
  train(*engine, data, splits[0].train, splits[0].validation, layout, run.task, run.options, state);
  EXPECT_LT(state.history.back().train_loss, state.history.front().train_loss);
  EXPECT_TRUE(state.history.back().has_validation);
}

double num_triangles(const Graph& g) {
  double count = 0;
  for (const Edge e : g.edges())
    for (const Node w : g.neighbors(e.v))
      if (w > e.v && g.has_edge(e.u, w)) ++count;
  return count;
}

// Circulant graphs of degree 4 under random names, all alike for models of 1-WL, but with 0 to 2 n / 3
// triangles.
Learning triangle_counts() {
  Learning run;
  Random random(3);
  for (std::size_t n = 9; n <= 15; ++n)
    for (std::size_t a = 1; 2 * a < n; ++a)
      for (std::size_t b = a + 1; 2 * b < n; ++b) {
        std::vector<std::pair<Node, Node>> edges;
        for (std::size_t v = 0; v < n; ++v)
          for (const std::size_t step : {a, b})
            edges.emplace_back(static_cast<Node>(v), static_cast<Node>((v + step) % n));
        run.graphs.push_back(testing::shuffled(testing::from_edges(n, edges), random));
        // A triangle a node, so that the size says nothing.
        run.targets.push_back(num_triangles(run.graphs.back()) / static_cast<double>(n));
      }
  run.model.task = model::TaskKind::kRegression;
  run.options.epochs = 120;
  run.options.batch.graphs = 0;
  run.options.learning_rate = 0.02;
  return run;
}

TEST(Regression, OfTriangleCountsIsLearntOnPairsAndNotByGin) {
  Learning pairs_run = triangle_counts();
  pairs_run.model.radius = pairs::Radius(1);
  pairs_run.model.layers = 2;
  pairs_run.model.width = 8;
  pairs_run.model.pooling = model::Pooling::kMean;
  const Scores pairs_scores = pairs_run.train_all().second;
  // The loss is in terms of the targets' variance: 1 says that only the mean was learnt.
  EXPECT_LT(pairs_scores.loss, 0.1);
  Learning gin_run = triangle_counts();
  gin_run.model = model::plain_options(model::ModelKind::kGin);
  gin_run.model.task = model::TaskKind::kRegression;
  gin_run.model.width = 8;
  gin_run.model.layers = 2;
  gin_run.model.pooling = model::Pooling::kMean;
  EXPECT_GT(gin_run.train_all().second.loss, 0.9);
}

}  // namespace
}  // namespace twofold::train
