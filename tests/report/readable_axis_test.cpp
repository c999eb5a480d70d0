#include "twofold/report/readable_axis.h"

#include <gtest/gtest.h>

#include "twofold/report/gnuplot_script.h"

namespace twofold::report {
namespace {

Plot curve(const std::vector<double>& values) {
  Plot plot;
  Series line;
  line.name = "validation";
  for (std::size_t i = 0; i < values.size(); ++i) line.x.push_back(static_cast<double>(i + 1));
  line.y = values;
  plot.series = {line};
  return plot;
}

// From 1 down to 0.5 and around.
std::vector<double> calm(std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(0.5 + 0.5 / static_cast<double>(i % 10 + 1));
  return values;
}

TEST(ReadableAxis, OneEpochWithAHugeErrorDoesNotFlattenTheCurve) {
  for (const std::size_t epochs : {10u, 50u, 200u}) {
    std::vector<double> values = calm(epochs);
    values[3] = 250;
    Plot plot = curve(values);
    keep_readable(plot);
    ASSERT_TRUE(plot.y.max.has_value()) << epochs;
    EXPECT_LT(*plot.y.max, 3) << epochs;
    EXPECT_GT(*plot.y.max, 1) << epochs;
    EXPECT_FALSE(plot.y.min.has_value());
    EXPECT_FALSE(plot.y.is_log);
    ASSERT_EQ(plot.series.size(), 2u) << "an arrow";
    EXPECT_EQ(plot.series[1].x, (std::vector<double>{4}));
    EXPECT_LT(plot.series[1].y[0], *plot.y.max);
    EXPECT_EQ(plot.series[0].y[3], 250) << "no value is changed";
    EXPECT_EQ(plot.note, "Triangles at the edge: values beyond the axis, up to 250.");
  }
}

TEST(ReadableAxis, GivesNoRoomToWhatLiesBeyondIt) {
  std::vector<double> values = calm(50);
  values[3] = 1e6;
  Plot plot = curve(values);
  keep_readable(plot);
  const std::string script = write_script(plot, ScriptFor::kPage).body;
  const std::size_t at = script.find("set yrange [");
  ASSERT_NE(at, std::string::npos);
  const double low = std::stod(script.substr(at + 12));
  EXPECT_GT(low, 0.4) << "the calm values begin at 0.55";
}

TEST(ReadableAxis, EndsBelowForScoresFarBelow) {
  std::vector<double> values = calm(40);
  values[0] = -500;
  values[1] = -800;
  Plot plot = curve(values);
  keep_readable(plot);
  ASSERT_TRUE(plot.y.min.has_value());
  EXPECT_GT(*plot.y.min, -3);
  EXPECT_EQ(plot.series[1].x, (std::vector<double>{2})) << "one arrow for both, at the farthest";
  EXPECT_EQ(plot.note, "Triangles at the edge: values beyond the axis, down to −800.");
}

TEST(ReadableAxis, BecomesLogarithmicWhereThatShowsAll) {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(0.1 + 3.0 / (1 + i));
  Plot plot = curve(values);
  keep_readable(plot);
  EXPECT_TRUE(plot.y.is_log);
  EXPECT_FALSE(plot.y.max.has_value());
  EXPECT_EQ(plot.series.size(), 1u);
}

TEST(ReadableAxis, LeavesUsualCurvesAlone) {
  std::vector<double> decay;
  for (int i = 0; i < 100; ++i) decay.push_back(0.7 - 0.006 * i);
  for (const std::vector<double>& values :
       {decay, calm(50), std::vector<double>(30, 0.5), std::vector<double>{}, std::vector<double>{1, 1000}}) {
    Plot plot = curve(values);
    keep_readable(plot);
    EXPECT_FALSE(plot.y.is_log || plot.y.max || plot.y.min);
    EXPECT_EQ(plot.series.size(), 1u);
    EXPECT_TRUE(plot.note.empty());
  }
}

}  // namespace
}  // namespace twofold::report
