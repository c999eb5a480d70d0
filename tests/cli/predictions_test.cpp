#include "cli/predictions.h"

#include <gtest/gtest.h>

#include <cmath>

#include <sstream>

#include "cli/prediction_scores.h"
#include "twofold/base/error.h"

namespace twofold::cli {
namespace {

Prediction said(std::uint32_t class_index, std::vector<double> scores) {
  return {class_index, std::move(scores), ""};
}

Predictions with_classes(std::vector<std::string> classes) {
  Predictions predictions;
  predictions.classes = std::move(classes);
  predictions.graphs = {said(0, {0.75, 0.25}), said(1, {0.125, 0.875})};
  return predictions;
}

TEST(Predictions, KeepAClassWithoutAName) {
  const Predictions predictions = with_classes({"", "a b"});
  EXPECT_EQ(format_predictions(predictions, PredictionFormat::kText),
            "graph class score: \"score:a b\"\n1 \"\" 0.75 0.25\n2 \"a b\" 0.125 0.875\n");
  EXPECT_EQ(format_predictions(predictions, PredictionFormat::kJson),
            "{\"classes\":[\"\",\"a b\"],\"predictions\":[{\"graph\":1,\"class\":\"\",\"scores\":[0.75,0.25]},"
            "{\"graph\":2,\"class\":\"a b\",\"scores\":[0.125,0.875]}]}\n");
}

TEST(Predictions, QuoteNamesInText) {
  EXPECT_EQ(plain_word("mutagen"), "mutagen");
  EXPECT_EQ(plain_word(""), "\"\"");
  EXPECT_EQ(plain_word("a \"b\""), "\"a \\\"b\\\"\"");
  EXPECT_EQ(plain_word("\x1b[31m"), "\"\\u001b[31m\"");
}

TEST(Predictions, AreValidCsvWhateverTheClassesAreCalled) {
  const Predictions predictions = with_classes({"a,\"b\"", "=1+1"});
  EXPECT_EQ(format_predictions(predictions, PredictionFormat::kCsv),
            "graph,class,\"score:a,\"\"b\"\"\",score:=1+1\n"
            "1,\"a,\"\"b\"\"\",0.75,0.25\n2,'=1+1,0.125,0.875\n");
  EXPECT_EQ(format_predictions(with_classes({"-1", "1"}), PredictionFormat::kCsv),
            "graph,class,score:-1,score:1\n1,-1,0.75,0.25\n2,1,0.125,0.875\n");
}

TEST(Predictions, OfJsonLinesSayForThemselvesWhichScoreIsWhose) {
  EXPECT_EQ(format_predictions(with_classes({"x", "y"}), PredictionFormat::kJsonLines),
            "{\"graph\":1,\"class\":\"x\",\"scores\":{\"x\":0.75,\"y\":0.25}}\n"
            "{\"graph\":2,\"class\":\"y\",\"scores\":{\"x\":0.125,\"y\":0.875}}\n");
}

TEST(Predictions, NameWhatTheModelDoesNotKnow) {
  Predictions predictions = with_classes({"x", "y"});
  predictions.graphs[1].unknown = "node label 9";
  EXPECT_EQ(format_predictions(predictions, PredictionFormat::kCsv),
            "graph,class,score:x,score:y,unknown\n1,x,0.75,0.25,\n2,y,0.125,0.875,node label 9\n");
  EXPECT_EQ(predictions_json(predictions)["predictions"][1]["unknown"], "node label 9");
  EXPECT_FALSE(predictions_json(predictions)["predictions"][0].contains("unknown"));
}

TEST(Predictions, OfRealValuesHaveAValue) {
  Predictions predictions;
  predictions.values = {"1"};
  predictions.graphs = {{std::nullopt, {1.5}, ""}, {std::nullopt, {-2}, ""}};
  EXPECT_EQ(format_predictions(predictions, PredictionFormat::kText), "graph value\n1 1.5\n2 -2\n");
  EXPECT_EQ(format_predictions(predictions, PredictionFormat::kJson),
            "{\"predictions\":[{\"graph\":1,\"value\":1.5},{\"graph\":2,\"value\":-2.0}]}\n");
}

TEST(Predictions, FileFormatsGoByTheEnding) {
  EXPECT_EQ(prediction_format("x.csv"), PredictionFormat::kCsv);
  EXPECT_EQ(prediction_format("x.jsonl"), PredictionFormat::kJsonLines);
  EXPECT_EQ(prediction_format("a.csv/x.json"), PredictionFormat::kJson);
  EXPECT_THROW(prediction_format("x"), UsageError);
  EXPECT_THROW(prediction_format(".csv"), UsageError);
}

TEST(PredictionScores, CountAClassThatTheModelDoesNotKnowAsWrong) {
  Predictions predictions = with_classes({"x", "y"});
  predictions.graphs.push_back(said(0, {0.5, 0.5}));
  predictions.graphs.push_back(said(0, {0.9, 0.1}));
  predictions.true_classes = {"x", "y", "z", "y"};
  const PredictionScores scores = score_predictions(predictions);
  EXPECT_DOUBLE_EQ(scores.accuracy, 0.5);
  EXPECT_DOUBLE_EQ(scores.balanced_accuracy, (1 + 0.5 + 0) / 3);
  EXPECT_EQ(scores.true_classes, (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_EQ(scores.confusion.columns, 2u);
  EXPECT_EQ(scores.confusion.counts, (std::vector<std::uint64_t>{1, 0, 1, 1, 1, 0}));
  EXPECT_EQ(scores.most_frequent, "y");
  EXPECT_DOUBLE_EQ(scores.most_frequent_accuracy, 0.5);
  // Of the graphs of the two classes: (0.25 | 0.875, 0.1), one of two pairs in order.
  EXPECT_DOUBLE_EQ(scores.auc.value(), 0.5);
}

TEST(PredictionScores, HaveNoAucOfOneClass) {
  Predictions predictions = with_classes({"x", "y"});
  predictions.true_classes = {"x", "x"};
  const PredictionScores scores = score_predictions(predictions);
  EXPECT_FALSE(scores.auc.has_value());
  EXPECT_TRUE(scores_json(predictions, scores)["auc"].is_null());
}

TEST(PredictionScores, OfValuesAreErrorsAndR2) {
  Predictions predictions;
  predictions.values = {"1"};
  predictions.graphs = {{std::nullopt, {1}, ""}, {std::nullopt, {2}, ""}, {std::nullopt, {6}, ""}};
  predictions.true_values = {1, 3, 5};
  const PredictionScores scores = score_predictions(predictions);
  EXPECT_DOUBLE_EQ(scores.mean_absolute_error, 2.0 / 3);
  EXPECT_DOUBLE_EQ(scores.root_mean_squared_error, std::sqrt(2.0 / 3));
  EXPECT_DOUBLE_EQ(scores.r2.value(), 1 - 2.0 / 8);
  predictions.true_values = {3, 3, 3};
  EXPECT_FALSE(score_predictions(predictions).r2.has_value());
}

TEST(PredictionScores, PrintTheMatrixUnlessItFitsNoTerminal) {
  Predictions predictions = with_classes({"x", "y"});
  predictions.true_classes = {"x", "x"};
  std::ostringstream out;
  print_scores(predictions, score_predictions(predictions), out);
  EXPECT_EQ(out.str(),
            "2 graphs: accuracy 50.00 %, balanced 50.00 %\nalways class x: accuracy 100.00 %\n"
            "true class  as x  as y\nx              1     1\ny              0     0\n");
  predictions.classes.clear();
  for (int c = 0; c < 50; ++c) predictions.classes.push_back("c" + std::to_string(c));
  predictions.true_classes = {"c1", "c1"};
  out.str("");
  print_scores(predictions, score_predictions(predictions), out);
  EXPECT_NE(out.str().find("50 classes: --json has the confusion matrix"), std::string::npos);
}

TEST(PredictionScores, NeedTargetsOfTheModelsKind) {
  Dataset dataset;
  dataset.graphs.resize(2);
  Predictions predictions = with_classes({"x", "y"});
  EXPECT_THROW(add_truth(predictions, dataset, {}, "d"), InputError);
  dataset.set_classes({"3", "-1"});
  add_truth(predictions, dataset, {}, "d");
  EXPECT_EQ(predictions.true_classes, (std::vector<std::string>{"3", "-1"}));
  // A reader takes whole numbers for classes; a model of real values takes them back.
  Predictions values;
  values.values = {"1"};
  values.graphs = {{std::nullopt, {1}, ""}, {std::nullopt, {2}, ""}};
  add_truth(values, dataset, {0}, "d");
  EXPECT_EQ(values.true_values, (std::vector<double>{3, -1}));
  EXPECT_THROW(add_truth(values, dataset, {1}, "d"), InputError);
  dataset.set_classes({"3", "x"});
  EXPECT_THROW(add_truth(values, dataset, {0}, "d"), InputError);
}

TEST(PredictionScores, OfSeveralValuesLeaveOutWhatIsNotKnown) {
  Dataset dataset;
  dataset.graphs.resize(2);
  dataset.num_real_targets = 2;
  dataset.real_targets = {1, std::nan(""), 3, 5};
  Predictions predictions;
  predictions.values = {"a", "b"};
  predictions.graphs = {{std::nullopt, {2, 1}, ""}, {std::nullopt, {3, 7}, ""}};
  add_truth(predictions, dataset, {0, 1}, "d");
  EXPECT_EQ(format_predictions(predictions, PredictionFormat::kCsv),
            "graph,value:a,value:b,true:a,true:b\n1,2,1,1,\n2,3,7,3,5\n");
  EXPECT_EQ(predictions_json(predictions)["predictions"][0].dump(),
            R"({"graph":1,"values":{"a":2.0,"b":1.0},"true_values":{"a":1.0,"b":null}})");
  const PredictionScores scores = score_predictions(predictions);
  EXPECT_EQ(scores.targets[0].mean_absolute_error, 0.5);
  EXPECT_EQ(scores.targets[1].mean_absolute_error, 2);
  EXPECT_EQ(scores.targets[1].num_graphs, 1u);
  EXPECT_EQ(scores.mean_absolute_error, 1.25);
  dataset.real_targets.assign(4, std::nan(""));
  EXPECT_THROW(add_truth(predictions, dataset, {0, 1}, "d"), InputError);
}

}  // namespace
}  // namespace twofold::cli
