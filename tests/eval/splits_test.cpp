#include "twofold/eval/splits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/data_folder.h"
#include "twofold/base/error.h"
#include "twofold/base/file.h"
#include "twofold/graph/generate.h"
#include "twofold/io/dataset_file.h"

namespace twofold::eval {
namespace {

// A dataset of empty graphs with so many of each class.
Dataset classes_of_sizes(const std::vector<std::size_t>& sizes) {
  Dataset dataset;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < sizes.size(); ++c)
    names.insert(names.end(), sizes[c], std::string(1, char('a' + c)));
  dataset.graphs.resize(names.size());
  dataset.set_classes(names);
  return dataset;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Splits, AreStratifiedAndPartTheGraphs) {
  const model::Targets targets(classes_of_sizes({57, 31, 12}));
  const Splits splits = make_splits(targets, 10, 7);
  ASSERT_EQ(splits.size(), 10u);
  std::vector<int> tested(100, 0);
  for (const Fold& fold : splits) {
    EXPECT_EQ(fold.test.size(), 10u);
    EXPECT_EQ(fold.validation.size(), 9u);
    EXPECT_TRUE(std::is_sorted(fold.test.begin(), fold.test.end()));
    std::vector<std::uint32_t> all = fold.test;
    all.insert(all.end(), fold.train.begin(), fold.train.end());
    all.insert(all.end(), fold.validation.begin(), fold.validation.end());
    std::sort(all.begin(), all.end());
    std::vector<std::uint32_t> expected(100);
    std::iota(expected.begin(), expected.end(), 0u);
    EXPECT_EQ(all, expected);
    for (const std::uint32_t g : fold.test) ++tested[g];
    std::vector<double> shares(3, 0), held(3, 0);
    for (const std::uint32_t c : targets.of(fold.test).class_of) ++shares[c];
    for (const std::uint32_t c : targets.of(fold.validation).class_of) ++held[c];
    const double sizes[] = {57, 31, 12};
    for (int c = 0; c < 3; ++c) {
      EXPECT_LE(std::abs(shares[c] - sizes[c] / 10), 1.0);
      EXPECT_LE(std::abs(held[c] - (sizes[c] - shares[c]) / 10), 1.0);
    }
  }
  EXPECT_EQ(tested, std::vector<int>(100, 1));
}

TEST(Splits, FollowFromTheSeedAlone) {
  const model::Targets targets(classes_of_sizes({30, 30}));
  EXPECT_EQ(make_splits(targets, 5, 3), make_splits(targets, 5, 3));
  EXPECT_FALSE(make_splits(targets, 5, 3) == make_splits(targets, 5, 4));
  // Frozen: records name splits by their checksum.
  const std::vector<std::uint32_t> first = make_splits(model::Targets(classes_of_sizes({4, 4})), 4, 1)[0].test;
  EXPECT_EQ(first.size(), 2u);
}

TEST(Splits, WithoutEnoughGraphsOfAClassAreRefused) {
  const model::Targets targets(classes_of_sizes({30, 4}));
  EXPECT_EQ(message_of([&] { make_splits(targets, 5, 1); }),
            "5 folds need at least 5 graphs of every class, found 4 of class 'b': take fewer (--folds)");
  EXPECT_EQ(make_splits(targets, 4, 1).size(), 4u);
  EXPECT_THROW(make_splits(targets, 1, 1), UsageError);
}

TEST(Splits, OfRealTargetsAreDrawnWithoutStrata) {
  Dataset dataset;
  dataset.graphs.resize(23);
  dataset.num_real_targets = 1;
  dataset.real_targets.assign(23, 1.5);
  std::size_t tested = 0;
  for (const Fold& fold : make_splits(model::Targets(dataset), 5, 1)) tested += fold.test.size();
  EXPECT_EQ(tested, 23u);
}

TEST(Splits, AreReadAsTheyAreWritten) {
  const Splits splits = make_splits(model::Targets(classes_of_sizes({20, 20})), 4, 9);
  EXPECT_EQ(parse_splits(format_splits(splits), 40, "x"), splits);
}

TEST(Splits, RefuseWhatIsWrong) {
  const auto said = [](const std::string& text, std::size_t n = 4) {
    return message_of([&] { parse_splits(text, n, "s.json"); });
  };
  const auto fold = [](const char* test, const char* train, const char* validation) {
    return fmt::format(R"([{{"test":{},"model_selection":[{{"train":{},"validation":{}}}]}}])", test, train,
                       validation);
  };
  EXPECT_EQ(said(fold("[0]", "[1,2]", "[3]")), "no error");
  const std::string at_train =
      "s.json: folds[0].model_selection[0].train[1]: needed an integer in 0..3, found ";
  EXPECT_EQ(said(fold("[0]", "[1,4]", "[3]")), at_train + "4");
  EXPECT_EQ(said(fold("[0]", "[1,-1]", "[3]")), at_train + "-1");
  EXPECT_EQ(said(fold("[0]", "[1,2.5]", "[3]")), at_train + "2.5");
  EXPECT_EQ(said(fold("[0]", "[1,\"2\"]", "[3]")), at_train + "the text '2'");
  EXPECT_EQ(said(fold("[0]", "[1,18446744073709551615]", "[3]")), at_train + "18446744073709551615");
  EXPECT_EQ(said(fold("[0]", "[1,1e999]", "[3]")),
            "s.json:1: needed numbers below 1.8e308, found '1e999' at byte 50");
  EXPECT_EQ(said(fold("[0]", "[1,0]", "[3]")), "s.json: fold 1: graph 0 stands in test and again in train");
  EXPECT_EQ(said(fold("[0]", "[1,1]", "[3]")), "s.json: fold 1: graph 1 stands in train and again in train");
  EXPECT_EQ(said(fold("[0]", "[1]", "[]")),
            "s.json: folds[0].model_selection[0].validation: needed at least one graph, found none");
  EXPECT_EQ(said(fold("[0]", "[1]", "[3]")),
            "s.json: fold 1: needed all 4 graphs of the dataset, found 3: is it of another dataset?");
  EXPECT_EQ(said(fold("[0]", "[1,2]", "[3]"), 5),
            "s.json: fold 1: needed all 5 graphs of the dataset, found 4: is it of another dataset?");
  const std::string twice = fold("[0]", "[1,2]", "[3]");
  EXPECT_EQ(said(twice.substr(0, twice.size() - 1) + "," + twice.substr(1)),
            "s.json: fold 2: tests just the graphs that fold 1 tests");
  EXPECT_EQ(said("[]"), "s.json: needed a JSON list of folds, found an empty list");
  EXPECT_EQ(said("{}"), "s.json: needed a JSON list of folds, found an object");
  EXPECT_EQ(said(std::string("{\"a\":") + std::string(200000, '[') + std::string(200000, ']') + "}"),
            "s.json:1: needed lists and objects at most 64 deep, found deeper ones at byte 69");
  EXPECT_EQ(said(std::string(66'000, '[')).substr(0, 10), "s.json:1: ");
  EXPECT_EQ(said("[1"), "s.json:1: needed JSON, found the end of the text at byte 2");
  EXPECT_EQ(said("[1,2,3]"), "s.json: folds[0]: needed an object, found 1");
  EXPECT_EQ(said(R"([{"model_selection":[{}]}])"), "s.json: folds[0].test: needed a list, found nothing");
  EXPECT_EQ(said(R"([{"test":[0],"model_selection":[]}])"),
            "s.json: folds[0].model_selection: needed one {\"train\": […], \"validation\": […]}, found 0");
  EXPECT_EQ(said(R"([{"test":[0],"model_selection":3}])"),
            "s.json: folds[0].model_selection: needed a list, found 3");
}

// A record may claim any number of graphs.
TEST(Splits, TakeNoMemoryForMoreGraphsThanTheTextCanName) {
  EXPECT_EQ(
      message_of([] { parse_splits("[{}]", std::size_t{1} << 60, "s.json"); }),
      "s.json: needed all 1152921504606846976 graphs of the dataset, found fewer: is it of another dataset?");
}

TEST(Splits, OfThePaperHaveTheSizesItStates) {
  const std::string data = testing::data_folder();
  if (data.empty()) GTEST_SKIP() << testing::kNeedsData;
  const struct {
    const char* name;
    std::size_t graphs, test, train, validation;
  } known[] = {{"TRIANGLE", 228, 23, 184, 21},
               {"NCI1", 4110, 411, 3329, 370},
               {"PROTEINS_full", 1113, 112, 900, 101},
               {"DD", 1178, 118, 954, 106},
               {"REDDIT-BINARY", 2000, 200, 1620, 180},
               {"IMDB-BINARY", 1000, 100, 810, 90},
               {"MUTAG", 188, 19, 152, 17}};
  for (const auto& k : known) {
    const std::string path = data + "/" + k.name + "/" + k.name + "_splits.json";
    const Splits splits = parse_splits(read_file(path), k.graphs, path);
    ASSERT_EQ(splits.size(), 10u);
    EXPECT_EQ(splits[0].test.size(), k.test) << k.name;
    EXPECT_EQ(splits[0].train.size(), k.train) << k.name;
    EXPECT_EQ(splits[0].validation.size(), k.validation) << k.name;
  }
}

TEST(HoldOut, TakesTheSameShareOfEveryClassAndFollowsFromItsSeed) {
  const model::Targets targets(classes_of_sizes({50, 30, 20}));
  const Fold fold = hold_out(targets, 0.1, 3);
  EXPECT_EQ(fold.validation.size(), 10u);
  EXPECT_EQ(fold.train.size(), 90u);
  EXPECT_TRUE(fold.test.empty());
  std::vector<std::size_t> counts(3, 0);
  for (const std::uint32_t c : targets.of(fold.validation).class_of) ++counts[c];
  EXPECT_EQ(counts, (std::vector<std::size_t>{5, 3, 2}));
  EXPECT_EQ(hold_out(targets, 0.1, 3), fold);
  EXPECT_FALSE(hold_out(targets, 0.1, 4) == fold);
  EXPECT_TRUE(hold_out(targets, 0, 3).validation.empty());
  EXPECT_EQ(hold_out(targets, 0.25, 3).validation.size(), 25u);
}

TEST(InnerFolds, PartTrainingAndValidationGraphsByClass) {
  const model::Targets targets(classes_of_sizes({50, 30, 20}));
  const Fold fold = make_splits(targets, 10, 7)[2];
  const Splits inner = inner_folds(fold, targets, 5, 3);
  ASSERT_EQ(inner.size(), 5u);
  std::vector<std::uint32_t> pool = fold.train, validated;
  pool.insert(pool.end(), fold.validation.begin(), fold.validation.end());
  std::sort(pool.begin(), pool.end());
  for (const Fold& part : inner) {
    EXPECT_TRUE(part.test.empty());
    EXPECT_EQ(part.validation.size(), 18u);
    EXPECT_EQ(part.train.size(), 72u);
    std::vector<std::size_t> counts(3, 0);
    for (const std::uint32_t c : targets.of(part.validation).class_of) ++counts[c];
    EXPECT_NEAR(double(counts[0]), 9, 1);
    EXPECT_NEAR(double(counts[1]), 5.4, 1);
    EXPECT_NEAR(double(counts[2]), 3.6, 1);
    validated.insert(validated.end(), part.validation.begin(), part.validation.end());
    std::vector<std::uint32_t> all = part.train;
    all.insert(all.end(), part.validation.begin(), part.validation.end());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, pool);
  }
  std::sort(validated.begin(), validated.end());
  EXPECT_EQ(validated, pool);
  EXPECT_EQ(inner_folds(fold, targets, 5, 3), inner);
  EXPECT_FALSE(inner_folds(fold, targets, 5, 4) == inner);
}

// A splits file may list the same holdout in another order: the parts are the same.
TEST(InnerFolds, GoByWhichGraphsThereAreNotByTheirOrder) {
  const model::Targets targets(classes_of_sizes({20, 20}));
  Fold fold = make_splits(targets, 4, 1)[0];
  const Splits inner = inner_folds(fold, targets, 3, 9);
  std::reverse(fold.train.begin(), fold.train.end());
  fold.train.push_back(fold.validation.back());
  fold.validation.pop_back();
  EXPECT_EQ(inner_folds(fold, targets, 3, 9), inner);
}

TEST(InnerFolds, AreRefusedWhereNobodyCouldLearnAClass) {
  const model::Targets targets(classes_of_sizes({6, 1}));
  const Fold fold{{0, 1, 2, 6}, {3, 4}, {5}};
  EXPECT_EQ(message_of([&] { inner_folds(fold, targets, 3, 1); }),
            "inner folds need at least 2 graphs of every class, found 1 of class 'b'");
  EXPECT_EQ(message_of([&] { inner_folds(fold, targets, 7, 1); }),
            "7 inner folds need at least 7 training and validation graphs, found 6");
  EXPECT_EQ(message_of([&] { inner_folds(fold, targets, 1, 1); }), "needed at least 2 inner folds, found 1");
}

}  // namespace
}  // namespace twofold::eval
