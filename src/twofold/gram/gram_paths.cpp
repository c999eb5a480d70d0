// wl-sp: K(x,y) = Σ over rounds, colors a, b and distances d of the ordered vertex pairs (a, b, d) in x times
// those in y.
//
// A combination in which a color of one graph alone takes part counts on the diagonal only; the others are
// collected as (a, b, d, graph, count), thrown into buckets by a hash, and each bucket, sorted, is one sparse
// product. Where they do not fit, the graphs are gone through several times, each pass taking its share of the
// hashes.
#include <algorithm>
#include <tuple>

#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/gram/gram_parts.h"
#include "twofold/gram/path_counts.h"
#include "twofold/wl/mix.h"

namespace twofold::gram {
namespace {

// A bucket holds about that many entries, so that sorting it stays in cache; no more buckets than kMaxBuckets.
constexpr std::uint64_t kBucketSize = 1u << 17;
constexpr std::uint64_t kMaxBuckets = 256;
// For entries, however few there are.
constexpr std::uint64_t kLeast = 64u << 20;

struct Entry {
  std::uint32_t a, b, distance, graph;
  std::uint64_t count;
};
using Bucket = std::vector<Entry>;

bool same_feature(const Entry& x, const Entry& y) {
  return x.a == y.a && x.b == y.b && x.distance == y.distance;
}

// Entries are stored, sorted and turned into counts and postings; vectors may be half empty.
constexpr std::uint64_t kBytesAnEntry = 2 * sizeof(Entry);

FeatureCounts to_counts(Bucket& entries, std::size_t num_graphs) {
  std::sort(entries.begin(), entries.end(), [](const Entry& x, const Entry& y) {
    return std::tie(x.a, x.b, x.distance, x.graph) < std::tie(y.a, y.b, y.distance, y.graph);
  });
  FeatureCounts part;
  part.offsets.assign(num_graphs + 1, 0);
  for (const Entry& entry : entries) ++part.offsets[entry.graph + 1];
  for (std::size_t g = 0; g < num_graphs; ++g) part.offsets[g + 1] += part.offsets[g];
  std::vector<std::uint64_t> next(part.offsets.begin(), part.offsets.end() - 1);
  part.features.resize(entries.size());
  part.counts.resize(entries.size());
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (e == 0 || !same_feature(entries[e - 1], entries[e]))
      part.weights.push_back(entries[e].a == entries[e].b ? 1 : 2);
    const std::uint64_t to = next[entries[e].graph]++;
    part.features[to] = static_cast<std::uint32_t>(part.weights.size() - 1);
    part.counts[to] = entries[e].count;
  }
  part.num_features = part.weights.size();
  return part;
}

// For each round, which colors two graphs and more have.
std::vector<std::vector<bool>> shared_colors(Span<const Graph> graphs, const VertexColors& tables,
                                             const std::vector<std::vector<std::uint32_t>>& colors) {
  std::vector<std::vector<bool>> is_shared;
  for (int t = 0; t < tables.num_rounds(); ++t) {
    std::vector<std::uint32_t> owner(tables.round(t).size(), kNoColor);
    is_shared.emplace_back(owner.size(), false);
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      const std::size_t n = graphs[g].num_nodes();
      for (std::size_t v = 0; v < n; ++v) {
        const std::uint32_t color = colors[g][static_cast<std::size_t>(t) * n + v];
        if (owner[color] == kNoColor) owner[color] = static_cast<std::uint32_t>(g);
        if (owner[color] != g) is_shared.back()[color] = true;
      }
    }
  }
  return is_shared;
}

// No graph gives more entries than pairs of twin classes of shared colors.
std::uint64_t max_entries(const TwinGraph& twins, const std::vector<std::uint32_t>& colors,
                          const std::vector<std::vector<bool>>& is_shared) {
  std::uint64_t sum = 0;
  const std::size_t n = twins.class_of.size();
  for (std::size_t t = 0; t < is_shared.size(); ++t) {
    std::uint64_t classes = 0;
    for (const Node v : twins.members) classes += is_shared[t][colors[t * n + v]] ? 1 : 0;
    sum += classes * (classes + 1) / 2;
  }
  return sum;
}

}  // namespace

std::uint64_t path_bytes(Span<const Graph> graphs, const Kernel& kernel) {
  std::uint64_t twins = 0;
  for (const Graph& g : graphs) twins += 16 * g.num_nodes() + 8 * g.num_edges();
  return vertex_bytes(graphs, kernel) + twins + kLeast;
}

void add_paths(Span<const Graph> graphs, const Kernel& kernel, const GramOptions& options, GramSum& sum) {
  GramOptions without_progress = options;
  without_progress.progress = nullptr;
  VertexColors tables(kernel);
  const auto colors = color_vertices(graphs, tables, without_progress, sum.bytes());
  const auto is_shared = shared_colors(graphs, tables, colors);
  const std::size_t rounds = is_shared.size();

  std::vector<TwinGraph> twins(graphs.size());
  std::vector<std::uint64_t> entries_of(graphs.size());
  parallel_for(graphs.size(), options.threads, [&](std::size_t g) {
    twins[g] = twin_graph(graphs[g], kernel.edge_labels);
    entries_of[g] = max_entries(twins[g], colors[g], is_shared);
  });
  std::uint64_t all_entries = 0, held = sum.bytes() + tables.bytes();
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    all_entries += entries_of[g];
    held += 4 * colors[g].size() + 16 * graphs[g].num_nodes() + 4 * twins[g].neighbors_.size();
  }
  const std::uint64_t limit = options.max_memory;
  require_memory(describe(kernel), held + kLeast, limit);
  const std::uint64_t passes = all_entries * kBytesAnEntry / (limit - held) + 1;

  const std::uint64_t num_buckets =
      std::clamp<std::uint64_t>(all_entries / passes / rounds / kBucketSize, 1, kMaxBuckets);

  const auto workers = static_cast<std::size_t>(resolve_threads(options.threads));
  ProgressCount progress(options.progress, passes * graphs.size());
  for (std::uint64_t pass = 0; pass < passes; ++pass) {
    std::vector<std::vector<Bucket>> buckets(workers, std::vector<Bucket>(rounds * num_buckets));
    parallel_for_workers(graphs.size(), options.threads, [&](std::size_t g, int worker) {
      auto& own = buckets[static_cast<std::size_t>(worker)];
      count_paths(twins[g], colors[g], rounds, [&](std::size_t t, const PathCount& path) {
        if (!is_shared[t][path.a] || !is_shared[t][path.b]) {
          if (pass == 0) sum.add_private(g, path.count, path.a == path.b ? 1 : 2);
          return;
        }
        const std::uint64_t hash = wl::mix(wl::mix(path.a, path.b), path.distance);
        if ((hash >> 16) % passes != pass) return;
        own[t * num_buckets + hash % num_buckets].push_back(
            {path.a, path.b, path.distance, static_cast<std::uint32_t>(g), path.count});
      });
      progress.step();
    });
    for (std::size_t at = 0; at < rounds * num_buckets; ++at) {
      Bucket all = std::move(buckets[0][at]);
      for (std::size_t w = 1; w < workers; ++w) {
        all.insert(all.end(), buckets[w][at].begin(), buckets[w][at].end());
        buckets[w][at] = {};
      }
      if (!all.empty()) sum.add(to_counts(all, graphs.size()));
    }
  }
}

}  // namespace twofold::gram
