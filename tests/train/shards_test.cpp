#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/support/learning_sample.h"
#include "tests/support/thread_group.h"
#include "twofold/base/error.h"
#include "twofold/train/shard_cut.h"
#include "twofold/train/trainer.h"

namespace twofold::train {
namespace {

using model::ModelKind;
using model::ModelOptions;

struct ShardedSample {
  explicit ShardedSample(const ModelOptions& options, std::size_t count = 23)
      : graphs(testing::learning_graphs(5, count, false)),
        model(options),
        data(graphs, model, input_layout(graphs, model)),
        layout(model::parameter_layout(model, data.columns())) {
    Random random(7);
    for (std::size_t g = 0; g < graphs.size(); ++g)
      data.targets.push_back(static_cast<double>(random.below(2)));
    task.kind = model.task;
    batch.graphs.resize(count);
    std::iota(batch.graphs.begin(), batch.graphs.end(), 0u);
    batch.seed = 11;
  }

  struct Found {
    double loss = 0;
    std::vector<float> parameters, gradient, outputs;
    bool operator==(const Found& other) const {
      return loss == other.loss && parameters == other.parameters && gradient == other.gradient &&
             outputs == other.outputs;
    }
  };
  Found step(model::EngineKind kind, const Sharding& sharding, int threads = 1) const {
    model::EngineOptions how;
    how.kind = kind;
    how.threads = threads;
    const auto engine = make_engine(data, model, task, how, sharding);
    Found found;
    for (const double value : model::initial_parameters(layout, 3))
      found.parameters.push_back(static_cast<float>(value));
    found.gradient.resize(layout.size);
    found.outputs.resize(batch.graphs.size());
    found.loss = engine->loss_and_gradient(batch, found.parameters, found.gradient, found.outputs);
    return found;
  }

  std::vector<Graph> graphs;
  ModelOptions model;
  EncodedDataset data;
  model::ParameterLayout layout;
  Objective task;
  Batch batch;
};

std::vector<ModelOptions> forms(bool with_dropout) {
  std::vector<ModelOptions> all;
  for (const ModelKind kind : {ModelKind::k2WlGnn, ModelKind::kGin, ModelKind::k2Gnn})
    for (const model::Norm norm : {model::Norm::kNone, model::Norm::kBatch, model::Norm::kLayer}) {
      ModelOptions options = model::plain_options(kind);
      options.width = 6;
      options.layers = 2;
      if (kind == ModelKind::k2WlGnn) options.norm = norm;
      if (kind != ModelKind::k2WlGnn && norm != model::Norm::kNone) continue;
      if (with_dropout) options.dropout = 0.4;
      all.push_back(options);
    }
  return all;
}

TEST(ShardCut, IsEvenAndHasEveryPlaceOnce) {
  Random random(4);
  for (const std::size_t count : {1, 2, 3, 8})
    for (const std::size_t size : {0, 1, 5, 40, 200}) {
      std::vector<std::uint64_t> costs(size);
      for (std::uint64_t& cost : costs) cost = 1 + random.below(100);
      const auto shards = cut_into_shards(costs, count);
      ASSERT_EQ(shards.size(), count);
      std::vector<bool> seen(size, false);
      std::vector<std::uint64_t> sums;
      for (const auto& shard : shards) {
        EXPECT_TRUE(std::is_sorted(shard.begin(), shard.end()));
        std::uint64_t sum = 0;
        for (const std::uint32_t place : shard) {
          EXPECT_FALSE(seen[place]);
          seen[place] = true;
          sum += costs[place];
        }
        sums.push_back(sum);
      }
      EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(size));
      EXPECT_EQ(shards[0].empty(), size == 0);
      if (size == 200) {
        EXPECT_LE(*std::max_element(sums.begin(), sums.end()) - *std::min_element(sums.begin(), sums.end()),
                  200u);
      }
    }
}

TEST(ShardedEngine, GivesTheGradientOfTheWholeBatch) {
  for (const ModelOptions& options : forms(false)) {
    const ShardedSample sample(options);
    for (const model::EngineKind kind : {model::EngineKind::kFused, model::EngineKind::kColors}) {
      const auto whole = sample.step(kind, {}), sharded = sample.step(kind, {8, nullptr});
      EXPECT_NEAR(sharded.loss, whole.loss, 1e-6);
      for (std::size_t i = 0; i < whole.outputs.size(); ++i)
        EXPECT_NEAR(sharded.outputs[i], whole.outputs[i], 1e-4) << i;
      for (std::size_t i = 0; i < whole.gradient.size(); ++i) {
        EXPECT_NEAR(sharded.gradient[i], whole.gradient[i], 1e-4 * (1 + std::fabs(whole.gradient[i]))) << i;
        // Running statistics are among the parameters.
        EXPECT_NEAR(sharded.parameters[i], whole.parameters[i], 1e-5 * (1 + std::fabs(whole.parameters[i])))
            << i;
      }
    }
  }
}

TEST(ShardedEngine, GivesTheSameBitsOnAnyNumberOfRanksAndThreads) {
  for (const ModelOptions& options : forms(true))
    // Of three graphs most shards are empty, and so are some ranks.
    for (const std::size_t graphs : {3, 23}) {
      const ShardedSample sample(options, graphs);
      for (const model::EngineKind kind : {model::EngineKind::kFused, model::EngineKind::kColors}) {
        const auto expected = sample.step(kind, {8, nullptr});
        EXPECT_TRUE(sample.step(kind, {8, nullptr}, 3) == expected);
        for (const int ranks : {1, 2, 3, 4, 8})
          testing::ThreadRanks(ranks).run([&](Group& group) {
            EXPECT_TRUE(sample.step(kind, {8, &group}) == expected) << group.rank() << " of " << ranks;
          });
      }
    }
}

TEST(ShardedEngine, TrainsToTheSameBitsOnAnyNumberOfRanks) {
  ModelOptions options = model::plain_options(ModelKind::k2WlGnn);
  options.width = 5;
  options.layers = 2;
  options.norm = model::Norm::kBatch;
  const ShardedSample sample(options, 40);
  std::vector<std::uint32_t> train_graphs(30), validation(10);
  std::iota(train_graphs.begin(), train_graphs.end(), 0u);
  std::iota(validation.begin(), validation.end(), 30u);
  const auto trained = [&](Group* group) {
    const auto engine = make_engine(sample.data, sample.model, sample.task, {}, {8, group});
    model::TrainOptions how;
    how.epochs = 3;
    how.batch.graphs = 12;
    TrainState state = initial_state(sample.layout, 1);
    train(*engine, sample.data, train_graphs, validation, sample.layout, sample.task, how, state);
    EXPECT_EQ(state.epoch(), 3);
    state.parameters.push_back(static_cast<float>(state.history.back().validation_loss));
    return state.parameters;
  };
  const std::vector<float> expected = trained(nullptr);
  for (const int ranks : {2, 5, 8})
    testing::ThreadRanks(ranks).run([&](Group& group) { EXPECT_EQ(trained(&group), expected); });
}

TEST(ShardedEngine, RefusesWhatIsNotCut) {
  ModelOptions options = model::plain_options(ModelKind::kGin);
  options.about = TargetOf::kNodes;
  const ShardedSample sample(options);
  EXPECT_THROW(make_engine(sample.data, sample.model, sample.task, {}, {8, nullptr}), UsageError);
}

}  // namespace
}  // namespace twofold::train
