#include "twofold/train/ensemble.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "twofold/graph/generate_triangle.h"
#include "twofold/model/model_table.h"
#include "twofold/train/network_learner.h"
#include "twofold/train/trained_model.h"
#include "twofold/train/training.h"

namespace twofold::train {
namespace {

using Members = std::vector<std::vector<float>>;

Objective objective(model::TaskKind kind, std::size_t outputs) {
  Objective task;
  task.kind = kind;
  task.outputs = outputs;
  if (kind == model::TaskKind::kRegression) {
    task.loss = model::Loss::kSquared;
    task.target_mean = std::vector<double>(outputs, 10);
    task.target_scale = std::vector<double>(outputs, 2);
  }
  return task;
}

TEST(Ensemble, OfOneIsThatOneBitByBit) {
  const Members one = {{0.1f, -3e30f, 80, 1e-40f}};
  for (const model::TaskKind kind :
       {model::TaskKind::kBinary, model::TaskKind::kMultiClass, model::TaskKind::kRegression})
    EXPECT_EQ(joined_outputs(objective(kind, kind == model::TaskKind::kBinary ? 1 : 2), one), one[0]);
  EXPECT_EQ(member_seed(77, 0), 77u);
}

TEST(Ensemble, SeedsOfMembersDiffer) {
  std::set<std::uint64_t> seeds;
  for (const std::uint64_t seed : {1, 2, 3})
    for (std::size_t m = 0; m < 50; ++m) seeds.insert(member_seed(seed, m));
  EXPECT_EQ(seeds.size(), 150u);
}

TEST(Ensemble, SaysTheMeanOfTheProbabilities) {
  for (const std::size_t classes : {2, 3}) {
    const Objective task =
        classes == 2 ? objective(model::TaskKind::kBinary, 1) : objective(model::TaskKind::kMultiClass, 3);
    const std::size_t width = task.outputs;
    Members members = {{}, {}, {}};
    for (std::size_t m = 0; m < 3; ++m)
      for (std::size_t i = 0; i < 4 * width; ++i)
        members[m].push_back(
            static_cast<float>(std::sin(7.0 * static_cast<double>(m) + static_cast<double>(i))) * 5);
    const std::vector<float> joined = joined_outputs(task, members);
    const std::vector<double> spreads = member_spreads(task, members);
    ASSERT_EQ(spreads.size(), 4u);
    for (std::size_t g = 0; g < 4; ++g) {
      const Span<const float> row(joined.data() + g * width, width);
      const std::vector<double> said = predicted_scores(task, row);
      std::vector<double> mean(classes, 0), square(classes, 0);
      for (const std::vector<float>& one : members) {
        const std::vector<double> scores = predicted_scores(task, {one.data() + g * width, width});
        for (std::size_t c = 0; c < classes; ++c) {
          mean[c] += scores[c] / 3;
          square[c] += scores[c] * scores[c] / 3;
        }
      }
      for (std::size_t c = 0; c < classes; ++c) EXPECT_NEAR(said[c], mean[c], 1e-6);
      const std::uint32_t predicted = predicted_class(task, row);
      EXPECT_NEAR(spreads[g], std::sqrt(square[predicted] - mean[predicted] * mean[predicted]), 1e-6);
    }
  }
}

TEST(Ensemble, SaysTheMeanOfRealValues) {
  const Objective task = objective(model::TaskKind::kRegression, 2);
  const Members members = {{1, 2}, {3, 6}};
  EXPECT_EQ(joined_outputs(task, members), (std::vector<float>{2, 4}));
  // In terms of the targets: times 2.
  EXPECT_EQ(member_spreads(task, members), (std::vector<double>{2, 4}));
}

TEST(Ensemble, StaysFiniteWhereMembersAreSure) {
  const Objective task = objective(model::TaskKind::kBinary, 1);
  const std::vector<float> joined =
      joined_outputs(task, Members{{-1e30f, 1e30f, 1e30f}, {-1e30f, 1e30f, -1e30f}});
  for (const float value : joined) EXPECT_TRUE(std::isfinite(value));
  EXPECT_LT(joined[0], -50);
  EXPECT_GT(joined[1], 50);
  EXPECT_NEAR(joined[2], 0, 1e-6);
}

struct Sample {
  Dataset dataset = graph::generate_triangle();
  model::Targets targets{dataset};
  std::vector<std::uint32_t> train, validation, test;
  Sample() {
    for (std::uint32_t g = 0; g < dataset.graphs.size(); ++g)
      (g % 5 == 0 ? test : g % 5 == 1 ? validation : train).push_back(g);
  }
};

model::Config small_config(int ensemble) {
  const model::Model& gin = model::find_model("gin");
  model::Config config = model::fallback_config(gin);
  config["layers"] = 2;
  config["width"] = 8;
  config["epochs"] = 3;
  config["ensemble"] = ensemble;
  return config;
}

model::FitResult fit(const Sample& sample, int ensemble, std::uint64_t seed, int max_epochs = 0) {
  static std::vector<std::unique_ptr<model::Learner>> kept;  // what is fitted looks at its learner's data
  for (const model::LearnerFactory& factory : network_learners())
    if (factory.model == "gin") kept.push_back(factory.make({sample.dataset.graphs, sample.targets.task()}));
  model::FitOptions options;
  options.seed = seed;
  options.max_epochs = max_epochs;
  return kept.back()->fit(small_config(ensemble), sample.targets.of(sample.train),
                          sample.targets.of(sample.validation), options);
}

// The law of ensembles: what K trainings with the members' seeds say, averaged.
TEST(Ensemble, OfALearnerAveragesTrainingsWithTheMembersSeeds) {
  const Sample sample;
  model::FitResult both = fit(sample, 2, 5);
  const model::Predictions joined = both.fitted->predict(sample.test);
  const model::Predictions first = fit(sample, 1, 5).fitted->predict(sample.test);
  const model::Predictions second = fit(sample, 1, member_seed(5, 1)).fitted->predict(sample.test);
  ASSERT_EQ(joined.scores.size(), first.scores.size());
  for (std::size_t i = 0; i < joined.scores.size(); ++i)
    EXPECT_NEAR(joined.scores[i], (first.scores[i] + second.scores[i]) / 2, 1e-6);
  EXPECT_EQ(joined.spreads.size(), sample.test.size());
  EXPECT_TRUE(first.spreads.empty());
  EXPECT_EQ(both.notes.at("members").size(), 2u);
  EXPECT_EQ(both.history.columns.size(), 8u);
}

TEST(Ensemble, IsOneModelFile) {
  const Sample sample;
  const model::Model& gin = model::find_model("gin");
  const Network network = train_network(model::settings_of(gin, small_config(3)), sample.dataset,
                                        sample.targets, sample.train, sample.validation, 5);
  ASSERT_EQ(network.num_members(), 3u);
  const std::string bytes = encode_network(network);
  const Network read = decode_network(bytes, "m");
  EXPECT_EQ(read.others, network.others);
  EXPECT_EQ(encode_network(read), bytes);
  NetworkOnData run(read, sample.dataset, "data", 1, 0);
  const Members each = run.member_outputs();
  EXPECT_EQ(run.outputs(), joined_outputs(read.task, each));
  EXPECT_NE(each[0], each[1]);
  EXPECT_EQ(run.vectors().size(), sample.dataset.graphs.size() * run.vector_width());
  // The first member is the network that is trained alone.
  const Network alone = train_network(model::settings_of(gin, small_config(1)), sample.dataset, sample.targets,
                                      sample.train, sample.validation, 5);
  EXPECT_EQ(alone.parameters, network.parameters);
  EXPECT_EQ(run.vector_width(), 3 * NetworkOnData(alone, sample.dataset, "data", 1, 0).vector_width());
}

// A rung of halving is the beginning of the whole training.
TEST(NetworkLearner, StopsAfterTheEpochsAllowedAsIfItWereInterruptedThere) {
  const Sample sample;
  const model::FitResult whole = fit(sample, 1, 5), part = fit(sample, 1, 5, 2);
  EXPECT_EQ(whole.notes.at("epochs"), 3);
  EXPECT_EQ(part.notes.at("epochs"), 2);
  for (std::size_t c = 0; c < part.history.columns.size(); ++c)
    for (std::size_t e = 0; e < 2; ++e)
      EXPECT_EQ(part.history.columns[c].values[e], whole.history.columns[c].values[e]);
}

TEST(NetworkLearner, MeasuresWhatAFitCosts) {
  const Sample sample;
  for (const model::LearnerFactory& factory : network_learners()) {
    if (factory.model != "gin") continue;
    const auto learner = factory.make({sample.dataset.graphs, sample.targets.task()});
    for (const Clock clock : {Clock::kWall, Clock::kCpu}) {
      const model::FitCost cost = learner->measure(small_config(1), sample.targets.of(sample.train),
                                                   sample.targets.of(sample.validation), clock);
      EXPECT_GT(cost.epoch, 0);
      EXPECT_GE(cost.prepare, 0);
      EXPECT_EQ(cost.epochs, 3);
      EXPECT_GE(cost.seconds(3), 3 * cost.epoch * 0.99);
    }
  }
}

TEST(Ensemble, SaysTheMeanOfTheProbabilitiesOfEachQuestion) {
  const Objective task = objective(model::TaskKind::kYesNo, 2);
  const auto chance = [](double logit) { return 1 / (1 + std::exp(-logit)); };
  const std::vector<std::vector<float>> members = {{1, -2}, {3, 40}};
  const std::vector<double> said = predicted_scores(task, joined_outputs(task, members));
  EXPECT_NEAR(said[0], (chance(1) + chance(3)) / 2, 1e-6);
  EXPECT_NEAR(said[1], (chance(-2) + 1) / 2, 1e-6);
  const std::vector<double> spreads = member_spreads(task, members);
  ASSERT_EQ(spreads.size(), 2u);
  EXPECT_NEAR(spreads[0], (chance(3) - chance(1)) / 2, 1e-6);
}

}  // namespace
}  // namespace twofold::train
