#include "twofold/wl/certify.h"

#include <gtest/gtest.h>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/wl/coloring.h"
#include "twofold/wl/mix.h"
#include "twofold/wl/tuple_sums.h"

namespace twofold::wl {
namespace {

using namespace testing;  // NOLINT

Suggestion stable_suggestion(const Graph& g, const Objects& objects, const WlTest& test) {
  Suggestion s;
  s.add(objects);
  const Coloring coloring = refine(g, test);
  s.colors = coloring.colors;
  s.num_colors = coloring.num_colors;
  s.old_colors = s.colors;
  s.num_old_colors = s.num_colors;
  return s;
}

TEST(Certify, AcceptsStableColoringsAndRefusesCoarserOnes) {
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    const Graph g = random_decorated(random, 4 + random.below(4), 0.4);
    for (const char* word : {"1-wl", "2-gnn", "2-wl", "2-fwl", "3-fwl"}) {
      const WlTest test = parse_test(word);
      const auto objects = make_objects(g, test);
      Suggestion s = stable_suggestion(g, *objects, test);
      EXPECT_TRUE(is_exact(s, Compare::kBoth, false, 1)) << word;
      if (s.num_colors < 2) continue;
      // Merge the last color into another one: it was split for a reason.
      const auto last = static_cast<Color>(s.num_colors - 1);
      const auto into = static_cast<Color>(random.below(last));
      for (Color& c : s.colors)
        if (c == last) c = into;
      s.old_colors = s.colors;
      s.num_colors = s.num_old_colors = last;
      EXPECT_FALSE(is_exact(s, Compare::kBoth, false, 1)) << word;
    }
  }
}

// k colors of many bits do not fit into one word: the result must be the same.
TEST(Certify, ComparesItemsOfSeveralWords) {
  Random random(4);
  const Graph g = random_graph(random, 6, 0.5);
  for (const int k : {2, 3, 4}) {
    const WlTest test = {Kind::kTuples, k};
    const auto objects = make_objects(g, test);
    RefineOptions one_round;
    one_round.max_rounds = 1;
    RefineOptions no_round;
    no_round.max_rounds = 0;
    const Coloring before = refine(g, test, no_round);
    Suggestion s;
    s.add(*objects);
    s.old_colors = before.colors;
    s.num_old_colors = std::size_t{1} << 31;
    s.colors = before.colors;
    s.num_colors = before.num_colors;
    ASSERT_EQ(objects->item_words(31), k > 2 ? 2u : 1u);
    make_exact(s, Compare::kSignature, 1);
    EXPECT_EQ(s.colors, refine(g, test, one_round).colors) << k;
  }
}

TEST(TupleSums, AreThoseOfThePlainFormula) {
  Random random(5);
  for (const std::size_t n : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 17u})
    for (std::size_t num_others = 1; num_others <= 4; ++num_others) {
      const std::size_t stride = padded_row(n);
      const auto table = [&](std::size_t rows) {
        std::vector<std::uint64_t> values(rows * stride, 0);
        for (std::size_t r = 0; r < rows; ++r)
          for (std::size_t w = 0; w < n; ++w) values[r * stride + w] = random.bits();
        return values;
      };
      const auto last = table(1);
      std::vector<std::vector<std::uint64_t>> others;
      std::vector<const std::uint64_t*> pointers;
      for (std::size_t j = 0; j < num_others; ++j) others.push_back(table(n));
      for (const auto& values : others) pointers.push_back(values.data());
      std::vector<std::uint64_t> sums(n);
      tuple_sums({n, stride, last.data(), pointers.data(), num_others, sums.data()});
      for (std::size_t c = 0; c < n; ++c) {
        std::uint64_t expected = 0;
        for (std::size_t w = 0; w < n; ++w) {
          std::uint64_t x = last[w];
          for (std::size_t j = 0; j < num_others; ++j) {
            if (j > 0) x ^= x >> 32;
            x = pair_product(x, others[j][c * stride + w]);
          }
          expected += x;
        }
        EXPECT_EQ(sums[c], expected) << n << ' ' << num_others;
      }
    }
}

}  // namespace
}  // namespace twofold::wl
