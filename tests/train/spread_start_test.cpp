// Starts that keep colors apart where usual ones leave nothing to learn from.
#include "twofold/train/spread_start.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/hard_graphs.h"
#include "tests/support/named_graphs.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/train/pair_separation.h"

namespace twofold::train {
namespace {

using namespace testing;  // NOLINT: the graphs' names are the words of this file
using model::ModelKind;

SeparationOptions options_of(pairs::Radius radius, int layers) {
  SeparationOptions options = separation_options(ModelKind::k2WlGnn);
  options.model.radius = radius;
  options.model.layers = layers;
  return options;
}

// How far apart what the head reads of two graphs is.
double spread(const std::vector<Graph>& graphs, const SeparationOptions& options, std::uint64_t seed,
              std::vector<double>* start = nullptr) {
  EncodeLimits limits;
  const InputLayout layout = input_layout(graphs, options.model);
  const EncodedDataset data(graphs, options.model, layout, limits);
  const auto places = model::parameter_layout(options.model, data.columns());
  std::vector<double> parameters = model::initial_parameters(places, seed);
  const double found = spread_start(data, options.model, places, Random(seed), parameters);
  for (const double value : parameters) EXPECT_TRUE(std::isfinite(value));
  if (start != nullptr) *start = parameters;
  return found;
}

// A ring of 2m nodes against two of m.
std::vector<Graph> rings(std::size_t m) {
  const Graph one = cycle(m);
  GraphBuilder builder(2 * m);
  for (const Edge e : one.edges()) {
    builder.add_edge(e.u, e.v);
    builder.add_edge(static_cast<Node>(e.u + m), static_cast<Node>(e.v + m));
  }
  return {cycle(2 * m), std::move(builder).build()};
}

TEST(SpreadStart, MovesGraphsApartThatUsualStartsDoNot) {
  // Rounds that the exact test takes at radius all: each doubles the distance that is known.
  const SeparationOptions options = options_of(pairs::Radius::all(), 5);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) EXPECT_GT(spread(rings(12), options, seed), 1e-5);
}

TEST(SpreadStart, FindsNothingWhereTheExactTestDoesNot) {
  Random random(3);
  const std::vector<Graph> copies = {rook_4x4(), shuffled(rook_4x4(), random)};
  EXPECT_LT(spread(copies, options_of(2, 3), 1), 1e-12);
  EXPECT_LT(spread({rook_4x4(), shrikhande()}, options_of(2, 3), 1), 1e-12);
  EXPECT_LT(spread({decalin(), bicyclopentyl()}, options_of(1, 3), 1), 1e-12);
  EXPECT_EQ(spread({empty_graph(0), empty_graph(0)}, options_of(1, 3), 1), 0);
}

TEST(SpreadStart, FollowsFromTheSeed) {
  const std::vector<Graph> graphs = {decalin(), bicyclopentyl()};
  SeparationOptions options = options_of(1, 8);
  options.model.marks = 1;
  std::vector<double> first, again, other;
  EXPECT_GT(spread(graphs, options, 7, &first), 1e-5);
  spread(graphs, options, 7, &again);
  spread(graphs, options, 8, &other);
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
}

// The values by which channels were chosen are those of the network: it tells pairs apart without any training.
TEST(SpreadStart, IsOfTheNetworkItself) {
  const std::vector<Graph> two = rings(12);
  SeparationOptions options = options_of(pairs::Radius::all(), 3);
  options.plain_tries = 0;
  options.tries = 1;
  options.steps = 1;
  const Separation found = separate_pairs(two, options)[0];
  EXPECT_TRUE(found.is_distinguished);
  EXPECT_GT(std::abs(found.difference), 0.05);
  EXPECT_EQ(found.num_controls, 2);
  EXPECT_EQ(found.num_false, 0);
}

}  // namespace
}  // namespace twofold::train
