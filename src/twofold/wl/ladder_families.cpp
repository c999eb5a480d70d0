#include "twofold/wl/ladder_families.h"

#include "twofold/graph/generate.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::wl {
namespace {

using graph::CfiForm;
using graph::CfiOptions;

void add_pair(LadderFamily& family, Graph a, Graph b) {
  family.graphs.push_back(std::move(a));
  family.graphs.push_back(std::move(b));
}

void add_all_pairs(LadderFamily& family, const std::vector<Graph>& graphs) {
  for (std::size_t b = 0; b < graphs.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) add_pair(family, graphs[a], graphs[b]);
}

LadderFamily rings() {
  LadderFamily family{"rings", {}};
  for (std::size_t m = 3; m <= 26; ++m)
    add_pair(family, graph::cycle_graph(2 * m), graph::union_of_cycles(std::vector<std::size_t>{m, m}));
  return family;
}

// A ring of 2 (m - 1) nodes with a chord that makes two rings of m; two rings of m - 1 with an edge between
// them.
LadderFamily fused_rings() {
  LadderFamily family{"fused", {}};
  for (Node m = 4; m <= 13; ++m) {
    const Node half = m - 1;
    GraphBuilder fused(std::size_t{2} * half);
    GraphBuilder joined(std::size_t{2} * half);
    for (Node i = 0; i < half; ++i) {
      const Node next = (i + 1) % half;
      joined.add_edge(i, next);
      joined.add_edge(half + i, half + next);
    }
    for (Node i = 0; i < 2 * half; ++i) fused.add_edge(i, (i + 1) % (2 * half));
    fused.add_edge(0, half);
    joined.add_edge(0, half);
    add_pair(family, std::move(fused).build(), std::move(joined).build());
  }
  return family;
}

LadderFamily skip_links() {
  LadderFamily family{"csl", {}};
  const graph::SkipLinksOptions known;
  std::vector<Graph> graphs;
  for (const std::size_t skip : known.skips) graphs.push_back(graph::circular_skip_link_graph(known.n, skip));
  add_all_pairs(family, graphs);
  return family;
}

// The points of the affine plane over the integers mod p, adjacent iff the line through them is parallel to one
// of these: (1, s) for a slope s, and (0, 1). Strongly regular, as Paley's graph of p² nodes is if there are
// (p + 1) / 2 directions in all.
Graph net_graph(Node p, const std::vector<Node>& slopes) {
  GraphBuilder builder(std::size_t{p} * p);
  for (Node x = 0; x < p; ++x)
    for (Node y = 0; y < p; ++y)
      for (Node step = 1; step < p; ++step) {
        builder.add_edge(x * p + y, x * p + (y + step) % p);
        for (const Node s : slopes) builder.add_edge(x * p + y, (x + step) % p * p + (y + s * step) % p);
      }
  return std::move(builder).build();
}

LadderFamily strongly_regular() {
  LadderFamily family{"srg", {}};
  add_all_pairs(family, {graph::triangular_graph(8), graph::chang_graph(1), graph::chang_graph(2),
                         graph::chang_graph(3)});
  // Of no group: it has a subsquare of order 2. (25, 12, 5, 6), as Paley's graph.
  const std::vector<std::size_t> loop = {0, 1, 2, 3, 4, 1, 0, 3, 4, 2, 2, 4, 0,
                                         1, 3, 3, 2, 4, 0, 1, 4, 3, 1, 2, 0};
  add_pair(family, graph::paley_graph(25), graph::latin_square_graph(5, loop));
  // The directions of Paley's graph have the cross-ratio -1, these 3: not -1, 2 or 1/2 mod 7.
  add_pair(family, graph::paley_graph(49), net_graph(7, {0, 1, 3}));
  for (const std::size_t q : {4u, 8u})
    add_pair(family, graph::latin_square_graph(q, graph::cyclic_latin_square(q)),
             graph::latin_square_graph(q, graph::boolean_latin_square(q)));
  return family;
}

Graph complete_bipartite(Node a, Node b) {
  GraphBuilder builder(a + b);
  for (Node u = 0; u < a; ++u)
    for (Node v = 0; v < b; ++v) builder.add_edge(u, a + v);
  return std::move(builder).build();
}

LadderFamily cfi() {
  LadderFamily family{"cfi", {}};
  const auto add = [&](const Graph& base, CfiForm form) {
    CfiOptions options;
    options.form = form;
    graph::CfiPair pair = graph::cfi_pair(base, options);
    add_pair(family, std::move(pair.untwisted), std::move(pair.twisted));
  };
  add(graph::cycle_graph(3), CfiForm::kGadgets);
  add(graph::complete_graph(4), CfiForm::kGadgets);
  add(graph::complete_graph(4), CfiForm::kCompact);
  add(complete_bipartite(3, 3), CfiForm::kCompact);
  add(graph::hyperloop_graph(3, 1), CfiForm::kCompact);
  add(graph::hyperloop_graph(4, 1), CfiForm::kCompact);
  add(graph::grid_graph(3, 3), CfiForm::kGadgets);
  add(graph::complete_graph(5), CfiForm::kCompact);
  return family;
}

LadderFamily regular(std::size_t n, std::size_t degree, std::uint64_t seed) {
  graph::RegularOptions options;
  options.n = n;
  options.degree = degree;
  options.connected = true;
  options.num_graphs = 40;
  return {"regular-" + std::to_string(degree), graph::generate_regular(options, seed).graphs};
}

}  // namespace

std::vector<LadderFamily> ladder_families(std::uint64_t seed) {
  std::vector<LadderFamily> families = {rings(), fused_rings(), skip_links()};
  families.push_back({"rook", {graph::rook_graph(4), graph::shrikhande_graph()}});
  families.push_back(strongly_regular());
  families.push_back(cfi());
  families.push_back(regular(20, 3, seed));
  families.push_back(regular(24, 4, seed));
  families.push_back({"siamese", graph::generate_siamese().graphs});
  return families;
}

}  // namespace twofold::wl
