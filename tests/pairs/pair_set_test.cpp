#include "twofold/pairs/pair_set.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/support/named_graphs.h"
#include "tests/support/pair_oracle.h"
#include "twofold/base/error.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/pairs/pair_batch.h"
#include "twofold/pairs/pair_counts.h"
#include "twofold/pairs/triple_scan.h"

namespace twofold::pairs {
namespace {

using testing::plain_pairs;

std::vector<Radius> some_radii() {
  return {Radius(1), Radius(2), Radius(3), Radius(4), Radius(5), Radius(100), Radius::all()};
}

std::vector<Graph> some_graphs() {
  Random random(17);
  std::vector<Graph> graphs = {testing::empty_graph(0), testing::empty_graph(1), testing::empty_graph(4),
                               testing::complete(7),    testing::star(40),       testing::two_triangles(),
                               testing::path(9),        testing::petersen(),     testing::cycle(12)};
  for (int i = 0; i < 30; ++i)
    graphs.push_back(testing::random_graph(random, 1 + random.below(25), 0.02 + 0.3 * random.uniform()));
  // Hubs with the largest and with the smallest number.
  graphs.push_back(testing::shuffled(testing::star(60), random));
  return graphs;
}

void expect_like_the_definition(const Graph& g, Radius radius, bool store) {
  SCOPED_TRACE(fmt::format("n {} m {} r {} stored {}", g.num_nodes(), g.num_edges(), to_string(radius), store));
  EncodeOptions options;
  options.store_triples = store;
  const PairSet set = encode_pairs(g, radius, options);
  ASSERT_NO_THROW(set.check());
  const testing::PlainPairs plain = plain_pairs(g, radius);
  ASSERT_EQ(set.num_rows(), plain.rows.size());
  EXPECT_EQ(set.num_triples, plain.num_triples());
  EXPECT_EQ(set.has_stored_triples(), store);
  for (std::size_t row = 0; row < set.num_rows(); ++row) {
    const auto [i, j] = plain.rows[row];
    EXPECT_EQ(set.first[row], i);
    EXPECT_EQ(set.second[row], j);
    EXPECT_EQ(set.kind[row], i == j ? RowKind::kLoop : g.has_edge(i, j) ? RowKind::kEdge : RowKind::kIndirect);
    EXPECT_EQ(set.find_row(j, i), row);
  }
  std::vector<std::vector<std::array<std::size_t, 2>>> triples(set.num_rows());
  TripleScan scan;
  scan.begin(set);
  for (Node i = 0; i < g.num_nodes(); ++i)
    scan.rows_of(i, [&](Row row, Span<const RowPair> of_row) {
      for (const RowPair triple : of_row) triples[row].push_back({triple.a, triple.b});
    });
  EXPECT_EQ(triples, plain.triples);
  const PairCounts counts = count_pairs(g, radius);
  EXPECT_EQ(counts.rows, set.num_rows());
  EXPECT_EQ(counts.triples, set.num_triples);
  EXPECT_EQ(store ? counts.stored_memory : counts.implicit_memory, set.memory());
}

TEST(EncodePairs, IsTheDefinitionOnAllSortsOfGraphs) {
  for (const Graph& g : some_graphs())
    for (const Radius radius : some_radii())
      for (const bool store : {true, false}) expect_like_the_definition(g, radius, store);
}

TEST(EncodePairs, GivesThePaperExampleOfTwoGraphsIndexForIndex) {
  // Appendix A, figure "Exemplary 2-WL encoding of a batch of two small graphs" (numbers there from 1).
  const std::vector<Graph> graphs = {testing::complete(3), testing::path(2)};
  const std::vector<PairSet> sets = encode_pairs(graphs, Radius(1));
  const PairBatch batch = make_batch(sets);
  EXPECT_EQ(batch.num_rows(), 9u);
  EXPECT_EQ(batch.num_triples, 24u);
  const std::vector<std::array<std::int64_t, 3>> expected = {
      {1, 1, 1}, {1, 4, 4}, {1, 5, 5}, {2, 2, 2}, {2, 4, 4}, {2, 6, 6}, {3, 3, 3}, {3, 5, 5},
      {3, 6, 6}, {4, 1, 4}, {4, 4, 2}, {4, 5, 6}, {5, 1, 5}, {5, 5, 3}, {5, 4, 6}, {6, 2, 6},
      {6, 6, 3}, {6, 4, 5}, {7, 7, 7}, {7, 9, 9}, {8, 8, 8}, {8, 9, 9}, {9, 7, 9}, {9, 9, 8}};
  for (const bool store : {true, false}) {
    EncodeOptions options;
    options.store_triples = store;
    const std::vector<PairSet> same = encode_pairs(graphs, Radius(1), options);
    const References r = make_references(make_batch(same));
    ASSERT_EQ(r.row.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const std::array<std::int64_t, 3> found = {r.row[k] + 1, r.a[k] + 1, r.b[k] + 1};
      EXPECT_EQ(found, expected[k]) << "reference " << k + 1;
    }
  }
}

// C_ring times `factors` edges: the "hyperloop" of the paper's timing experiment (Appendix E).
Graph hyperloop(std::size_t ring, std::size_t factors) {
  const std::size_t copies = std::size_t{1} << factors;
  GraphBuilder builder(ring * copies);
  for (std::size_t v = 0; v < ring * copies; ++v) {
    const std::size_t at = v / copies;
    const std::size_t corner = v % copies;
    builder.add_edge(static_cast<Node>(v), static_cast<Node>((at + 1) % ring * copies + corner));
    for (std::size_t k = 0; k < factors; ++k)
      builder.add_edge(static_cast<Node>(v), static_cast<Node>(at * copies + (corner ^ (std::size_t{1} << k))));
  }
  return std::move(builder).build();
}

TEST(EncodePairs, TellsOfEveryGraphAndStopsWhereItsListenerThrows) {
  const std::vector<Graph> graphs = some_graphs();
  EncodeOptions options;
  options.threads = 2;
  std::vector<std::uint64_t> told;
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(total, graphs.size());
    told.push_back(done);
  };
  encode_pairs(graphs, Radius(2), options);
  std::vector<std::uint64_t> all(graphs.size());
  std::iota(all.begin(), all.end(), std::uint64_t{1});
  EXPECT_EQ(told, all);
  options.progress = [](std::uint64_t, std::uint64_t) { throw Error("stopped"); };
  EXPECT_THROW(encode_pairs(graphs, Radius(2), options), Error);
}

TEST(CountPairs, GivesTheSizesOfTheEpochTimeExperiment) {
  // Recounted independently: rows and references a graph of 1024 nodes, degree d, radius 1, 2, 3.
  const struct {
    std::size_t degree;
    std::uint64_t sizes[3][2];
  } expected[] = {{2, {{2048, 5120}, {3072, 12288}, {4096, 22528}}},
                  {3, {{2560, 7168}, {4608, 27648}, {6656, 60416}}},
                  {4, {{3072, 9216}, {6656, 54272}, {10752, 153600}}},
                  {5, {{3584, 11264}, {9216, 95232}, {16896, 353280}}},
                  {6, {{4096, 13312}, {12288, 153600}, {25600, 729088}}}};
  for (const auto& row : expected) {
    const Graph g = hyperloop(1024 >> (row.degree - 2), row.degree - 2);
    for (int r = 1; r <= 3; ++r) {
      const PairCounts counts = count_pairs(g, Radius(r));
      EXPECT_EQ(counts.rows, row.sizes[r - 1][0]) << "d " << row.degree << " r " << r;
      EXPECT_EQ(counts.triples, row.sizes[r - 1][1]) << "d " << row.degree << " r " << r;
    }
  }
}

TEST(CountPairs, OfSeveralGraphsAddsUpForAnyNumberOfThreads) {
  const std::vector<Graph> graphs = some_graphs();
  for (const Radius radius : some_radii()) {
    const std::vector<PairSet> sets = encode_pairs(graphs, radius);
    std::uint64_t memory = 0;
    for (const PairSet& set : sets) memory += set.memory();
    const PairCounts counts = count_pairs(graphs, radius, 2);
    EXPECT_EQ(counts.rows, make_batch(sets).num_rows());
    EXPECT_EQ(counts.triples, make_batch(sets).num_triples);
    EXPECT_EQ(counts.stored_memory, memory);
  }
  EXPECT_EQ(count_pairs(Span<const Graph>(), Radius(1)).rows, 0u);
}

TEST(CountPairs, OfAllPairsNeedsNoMemoryForThem) {
  const PairCounts counts = count_pairs(testing::empty_graph(1'000'000), Radius::all());
  EXPECT_EQ(counts.rows, 500'000'500'000u);
  EXPECT_EQ(counts.triples, 500'000'500'000'000'000u);
  EXPECT_THROW(count_pairs(testing::empty_graph(10'000'000), Radius::all()), Error);
}

TEST(EncodePairs, RefusesWhatDoesNotFitNamingNeedAndLimit) {
  EncodeOptions options;
  options.max_memory = 1 << 20;
  options.threads = 1;
  const auto message = [&](const std::vector<Graph>& graphs, Radius radius) -> std::string {
    try {
      encode_pairs(graphs, radius, options);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_EQ(
      message(std::vector<Graph>(10, testing::complete(50)), Radius(1)),
      "encoding 10 graphs at radius 1 (12750 rows, 637500 triples) needs 5.27 MiB of memory, the limit is "
      "1.00 MiB (--max-memory)");
  EXPECT_NE(message({testing::complete(200)}, Radius(1)).find("the limit is 1.00 MiB"), std::string::npos);
  EXPECT_NE(message({testing::empty_graph(1000)}, Radius::all()).find("the limit is 1.00 MiB"),
            std::string::npos);
  options.max_memory = std::uint64_t{1} << 50;
  EXPECT_EQ(message({testing::path(3)}, Radius(1)), "no error");
  // More rows than 32 bits number, refused before anything of that size is built.
  EXPECT_EQ(
      message({testing::empty_graph(100'000)}, Radius::all()),
      "the pairs of one graph need fewer than 4294967295 rows, 100000 nodes at radius all have 5000050000");
}

TEST(PairSet, CountsTriplesBeyond32Bits) {
  const std::uint64_t n = 2101;  // a star of radius 2 is complete
  EncodeOptions options;
  options.store_triples = false;
  const PairSet set = encode_pairs(testing::star(n - 1), Radius(2), options);
  EXPECT_EQ(set.num_rows(), n * (n + 1) / 2);
  EXPECT_EQ(set.num_triples, n * (n + 1) / 2 * n);
  EXPECT_GT(set.num_triples, std::uint64_t{1} << 32);
  const PairBatch batch = make_batch(std::vector<const PairSet*>{&set, &set});
  EXPECT_EQ(batch.num_triples, 2 * set.num_triples);
  const PairCounts counts = count_pairs(testing::star(n - 1), Radius(2));
  EXPECT_EQ(counts.triples, set.num_triples);
  EXPECT_EQ(counts.implicit_memory, set.memory());
  EXPECT_EQ(counts.stored_memory, set.memory() + 8 * (set.num_rows() + 1) + 8 * set.num_triples);
}

}  // namespace
}  // namespace twofold::pairs
