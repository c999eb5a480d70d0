#include "twofold/graph/link_split.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/graph/removal.h"

namespace twofold::graph {
namespace {

// Pairs that are no edge, none twice.
class Negatives {
 public:
  Negatives(const Graph& g, Random random) : graph_(g), random_(random) {}

  Edge draw() {
    for (;;) {
      const auto u = static_cast<Node>(random_.below(graph_.num_nodes()));
      const auto v = static_cast<Node>(random_.below(graph_.num_nodes()));
      const Edge pair{std::min(u, v), std::max(u, v)};
      if (u == v || graph_.has_edge(u, v) || !drawn_.emplace(pair.u, pair.v).second) continue;
      return pair;
    }
  }

 private:
  const Graph& graph_;
  Random random_;
  std::set<std::pair<Node, Node>> drawn_;
};

void require_enough(const Dataset& dataset, std::size_t index, const LinkSplitOptions& options) {
  constexpr std::size_t kFewestEdges = 20;
  const Graph& g = dataset.graphs[index];
  const std::size_t m = g.num_edges(), n = g.num_nodes();
  if (m < kFewestEdges * options.parts)
    throw InputError(fmt::format("{}: graph {}: needed {} edges or more to hold some out, found {}",
                                 dataset.name, index + 1, kFewestEdges * options.parts, m));
  // Drawing goes on until it finds one: most pairs must be none.
  if (n * (n - 1) / 2 < 4 * m)
    throw InputError(
        fmt::format("{}: graph {}: needed three pairs that are no edge for every edge, found {} of {}",
                    dataset.name, index + 1, n * (n - 1) / 2 - m, m));
}

class LinkSplitter {
 public:
  LinkSplitter(const Dataset& dataset, const LinkSplitOptions& options)
      : dataset_(dataset), options_(options) {}

  LinkSplit split() {
    made_.dataset.name = dataset_.name;
    made_.folds.resize(options_.folds);
    const Random random(options_.seed);
    for (std::size_t f = 0; f < options_.folds; ++f)
      for (std::size_t g = 0; g < dataset_.graphs.size(); ++g)
        split_graph(dataset_.graphs[g], random.stream(f).stream(g), made_.folds[f]);
    made_.dataset.pair_targets.set(targets_);
    return std::move(made_);
  }

 private:
  void split_graph(const Graph& g, const Random& random, LinkFold& fold) {
    const std::vector<Edge> edges = g.edges();
    std::vector<std::uint32_t> order(edges.size());
    for (std::size_t e = 0; e < order.size(); ++e) order[e] = static_cast<std::uint32_t>(e);
    random.stream(0).shuffle(order);
    const auto m = static_cast<double>(edges.size());
    const auto tested = static_cast<std::size_t>(std::floor(options_.test * m));
    const auto validated = static_cast<std::size_t>(std::floor(options_.validation * m));
    const std::vector<std::uint32_t> test(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(tested));
    const std::vector<std::uint32_t> validation(
        order.begin() + static_cast<std::ptrdiff_t>(tested),
        order.begin() + static_cast<std::ptrdiff_t>(tested + validated));
    std::vector<std::vector<std::uint32_t>> parts(options_.parts);
    for (std::size_t i = tested + validated; i < order.size(); ++i)
      parts[i % options_.parts].push_back(order[i]);

    std::vector<bool> is_held(g.num_edges() + g.num_self_loops(), false);
    for (const std::uint32_t e : test) is_held[e] = true;
    for (const std::uint32_t e : validation) is_held[e] = true;
    const Graph training = without_edges(g, is_held);
    Negatives training_negatives(training, random.stream(1)), held_negatives(g, random.stream(2));
    for (const std::vector<std::uint32_t>& part : parts) {
      std::vector<bool> is_gone = is_held;
      for (const std::uint32_t e : part) is_gone[e] = true;
      made_.dataset.graphs.push_back(without_edges(g, is_gone));
      ask(edges, part, training_negatives, fold.train);
    }
    made_.dataset.graphs.push_back(training);
    ask(edges, validation, held_negatives, fold.validation);
    ask(edges, test, held_negatives, fold.test);
  }

  // About edges in the last graph, and about as many pairs that are none.
  void ask(const std::vector<Edge>& edges, const std::vector<std::uint32_t>& asked, Negatives& negatives,
           std::vector<std::uint32_t>& to) {
    const auto graph = static_cast<std::uint32_t>(made_.dataset.graphs.size() - 1);
    const auto add = [&](Edge pair, const char* name, double value) {
      to.push_back(static_cast<std::uint32_t>(targets_.size()));
      made_.dataset.pair_targets.items.push_back({graph, pair.u, pair.v});
      targets_.push_back({WrittenTarget::kInteger, name, value});
    };
    for (const std::uint32_t e : asked) add(edges[e], "1", 1);
    for (std::size_t i = 0; i < asked.size(); ++i) add(negatives.draw(), "0", 0);
  }

  const Dataset& dataset_;
  const LinkSplitOptions& options_;
  LinkSplit made_;
  std::vector<WrittenTarget> targets_;
};

}  // namespace

LinkSplit hold_out_links(const Dataset& dataset, const LinkSplitOptions& options) {
  TWOFOLD_CHECK(options.parts >= 1 && options.folds >= 1);
  if (!(options.validation > 0 && options.test > 0 && options.validation + options.test < 0.9))
    throw UsageError(
        fmt::format("needed shares of links to hold out above 0 and together below 0.9, found {} and {}",
                    options.validation, options.test));
  for (std::size_t g = 0; g < dataset.graphs.size(); ++g) require_enough(dataset, g, options);
  return LinkSplitter(dataset, options).split();
}

}  // namespace twofold::graph
