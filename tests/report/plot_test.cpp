#include "twofold/report/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/report/filter.h"

namespace twofold::report {
namespace {

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

Plot two_lines() {
  Plot plot;
  plot.x.label = "nodes & edges";
  plot.y.label = "seconds";
  for (const double factor : {1.0, 2.0}) {
    Series series;
    series.name = factor == 1 ? "one" : "two";
    series.style = Series::Style::kLinesPoints;
    for (const double x : {1.0, 10.0, 100.0}) {
      series.x.push_back(x);
      series.y.push_back(factor * x);
      series.y_spread.push_back(0.2 * x);
    }
    plot.series.push_back(series);
  }
  return plot;
}

TEST(Plot, TakesThePagesColorsAndUniqueIds) {
  const std::string a = draw_plot(two_lines(), "f1"), b = draw_plot(two_lines(), "f2");
  EXPECT_EQ(a, draw_plot(two_lines(), "f1"));
  EXPECT_NE(a.find("var(--c0)"), std::string::npos);
  EXPECT_NE(a.find("var(--c1)"), std::string::npos);
  for (const char* word : {"rgb(", "black", "white", "GNUPLOT", "Gnuplot", "<?xml", "#01", "font-family"})
    EXPECT_EQ(a.find(word), std::string::npos) << word << " in\n" << a;
  // No id of one stands in the other.
  std::size_t ids = 0;
  for (std::size_t at = a.find(" id="); at != std::string::npos; at = a.find(" id=", at + 1), ++ids) {
    const std::string id = a.substr(at + 5, a.find_first_of("'\"", at + 5) - at - 5);
    EXPECT_EQ(id.rfind("f1", 0), 0u) << id;
    EXPECT_EQ(b.find("'" + id + "'"), std::string::npos) << id;
  }
  EXPECT_GT(ids, 0u);
  EXPECT_EQ(count(a, "<svg"), 1u);
  EXPECT_EQ(count(a, "</svg>"), 1u);
}

TEST(Plot, PutsTextsInEscaped) {
  Plot plot = two_lines();
  plot.x.label = "a < b & `date` 'c' \"d\" @e";
  const std::string svg = draw_plot(plot, "f1");
  EXPECT_NE(svg.find("a &lt; b &amp; `date` &#39;c&#39; &quot;d&quot; @e"), std::string::npos) << svg;
  EXPECT_EQ(svg.find("twofold-text"), std::string::npos);
}

TEST(Plot, NamesPowersOfTenOnLogarithmicAxes) {
  Plot plot = two_lines();
  plot.x.is_log = plot.y.is_log = true;
  plot.series[0].x = {1e-6, 1, 1e6};
  plot.series[0].y = {1, 100, 0};  // 0 has no place there
  plot.series[0].y_spread = {5, 1, 1};
  const std::string svg = draw_plot(plot, "f1");
  EXPECT_NE(svg.find("10⁻⁶"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">100<"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(Plot, DrawsWhatThereIs) {
  Plot plot;
  EXPECT_NE(draw_plot(plot, "f1").find("</svg>"), std::string::npos) << "without any series";
  Series gaps;
  gaps.x = {1, 2, 3, 4};
  gaps.y = {1, std::nan(""), std::numeric_limits<double>::infinity(), 2};
  plot.series = {gaps};
  EXPECT_NE(draw_plot(plot, "f1").find("</svg>"), std::string::npos);
  plot.series[0].x = {5};
  plot.series[0].y = {5};
  EXPECT_NE(draw_plot(plot, "f1").find("</svg>"), std::string::npos) << "a single point";
  plot.series[0].y.push_back(1);
  EXPECT_THROW(draw_plot(plot, "f1"), CheckError);
}

TEST(Plot, HasALegendOfNamedSeries) {
  Plot plot = two_lines();
  plot.series[1].name = "<b>";
  Series band = plot.series[0];
  band.style = Series::Style::kBand;
  plot.series.push_back(band);
  const std::string legend = draw_legend(plot);
  EXPECT_EQ(count(legend, "<li>"), 2u);
  EXPECT_NE(legend.find("&lt;b&gt;"), std::string::npos);
  EXPECT_EQ(draw_legend(Plot{}), "");
}

TEST(SummarizeCurves, TakesTheMedianWhileHalfOfThemGoOn) {
  const CurveSummary summary = summarize_curves({{1, 10, 3}, {3, 20, 5, 7}, {5, 30}}, 100);
  EXPECT_EQ(summary.x, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(summary.mean, (std::vector<double>{3, 20, 4}));
  EXPECT_EQ(summary.median, (std::vector<double>{3, 20, 4}));
  EXPECT_EQ(summary.lower, (std::vector<double>{2, 15, 3.5}));
  EXPECT_EQ(summary.upper, (std::vector<double>{4, 25, 4.5}));
  EXPECT_TRUE(summarize_curves({}, 10).x.empty());
}

TEST(SummarizeCurves, ThinsOutLongCurvesButKeepsTheirEnds) {
  std::vector<double> curve(1001);
  for (std::size_t i = 0; i < curve.size(); ++i) curve[i] = static_cast<double>(i);
  const CurveSummary summary = summarize_curves({curve}, 11);
  ASSERT_EQ(summary.x.size(), 11u);
  EXPECT_EQ(summary.x.front(), 1);
  EXPECT_EQ(summary.x.back(), 1001);
  EXPECT_EQ(summary.median.back(), 1000);
}

TEST(RunFilter, GivesBackWhatAProgramPrints) {
  std::string long_text;
  for (int i = 0; i < 100000; ++i) long_text += std::to_string(i) + "\n";
  EXPECT_EQ(run_filter({"cat", "cat", "coreutils"}, {}, long_text), long_text);
  EXPECT_EQ(run_filter({"printf", "printf", "coreutils"}, {"%s", "$(date) `date`"}, ""), "$(date) `date`");
}

TEST(RunFilter, NamesWhatIsMissingAndWhatFailed) {
  const DrawingProgram missing = {"twofold-no-such-program", "Nothing", "nothing"};
  try {
    run_filter(missing, {}, "");
    FAIL();
  } catch (const MissingProgram& error) {
    EXPECT_EQ(error.program().package, "nothing");
    EXPECT_STREQ(
        error.what(),
        "drawing needs the program twofold-no-such-program (install Nothing, package nothing): No such file or "
        "directory");
  }
  try {
    run_filter({"ls", "ls", "coreutils"}, {"/x"}, "");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("ls failed"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("No such file"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace twofold::report
