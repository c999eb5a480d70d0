#include "twofold/wl/classify.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/wl/coloring.h"
#include "twofold/wl/marked_copies.h"
#include "twofold/wl/mix.h"

namespace twofold::wl {
namespace {

// `at_once` graphs are in memory at a time.
void require_room(Span<const Graph> graphs, const WlTest& test, std::uint64_t at_once,
                  const ClassifyOptions& options) {
  const std::uint64_t limit = resolve_memory_limit(options.max_memory);
  std::uint64_t copies_need = 0;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const std::size_t n = graphs[g].num_nodes();
    if (static_cast<std::size_t>(test.marks) > n)
      throw InputError(
          fmt::format("graph {}: {} marks need at least {} nodes, found {}", g + 1, test.marks, test.marks, n));
    const std::uint64_t copies = count_copies(n, test.marks);
    if (test.marks > 0) copies_need += std::min<std::uint64_t>(copies, std::uint64_t{1} << 50) * 128;
    // Counting the rows of a radius is work: not where all pairs with all triples would fit anyway.
    const bool fits_anyway = test.kind == Kind::kRows && n <= 4096 && 8 * n * n * (n + 16) <= limit / at_once;
    const std::uint64_t objects_need = fits_anyway ? 0 : objects_memory(graphs[g], test, limit / at_once);
    const std::uint64_t need = std::min(objects_need, std::uint64_t{1} << 50) * at_once + copies_need;
    if (need > limit)
      require_memory(fmt::format("{} of graph {} ({} nodes)", describe(test), g + 1, n), need, limit);
  }
}

std::vector<MarkedCopy> all_copies(Span<const Graph> graphs, int marks) {
  std::vector<MarkedCopy> copies;
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const std::uint64_t count = count_copies(graphs[g].num_nodes(), marks);
    for (std::uint64_t i = 0; i < count; ++i) copies.push_back({g, i});
  }
  return copies;
}

// Equal keys, equal numbers, counted in the order of keys.
template <typename Key>
Classes number_classes(const std::vector<Key>& keys) {
  Classes classes;
  std::map<Key, std::uint32_t> number;
  for (const Key& key : keys)
    classes.class_of.push_back(number.emplace(key, static_cast<std::uint32_t>(number.size())).first->second);
  classes.num_classes = number.size();
  return classes;
}

// 1-wl needs no hashes: the stable histograms of all graphs refined together are their keys.
Classes classify_by_vertices(Span<const Graph> graphs, const WlTest& test, const ClassifyOptions& options) {
  RefineOptions refine_options;
  refine_options.max_memory = options.max_memory;
  refine_options.hash_mask = options.hash_mask;
  const Coloring coloring = refine(graphs, test, refine_options);
  std::vector<std::vector<std::pair<Color, std::size_t>>> keys;
  for (std::size_t g = 0; g < graphs.size(); ++g) keys.push_back(coloring.histogram(g));
  return number_classes(keys);
}

// Without marks, both graphs round by round until they differ or are stable.
bool distinguishes_round_by_round(const WlTest& test, const Graph& a, const Graph& b,
                                  const ClassifyOptions& options) {
  const auto objects_a = make_objects(a, test);
  const auto objects_b = make_objects(b, test);
  HashedRun run_a(options.hash_mask, options.threads);
  HashedRun run_b(options.hash_mask, options.threads);
  run_a.start(*objects_a);
  run_b.start(*objects_b);
  while (run_a.picture() == run_b.picture()) {
    if (run_a.is_stable()) {
      if (certify_equal(run_a, run_b, false, options.threads)) return false;
      const Graph both[] = {a, b};
      RefineOptions refine_options;
      refine_options.threads = options.threads;
      refine_options.max_memory = options.max_memory;
      refine_options.hash_mask = options.hash_mask;
      const Coloring coloring = refine(Span<const Graph>(both, 2), test, refine_options);
      return coloring.histogram(0) != coloring.histogram(1);
    }
    run_a.step();
    run_b.step();
  }
  return true;
}

}  // namespace

Classes classify(Span<const Graph> graphs, const WlTest& test, const ClassifyOptions& options) {
  if (test.kind == Kind::kVertices && test.marks == 0) return classify_by_vertices(graphs, test, options);
  const auto threads = static_cast<std::uint64_t>(resolve_threads(options.threads));
  require_room(graphs, test, 2 * std::min<std::uint64_t>(threads, std::max<std::size_t>(1, graphs.size())),
               options);

  const std::vector<MarkedCopy> copies = all_copies(graphs, test.marks);
  const std::vector<CopyPicture> pictures = take_pictures(graphs, copies, test, options);

  // Graphs whose copies show different pictures differ. Only for the others the copies' exact classes are
  // needed.
  std::vector<std::vector<CopyPicture>> shown(graphs.size());
  for (std::size_t i = 0; i < copies.size(); ++i) shown[copies[i].graph].push_back(pictures[i]);
  for (auto& of_graph : shown) std::sort(of_graph.begin(), of_graph.end());
  std::map<std::vector<CopyPicture>, std::size_t> graphs_that_show;
  for (const auto& of_graph : shown) ++graphs_that_show[of_graph];
  std::vector<MarkedCopy> unsure_copies;
  std::vector<CopyPicture> unsure_pictures;
  for (std::size_t i = 0; i < copies.size(); ++i)
    if (graphs_that_show[shown[copies[i].graph]] > 1) {
      unsure_copies.push_back(copies[i]);
      unsure_pictures.push_back(pictures[i]);
    }
  const Classes copy_classes = classify_copies(graphs, unsure_copies, unsure_pictures, test, options);
  // {0, classes of the copies} or, for a graph of its own, {1, the graph}.
  std::vector<std::vector<std::uint32_t>> keys(graphs.size());
  for (std::size_t g = 0; g < graphs.size(); ++g)
    keys[g] = graphs_that_show[shown[g]] > 1 ? std::vector<std::uint32_t>{0}
                                             : std::vector<std::uint32_t>{1, static_cast<std::uint32_t>(g)};
  for (std::size_t i = 0; i < unsure_copies.size(); ++i)
    keys[unsure_copies[i].graph].push_back(copy_classes.class_of[i]);
  for (auto& key : keys) std::sort(key.begin() + 1, key.end());
  return number_classes(keys);
}

bool distinguishes(const WlTest& test, const Graph& a, const Graph& b, const ClassifyOptions& options) {
  const Graph both[] = {a, b};
  return distinguish_pairs(Span<const Graph>(both, 2), test, options).front();
}

std::vector<bool> distinguish_pairs(Span<const Graph> graphs, const WlTest& test,
                                    const ClassifyOptions& options) {
  TWOFOLD_CHECK(graphs.size() % 2 == 0, "pairs of {} graphs", graphs.size());
  const std::size_t num_pairs = graphs.size() / 2;
  const auto threads = static_cast<std::uint64_t>(resolve_threads(options.threads));
  require_room(graphs, test, 2 * std::min<std::uint64_t>(threads, std::max<std::size_t>(1, num_pairs)),
               options);
  std::vector<char> verdicts(num_pairs);
  std::mutex guard;
  std::size_t done = 0;
  ClassifyOptions a_pair = options;
  a_pair.progress = nullptr;
  parallel_for(num_pairs, options.threads, [&](std::size_t p) {
    const Graph& a = graphs[2 * p];
    const Graph& b = graphs[2 * p + 1];
    if (a.num_nodes() != b.num_nodes() || a.num_edges() != b.num_edges())
      verdicts[p] = true;
    else if (test.kind == Kind::kVertices || test.marks > 0)
      verdicts[p] = classify(Span<const Graph>(&a, 2), test, a_pair).num_classes == 2;
    else
      verdicts[p] = distinguishes_round_by_round(test, a, b, a_pair);
    if (!options.progress) return;
    const std::lock_guard<std::mutex> lock(guard);
    options.progress(++done, num_pairs);
  });
  return {verdicts.begin(), verdicts.end()};
}

std::vector<std::vector<CopyPicture>> picture_graphs(Span<const Graph> graphs, const WlTest& test,
                                                     const ClassifyOptions& options) {
  require_room(graphs, test, static_cast<std::uint64_t>(resolve_threads(options.threads)), options);
  const std::vector<MarkedCopy> copies = all_copies(graphs, test.marks);
  const std::vector<CopyPicture> pictures = take_pictures(graphs, copies, test, options);
  std::vector<std::vector<CopyPicture>> of_graph(graphs.size());
  for (std::size_t i = 0; i < copies.size(); ++i) of_graph[copies[i].graph].push_back(pictures[i]);
  return of_graph;
}

Classes classify_marked(Span<const Graph> graphs, const WlTest& test, const ClassifyOptions& options) {
  TWOFOLD_CHECK(test.marks >= 1);
  require_room(graphs, test, 2 * static_cast<std::uint64_t>(resolve_threads(options.threads)), options);
  const std::vector<MarkedCopy> copies = all_copies(graphs, test.marks);
  return classify_copies(graphs, copies, take_pictures(graphs, copies, test, options), test, options);
}

std::vector<std::vector<Node>> marked_tuples(std::size_t n, int marks) {
  std::vector<std::vector<Node>> tuples;
  for (std::uint64_t i = 0; i < count_copies(n, marks); ++i) tuples.push_back(marked_nodes(n, marks, i));
  return tuples;
}

}  // namespace twofold::wl
