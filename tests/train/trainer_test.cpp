#include "twofold/train/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "tests/support/learning_sample.h"
#include "twofold/base/error.h"
#include "twofold/graph/generate_triangle.h"
#include "twofold/train/model_file.h"
#include "twofold/train/tensor_engine.h"

namespace twofold::train {
namespace {

std::vector<std::uint32_t> range(std::uint32_t begin, std::uint32_t end) {
  std::vector<std::uint32_t> numbers(end - begin);
  std::iota(numbers.begin(), numbers.end(), begin);
  return numbers;
}

TEST(Adam, InTheFormOfKerasAddsEpsilonBeforeTheCorrection) {
  std::vector<float> p = {0};
  model::AdamOptions options;
  options.epsilon = 0.5;
  options.keras_form = true;
  AdamState state;
  adam_step(p, std::vector<float>{2}, 1, 0.1, options, state);
  // m = 0.2, v = 0.004; the rate is 0.1 sqrt(0.001) / 0.1.
  EXPECT_NEAR(p[0], -0.1 * std::sqrt(0.001) / 0.1 * 0.2 / (std::sqrt(0.004) + 0.5), 1e-7);
}

TEST(Batches, KeepTheirLimits) {
  const std::vector<Graph> graphs = {testing::path(4), testing::path(3), testing::path(5), testing::path(9),
                                     testing::path(2)};
  const model::ModelOptions options = model::plain_options(model::ModelKind::kGin);
  const EncodedDataset data(graphs, options, input_layout(graphs, options));
  const auto sizes = [&](model::BatchLimits limits) {
    std::vector<std::size_t> found;
    for (const Batch& batch : make_batches(data, range(0, 5), limits)) found.push_back(batch.graphs.size());
    return found;
  };
  using Sizes = std::vector<std::size_t>;
  EXPECT_EQ(sizes({2, 0}), (Sizes{2, 2, 1}));
  EXPECT_EQ(sizes({0, 0}), (Sizes{5}));
  EXPECT_EQ(sizes({0, 8}), (Sizes{2, 1, 1, 1}));
  EXPECT_EQ(sizes({0, 0, 7}), (Sizes{2, 2, 1}));
  EXPECT_EQ(sizes({1, 100}), (Sizes{1, 1, 1, 1, 1}));
  EXPECT_TRUE(make_batches(data, {}, {}).empty());
}

// An engine without a network: one parameter x, the loss of which is what a test wants it to be.
class PlainEngine : public Engine {
 public:
  std::function<double(float)> loss;
  std::function<float(float)> slope;
  std::function<float(float)> output;
  double loss_and_gradient(const Batch&, Span<float> parameters, Span<float> gradient,
                           Span<float> outputs) override {
    for (float& value : gradient) value = 0;
    gradient[0] = slope(parameters[0]);
    for (float& value : outputs) value = output(parameters[0]);
    return loss(parameters[0]);
  }
  void outputs(const Batch&, Span<const float> parameters, Span<float> outputs) override {
    for (float& value : outputs) value = output(parameters[0]);
  }
  void graph_vectors(const Batch&, Span<const float>, Span<float>) override {}
  std::size_t vector_width() const override { return 0; }
  model::EngineKind kind() const override { return model::EngineKind::kFused; }
};

struct PlainRun {
  std::vector<Graph> graphs = {testing::path(2), testing::path(3)};
  model::ModelOptions model = model::plain_options(model::ModelKind::kMlp);
  EncodedDataset data{graphs, model, input_layout(graphs, model)};
  model::ParameterLayout layout;
  PlainEngine engine;
  Objective task;
  model::TrainOptions options;
  TrainState state;

  PlainRun() {
    data.targets = {1, 1};
    model::Parameter p;
    p.name = "conv.0.weight";
    p.rows = 1;
    layout.parameters = {p};
    layout.size = 16;
    state = initial_state(layout, 1);
    options.learning_rate = 0.5;
    // x runs upwards and the outputs with it: the validation loss falls as long as x < 2.
    engine.loss = [](float) { return 1.0; };
    engine.slope = [](float) { return -1.0f; };
    engine.output = [](float x) { return 4 - (x - 2) * (x - 2); };
  }
  void run() {
    const std::vector<std::uint32_t> train_graphs = {0}, validation_graphs = {1};
    train(engine, data, train_graphs, validation_graphs, layout, task, options, state);
  }
};

TEST(Trainer, StopsAfterPatienceAndRestoresTheBestEpoch) {
  PlainRun plain;
  plain.options.patience = 3;
  plain.options.epochs = 100;
  plain.run();
  // x after epoch e is e / 2: best at epoch 4.
  EXPECT_EQ(plain.state.best_epoch, 4);
  EXPECT_EQ(plain.state.epoch(), 7);
  EXPECT_NEAR(chosen_parameters(plain.state, plain.options)[0], 2, 1e-4);
  plain.options.restore_best = false;
  EXPECT_NEAR(chosen_parameters(plain.state, plain.options)[0], 3.5, 1e-4);
}

TEST(Trainer, CountsOnlyImprovementsBeyondMinDelta) {
  PlainRun plain;
  plain.options.patience = 2;
  plain.options.min_delta = 10;
  plain.run();
  EXPECT_EQ(plain.state.best_epoch, 1);
  EXPECT_EQ(plain.state.epoch(), 3);
}

TEST(Trainer, StopsWhenEveryGraphIsRightAndBothLossesAreBelowTheGivenOne) {
  PlainRun plain;
  plain.options.epochs = 100;
  plain.options.patience = 0;
  plain.options.stop_below = 0.1;
  plain.engine.output = [](float x) { return x; };
  std::vector<std::size_t> batches;
  const std::vector<std::uint32_t> train_graphs = {0}, validation_graphs = {1};
  train(plain.engine, plain.data, train_graphs, validation_graphs, plain.layout, plain.task, plain.options,
        plain.state, {}, [&](int epoch, std::size_t done, std::size_t total) {
          EXPECT_EQ(done, 1u);
          EXPECT_EQ(total, 1u);
          batches.push_back(static_cast<std::size_t>(epoch));
        });
  // The training loss log(1 + exp(-x)) is that of the x before the step, (e - 1) / 2 in epoch e; it is below
  // 0.1 from x = 2.3 on.
  EXPECT_TRUE(plain.state.is_finished);
  EXPECT_EQ(plain.state.epoch(), 6);
  EXPECT_EQ(batches.size(), 6u);
}

TEST(Trainer, StopsBelowALossOnlyWithValidationAndForClasses) {
  PlainRun without;
  without.options.epochs = 20;
  without.options.patience = 0;
  without.options.stop_below = 0.1;
  without.engine.output = [](float x) { return x; };
  const std::vector<std::uint32_t> train_graphs = {0};
  train(without.engine, without.data, train_graphs, {}, without.layout, without.task, without.options,
        without.state);
  EXPECT_EQ(without.state.epoch(), 20);
  PlainRun real;
  real.options = without.options;
  real.task.kind = model::TaskKind::kRegression;
  real.task.target_mean = {0};
  real.task.target_scale = {1};
  real.task.loss = model::Loss::kSquared;
  real.engine.output = [](float) { return 1; };
  real.run();
  EXPECT_EQ(real.state.epoch(), 20);
}

TEST(Trainer, WithoutPatienceUsesAllEpochsAndHalvesTheRate) {
  PlainRun plain;
  plain.options.patience = 0;
  plain.options.epochs = 6;
  plain.options.halve_every = 2;
  plain.run();
  ASSERT_EQ(plain.state.epoch(), 6);
  EXPECT_EQ(plain.state.history[1].learning_rate, 0.5);
  EXPECT_EQ(plain.state.history[2].learning_rate, 0.25);
  EXPECT_EQ(plain.state.history[5].learning_rate, 0.125);
}

TEST(Trainer, LowersTheRateWhenValidationGetsNoBetter) {
  PlainRun plain;
  plain.options.patience = 0;
  plain.options.epochs = 9;
  plain.options.schedule = model::Schedule::kPlateau;
  plain.options.plateau_patience = 2;
  plain.run();
  // Best at epoch 4 (x = 2); x goes on to 2.5 and 3, and to 3.25 and 3.5 with half the rate.
  const std::vector<double> rates = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.25, 0.25, 0.125};
  ASSERT_EQ(plain.state.epoch(), 9);
  for (std::size_t i = 0; i < rates.size(); ++i)
    EXPECT_EQ(plain.state.history[i].learning_rate, rates[i]) << i + 1;
}

TEST(Trainer, LowersTheRateByTheTrainingGraphsWithoutOthers) {
  PlainRun plain;
  plain.options.epochs = 9;
  plain.options.schedule = model::Schedule::kPlateau;
  plain.options.plateau_patience = 2;
  const std::vector<std::uint32_t> train_graphs = {0};
  train(plain.engine, plain.data, train_graphs, {}, plain.layout, plain.task, plain.options, plain.state);
  // Training values are those before the step: one epoch later than validation.
  EXPECT_EQ(plain.state.history[6].learning_rate, 0.5);
  EXPECT_EQ(plain.state.history[7].learning_rate, 0.25);
}

TEST(Trainer, RefusesAPlateauThatPatienceWouldForestall) {
  PlainRun plain;
  plain.options.schedule = model::Schedule::kPlateau;
  plain.options.patience = plain.options.plateau_patience = 7;
  EXPECT_THROW(plain.run(), UsageError);
  plain.options.plateau_patience = 6;
  EXPECT_NO_THROW(plain.run());
}

TEST(Trainer, ValidatesAndKeepsTheAveragedWeights) {
  PlainRun plain;
  plain.options.patience = 0;
  plain.options.epochs = 12;
  plain.options.average = 0.5;
  plain.run();
  // x after epoch e is e / 2, its average about (e - 1) / 2 in the end; the best is that nearest to 2.
  double average = 0, weights = 0, best = 0;
  int best_epoch = 0;
  for (int e = 1; e <= 12; ++e) {
    average = average / 2 + e / 2.0;
    weights = weights / 2 + 1;
    const double x = average / weights;
    EXPECT_NEAR(plain.state.history[static_cast<std::size_t>(e) - 1].validation_loss,
                std::log(1 + std::exp((x - 2) * (x - 2) - 4)), 1e-4);
    if (std::fabs(x - 2) < std::fabs(best - 2)) {
      best = x;
      best_epoch = e;
    }
  }
  EXPECT_EQ(plain.state.best_epoch, best_epoch);
  EXPECT_NEAR(chosen_parameters(plain.state, plain.options)[0], best, 1e-4);
  EXPECT_NEAR(plain.state.parameters[0], 6, 1e-4);
  plain.options.restore_best = false;
  EXPECT_NEAR(chosen_parameters(plain.state, plain.options)[0], average / weights, 1e-4);
}

TEST(Trainer, NamesEpochAndParameterOfWhatIsNoNumber) {
  const auto message = [](const std::function<void(PlainRun&)>& change) {
    PlainRun plain;
    change(plain);
    try {
      plain.run();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message([](PlainRun& run) {
              run.engine.slope = [](float x) {
                return x > 1.2f ? std::numeric_limits<float>::quiet_NaN() : -1.0f;
              };
            }).find("epoch 4: the gradient of conv.0.weight is nan"),
            std::string::npos);
  EXPECT_NE(message([](PlainRun& run) {
              run.engine.loss = [](float) { return std::numeric_limits<double>::infinity(); };
            }).find("epoch 1: the loss is inf"),
            std::string::npos);
}

// ---- real networks on TRIANGLE

struct TriangleRun {
  Dataset dataset = graph::generate_triangle();
  model::ModelOptions model;
  Objective task;
  model::TrainOptions options;
  std::vector<std::uint32_t> train_graphs, validation_graphs;

  explicit TriangleRun(model::ModelKind kind) : model(model::plain_options(kind)) {
    model.width = 8;
    model.layers = 2;
    options.epochs = 4;
    for (std::uint32_t g = 0; g < 60; ++g) (g % 5 == 0 ? validation_graphs : train_graphs).push_back(g);
  }

  TrainState run(int threads, int stop_after = 0, TrainState* start = nullptr) {
    EncodedDataset data(dataset.graphs, model, input_layout(dataset.graphs, model));
    data.targets.assign(dataset.class_of.begin(), dataset.class_of.end());
    const model::ParameterLayout layout = model::parameter_layout(model, data.columns());
    model::EngineOptions engine_options;
    engine_options.threads = threads;
    const auto engine = make_engine(data, model, task, engine_options);
    TrainState state = start != nullptr ? *start : initial_state(layout, options.seed);
    train(*engine, data, train_graphs, validation_graphs, layout, task, options, state,
          [&](const EpochRecord& record) { return stop_after == 0 || record.epoch < stop_after; });
    return state;
  }
};

TEST(Trainer, ComesToTheSameBitsForAnyNumberOfThreadsAndAfterAStop) {
  for (const model::ModelKind kind : {model::ModelKind::k2WlGnn, model::ModelKind::kGin}) {
    TriangleRun triangle(kind);
    if (kind == model::ModelKind::kGin) triangle.model.dropout = 0.5;
    const TrainState once = triangle.run(1);
    ASSERT_EQ(once.epoch(), 4);
    const TrainState threads = triangle.run(4);
    EXPECT_EQ(once.parameters, threads.parameters);
    TrainState stopped = triangle.run(1, 2);
    ASSERT_EQ(stopped.epoch(), 2);
    const TrainState resumed = triangle.run(1, 0, &stopped);
    EXPECT_EQ(once.parameters, resumed.parameters);
    EXPECT_EQ(once.best_parameters, resumed.best_parameters);
    EXPECT_EQ(once.history.back().validation_loss, resumed.history.back().validation_loss);
    triangle.options.seed = 2;
    EXPECT_NE(once.parameters, triangle.run(1).parameters);
  }
}

// Killed after any epoch and gone on from the file of then.
TEST(Trainer, ResumesToTheSameBytesWithEveryOptimizerScheduleAndAverage) {
  using Change = void (*)(model::TrainOptions&);
  const std::pair<const char*, Change> changes[] = {
      {"adamw",
       [](model::TrainOptions& o) {
         o.adam.optimizer = model::Optimizer::kAdamW;
         o.adam.weight_decay = 0.1;
       }},
      {"warm-up", [](model::TrainOptions& o) { o.warmup = 2.5; }},
      {"cosine", [](model::TrainOptions& o) { o.schedule = model::Schedule::kCosine; }},
      // No value is better by so much, so the rate falls every epoch but the first.
      {"plateau",
       [](model::TrainOptions& o) {
         o.schedule = model::Schedule::kPlateau;
         o.plateau_patience = 1;
         o.min_delta = 100;
       }},
      {"average", [](model::TrainOptions& o) { o.average = 0.9; }},
      {"all",
       [](model::TrainOptions& o) {
         o.adam.optimizer = model::Optimizer::kAdamW;
         o.adam.weight_decay = 0.01;
         o.warmup = 1;
         o.schedule = model::Schedule::kPlateau;
         o.plateau_patience = 1;
         o.plateau_factor = 0.3;
         o.end_share = 0.2;
         o.monitor = model::Monitor::kAccuracy;
         o.halve_every = 3;
         o.clip = 0.5;
         o.average = 0.99;
       }},
  };
  const auto file_of = [](const TrainState& state) {
    Checkpoint checkpoint;
    checkpoint.state = state;
    return encode_checkpoint(checkpoint);
  };
  for (const model::ModelKind kind : {model::ModelKind::k2WlGnn, model::ModelKind::kGin}) {
    const TriangleRun plain(kind);
    TriangleRun triangle = plain;
    triangle.options.epochs = 5;
    const TrainState without = triangle.run(1);
    for (const auto& [name, change] : changes) {
      triangle.options = plain.options;
      triangle.options.epochs = 5;
      change(triangle.options);
      const TrainState once = triangle.run(1);
      EXPECT_NE(chosen_parameters(once, triangle.options), chosen_parameters(without, plain.options)) << name;
      EXPECT_EQ(file_of(triangle.run(2)), file_of(once)) << name;
      for (int stop = 1; stop < 5; ++stop) {
        TrainState stopped = decode_checkpoint(file_of(triangle.run(1, stop)), name).state;
        ASSERT_EQ(stopped.epoch(), stop);
        EXPECT_EQ(file_of(triangle.run(1, 0, &stopped)), file_of(once)) << name << " stopped after " << stop;
      }
    }
  }
}

TEST(Trainer, KeepsTheSmallestLossAmongEqualAccuracies) {
  TriangleRun triangle(model::ModelKind::kGin);
  triangle.options.epochs = 30;
  triangle.options.patience = 0;
  triangle.options.min_delta = 0;
  triangle.options.monitor = model::Monitor::kAccuracyThenLoss;
  const TrainState state = triangle.run(1);
  const EpochRecord& best = state.history.at(static_cast<std::size_t>(state.best_epoch - 1));
  std::size_t equal = 0;
  for (const EpochRecord& record : state.history) {
    EXPECT_LE(record.validation_metric, best.validation_metric);
    if (record.validation_metric != best.validation_metric) continue;
    ++equal;
    EXPECT_GE(record.validation_loss, best.validation_loss);
  }
  EXPECT_GT(equal, 1u);  // else the loss had nothing to say
}

TEST(Trainer, TakesRunningStatisticsAsTheyAreBesideAveragedWeights) {
  TriangleRun triangle(model::ModelKind::kGin);
  triangle.options.average = 0.9;
  triangle.options.restore_best = false;
  const TrainState state = triangle.run(1);
  const std::vector<float> kept = chosen_parameters(state, triangle.options);
  const model::ParameterLayout layout = model::parameter_layout(
      triangle.model, EncodedDataset(triangle.dataset.graphs, triangle.model,
                                     input_layout(triangle.dataset.graphs, triangle.model))
                          .columns());
  std::size_t num_statistics = 0;
  for (const model::Parameter& p : layout.parameters)
    for (std::size_t i = p.offset; i < p.offset + p.size(); ++i)
      if (!p.is_trained) {
        ++num_statistics;
        EXPECT_EQ(kept[i], state.parameters[i]) << p.name;
      }
  EXPECT_GT(num_statistics, 0u);
  const model::Parameter& weight = layout.at("conv.1.0.weight");
  EXPECT_NE(kept[weight.offset], state.parameters[weight.offset]);
}

TEST(Trainer, AveragesWithoutChangingAStepAndMakesValidationSteadier) {
  TriangleRun triangle(model::ModelKind::k2WlGnn);
  triangle.options.epochs = 25;
  triangle.options.batch.graphs = 4;
  triangle.options.learning_rate = 0.02;
  const TrainState plain = triangle.run(1);
  triangle.options.average = 0.98;
  const TrainState averaged = triangle.run(1);
  EXPECT_EQ(averaged.parameters, plain.parameters);
  const auto jumps = [](const TrainState& state) {
    double sum = 0;
    for (std::size_t e = 10; e < 25; ++e)
      sum += std::fabs(state.history[e].validation_loss - state.history[e - 1].validation_loss);
    return sum;
  };
  EXPECT_LT(jumps(averaged), jumps(plain) / 2);
}

TEST(Trainer, MakesTheLossSmallerForEveryModel) {
  for (const model::ModelKind kind :
       {model::ModelKind::k2WlGnn, model::ModelKind::k2Gnn, model::ModelKind::kGin, model::ModelKind::kGcn,
        model::ModelKind::kSage, model::ModelKind::kMlp}) {
    TriangleRun triangle(kind);
    triangle.options.epochs = 15;
    triangle.options.batch.graphs = 12;
    const TrainState state = triangle.run(1);
    EXPECT_LT(state.history.back().train_loss, state.history.front().train_loss) << model::to_string(kind);
  }
}

TEST(Trainer, RefusesAnEmptyTrainingSet) {
  TriangleRun triangle(model::ModelKind::kMlp);
  triangle.train_graphs.clear();
  EXPECT_THROW(triangle.run(1), InputError);
}

TEST(Engine, WithoutTheComponentTorchRefusesWhatNeedsIt) {
  TriangleRun triangle(model::ModelKind::kMlp);
  const EncodedDataset data(triangle.dataset.graphs, triangle.model,
                            input_layout(triangle.dataset.graphs, triangle.model));
  model::EngineOptions options;
  options.kind = model::EngineKind::kGatherScatter;
  EXPECT_THROW(make_engine(data, triangle.model, triangle.task, options), MissingTensorEngine);
  options.kind = model::EngineKind::kAuto;
  options.device = "cuda";
  EXPECT_THROW(make_engine(data, triangle.model, triangle.task, options), MissingTensorEngine);
}

}  // namespace
}  // namespace twofold::train
