// Certificates, checked by plain code that shares nothing with them (src/twofold/wl/certificate_checker.h).
#include "twofold/wl/pair_certificate.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/support/certificate_line.h"
#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/wl/certificate_checker.h"

namespace twofold::wl {
namespace {

using graph::PowerRadius;
using namespace testing;  // NOLINT
using Verdict = PairCertificate::Verdict;

std::vector<std::vector<Graph>> sample_pairs() {
  Random random(11);
  std::vector<std::vector<Graph>> pairs = {{cycle(6), two_triangles()},
                                           {decalin(), bicyclopentyl()},
                                           {path(3), path(4)},
                                           {cycle(4), path(4)},
                                           {cfi(complete(3), false), cfi(complete(3), true)}};
  for (int i = 0; i < 12; ++i) {
    const Graph g = random_decorated(random, 4 + random.below(4), 0.4);
    pairs.push_back({g, shuffled(g, random)});
    pairs.push_back({g, random_decorated(random, g.num_nodes(), 0.4)});
    pairs.push_back({random_regular(random, 8, 3), random_regular(random, 8, 3)});
  }
  return pairs;
}

std::vector<WlTest> sample_tests() {
  return {{},
          {Kind::kEdges},
          {Kind::kVertices, 2, 1, 1},
          {Kind::kRows, 2, 1},
          {Kind::kRows, 2, 2, 1},
          {Kind::kRows, 2, PowerRadius::all()},
          {Kind::kTuples, 2},
          {Kind::kTuples, 2, 1, 1}};
}

TEST(PairCertificate, IsTrueByPlainCodeAndHasTheVerdictOfTheTest) {
  std::size_t num_distinguished = 0;
  std::size_t num_isomorphic = 0;
  std::size_t num_marked = 0;
  for (const auto& pair : sample_pairs())
    for (const WlTest& test : sample_tests()) {
      const PairCertificate found = certify_pair(pair, test);
      EXPECT_EQ(found.verdict == Verdict::kDistinguished, distinguishes(test, pair[0], pair[1]))
          << describe(test);
      EXPECT_EQ(check_certificate(pair[0], pair[1], line_of(found)), "") << describe(test) << line_of(found);
      num_distinguished += found.verdict == Verdict::kDistinguished;
      num_isomorphic += found.verdict == Verdict::kIsomorphic;
      num_marked += found.verdict == Verdict::kDistinguished && found.test.marks > 0;
    }
  EXPECT_GT(num_distinguished, 100u);
  EXPECT_GT(num_isomorphic, 50u);
  EXPECT_GT(num_marked, 0u);
}

TEST(PairCertificate, IsFalseOnceAnythingInItIsChanged) {
  for (const auto& pair : sample_pairs())
    for (const WlTest& test : {WlTest{Kind::kVertices, 2, 1, 1}, WlTest{Kind::kRows, 2, 1}}) {
      const nlohmann::json line = line_of(certify_pair(pair, test));
      const auto is_false = [&](nlohmann::json changed) {
        EXPECT_NE(check_certificate(pair[0], pair[1], changed), "") << changed;
      };
      if (line["verdict"] == "isomorphic") {
        nlohmann::json changed = line;
        changed["image"][0] = changed["image"][1];
        is_false(changed);
        changed = line;
        changed["image"].erase(0);
        is_false(changed);
      }
      if (line["verdict"] != "distinguished") continue;
      for (const std::size_t side : {0u, 1u}) {
        nlohmann::json changed = line;
        changed["counts"][side] = line["counts"][side].get<long>() + 1;
        is_false(changed);
      }
      nlohmann::json changed = line;
      std::swap(changed["counts"][0], changed["counts"][1]);
      is_false(changed);
      changed = line;
      changed["nodes"][0] = 1000;
      is_false(changed);
      changed = line;
      changed["graph"] = 3;
      is_false(changed);
      // Not of two graphs that are one.
      EXPECT_NE(check_certificate(pair[0], pair[0], line), "") << line;
    }
}

TEST(PairCertificate, OfAWrongMappingIsFalse) {
  const Graph g = path(4);
  EXPECT_EQ(check_certificate(g, g, {{"verdict", "isomorphic"}, {"image", {3, 2, 1, 0}}}), "");
  EXPECT_NE(check_certificate(g, g, {{"verdict", "isomorphic"}, {"image", {1, 0, 2, 3}}}), "");
}

}  // namespace
}  // namespace twofold::wl
