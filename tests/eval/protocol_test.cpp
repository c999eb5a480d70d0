#include "twofold/eval/protocol.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/support/as_other_user.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/toy_learner.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/base/random.h"
#include "twofold/eval/result.h"
#include "twofold/eval/work.h"
#include "twofold/graph/generate.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::eval {
namespace {

using testing::TemporaryFolder;
using testing::ToyLearner;

// Graphs of 3 to 12 nodes without edges, two classes that mostly follow the parity.
Dataset parity_dataset(std::size_t size = 60) {
  Dataset dataset;
  dataset.name = "parity";
  std::vector<std::string> names;
  Random random(5);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t n = 3 + random.below(10);
    dataset.graphs.push_back(GraphBuilder(n).build());
    names.push_back((n % 2 == 0) != random.chance(0.2) ? "even" : "odd");
  }
  dataset.set_classes(names);
  return dataset;
}

Plan plan_for(const model::Targets& targets) {
  Plan plan;
  plan.dataset = "parity";
  plan.num_graphs = targets.num_items();
  plan.model = "toy";
  plan.repeats = 2;
  plan.metric = model::default_metric(targets.task());
  plan.grid = {{{"noise", 100.0}}, {{"noise", 0.0}}, {{"noise", 50.0}}};
  plan.splits = make_splits(targets, 3, 1);
  return plan;
}

// Runs all tasks and gives the content of every file that is promised to be the same.
std::vector<std::string> run_all(const Dataset& dataset, const Plan& plan, const std::string& path) {
  RunFolder folder(path);
  folder.create();
  const model::Targets targets(dataset);
  work(plan, folder, targets, [&] {
    return std::make_unique<ToyLearner>(model::LearnerInput{dataset.graphs, targets.task()});
  });
  std::vector<std::string> texts;
  for (const TaskId& task : list_tasks(plan))
    texts.push_back(read_file(folder.file("tasks/" + task_name(task) + ".json")));
  return texts;
}

TEST(Protocol, LearnersSeeNoTestTargets) {
  const Dataset dataset = parity_dataset();
  const model::Targets targets(dataset);
  const Plan plan = plan_for(targets);
  ToyLearner learner({dataset.graphs, targets.task()});
  const Fold& fold = plan.splits[0];
  run_final(learner, plan, {true, 0, 0, 1}, {1, nullptr}, selection_fold(plan, 0, targets),
            targets.of(fold.test));
  EXPECT_EQ(learner.seen_train.graphs, fold.train);
  EXPECT_EQ(learner.seen_validation.graphs, fold.validation);
}

void expect_blind_selection(Plan plan, const Dataset& dataset) {
  const model::Targets before(dataset);
  for (std::size_t f = 0; f < plan.splits.size(); ++f) {
    Dataset changed = dataset;
    std::vector<std::uint32_t> order = plan.splits[f].test;
    Random(3).shuffle(order);
    for (std::size_t i = 0; i < order.size(); ++i)
      changed.class_of[plan.splits[f].test[i]] = dataset.class_of[order[i]];
    ASSERT_NE(changed.class_of, dataset.class_of);
    const model::Targets after(changed);
    std::vector<double> scores_before, scores_after;
    for (std::size_t c = 0; c < plan.grid.size(); ++c) {
      const TaskId task{false, f, c, 0};
      ToyLearner a({dataset.graphs, before.task()}), b({changed.graphs, after.task()});
      const model::Config one = run_selection(a, plan, task, task.config, selection_fold(plan, f, before));
      const model::Config two = run_selection(b, plan, task, task.config, selection_fold(plan, f, after));
      EXPECT_EQ(one.dump(), two.dump());
    }
  }
}

TEST(Protocol, SelectionStaysTheSameWhenTestTargetsArePermuted) {
  const Dataset dataset = parity_dataset();
  Plan plan = plan_for(model::Targets(dataset));
  expect_blind_selection(plan, dataset);
  plan.refit = true;
  plan.inner_folds = 4;
  expect_blind_selection(plan, dataset);
}

TEST(Protocol, ChoosesTheBestValidationAndOfEqualsTheFirst) {
  EXPECT_EQ(choose(model::Metric::kAccuracy, {50, 70, 70, 60}), 1u);
  EXPECT_EQ(choose(model::Metric::kMeanAbsoluteError, {50, 70, 20, 20}), 2u);
  EXPECT_EQ(choose(model::Metric::kAccuracy, {NAN, 10, NAN}), 1u);
  EXPECT_EQ(choose(model::Metric::kAccuracy, {NAN, NAN}), 0u);
}

TEST(Protocol, GivesFoldMeansAndTheirPopulationDeviation) {
  const Dataset dataset = parity_dataset();
  const model::Targets targets(dataset);
  const Plan plan = plan_for(targets);
  const TemporaryFolder place;
  run_all(dataset, plan, place.path("run"));
  RunFolder folder(place.path("run"));
  const model::Config result = summarize(plan, folder, targets, model::node_feature_twins(dataset.graphs)).json;
  ASSERT_EQ(result.at("folds").size(), 3u);
  double mean = 0, square = 0;
  for (std::size_t f = 0; f < 3; ++f) {
    double fold = 0;
    for (int r = 1; r <= 2; ++r) {
      const model::Config task = folder.read(fmt::format("tasks/final-f0{}-r{}.json", f, r));
      EXPECT_EQ(task.at("config"), choose(plan, folder, f));
      fold += task.at("test").get<double>() / 2;
    }
    EXPECT_DOUBLE_EQ(result.at("folds")[f].at("test").get<double>(), fold);
    mean += fold / 3;
    square += fold * fold / 3;
  }
  EXPECT_NEAR(result.at("test_mean").get<double>(), mean, 1e-9);
  EXPECT_NEAR(result.at("test_std").get<double>(), std::sqrt(square - mean * mean), 1e-6);
}

// Of an evaluation that is done: what is said after a file was changed so.
class EditedRun : public ::testing::Test {
 protected:
  void SetUp() override { run_all(dataset_, plan_, place_.path("run")); }
  std::string said(const std::string& name, const std::function<void(model::Config&)>& change,
                   bool with_checksum) {
    RunFolder folder(place_.path("run"));
    const std::string before = read_file(folder.file(name));
    model::Config content = folder.read(name);
    change(content);
    if (with_checksum)
      folder.write(name, content);
    else
      place_.write("run/" + name, content.dump());
    std::string words = "nothing";
    try {
      for (std::size_t f = 0; f < 3; ++f) choose(plan_, folder, f);
      summarize(plan_, folder, targets_, std::nullopt);
    } catch (const InputError& error) {
      words = error.what();
    }
    place_.write("run/" + name, before);
    return words.find(folder.file(name) + ": ") == 0 ? words.substr(folder.file(name).size() + 2) : words;
  }

  Dataset dataset_ = parity_dataset();
  model::Targets targets_{dataset_};
  Plan plan_ = plan_for(targets_);
  TemporaryFolder place_;
};

// 75 % became 100 % by writing it into the file.
TEST_F(EditedRun, IsRefused) {
  const std::string final = "tasks/final-f01-r2.json", select = "tasks/select-f02-c001.json";
  const auto nothing = [](model::Config&) {};
  EXPECT_EQ(said(final, nothing, true), "nothing");
  EXPECT_EQ(said(final, nothing, false), "damaged or edited: needed a checksum, found none");
  EXPECT_EQ(said(select, nothing, false), "damaged or edited: needed a checksum, found none");
  // With a checksum that was made anew, the content speaks against itself.
  EXPECT_EQ(said(
                final, [](model::Config& task) { task["test"] = 12.5; }, true)
                .rfind("test: needed ", 0),
            0u);
  EXPECT_EQ(said(
                final, [](model::Config& task) { task["test"] = nullptr; }, true)
                .rfind("test: needed ", 0),
            0u);
  EXPECT_NE(
      said(
          final, [](model::Config& task) { task["predictions"][0] = 1 - task["predictions"][0].get<int>(); },
          true)
          .find(", the score of the predictions, found "),
      std::string::npos);
  EXPECT_EQ(said(
                final, [](model::Config& task) { task["predictions"].push_back(0); }, true),
            "predictions: needed 20 predictions, found 21");
  EXPECT_EQ(said(
                final, [](model::Config& task) { task["predictions"][3] = "x"; }, true),
            "predictions[3]: needed an integer in 0..1, found the text 'x'");
  EXPECT_EQ(said(
                final, [](model::Config& task) { task["task"] = "final-f00-r1"; }, true),
            "task: needed 'final-f01-r2', found the text 'final-f00-r1'");
  EXPECT_EQ(said(
                final, [](model::Config& task) { task["config"] = 3; }, true),
            "config: needed an integer in 0..2, found 3");
  EXPECT_EQ(said(
                final, [](model::Config& task) { task.erase("train"); }, true),
            "train: needed a number or null, found nothing");
  EXPECT_EQ(said(
                select, [](model::Config& task) { task["validation"] = "best"; }, true),
            "validation: needed a number or null, found the text 'best'");
  EXPECT_EQ(said(
                select, [](model::Config& task) { task["config"] = 0; }, true),
            "config: needed 1, found 0");
  // Folders of format 1 have no checksums, but contradict themselves as well.
  plan_.format = 1;
  EXPECT_EQ(said(final, nothing, false), "nothing");
  EXPECT_EQ(said(
                final, [](model::Config& task) { task["test"] = 12.5; }, false)
                .rfind("test: needed ", 0),
            0u);
}

TEST(Twins, OfAFileAreOfTheseGraphs) {
  const auto said = [](const model::Config& json) -> std::string {
    try {
      const model::TwinClasses twins = model::twins_from_json(json, 3, "twins.json");
      return fmt::format("{}", fmt::join(twins.class_of, " "));
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(said(to_json(model::TwinClasses{"1-wl", {0, 1, 0}})), "0 1 0");
  EXPECT_EQ(said({{"seen_by", "1-wl"}, {"class_of", {0, 1}}}),
            "twins.json: class_of: needed a class per graph, 3 in all, found 2");
  EXPECT_EQ(said({{"seen_by", "1-wl"}, {"class_of", {0, 2, 1}}}),
            "twins.json: class_of: needed classes numbered by their first graph, found 2 before 1");
  EXPECT_EQ(said({{"seen_by", "1-wl"}, {"class_of", {0, 4294967295u, 1}}}),
            "twins.json: class_of: needed classes numbered by their first graph, found 4294967295 before 1");
  EXPECT_EQ(said({{"seen_by", 3}, {"class_of", {0, 0, 0}}}), "twins.json: seen_by: needed a text, found 3");
  EXPECT_EQ(said({{"seen_by", "x"}, {"class_of", "y"}}),
            "twins.json: class_of: needed a list, found the text 'y'");
}

TEST(Protocol, FreshRunsDifferFromTheSelectingOneAndFromEachOther) {
  const model::Targets targets(parity_dataset());
  const Plan plan = plan_for(targets);
  std::vector<std::uint64_t> seeds;
  for (const TaskId& task : list_tasks(plan)) seeds.push_back(task_seed(plan, task, task.config));
  std::sort(seeds.begin(), seeds.end());
  EXPECT_EQ(std::unique(seeds.begin(), seeds.end()), seeds.end());
}

TEST(Protocol, WorksForRealTargets) {
  Dataset dataset = parity_dataset();
  dataset.class_names.clear();
  dataset.class_of.clear();
  dataset.num_real_targets = 2;
  for (const Graph& g : dataset.graphs) {
    dataset.real_targets.push_back(g.num_nodes() % 2 == 0 ? 10 : 20);
    dataset.real_targets.push_back(1);
  }
  const model::Targets targets(dataset);
  const Plan plan = plan_for(targets);
  EXPECT_EQ(plan.metric, model::Metric::kMeanAbsoluteError);
  const TemporaryFolder place;
  run_all(dataset, plan, place.path("run"));
  const model::Config result = summarize(plan, RunFolder(place.path("run")), targets, std::nullopt).json;
  // The toy learns both values exactly, and all configurations do: the first one wins.
  EXPECT_NEAR(result.at("test_mean").get<double>(), 0, 1e-12);
  EXPECT_EQ(result.at("folds")[0].at("config_index"), 0);
  EXPECT_EQ(result.at("metric"), "mae");
}

TEST(Protocol, GridsOfOneNeedNoSelection) {
  const model::Targets targets(parity_dataset());
  Plan plan = plan_for(targets);
  EXPECT_EQ(list_tasks(plan).size(), 3u * (3 + 2));
  plan.grid.resize(1);
  EXPECT_EQ(list_tasks(plan).size(), 3u * 2);
  plan.refit = true;  // then only a selection can be scored on validation graphs
  EXPECT_EQ(list_tasks(plan).size(), 3u * (1 + 2));
}

TEST(Protocol, RefitLearnsFromValidationGraphsAndNoTestGraph) {
  const Dataset dataset = parity_dataset();
  const model::Targets targets(dataset);
  Plan plan = plan_for(targets);
  plan.refit = true;
  const Fold& fold = plan.splits[0];
  const SelectionFold known = selection_fold(plan, 0, targets);
  ToyLearner learner({dataset.graphs, targets.task()});
  const model::Config selection = run_selection(learner, plan, {false, 0, 1, 0}, 1, known);
  EXPECT_EQ(learner.seen_train.graphs, fold.train);
  EXPECT_EQ(learner.seen_validation.graphs, fold.validation);
  run_final(learner, plan, {true, 0, 0, 1}, {1, selection}, known, targets.of(fold.test));
  std::vector<std::uint32_t> both = fold.train;
  both.insert(both.end(), fold.validation.begin(), fold.validation.end());
  EXPECT_EQ(learner.seen_train.graphs, both);
  EXPECT_EQ(learner.seen_train.class_of, targets.of(both).class_of);
  EXPECT_EQ(learner.seen_validation.size(), 0u);
}

// What was learnt from cannot say how well it was learnt.
TEST(Protocol, RefitTakesWhatIsSaidOfValidationGraphsFromTheSelection) {
  const Dataset dataset = parity_dataset();
  const model::Targets targets(dataset);
  Plan plan = plan_for(targets);
  plan.refit = true;
  const TemporaryFolder place;
  run_all(dataset, plan, place.path("run"));
  const RunFolder folder(place.path("run"));
  for (std::size_t f = 0; f < plan.splits.size(); ++f) {
    const std::size_t best = choose(plan, folder, f);
    const model::Config selection = folder.read(fmt::format("tasks/select-f0{}-c00{}.json", f, best));
    const model::Config final_run = folder.read(fmt::format("tasks/final-f0{}-r1.json", f));
    EXPECT_EQ(final_run.at("config"), best);
    for (const char* key : {"validation", "sureness"}) {
      ASSERT_EQ(selection.contains(key), final_run.contains(key)) << key;
      if (!selection.contains(key)) continue;
      EXPECT_EQ(final_run.at(key), selection.at(key)) << key;
    }
    EXPECT_EQ(final_run.at("metrics").at("validation"), selection.at("metrics").at("validation"));
  }
  EXPECT_EQ(summarize(plan, folder, targets, std::nullopt).json.at("refit"), true);
}

TEST(Protocol, RefitIsPartOfThePlan) {
  const model::Targets targets(parity_dataset());
  Plan plan = plan_for(targets);
  const Plan before = plan;
  EXPECT_FALSE(to_json(plan).contains("refit"));
  plan.refit = true;
  EXPECT_EQ(to_json(plan).at("refit"), true);
  EXPECT_NE(describe_difference(before, plan).find("refit"), std::string::npos);
}

// Every graph but the test graphs is predicted once, by a learner that did not see it.
TEST(Protocol, InnerFoldsScoreEveryTrainingAndValidationGraphOnce) {
  const Dataset dataset = parity_dataset();
  const model::Targets targets(dataset);
  Plan plan = plan_for(targets);
  plan.refit = true;
  plan.inner_folds = 4;
  const SelectionFold known = selection_fold(plan, 1, targets);
  ASSERT_EQ(known.parts.size(), 4u);
  std::vector<std::uint32_t> pool = plan.splits[1].train, scored;
  pool.insert(pool.end(), plan.splits[1].validation.begin(), plan.splits[1].validation.end());
  std::sort(pool.begin(), pool.end());
  double train = 0, validation = 0;
  for (const SelectionFold& part : known.parts) {
    std::vector<std::uint32_t> both = part.train.graphs;
    both.insert(both.end(), part.validation.graphs.begin(), part.validation.graphs.end());
    std::sort(both.begin(), both.end());
    EXPECT_EQ(both, pool);
    scored.insert(scored.end(), part.validation.graphs.begin(), part.validation.graphs.end());
    // The toy with noise 0 does not go by its seed.
    ToyLearner learner({dataset.graphs, targets.task()});
    model::FitResult fit = learner.fit(plan.grid[1], part.train, part.validation, {});
    train += score(plan.metric, part.train, fit.fitted->predict(part.train.graphs)) / 4;
    validation += score(plan.metric, part.validation, fit.fitted->predict(part.validation.graphs)) / 4;
  }
  std::sort(scored.begin(), scored.end());
  EXPECT_EQ(scored, pool);
  ToyLearner learner({dataset.graphs, targets.task()});
  const model::Config json = run_selection(learner, plan, {false, 1, 1, 0}, 1, known);
  EXPECT_NEAR(json.at("train").get<double>(), train, 1e-9);
  EXPECT_NEAR(json.at("validation").get<double>(), validation, 1e-9);
  EXPECT_NEAR(json.at("metrics").at("validation").at("accuracy").get<double>(), validation, 1e-9);
  EXPECT_EQ(json.at("inner").size(), 4u);
}

// Learns in two epochs that it tells of.
class TalkingToy : public ToyLearner {
 public:
  using ToyLearner::ToyLearner;
  model::FitResult fit(const model::Config& config, const model::LabeledGraphs& train,
                       const model::LabeledGraphs& validation, const model::FitOptions& options) override {
    for (const std::uint64_t epoch : {1, 2}) options.progress(epoch, 2);
    return ToyLearner::fit(config, train, validation, options);
  }
};

TEST(Protocol, InnerFoldsTellTheirProgressAsOneTask) {
  const Dataset dataset = parity_dataset();
  const model::Targets targets(dataset);
  Plan plan = plan_for(targets);
  plan.refit = true;
  plan.inner_folds = 3;
  TalkingToy learner({dataset.graphs, targets.task()});
  std::vector<std::uint64_t> told;
  run_selection(learner, plan, {false, 0, 1, 0}, 1, selection_fold(plan, 0, targets),
                [&](std::uint64_t done, std::uint64_t total) {
                  told.push_back(done);
                  EXPECT_EQ(total, 6u);
                });
  EXPECT_EQ(told, (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6}));
}

TEST(Protocol, InnerFoldsGoThroughARunFolder) {
  const Dataset dataset = parity_dataset();
  const model::Targets targets(dataset);
  Plan plan = plan_for(targets);
  const Plan before = plan;
  EXPECT_FALSE(to_json(plan).contains("inner_folds"));
  plan.refit = true;
  plan.inner_folds = 3;
  EXPECT_NE(describe_difference(before, plan).find("inner_folds"), std::string::npos);
  const TemporaryFolder place;
  const std::vector<std::string> once = run_all(dataset, plan, place.path("run"));
  EXPECT_EQ(run_all(dataset, plan, place.path("again")), once);
  const model::Config result = summarize(plan, RunFolder(place.path("run")), targets, std::nullopt).json;
  EXPECT_EQ(result.at("inner_folds"), 3);
  EXPECT_EQ(without_tests(result).at("inner_folds"), 3);
  // Selections are scored on two thirds of all 60 graphs, not on a holdout: no tie, so the noiseless one wins.
  for (const model::Config& fold : result.at("folds")) EXPECT_EQ(fold.at("config_index"), 1);
}

TEST(Protocol, RefitIsForConfigurationsThatDoNotGoByValidation) {
  const auto refits = [](const model::Config& changed) {
    model::Config config = {{"epochs", 10}, {"patience", 0}, {"keep", "last"}, {"schedule", "cosine"}};
    for (const auto& item : changed.items()) config[item.key()] = item.value();
    return refits_by_itself("default", {config});
  };
  EXPECT_TRUE(refits(model::Config::object()));
  EXPECT_FALSE(refits({{"patience", 100}}));
  EXPECT_FALSE(refits({{"keep", "best"}}));
  EXPECT_FALSE(refits({{"schedule", "plateau"}}));
  EXPECT_TRUE(refits_by_itself("default", {{{"penalty", 1.0}}}));  // a kernel
  EXPECT_FALSE(refits_by_itself("paper", {{{"penalty", 1.0}}}));
}

TEST(Work, RecordsAFailureAndGoesOnWithTheOthers) {
  const Dataset dataset = parity_dataset();
  const model::Targets targets(dataset);
  Plan plan = plan_for(targets);
  plan.grid[2]["fail"] = true;
  const TemporaryFolder place;
  RunFolder folder(place.path("run"));
  folder.create();
  const auto make = [&] {
    return std::make_unique<ToyLearner>(model::LearnerInput{dataset.graphs, targets.task()});
  };
  work(plan, folder, targets, make);
  WorkState state = work_state(plan, folder);
  EXPECT_EQ(state.finished, 6u);  // the two good configurations of each fold; no fold has a winner
  ASSERT_EQ(state.failed.size(), 3u);
  EXPECT_EQ(folder.read("failed/select-f00-c002.json").at("reason"), "the toy broke");
  plan.grid[2]["fail"] = false;
  folder.remove("failed");
  folder.create();
  work(plan, folder, targets, make);
  state = work_state(plan, folder);
  EXPECT_EQ(state.finished, state.total);
}

TEST(Work, ThreeShardsGiveTheBytesOfOneProcess) {
  const Dataset dataset = parity_dataset();
  const model::Targets targets(dataset);
  const Plan plan = plan_for(targets);
  for (const std::size_t count : {3u, 5u}) {  // whole folds, and single tasks
    const TemporaryFolder place;
    const std::vector<std::string> expected = run_all(dataset, plan, place.path("one"));
    RunFolder folder(place.path("shards"));
    folder.create();
    for (int round = 0; round < 2; ++round)  // with single tasks, final runs may wait for another shard
      for (std::size_t i = 1; i <= count; ++i) {
        WorkOptions options;
        options.shard = {i, count};
        work(
            plan, folder, targets,
            [&] {
              return std::make_unique<ToyLearner>(model::LearnerInput{dataset.graphs, targets.task()});
            },
            options);
      }
    EXPECT_EQ(run_all(dataset, plan, place.path("shards")), expected);
    EXPECT_EQ(work_state(plan, folder).finished, expected.size());
  }
}

TEST(Plan, IsReadAsItIsWrittenAndNamesDifferences) {
  const model::Targets targets(parity_dataset());
  Plan plan = plan_for(targets);
  plan.version = "1.2.3";
  const Plan again =
      parse_plan(record::encode_record(to_json(plan)), format_splits(plan.splits), "run.json", "1.2.3");
  EXPECT_EQ(describe_difference(plan, again), "");
  EXPECT_EQ(to_json(again).dump(), to_json(plan).dump());
  Plan other = plan;
  other.seed = 2;
  other.grid[1]["noise"] = 3.0;
  other.commit = "another";
  EXPECT_EQ(describe_difference(plan, other), "  seed: 1 there, 2 now\n  grid.1.noise: 0.0 there, 3.0 now");
  const auto read_by = [&](const std::string& version) {
    return parse_plan(record::encode_record(to_json(plan)), format_splits(plan.splits), "run.json", version);
  };
  plan.libraries = {{"libsvm", "324"}};
  other.libraries = {{"libsvm", "325"}, {"libtorch", "1.13.0"}};
  EXPECT_EQ(describe_difference(plan, other).find("libsvm"), std::string::npos);
  EXPECT_EQ(describe_libraries(plan, other), "libsvm '324', this is 325");
  EXPECT_EQ(describe_libraries(again, other), "");  // a folder that names none
  EXPECT_EQ(read_by("1.2.3").libraries, plan.libraries);
  EXPECT_NO_THROW(read_by("1.3.0"));
  EXPECT_THROW(read_by("1.2.2"), InputError);
  EXPECT_THROW(parse_plan("{}", "[]", "run.json", "1.2.3"), InputError);
  EXPECT_THROW(parse_plan(record::encode_record(to_json(plan)), format_splits(make_splits(targets, 3, 2)),
                          "run.json", "1.2.3"),
               InputError);
}

TEST(Plan, OfANetworkIsAnotherOnAnotherSimdLevel) {
  const model::Targets targets(parity_dataset());
  Plan there = plan_for(targets);
  there.model = "gin";
  there.simd = "sse4";
  Plan now = there;
  now.simd = "avx2";
  EXPECT_EQ(describe_difference(there, now), "  simd: \"sse4\" there, \"avx2\" now");
  EXPECT_EQ(
      parse_plan(record::encode_record(to_json(there)), format_splits(there.splits), "run.json", "1.2.3").simd,
      "sse4");
}

TEST(Plan, OfAKernelIsTheSameOnEverySimdLevel) {
  const model::Targets targets(parity_dataset());
  Plan there = plan_for(targets);
  there.model = "wl-st";
  there.simd = "sse4";
  Plan now = there;
  now.simd = "avx2";
  EXPECT_EQ(describe_difference(there, now), "");
}

TEST(Plan, OfBeforeSimdLevelsWereRecordedIsReadAndContinued) {
  const model::Targets targets(parity_dataset());
  Plan now = plan_for(targets);
  now.model = "gin";
  now.simd = "avx2";
  model::Config old = to_json(now);
  old.erase("simd");
  const Plan there = parse_plan(record::encode_record(old), format_splits(now.splits), "run.json", "1.2.3");
  EXPECT_EQ(there.simd, "");
  EXPECT_EQ(describe_difference(there, now), "");
}

TEST(Plan, RefusesWhatIsNoneByNamingThePlace) {
  const Plan plan = plan_for(model::Targets(parity_dataset()));
  const auto said = [&](const std::function<void(model::Config&)>& change) -> std::string {
    model::Config json = to_json(plan);
    change(json);
    try {
      parse_plan(record::encode_record(json), format_splits(plan.splits), "run/run.json", "1.2.3");
      return "nothing";
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(said([](model::Config&) {}), "nothing");
  EXPECT_EQ(said([](model::Config& run) { run["seed"] = -1; }),
            "run/run.json: seed: needed an integer from 0 on, found -1");
  EXPECT_EQ(said([](model::Config& run) { run["repeats"] = 0; }),
            "run/run.json: repeats: needed an integer in 1..1000, found 0");
  EXPECT_EQ(said([](model::Config& run) { run["dataset"] = "x"; }),
            "run/run.json: dataset: needed an object, found the text 'x'");
  EXPECT_EQ(
      said([](model::Config& run) { run["dataset"]["graphs"] = 4294967295u; }),
      "run/splits.json: needed all 4294967295 graphs of the dataset, found fewer: is it of another dataset?");
  EXPECT_EQ(said([](model::Config& run) { run["grid"] = model::Config::array(); }),
            "run/run.json: grid: needed configurations, found an empty list");
  EXPECT_EQ(said([](model::Config& run) { run["grid"][1] = 3; }),
            "run/run.json: grid[1]: needed an object, found 3");
  EXPECT_EQ(said([](model::Config& run) { run["metric"] = "luck"; }).rfind("run/run.json: metric: ", 0), 0u);
  EXPECT_EQ(said([](model::Config& run) {
              run["libraries"] = {{"libsvm", 3}};
            }),
            "run/run.json: libraries.libsvm: needed a text, found 3");
  EXPECT_EQ(said([](model::Config& run) {
              run["splits"]["checksum"] = "0";
            }).rfind("run/splits.json: needed the folds", 0),
            0u);
  EXPECT_NE(said([](model::Config& run) { run["format"] = 99; }).find("made by a newer twofold"),
            std::string::npos);
}

TEST(RunFolder, IsHeldByOneAndNamesTheHolder) {
  const TemporaryFolder place;
  RunFolder a(place.path("run")), b(place.path("run"));
  a.create();
  {
    const RunLock held = a.lock({});
    try {
      b.lock({});
      FAIL() << "both have it";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(fmt::format("is in use by process {} on ", getpid())),
                std::string::npos)
          << error.what();
    }
    EXPECT_THROW(b.lock({1, 2}), Error);
  }
  const RunLock first = a.lock({1, 2});
  EXPECT_THROW(b.lock({1, 2}), Error);
  EXPECT_THROW(b.lock({}), Error);
  EXPECT_NO_THROW(b.lock({2, 2}));
}

TEST(RunFolder, SaysWhereItMayNotWrite) {
  const TemporaryFolder place;
  ASSERT_EQ(chmod(place.path().c_str(), 0555), 0);
  const testing::AsOtherUser other;
  try {
    RunFolder(place.path("run")).create();
    FAIL() << "it could";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "cannot make the folder " + place.path("run") + ": Permission denied");
  }
}

TEST(RunFolder, ClaimsAreExclusiveUntilGivenBack) {
  const TemporaryFolder place;
  RunFolder a(place.path("run")), b(place.path("run"));
  a.create();
  auto claim = a.try_claim(7);
  EXPECT_TRUE(claim);
  EXPECT_FALSE(b.try_claim(7));
  EXPECT_TRUE(b.try_claim(8));
  claim.reset();
  EXPECT_TRUE(b.try_claim(7));
}

TEST(Shard, IsReadFromText) {
  EXPECT_EQ(parse_shard("2/3").index, 2u);
  for (const char* wrong : {"", "0/3", "4/3", "1", "1/", "1/2x", "-1/2", "a/b"})
    EXPECT_THROW(parse_shard(wrong), UsageError);
}

}  // namespace
}  // namespace twofold::eval
