#include "twofold/graph/generate_cfi.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/graph/generate_basic.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::graph {
namespace {

constexpr std::size_t kMaxCfiEdges = std::size_t{1} << 27;

// Where the nodes of each base node's gadget stand.
struct Gadget {
  std::size_t first_subset = 0;     // then the 2^(degree-1) subset nodes
  std::size_t first_end = 0;        // then end 0 and end 1 of each edge, in the order of the neighbors
  std::vector<std::uint32_t> even;  // the even subsets as bits over the neighbors' positions
};

struct Layout {
  std::vector<Gadget> gadgets;
  std::size_t num_nodes = 0;
};

bool is_even(std::uint32_t bits) {
  bool even = true;
  for (; bits != 0; bits &= bits - 1) even = !even;
  return even;
}

// Sizes grow with 2^degree, so they are looked at before anything is allocated.
void check_size(const Graph& base, CfiForm form) {
  double num_edges = 0;
  if (form == CfiForm::kCompact)
    for (const Edge e : base.edges())
      num_edges += std::ldexp(0.125, static_cast<int>(base.degree(e.u) + base.degree(e.v)));
  else
    for (Node v = 0; v < base.num_nodes(); ++v) {
      const std::size_t degree = base.degree(v);
      num_edges += static_cast<double>(degree) * (1 + std::ldexp(0.5, static_cast<int>(degree)));
    }
  if (num_edges > kMaxCfiEdges)
    throw UsageError(
        fmt::format("a CFI graph needs a base that makes at most {} edges, found one that makes {:.4g}",
                    kMaxCfiEdges, num_edges));
}

Layout lay_out(const Graph& base, CfiForm form) {
  Layout layout;
  layout.gadgets.resize(base.num_nodes());
  for (Node v = 0; v < base.num_nodes(); ++v) {
    Gadget& gadget = layout.gadgets[v];
    const std::size_t degree = base.degree(v);
    for (std::uint32_t bits = 0; bits < (std::uint32_t{1} << degree); ++bits)
      if (is_even(bits)) gadget.even.push_back(bits);
    gadget.first_subset = layout.num_nodes;
    layout.num_nodes += gadget.even.size();
    gadget.first_end = layout.num_nodes;
    if (form == CfiForm::kGadgets) layout.num_nodes += 2 * degree;
  }
  return layout;
}

// The position of u among v's neighbors.
std::size_t position(const Graph& g, Node v, Node u) {
  const auto neighbors = g.neighbors(v);
  std::size_t i = 0;
  while (neighbors[i] != u) ++i;
  return i;
}

std::vector<Label> gadget_labels(const Graph& base, const Layout& layout) {
  std::vector<Label> labels(layout.num_nodes);
  auto next_pair = static_cast<Label>(base.num_nodes());
  for (Node v = 0; v < base.num_nodes(); ++v) {
    const Gadget& gadget = layout.gadgets[v];
    for (std::size_t i = 0; i < gadget.even.size(); ++i)
      labels[gadget.first_subset + i] = static_cast<Label>(v);
    const std::size_t end = v + 1 < base.num_nodes() ? layout.gadgets[v + 1].first_subset : layout.num_nodes;
    for (std::size_t i = gadget.first_end; i < end; i += 2) {
      labels[i] = next_pair;
      labels[i + 1] = next_pair++;
    }
  }
  return labels;
}

}  // namespace

Graph cfi_graph(const Graph& base, Span<const std::uint32_t> twisted_edges, const CfiOptions& options) {
  if (base.num_edges() == 0 || base.num_self_loops() > 0 || !is_connected(base))
    throw UsageError(fmt::format(
        "a CFI graph needs a connected base with an edge and no self-loop, found {} nodes, {} edges, {} "
        "self-loops{}",
        base.num_nodes(), base.num_edges(), base.num_self_loops(), is_connected(base) ? "" : ", disconnected"));
  const auto edges = base.edges();
  std::vector<bool> is_twisted(edges.size());
  for (const std::uint32_t edge : twisted_edges) {
    if (edge >= edges.size())
      throw UsageError(fmt::format("needed an edge of the base in 0..{}, found {}", edges.size() - 1, edge));
    is_twisted[edge] = !is_twisted[edge];
  }

  check_size(base, options.form);
  const Layout layout = lay_out(base, options.form);
  GraphBuilder builder(layout.num_nodes);
  const auto join = [&](std::size_t a, std::size_t b) {
    builder.add_edge(static_cast<Node>(a), static_cast<Node>(b));
  };
  if (options.form == CfiForm::kGadgets)
    for (Node v = 0; v < base.num_nodes(); ++v) {
      const Gadget& gadget = layout.gadgets[v];
      for (std::size_t s = 0; s < gadget.even.size(); ++s)
        for (std::size_t i = 0; i < base.degree(v); ++i)
          join(gadget.first_subset + s, gadget.first_end + 2 * i + (gadget.even[s] >> i & 1));
    }
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    const auto [u, v] = edges[edge];
    const Gadget& at_u = layout.gadgets[u];
    const Gadget& at_v = layout.gadgets[v];
    const std::size_t i = position(base, u, v);
    const std::size_t j = position(base, v, u);
    const std::uint32_t twist = is_twisted[edge] ? 1 : 0;
    if (options.form == CfiForm::kGadgets) {
      for (const std::size_t end : {0, 1})
        join(at_u.first_end + 2 * i + end, at_v.first_end + 2 * j + (end ^ twist));
    } else {
      for (std::size_t s = 0; s < at_u.even.size(); ++s)
        for (std::size_t t = 0; t < at_v.even.size(); ++t)
          if (((at_u.even[s] >> i ^ at_v.even[t] >> j) & 1) == twist)
            join(at_u.first_subset + s, at_v.first_subset + t);
    }
  }
  if (options.colored) builder.set_node_labels(gadget_labels(base, layout));
  return std::move(builder).build();
}

CfiPair cfi_pair(const Graph& base, const CfiOptions& options) {
  return {cfi_graph(base, {}, options), cfi_graph(base, std::vector<std::uint32_t>{0}, options)};
}

Dataset generate_cfi(Span<const Graph> bases, const CfiOptions& options) {
  Dataset dataset;
  dataset.name = "cfi";
  std::vector<std::string> classes;
  for (const Graph& base : bases) {
    CfiPair pair = cfi_pair(base, options);
    dataset.graphs.push_back(std::move(pair.untwisted));
    dataset.graphs.push_back(std::move(pair.twisted));
    classes.insert(classes.end(), {"0", "1"});
  }
  dataset.set_classes(classes);
  return dataset;
}

}  // namespace twofold::graph
