#include "twofold/graph/cycle_counts.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/graph/cycle_core.h"

namespace twofold::graph {
namespace {

// The value of 1 or 2 digits, or -1.
int small_number(const std::string& text) {
  if (text.empty() || text.size() > 2 || text.find_first_not_of("0123456789") != std::string::npos) return -1;
  return std::atoi(text.c_str());
}

bool is_allowed(CycleLengths lengths) {
  return 3 <= lengths.shortest && lengths.shortest <= lengths.longest && lengths.longest <= kLongestCycle;
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b, int length) {
  std::uint64_t result = 0;
  if (__builtin_add_overflow(a, b, &result))
    throw Error(fmt::format("the cycles of length {} are more than 64 bits can count", length));
  return result;
}

// at_node and in_graph from at_edge: a cycle at a node has two of its edges, a cycle of length L has L in all.
void add_up_edges(const Graph& g, CycleCounts& counts) {
  const std::size_t width = counts.lengths.count();
  counts.in_graph.assign(width, 0);
  counts.at_node.assign(g.num_nodes() * width, 0);
  std::size_t edge = 0;
  for (const Edge e : g.edges()) {
    for (std::size_t i = 0; i < width; ++i) {
      const int length = counts.lengths.shortest + static_cast<int>(i);
      const std::uint64_t here = counts.at_edge[edge * width + i];
      counts.in_graph[i] = sum(counts.in_graph[i], here, length);
      for (const Node v : {e.u, e.v})
        counts.at_node[v * width + i] = sum(counts.at_node[v * width + i], here, length);
    }
    ++edge;
  }
  for (std::uint64_t& number : counts.at_node) number /= 2;
  for (std::size_t i = 0; i < width; ++i)
    counts.in_graph[i] /= static_cast<std::uint64_t>(counts.lengths.shortest) + i;
}

// Tells a Progress about finished edges, whichever thread finished them.
class EdgeMeter {
 public:
  EdgeMeter(const Progress& progress, std::uint64_t total) : progress_(progress), total_(total) {}
  void add(std::uint64_t edges) {
    if (!progress_) return;
    const std::lock_guard<std::mutex> lock(guard_);
    progress_(done_ += edges, total_);
  }

 private:
  const Progress& progress_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::mutex guard_;
};

CycleCounts count_with_meter(const Graph& g, CycleLengths lengths, int threads, EdgeMeter& meter) {
  CycleCounts counts;
  counts.lengths = lengths;
  counts.at_edge.assign(g.num_edges() * lengths.count(), 0);
  const CycleCore core(g);
  std::vector<std::unique_ptr<CycleWalker>> walkers(static_cast<std::size_t>(resolve_threads(threads)));
  parallel_for_workers(core.num_nodes(), threads, [&](std::size_t root, int worker) {
    auto& walker = walkers[static_cast<std::size_t>(worker)];
    if (!walker) walker = std::make_unique<CycleWalker>(core, lengths);
    walker->count_at(static_cast<Node>(root), counts.at_edge);
    meter.add(core.num_edges_of_root(static_cast<Node>(root)));
  });
  meter.add(g.num_edges() - core.num_edges());
  add_up_edges(g, counts);
  return counts;
}

}  // namespace

CycleLengths parse_cycle_lengths(const std::string& text) {
  const std::size_t dash = text.find('-');
  CycleLengths lengths;
  lengths.shortest = small_number(text.substr(0, dash));
  lengths.longest = dash == std::string::npos ? lengths.shortest : small_number(text.substr(dash + 1));
  if (!is_allowed(lengths))
    throw UsageError(fmt::format("needed cycle lengths from 3 to {}, as in 5 or 3-7, found {}", kLongestCycle,
                                 in_quotes(text)));
  return lengths;
}

void CycleCounts::check(const Graph& g) const {
  const std::size_t width = lengths.count();
  TWOFOLD_CHECK(in_graph.size() == width && at_node.size() == g.num_nodes() * width &&
                at_edge.size() == g.num_edges() * width);
  std::vector<std::uint64_t> edges_at_node(at_node.size(), 0);
  std::vector<std::uint64_t> nodes(width, 0);
  std::vector<std::uint64_t> edges(width, 0);
  std::size_t number = 0;
  for (const Edge e : g.edges()) {
    for (std::size_t i = 0; i < width; ++i) {
      edges[i] += of_edge(number)[i];
      edges_at_node[e.u * width + i] += of_edge(number)[i];
      edges_at_node[e.v * width + i] += of_edge(number)[i];
    }
    ++number;
  }
  for (Node v = 0; v < g.num_nodes(); ++v)
    for (std::size_t i = 0; i < width; ++i) {
      nodes[i] += of_node(v)[i];
      TWOFOLD_CHECK(edges_at_node[v * width + i] == 2 * of_node(v)[i], "node {}", v);
    }
  for (std::size_t i = 0; i < width; ++i) {
    const std::uint64_t expected = (static_cast<std::uint64_t>(lengths.shortest) + i) * in_graph[i];
    TWOFOLD_CHECK(nodes[i] == expected && edges[i] == expected, "length {}",
                  lengths.shortest + static_cast<int>(i));
  }
}

CycleCounts count_cycles(const Graph& g, CycleLengths lengths, const CountCyclesOptions& options) {
  return std::move(count_cycles(Span<const Graph>(&g, 1), lengths, options).front());
}

std::vector<CycleCounts> count_cycles(Span<const Graph> graphs, CycleLengths lengths,
                                      const CountCyclesOptions& options) {
  if (!is_allowed(lengths))
    throw UsageError(fmt::format("needed cycle lengths from 3 to {}, found {} to {}", kLongestCycle,
                                 lengths.shortest, lengths.longest));
  std::uint64_t num_edges = 0;
  for (const Graph& g : graphs) num_edges += g.num_edges();
  EdgeMeter meter(options.progress, num_edges);
  std::vector<CycleCounts> counts(graphs.size());
  const auto count_one = [&](std::size_t g, int threads) {
    counts[g] = count_with_meter(graphs[g], lengths, threads, meter);
  };
  // Loops within loops run serially: many graphs are shared out, one graph is shared out by its nodes.
  if (graphs.size() == 1)
    count_one(0, options.threads);
  else
    parallel_for(graphs.size(), options.threads, [&](std::size_t g) { count_one(g, 1); });
  return counts;
}

}  // namespace twofold::graph
