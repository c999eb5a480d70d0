#include "twofold/model/targets.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "twofold/base/error.h"
#include "twofold/model/metrics.h"

namespace twofold::model {
namespace {

std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

Dataset with_values() {
  Dataset dataset;
  dataset.name = "d";
  dataset.graphs.resize(3);
  dataset.num_real_targets = 2;
  dataset.target_names = {"size", "mass"};
  dataset.real_targets = {1, 10, 2, std::nan(""), 1, 30};
  return dataset;
}

Dataset with_classes(const std::vector<std::string>& names) {
  Dataset dataset;
  dataset.name = "d";
  dataset.graphs.resize(names.size());
  dataset.set_classes(names);
  return dataset;
}

TEST(Targets, AreAllRealOnesUnlessSomeAreNamed) {
  const Dataset dataset = with_values();
  EXPECT_EQ(Targets(dataset).task().value_names, (std::vector<std::string>{"size", "mass"}));
  for (const char* word : {"mass", "2"}) {
    const Targets targets(dataset, {{word}, ""});
    EXPECT_EQ(targets.task().columns, std::vector<std::size_t>{1});
    const std::vector<std::uint32_t> graphs = {2, 0};
    EXPECT_EQ(targets.numbers(graphs), (std::vector<double>{30, 10}));
  }
  EXPECT_EQ(Targets(dataset, {{"mass", "size"}, ""}).task().columns, (std::vector<std::size_t>{1, 0}));
}

TEST(Targets, ThatAreNotThereAreNamedWithThoseThatAre) {
  const Dataset dataset = with_values();
  EXPECT_EQ(message_of([&] {
              Targets(dataset, {{"height"}, ""});
            }),
            "--target: needed size, mass or 1..2, found 'height'");
  EXPECT_EQ(message_of([&] {
              Targets(dataset, {{"3"}, ""});
            }),
            "--target: needed size, mass or 1..2, found '3'");
  EXPECT_EQ(message_of([&] {
              Targets(dataset, {{"mass", "2"}, ""});
            }),
            "--target: needed each target once, found '2' twice");
  EXPECT_EQ(message_of([&] {
              Targets(dataset, {{}, "labels"});
            }),
            "--task: needed classes, values, nodes or links, found 'labels'");
  EXPECT_EQ(message_of([] { Targets(Dataset(), {}); }),
            ": needed a class or real target of every graph, found none");
  EXPECT_EQ(message_of([] {
              Targets(with_classes({"0", "1"}), {{"1"}, ""});
            }),
            "d: needed a real target of every graph, found none");
}

TEST(Targets, AreClassesOrValuesAsOneSays) {
  const Targets values(with_classes({"3", "-1", "3"}), {{}, "values"});
  EXPECT_EQ(values.task().kind, TaskKind::kRegression);
  const std::vector<std::uint32_t> all = {0, 1, 2};
  EXPECT_EQ(values.numbers(all), (std::vector<double>{3, -1, 3}));
  EXPECT_EQ(message_of([] {
              Targets(with_classes({"3", "x"}), {{}, "values"});
            }),
            "d: --task values needed numbers as targets, found the class 'x'");
  const Targets classes(with_values(), {{"size"}, "classes"});
  EXPECT_EQ(classes.task().class_names, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(classes.numbers(all), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(message_of([] {
              Targets(with_values(), {{"mass"}, "classes"});
            }),
            "d: --task classes needed whole numbers as targets, found nan of graph 2");
}

TEST(Targets, ThatLookLikeNumbersAreHintedAt) {
  const Dataset many = with_classes({"1", "2", "3", "4", "5", "6", "6"});
  EXPECT_EQ(hint_at_values(many, Targets(many).task()),
            "6 of 6 classes have fewer than 5 graphs: if these targets are numbers, take --task values");
  const Dataset texts = with_classes({"a", "2", "3", "4", "5", "6", "6"});
  EXPECT_EQ(hint_at_values(texts, Targets(texts).task()), "");
  EXPECT_EQ(hint_at_values(many, Targets(many, {{}, "values"}).task()), "");
}

TEST(Score, LeavesOutWhatIsNotKnown) {
  LabeledGraphs truth;
  truth.graphs = {0, 1};
  truth.values = {1, std::nan(""), 3, 5};
  Predictions predictions;
  predictions.values = {2, 0, 3, 7};
  EXPECT_EQ(score(Metric::kMeanAbsoluteError, truth, predictions), (0.5 + 2) / 2);
}

Dataset with_questions() {
  Dataset dataset = with_values();
  dataset.num_real_targets = 2;
  dataset.target_names = {"toxic", "soluble"};
  dataset.real_targets = {0, 1, std::nan(""), 1, 1, 0};
  return dataset;
}

// Several columns of 0, 1 and nothing are questions, unless one asks for values.
TEST(Targets, OfZeroAndOneAreQuestions) {
  const Targets targets(with_questions());
  EXPECT_EQ(targets.task().kind, TaskKind::kYesNo);
  EXPECT_FALSE(targets.task().is_classification());
  EXPECT_EQ(targets.task().value_names, (std::vector<std::string>{"toxic", "soluble"}));
  EXPECT_EQ(targets.task().num_outputs(), 2u);
  EXPECT_EQ(targets.of(std::vector<std::uint32_t>{2}).values, (std::vector<double>{1, 0}));
  EXPECT_EQ(default_metric(targets.task()), Metric::kRocAuc);
  EXPECT_EQ(metrics_of(targets.task()), (std::vector<Metric>{Metric::kRocAuc, Metric::kAveragePrecision}));
  EXPECT_EQ(Targets(with_questions(), {{}, "values"}).task().kind, TaskKind::kRegression);
  EXPECT_EQ(Targets(with_questions(), {{}, "classes"}).task().kind, TaskKind::kYesNo);
  // One with holes is a question if one says so; one that is known of all is a class.
  EXPECT_EQ(Targets(with_questions(), {{"toxic"}, "classes"}).task().kind, TaskKind::kYesNo);
  EXPECT_EQ(Targets(with_questions(), {{"soluble"}, "classes"}).task().kind, TaskKind::kBinary);
  EXPECT_EQ(Targets(with_questions(), {{"soluble"}, ""}).task().kind, TaskKind::kRegression);
  EXPECT_EQ(message_of([] {
              Targets(with_values(), {{}, "classes"});
            }).substr(0, 78),
            "--task classes: needed one target (--target), or several of 0 and 1, found 'si");
}

}  // namespace
}  // namespace twofold::model
