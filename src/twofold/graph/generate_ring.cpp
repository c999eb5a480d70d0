#include "twofold/graph/generate_ring.h"

#include <algorithm>
#include <string>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/graph/generate_basic.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::graph {
namespace {

// Appends to `found` every descending list of `parts` numbers in 3…largest with this sum behind `begun`, in
// descending order.
void append_partitions(std::size_t sum, std::size_t parts, std::size_t largest, std::vector<std::size_t>& begun,
                       std::vector<std::vector<std::size_t>>& found) {
  if (parts == 0) {
    if (sum == 0) found.push_back(begun);
    return;
  }
  if (sum < 3 * parts) return;
  for (std::size_t part = std::min(largest, sum - 3 * (parts - 1)); part >= 3 && part * parts >= sum; --part) {
    begun.push_back(part);
    append_partitions(sum - part, parts - 1, part, begun, found);
    begun.pop_back();
  }
}

}  // namespace

Graph union_of_cycles(Span<const std::size_t> lengths) {
  std::size_t n = 0;
  for (const std::size_t length : lengths) {
    if (length < 3) throw UsageError(fmt::format("a cycle needs at least 3 nodes, found {}", length));
    n += length;
  }
  GraphBuilder builder(n);
  builder.reserve_edges(n);
  Node first = 0;
  for (const std::size_t length : lengths) {
    const auto size = static_cast<Node>(length);
    for (Node i = 0; i < size; ++i) builder.add_edge(first + i, first + (i + 1) % size);
    first += size;
  }
  return std::move(builder).build();
}

Graph hyperloop_graph(std::size_t ring, std::size_t dimension) {
  if (ring < 3) throw UsageError(fmt::format("a hyperloop needs a ring of at least 3 nodes, found {}", ring));
  if (dimension > 31)
    throw UsageError(fmt::format("a hyperloop has at most dimension 31, found {}", dimension));
  const std::size_t corners = std::size_t{1} << dimension;
  GraphBuilder builder(ring * corners);
  builder.reserve_edges(ring * corners * (2 + dimension) / 2);
  for (std::size_t i = 0; i < ring; ++i)
    for (std::size_t x = 0; x < corners; ++x) {
      const auto v = static_cast<Node>(i * corners + x);
      builder.add_edge(v, static_cast<Node>((i + 1) % ring * corners + x));
      for (std::size_t bit = 1; bit < corners; bit *= 2)
        if ((x & bit) == 0) builder.add_edge(v, static_cast<Node>(v + bit));
    }
  return std::move(builder).build();
}

Graph circular_skip_link_graph(std::size_t n, std::size_t skip) {
  if (skip < 2 || skip >= n || 2 * skip >= n)
    throw UsageError(
        fmt::format("a ring of {} nodes needs a skip of at least 2 and below {}/2, found {}", n, n, skip));
  GraphBuilder builder(n);
  builder.reserve_edges(2 * n);
  for (std::size_t v = 0; v < n; ++v) {
    builder.add_edge(static_cast<Node>(v), static_cast<Node>((v + 1) % n));
    builder.add_edge(static_cast<Node>(v), static_cast<Node>((v + skip) % n));
  }
  return std::move(builder).build();
}

Dataset generate_cycles(const CyclesOptions& options, std::uint64_t seed) {
  if (options.n < 3) throw UsageError(fmt::format("a cycle needs at least 3 nodes, found {}", options.n));
  if (options.max_components == 0) throw UsageError("needed graphs of at least 1 cycle, found 0");
  std::vector<Graph> graphs;
  std::vector<std::string> classes;
  for (std::size_t parts = 1; parts <= std::min(options.max_components, options.n / 3); ++parts) {
    std::vector<std::vector<std::size_t>> partitions;
    std::vector<std::size_t> begun;
    append_partitions(options.n, parts, options.n, begun, partitions);
    for (const auto& lengths : partitions) {
      graphs.push_back(union_of_cycles(lengths));
      classes.push_back(std::to_string(parts));
    }
  }
  return renamed_copies("cycles", graphs, classes, options.copies, seed);
}

Dataset generate_hyperloop(const HyperloopOptions& options) {
  const std::size_t n = options.n;
  if (options.degree < 2 || options.degree > 33)
    throw UsageError(fmt::format("a hyperloop needs a degree in 2..33, found {}", options.degree));
  const std::size_t dimension = options.degree - 2;
  const std::size_t corners = std::size_t{1} << dimension;
  if (n < 6 * corners || n % (2 * corners) != 0)
    throw UsageError(
        fmt::format("a hyperloop of degree {} that can be cut in two needs {} times an even number from 6 on "
                    "as nodes, found {}",
                    options.degree, corners, n));
  const std::size_t ring = n / corners;
  const Graph whole = hyperloop_graph(ring, dimension);
  const Graph half = hyperloop_graph(ring / 2, dimension);
  const Graph cut = disjoint_union(std::vector<Graph>{half, half});
  Dataset dataset;
  dataset.name = "hyperloop";
  std::vector<std::string> classes;
  for (std::size_t i = 0; i < options.num_graphs; ++i) {
    const bool is_cut = i >= (options.num_graphs + 1) / 2;
    dataset.graphs.push_back(is_cut ? cut : whole);
    classes.push_back(is_cut ? "1" : "0");
  }
  dataset.set_classes(classes);
  return dataset;
}

Dataset generate_skip_links(const SkipLinksOptions& options, std::uint64_t seed) {
  if (options.skips.empty()) throw UsageError("needed at least one skip, found none");
  std::vector<Graph> graphs;
  std::vector<std::string> classes;
  for (std::size_t i = 0; i < options.skips.size(); ++i) {
    const std::size_t skip = options.skips[i];
    if (std::count(options.skips.begin(), options.skips.end(), skip) > 1)
      throw UsageError(fmt::format("needed different skips, found {} twice", skip));
    graphs.push_back(circular_skip_link_graph(options.n, skip));
    classes.push_back(std::to_string(skip));
  }
  return renamed_copies("csl", graphs, classes, options.copies, seed);
}

}  // namespace twofold::graph
