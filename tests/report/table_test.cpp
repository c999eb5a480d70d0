#include "twofold/report/table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "twofold/base/error.h"
#include "twofold/report/delta_matrix.h"
#include "twofold/report/figures.h"

namespace twofold::report {
namespace {

using Json = nlohmann::ordered_json;

TEST(FormatFigure, RoundsAndSigns) {
  EXPECT_EQ(format_figure(72.949, 1), "72.9");
  EXPECT_EQ(format_figure(-0.04, 1), "0.0");
  EXPECT_EQ(format_figure(-7.4, 1), "−7.4");
  EXPECT_EQ(format_figure(7.4, 1, true), "+7.4");
  EXPECT_EQ(format_figure(0, 1, true), "0.0");
  EXPECT_EQ(format_figure(std::nan(""), 1), "–");
  EXPECT_EQ(format_figure(-INFINITY, 1), "−∞");
  EXPECT_EQ(format_figure(1234567, 0), "1\u202f234\u202f567");
  EXPECT_EQ(format_figure(1234, 0), "1234");
}

TEST(FormatFigure, KeepsAsManyDigitsInAll) {
  EXPECT_EQ(format_figure(0.0012345, -3), "0.00123");
  EXPECT_EQ(format_figure(12.345, -3), "12.3");
  EXPECT_EQ(format_figure(9.996, -3), "10.0");
  EXPECT_EQ(format_figure(4567, -3), "4570");
  EXPECT_EQ(format_figure(0, -3), "0");
  EXPECT_EQ(format_figure(1.23456e-7, -3), "1.23e-07");
}

TEST(AlignPoints, PutsPointsBelowEachOther) {
  const auto aligned = align_points({"1.25", "10", "0.5"});
  EXPECT_EQ(aligned, (std::vector<std::string>{"1.25", "10\u2008\u2007\u2007", "0.5\u2007"}));
  EXPECT_EQ(align_points({"1", "20"}), (std::vector<std::string>{"1", "20"}));
  EXPECT_EQ(align_fronts({"1.0", "12.0"}), (std::vector<std::string>{"\u20071.0", "12.0"}));
}

Table sample() {
  Table table("sample", {text_column("name", "learner <b>"), mean_std_column("test", "test", 1),
                         number_column("n", "graphs", 0)});
  table.add_row({text_cell("a, \"b\""), mean_std_cell(72.949, 3.051).with(Tone::kBetter), number_cell(12345)});
  table.start_group("others");
  table.add_row(
      {text_cell("<script>"), mean_std_cell(9, 12.25).with(Tone::kWorse).with_note("p < 0.001"), empty_cell()});
  table.add_row({text_cell("c"), mark_cell("OOM").with(Tone::kNew), number_cell(std::nan(""))});
  return table;
}

TEST(Table, AlignsMeansAndSpreads) {
  const std::string html = sample().html();
  EXPECT_NE(html.find("<td class=\"figure better\">72.9\u00a0±\u00a0\u20073.1</td>"), std::string::npos)
      << html;
  EXPECT_NE(html.find("<td class=\"figure worse\">9.0\u00a0±\u00a012.2<small>p &lt; 0.001</small></td>"),
            std::string::npos)
      << html;
  EXPECT_NE(html.find("<td class=\"mark new\">OOM</td>"), std::string::npos);
  EXPECT_NE(html.find("<td class=\"mark\">–</td>"), std::string::npos);
  EXPECT_NE(html.find("<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"3\">others</th></tr>"),
            std::string::npos);
}

TEST(Table, EscapesEverything) {
  const std::string html = sample().html();
  EXPECT_EQ(html.find("<script>"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;"), std::string::npos);
  EXPECT_NE(html.find("learner &lt;b&gt;"), std::string::npos);
}

TEST(Table, HasACsvTwinInFullPrecision) {
  EXPECT_EQ(sample().csv(),
            "group,name,test_mean,test_std,test_mark,test_tone,test_note,n\r\n"
            ",\"a, \"\"b\"\"\",72.949,3.051,,better,,12345\r\n"
            "others,<script>,9,12.25,,worse,p < 0.001,\r\n"
            "others,c,,,OOM,new,,\r\n");
}

TEST(Table, HasAJsonTwin) {
  const Json json = Json::parse(sample().json());
  EXPECT_EQ(json["name"], "sample");
  EXPECT_EQ(json["columns"][1], Json({{"key", "test"}, {"title", "test"}, {"kind", "mean_std"}}));
  EXPECT_EQ(json["rows"][0]["cells"]["test"], Json({{"mean", 72.949}, {"std", 3.051}}));
  EXPECT_FALSE(json["rows"][0].contains("group"));
  EXPECT_EQ(json["rows"][1]["group"], "others");
  EXPECT_EQ(json["rows"][1]["tones"]["test"], "worse");
  EXPECT_EQ(json["rows"][1]["notes"]["test"], "p < 0.001");
  EXPECT_TRUE(json["rows"][2]["cells"]["test"].is_null());
  EXPECT_EQ(json["rows"][2]["marks"]["test"], "OOM");
  EXPECT_TRUE(json["rows"][2]["cells"]["n"].is_null());
}

TEST(Table, RefusesCellsThatDoNotFit) {
  Table table("t", {text_column("a", "a"), number_column("b", "b", 0)});
  EXPECT_THROW(table.add_row({text_cell("x")}), CheckError);
  EXPECT_THROW(table.add_row({text_cell("x"), text_cell("y")}), CheckError);
  EXPECT_THROW(Table("../escape", {text_column("a", "a")}), CheckError);
  EXPECT_THROW(Table("t", {text_column("a", "a"), text_column("a", "b")}), CheckError);
}

TEST(Figures, StayWholeInWords) {
  EXPECT_EQ(keep_figures_whole("paper 73.9 ± 2.6, -1.0 σ"), "paper 73.9\u00a0±\u00a02.6, \u22121.0\u00a0σ");
  EXPECT_EQ(keep_figures_whole("WL_ST (T = 3)"), "WL_ST (T\u00a0=\u00a03)");
  EXPECT_EQ(keep_figures_whole("2-gnn, a-1, -x - 3 ±"), "2-gnn, a-1, -x - 3 ±");
}

TEST(DeltaMatrix, IsColoredByTheTwoSigmaRule) {
  std::vector<std::vector<eval::Delta>> deltas(3, std::vector<eval::Delta>(3));
  deltas[0][1] = {5, 1, 1, 0, 0};
  deltas[1][0] = {-5, 1, -1, 0, 0};
  deltas[0][2] = {1, 4, 0, 0, 0};
  deltas[2][0] = {-1, 4, 0, 0, 0};
  const Table table = delta_matrix("deltas", {"a", "row", "row"}, deltas, 1);
  EXPECT_EQ(table.columns().size(), 4u);
  const std::string html = table.html();
  EXPECT_NE(html.find("<td class=\"figure better\">+5.0\u00a0±\u00a01.0</td>"), std::string::npos) << html;
  EXPECT_NE(html.find("<td class=\"figure worse\">−5.0\u00a0±\u00a01.0</td>"), std::string::npos);
  EXPECT_NE(html.find("<td class=\"figure\">+1.0\u00a0±\u00a04.0</td>"), std::string::npos);
  const std::string words = two_sigma_meaning(10).html();
  EXPECT_EQ(std::count(words.begin(), words.end(), '.'), 1) << "one sentence: " << words;
}

TEST(DeltaMatrix, KeepsTheDigitsOfSmallErrors) {
  std::vector<std::vector<eval::Delta>> deltas(2, std::vector<eval::Delta>(2));
  deltas[0][1] = {0.01234, 0.00567, 0, 0, 0};
  deltas[1][0] = {-0.01234, 0.00567, 0, 0, 0};
  const std::string html = delta_matrix("deltas", {"a", "b"}, deltas, -3).html();
  EXPECT_NE(html.find("+0.0123\u00a0±\u00a00.00567"), std::string::npos) << html;
}

TEST(DeltaMatrix, IsNarrowWithManyLearnersAndWritesTwoDigitsAsThePaperDoes) {
  const std::size_t count = 8;
  std::vector<std::vector<eval::Delta>> deltas(count, std::vector<eval::Delta>(count));
  deltas[0][1] = {0.7, 13, 0, 0, 0};
  deltas[2][1] = {-36, 6.8, -1, 0, 0};
  const std::string html = delta_matrix("deltas", std::vector<std::string>(count, "x"), deltas, -2, 1).html();
  EXPECT_NE(html.find(">+0.7<small>±\u00a013"), std::string::npos) << html;
  EXPECT_NE(html.find("<td class=\"figure narrow worse\">−36"), std::string::npos) << html;
  EXPECT_NE(html.find("<small>±\u00a06.8</small>"), std::string::npos) << html;
}

}  // namespace
}  // namespace twofold::report
