#include "twofold/paper/experiments.h"

#include <gtest/gtest.h>

#include <set>

#include "twofold/eval/grid.h"

namespace twofold::paper {
namespace {

// As `evaluate` would make it.
eval::Grid grid_of(const RunPlan& plan) {
  eval::GridRequest request;
  request.model = plan.learner.model;
  request.dataset = paper_datasets()[plan.dataset].folder;
  request.preset = plan.preset;
  for (const auto& [name, text] : plan.options) {
    const model::ModelOption* option = model::find_model(plan.learner.model).find(name);
    if (option == nullptr) throw std::runtime_error(plan.learner.model + " has no option " + name);
    request.overrides.push_back({name, {model::parse_value(*option, text)}});
  }
  return eval::make_grid(request);
}

std::vector<Learner> all_learners() {
  std::vector<Learner> all = table_learners();
  for (const Learner& learner : depth_learners()) all.push_back(learner);
  for (const bool is_weighted : {false, true})
    for (const int radius : {1, 2, 4, 5, 6, 8}) all.push_back(radius_learner(is_weighted, radius));
  for (const Learner& learner : our_learners()) all.push_back(learner);
  return all;
}

TEST(Experiments, RowsOfTheTablesHaveTheirLearners) {
  std::set<std::string> keys;
  for (std::size_t r = 0; r < published_results().size(); ++r) {
    EXPECT_EQ(table_learners()[r].name, published_results()[r].name);
    EXPECT_EQ(!model::find_model(table_learners()[r].model).is_network, published_results()[r].is_kernel);
    keys.insert(table_learners()[r].key);
  }
  EXPECT_EQ(keys.size(), table_learners().size());
}

TEST(Experiments, EveryRunIsOneThatEvaluateTakes) {
  for (std::size_t d = 0; d < kNumDatasets; ++d)
    for (const Learner& learner : all_learners()) {
      EXPECT_FALSE(grid_of(full_run(d, learner)).empty()) << learner.key;
      const eval::Grid quick = grid_of(quick_run(d, learner));
      EXPECT_EQ(quick.size(), learner.is_ours || model::find_model(learner.model).is_network ? 1u : 5u)
          << learner.key;
    }
}

TEST(Experiments, FullRunsHaveThePapersGridsAndRadii) {
  const Learner& weighted = table_learners().back();
  ASSERT_EQ(weighted.key, "2-wl-gnn-weighted");
  for (std::size_t d = 0; d < kNumDatasets; ++d) {
    const RunPlan plan = full_run(d, weighted);
    EXPECT_EQ(plan.folds, 0);
    EXPECT_EQ(plan.repeats, 3);
    const eval::Grid grid = grid_of(plan);
    EXPECT_EQ(grid.size(), d == kTriangle ? 6u : 24u);
    for (const model::Config& config : grid) {
      EXPECT_EQ(config.at("radius"), paper_datasets()[d].radius);
      EXPECT_EQ(config.at("pooling"), "weighted-mean");
    }
  }
}

TEST(Experiments, RadiusRunsKeepTheirRadiusAlsoWhenQuick) {
  for (std::size_t d = 0; d < kNumDatasets; ++d)
    for (const int radius : published_radii_of(d))
      for (const RunPlan& plan :
           {full_run(d, radius_learner(true, radius)), quick_run(d, radius_learner(true, radius))})
        for (const model::Config& config : grid_of(plan)) {
          EXPECT_EQ(config.at("radius"), radius);
          EXPECT_EQ(config.at("head"), "none");
        }
}

TEST(Experiments, QuickRunsSayWhatTheyDoOtherwise) {
  const Learner& weighted = table_learners().back();
  EXPECT_EQ(describe_quick(quick_run(kTriangle, weighted)),
            "the first 4 folds, one configuration, 150 epochs, one run");
  EXPECT_EQ(describe_quick(quick_run(1, weighted)),
            "the first 3 folds, one configuration, 300 epochs, one run, r = 1 instead of 8");
  EXPECT_EQ(describe_quick(quick_run(1, radius_learner(true, 8))),
            "the first 3 folds, one configuration, 100 epochs, one run");
  EXPECT_EQ(describe_quick(quick_run(1, table_learners()[0])), "the first 3 folds");
}

TEST(Experiments, OursAreThePresetsThatWeRecommend) {
  for (const Learner& learner : our_learners()) {
    EXPECT_EQ(full_run(1, learner).preset, "default");
    EXPECT_EQ(full_run(1, learner).folds, 0);
    EXPECT_EQ(full_run(1, learner).repeats, 3);
    EXPECT_EQ(quick_run(1, learner).preset, "quick");
    EXPECT_EQ(describe_quick(quick_run(1, learner)), model::find_model(learner.model).is_network
                                                         ? "the first 3 folds, one configuration, one run"
                                                         : "the first 3 folds");
  }
}

TEST(Experiments, SteadinessIsOneConfigurationPerSeedOnTheSameFolds) {
  ASSERT_EQ(steadiness_learners().size(), 2 * kNumSteadinessSeeds);
  std::set<std::string> keys;
  for (std::size_t i = 0; i < steadiness_learners().size(); ++i) {
    const Learner& learner = steadiness_learners()[i];
    keys.insert(learner.key);
    EXPECT_EQ(learner.seed, i % kNumSteadinessSeeds + 1);
    EXPECT_EQ(learner.is_ours, i >= kNumSteadinessSeeds);
    for (const RunPlan& plan : {full_run(kTriangle, learner), quick_run(kTriangle, learner)}) {
      EXPECT_EQ(grid_of(plan).size(), 1u);
      EXPECT_EQ(plan.folds, 4);
      EXPECT_EQ(plan.repeats, 1);
    }
  }
  EXPECT_EQ(keys.size(), steadiness_learners().size());
}

TEST(Experiments, OnlyTheHeaviestKernelsAreLeftOutOfQuickRuns) {
  std::size_t left_out = 0;
  for (std::size_t d = 0; d < kNumDatasets; ++d)
    for (const Learner& learner : table_learners()) {
      EXPECT_TRUE(full_run(d, learner).left_out.empty());
      left_out += quick_run(d, learner).left_out.empty() ? 0 : 1;
    }
  EXPECT_EQ(left_out, 4u);
}

}  // namespace
}  // namespace twofold::paper
