#include "twofold/graph/generate_items.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/graph/generate_basic.h"
#include "twofold/graph/generate_regular.h"
#include "twofold/graph/generate_strongly_regular.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::graph {
namespace {

// Whether a simple path of `steps` more edges leads from `v` back to `start`.
bool closes(const Graph& g, Node start, Node v, std::size_t steps, std::vector<bool>& is_used) {
  if (steps == 1) return g.has_edge(v, start);
  for (const Node u : g.neighbors(v)) {
    if (is_used[u]) continue;
    is_used[u] = true;
    const bool found = closes(g, start, u, steps - 1, is_used);
    is_used[u] = false;
    if (found) return true;
  }
  return false;
}

WrittenTarget class_target(std::size_t number) {
  return {WrittenTarget::kInteger, std::to_string(number), static_cast<double>(number)};
}

}  // namespace

std::vector<bool> on_cycle(const Graph& g, std::size_t length) {
  std::vector<bool> result(g.num_nodes()), is_used(g.num_nodes(), false);
  for (Node v = 0; v < g.num_nodes(); ++v) {
    is_used[v] = true;
    result[v] = closes(g, v, v, length, is_used);
    is_used[v] = false;
  }
  return result;
}

Dataset generate_cycle_nodes(const CycleNodesOptions& options, std::uint64_t seed) {
  if (options.length < 3 || options.length > 8)
    throw UsageError(fmt::format("needed a length of the cycle in 3..8, found {}", options.length));
  // A cubic graph has 2^l / (2 l) cycles of length l on average, so some 2^l / 2 nodes are on one.
  const std::size_t usual[] = {8, 12, 22, 44, 88, 176};
  const std::size_t n = options.n == 0 ? usual[options.length - 3] : options.n;
  const Random random(seed);
  Dataset dataset;
  dataset.name = fmt::format("cycle-{}-nodes", options.length);
  std::vector<WrittenTarget> targets;
  for (std::size_t i = 0; i < options.num_graphs; ++i) {
    Random own = random.stream(i);
    dataset.graphs.push_back(random_regular_graph(n, 3, own));
    for (const bool is_on : on_cycle(dataset.graphs.back(), options.length))
      targets.push_back(class_target(is_on ? 1 : 0));
  }
  dataset.node_targets.items = all_nodes(dataset.graphs);
  dataset.node_targets.set(targets);
  return dataset;
}

Dataset generate_block_models(const BlockModelOptions& options, std::uint64_t seed) {
  if (options.blocks < 2 || options.n < 2 * options.blocks)
    throw UsageError(
        fmt::format("needed two blocks or more of two nodes each or more, found {} blocks and {} nodes",
                    options.blocks, options.n));
  for (const double p : {options.within, options.between, options.revealed})
    if (!(p >= 0 && p <= 1)) throw UsageError(fmt::format("needed probabilities from 0 to 1, found {}", p));
  const Random random(seed);
  Dataset dataset;
  dataset.name = "block-model";
  std::vector<WrittenTarget> targets;
  for (std::size_t i = 0; i < options.num_graphs; ++i) {
    Random own = random.stream(i);
    std::vector<Node> order(options.n);
    std::iota(order.begin(), order.end(), Node{0});
    own.shuffle(order);
    std::vector<std::size_t> block(options.n);
    std::vector<Label> labels(options.n, 0);
    for (std::size_t k = 0; k < options.n; ++k) {
      block[order[k]] = k % options.blocks;
      const std::size_t smallest = options.n / options.blocks, dealt = k / options.blocks;
      const auto of_block = static_cast<double>(smallest);
      // Those dealt first.
      if (static_cast<double>(dealt) < std::max(1.0, std::floor(options.revealed * of_block)))
        labels[order[k]] = static_cast<Label>(k % options.blocks + 1);
    }
    GraphBuilder builder(options.n);
    for (Node u = 0; u < options.n; ++u)
      for (Node v = u + 1; v < options.n; ++v)
        if (own.chance(block[u] == block[v] ? options.within : options.between)) builder.add_edge(u, v);
    for (std::size_t v = 0; v < options.n; ++v)
      targets.push_back(labels[v] > 0 ? WrittenTarget{} : class_target(block[v]));
    builder.set_node_labels(std::move(labels));
    dataset.graphs.push_back(std::move(builder).build());
  }
  dataset.node_targets.items = all_nodes(dataset.graphs);
  dataset.node_targets.set(targets);
  return dataset;
}

Dataset generate_srg_links(const SrgLinksOptions& options, std::uint64_t seed) {
  const std::vector<Graph> pieces = {paley_graph(13), triangular_graph(5), rook_graph(4)};
  const std::size_t common[] = {3, 4, 2};
  constexpr std::size_t kFewest = 15;
  if (options.pairs < 1 || options.pairs > kFewest)
    throw UsageError(fmt::format("needed 1..{} pairs of each piece, found {}", kFewest, options.pairs));
  const Graph whole = disjoint_union(pieces);
  const Random random(seed);
  Dataset dataset;
  dataset.name = "srg-links";
  std::vector<WrittenTarget> targets;
  for (std::size_t i = 0; i < options.num_graphs; ++i) {
    Random own = random.stream(i);
    std::vector<Node> name(whole.num_nodes());
    std::iota(name.begin(), name.end(), Node{0});
    own.shuffle(name);
    dataset.graphs.push_back(relabeled(whole, name));
    Node first = 0;
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      std::vector<Edge> apart = complement(pieces[p]).edges();
      own.shuffle(apart);
      for (std::size_t k = 0; k < options.pairs; ++k) {
        const Node u = name[first + apart[k].u], v = name[first + apart[k].v];
        dataset.pair_targets.items.push_back({static_cast<std::uint32_t>(i), std::min(u, v), std::max(u, v)});
        targets.push_back(class_target(common[p]));
      }
      first += static_cast<Node>(pieces[p].num_nodes());
    }
  }
  dataset.pair_targets.set(targets);
  return dataset;
}

}  // namespace twofold::graph
