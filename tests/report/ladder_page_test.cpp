#include "twofold/report/ladder_page.h"

#include <gtest/gtest.h>

#include "tests/support/named_graphs.h"
#include "twofold/wl/random_net.h"

namespace twofold::report {
namespace {

using namespace testing;  // NOLINT: the graphs' names are the words of this file

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

wl::Ladder small_ladder() {
  const std::vector<wl::LadderFamily> families = {
      {"six", {cycle(6), two_triangles()}}, {"a<b", {decalin(), bicyclopentyl(), rook_4x4(), shrikhande()}}};
  const std::vector<wl::WlTest> tests = wl::ladder_tests();
  wl::Ladder ladder = wl::climb_ladder(families, tests);
  for (auto* rows : {&ladder.networks, &ladder.trained})
    *rows = wl::climb_by_networks(
        families, tests, [](Span<const Graph> graphs, const wl::WlTest& test, const wl::ClassifyOptions& how) {
          return wl::distinguish_pairs_by_nets(graphs, test, {}, how);
        });
  return ladder;
}

TEST(LadderPage, SaysWhoTellsHowManyApart) {
  const wl::Ladder ladder = small_ladder();
  const Page page = ladder_page(ladder, "twofold reproduce ladder");
  const std::string html = page.html();
  EXPECT_TRUE(
      contains(html, "Of 3 pairs, told apart by 1-wl: <strong>0</strong>; 2-wl, radius 1: <strong>1</strong>"));
  EXPECT_TRUE(contains(html, "Networks with random weights reach the exact verdict in 39 of 39 cases."));
  EXPECT_TRUE(contains(html, "Networks trained on each pair reach the exact verdict in 39 of 39 cases."));
  EXPECT_TRUE(contains(html, "a&lt;b"));
  EXPECT_FALSE(contains(html, "a<b"));
  ASSERT_EQ(page.tables().size(), 2u);
  // Pairs in all, 15 tests, 13 rows of networks of each kind: not 2-fwl and 3-fwl.
  EXPECT_EQ(page.tables()[0].num_rows(), 1u + 15 + 13 + 13);
  EXPECT_EQ(page.tables()[1].num_rows(), 15u + 13 + 13);
  EXPECT_EQ(ladder_page(ladder, "twofold reproduce ladder").html(), html);
}

TEST(LadderPage, ShowsWhatNetworksMissAndWhatDidNotFit) {
  wl::Ladder ladder = small_ladder();
  ladder.networks.clear();
  ladder.trained[2][0].verdicts[0] = false;
  ladder.rows[3][1].verdicts.clear();
  ladder.rows[3][1].failure = "too little memory";
  const std::string html = ladder_page(ladder, "twofold reproduce ladder").html();
  EXPECT_FALSE(contains(html, "Networks with random weights"));
  EXPECT_TRUE(contains(html, "reach the exact verdict in 36 of 37 cases (they miss 1 of"));
  EXPECT_TRUE(contains(html, "exact: 1"));
  EXPECT_TRUE(contains(html, "OOM"));
}

}  // namespace
}  // namespace twofold::report
