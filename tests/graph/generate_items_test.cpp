#include "twofold/graph/generate_items.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "twofold/base/error.h"
#include "twofold/graph/generate_basic.h"
#include "twofold/graph/generate_random.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/graph/link_split.h"

namespace twofold::graph {
namespace {

TEST(GenerateItems, KnowsWhichNodesAreOnACycle) {
  for (std::size_t length = 3; length <= 8; ++length) {
    // A cycle with a tail.
    GraphBuilder builder(length + 1);
    for (std::size_t v = 0; v < length; ++v)
      builder.add_edge(static_cast<Node>(v), static_cast<Node>((v + 1) % length));
    builder.add_edge(0, static_cast<Node>(length));
    const Graph g = std::move(builder).build();
    for (std::size_t other = 3; other <= 8; ++other) {
      const std::vector<bool> found = on_cycle(g, other);
      for (std::size_t v = 0; v < length; ++v) EXPECT_EQ(found[v], other == length);
      EXPECT_FALSE(found[length]);
    }
  }
}

TEST(GenerateItems, MakesDatasetsThatCheckTheSameForTheSameSeed) {
  for (std::size_t length = 3; length <= 6; ++length) {
    CycleNodesOptions how;
    how.length = length;
    const Dataset made = generate_cycle_nodes(how, 5);
    made.check();
    EXPECT_TRUE(made == generate_cycle_nodes(how, 5));
    const auto ones = std::count(made.node_targets.class_of.begin(), made.node_targets.class_of.end(), 1u);
    const double share = static_cast<double>(ones) / static_cast<double>(made.node_targets.items.size());
    EXPECT_GT(share, 0.3) << length;
    EXPECT_LT(share, 0.7) << length;
  }
  const Dataset blocks = generate_block_models();
  blocks.check();
  EXPECT_EQ(blocks.node_targets.class_names, (std::vector<std::string>{"0", "1", "2"}));
  for (std::size_t i = 0; i < blocks.node_targets.items.size(); ++i) {
    const Item item = blocks.node_targets.items[i];
    EXPECT_EQ(blocks.node_targets.is_known(i), blocks.graphs[item.graph].node_labels()[item.u] == 0);
  }
  const Dataset links = generate_srg_links();
  links.check();
  for (std::size_t i = 0; i < links.pair_targets.items.size(); ++i) {
    const Item item = links.pair_targets.items[i];
    const Graph& g = links.graphs[item.graph];
    EXPECT_FALSE(g.has_edge(item.u, item.v));
    std::vector<Node> both;
    std::set_intersection(g.neighbors(item.u).begin(), g.neighbors(item.u).end(), g.neighbors(item.v).begin(),
                          g.neighbors(item.v).end(), std::back_inserter(both));
    EXPECT_EQ(std::to_string(both.size()), links.pair_targets.class_names[links.pair_targets.class_of[i]]);
  }
}

TEST(GenerateItems, RefusesWhatDoesNotExist) {
  CycleNodesOptions cycles;
  cycles.length = 2;
  EXPECT_THROW(generate_cycle_nodes(cycles), UsageError);
  cycles = {};
  cycles.n = 7;
  EXPECT_THROW(generate_cycle_nodes(cycles), UsageError);
  BlockModelOptions blocks;
  blocks.blocks = 1;
  EXPECT_THROW(generate_block_models(blocks), UsageError);
  SrgLinksOptions links;
  links.pairs = 16;
  EXPECT_THROW(generate_srg_links(links), UsageError);
}

Dataset one_graph(std::size_t n, double p) {
  RandomGraphsOptions how;
  how.n = n;
  how.edge_probability = p;
  how.num_graphs = 1;
  return generate_random(how, 8);
}

TEST(LinkSplit, NoEdgeThatIsAskedAboutIsInTheGraphItIsAskedIn) {
  const Dataset dataset = one_graph(200, 0.03);
  const Graph& whole = dataset.graphs[0];
  LinkSplitOptions how;
  how.folds = 3;
  const LinkSplit split = hold_out_links(dataset, how);
  split.dataset.check();
  ASSERT_EQ(split.folds.size(), 3u);
  ASSERT_EQ(split.dataset.graphs.size(), 18u);
  for (std::size_t f = 0; f < 3; ++f) {
    const LinkFold& fold = split.folds[f];
    std::set<std::pair<Node, Node>> held, seen;
    const auto visit = [&](const std::vector<std::uint32_t>& part, bool is_held) {
      for (const std::uint32_t i : part) {
        const Item item = split.dataset.pair_targets.items[i];
        EXPECT_EQ(item.graph / 6, f);
        EXPECT_FALSE(split.dataset.graphs[item.graph].has_edge(item.u, item.v));
        const bool is_edge = split.dataset.pair_targets.class_of[i] == 1;
        // Training knows nothing of what is held out, not even that a pair drawn is one.
        if (is_edge || is_held) {
          EXPECT_EQ(whole.has_edge(item.u, item.v), is_edge);
        }
        if (is_edge && is_held) held.emplace(item.u, item.v);
        if (is_edge) {
          EXPECT_TRUE(seen.emplace(item.u, item.v).second) << "asked twice";
        }
      }
    };
    visit(fold.validation, true);
    visit(fold.test, true);
    visit(fold.train, false);
    // Every edge is asked about once; those held out are in no graph of the fold.
    EXPECT_EQ(seen.size(), whole.num_edges());
    EXPECT_EQ(fold.test.size(), 2 * (whole.num_edges() / 10));
    for (std::size_t g = 6 * f; g < 6 * f + 6; ++g)
      for (const auto& [u, v] : held) EXPECT_FALSE(split.dataset.graphs[g].has_edge(u, v));
    EXPECT_EQ(split.dataset.graphs[6 * f + 5].num_edges() + held.size(), whole.num_edges());
  }
  EXPECT_TRUE(split.dataset == hold_out_links(dataset, how).dataset);
}

TEST(LinkSplit, RefusesGraphsWithTooFewEdgesOrTooManyAndSharesOfNothing) {
  EXPECT_THROW(hold_out_links(one_graph(20, 0.2)), InputError);
  Dataset dense;
  dense.graphs = {complete_graph(40)};
  EXPECT_THROW(hold_out_links(dense), InputError);
  LinkSplitOptions how;
  how.test = 0.95;
  EXPECT_THROW(hold_out_links(one_graph(200, 0.03), how), UsageError);
}

}  // namespace
}  // namespace twofold::graph
