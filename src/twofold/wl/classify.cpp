#include "twofold/wl/classify.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/wl/coloring.h"
#include "twofold/wl/marked_copies.h"
#include "twofold/wl/pair_comparison.h"
#include "twofold/wl/weaker_tests.h"

namespace twofold::wl {
namespace {

// `at_once` graphs are in memory at a time.
void require_room(Span<const Graph> graphs, const WlTest& test, std::uint64_t at_once,
                  const ClassifyOptions& options) {
  check_directions(graphs, test);
  const std::uint64_t limit = resolve_memory_limit(options.max_memory);
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    const std::size_t n = graphs[g].num_nodes();
    if (static_cast<std::size_t>(test.marks) > n)
      throw InputError(
          fmt::format("graph {}: {} marks need at least {} nodes, found {}", g + 1, test.marks, test.marks, n));
    // Counting the rows of a radius is work: not where all pairs with all triples would fit anyway.
    const bool fits_anyway = test.kind == Kind::kRows && n <= 4096 && 8 * n * n * (n + 16) <= limit / at_once;
    const std::uint64_t objects_need = fits_anyway ? 0 : objects_memory(graphs[g], test, limit / at_once);
    const std::uint64_t need = std::min(objects_need, std::uint64_t{1} << 50) * at_once;
    if (need > limit)
      require_memory(fmt::format("{} of graph {} ({} nodes)", describe(test), g + 1, n), need, limit);
  }
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

// How often a graph shows which picture.
using Shown = std::map<CopyPicture, std::uint64_t>;

// Splits groups of graphs, given by one number per graph, by what `test` shows of them; graphs alone in their
// group are left as they are. Different numbers in, different numbers out. Returns how many graphs are not
// alone then.
std::size_t split_groups(Span<const Graph> graphs, const WlTest& test, const ClassifyOptions& options,
                         std::vector<std::uint32_t>& group_of) {
  std::map<std::uint32_t, std::size_t> members;
  for (const std::uint32_t group : group_of) ++members[group];
  std::vector<Graph> unsure;
  std::vector<std::size_t> places;
  for (std::size_t g = 0; g < graphs.size(); ++g)
    if (members[group_of[g]] > 1) {
      unsure.push_back(graphs[g]);
      places.push_back(g);
    }
  const std::vector<MarkedCopy> copies = list_copies(unsure, test, options);
  const std::vector<CopyPicture> pictures = take_pictures(unsure, copies, test, options);
  std::vector<Shown> shown(unsure.size());
  for (std::size_t i = 0; i < copies.size(); ++i) shown[copies[i].graph][pictures[i]] += copies[i].marks.size;
  std::vector<std::pair<std::uint32_t, Shown>> keys(graphs.size());
  for (std::size_t g = 0; g < graphs.size(); ++g) keys[g].first = group_of[g];
  for (std::size_t i = 0; i < places.size(); ++i) keys[places[i]].second = std::move(shown[i]);
  group_of = number_classes(keys).class_of;
  members.clear();
  for (const std::uint32_t group : group_of) ++members[group];
  return static_cast<std::size_t>(
      std::count_if(group_of.begin(), group_of.end(), [&](std::uint32_t group) { return members[group] > 1; }));
}

}  // namespace

Classes classify(Span<const Graph> graphs, const WlTest& test, const ClassifyOptions& options) {
  if (test.kind == Kind::kVertices && test.marks == 0) return classify_by_vertices(graphs, test, options);
  const auto threads = static_cast<std::uint64_t>(resolve_threads(options.threads));
  require_room(graphs, test, 2 * std::min<std::uint64_t>(threads, std::max<std::size_t>(1, graphs.size())),
               options);

  // Graphs in different groups differ.
  std::vector<std::uint32_t> group_of(graphs.size(), 0);
  std::size_t num_unsure = graphs.size();
  std::size_t fewest_nodes = graphs.empty() ? 0 : graphs[0].num_nodes();
  for (const Graph& g : graphs) fewest_nodes = std::min(fewest_nodes, g.num_nodes());
  ClassifyOptions quietly = options;
  quietly.progress = nullptr;
  if (options.shortcuts)
    for (const WlTest& weaker : weaker_tests(test))
      if (num_unsure > 1 && weaker.marks <= test.marks &&
          static_cast<std::size_t>(weaker.marks) <= fewest_nodes)
        num_unsure = split_groups(graphs, weaker, quietly, group_of);
  if (num_unsure > 1) num_unsure = split_groups(graphs, test, options, group_of);

  // Those of one group have shown the same, but hashes may have collided: each is compared with the first one
  // of every class that its group has so far.
  Classes classes;
  std::map<std::uint32_t, std::vector<std::size_t>> groups;
  for (std::size_t g = 0; g < graphs.size(); ++g) groups[group_of[g]].push_back(g);
  std::vector<const std::vector<std::size_t>*> to_compare;
  for (const auto& [number, members] : groups)
    if (members.size() > 1) to_compare.push_back(&members);
  std::vector<std::size_t> first_of(graphs.size());
  std::iota(first_of.begin(), first_of.end(), std::size_t{0});
  parallel_for(to_compare.size(), options.threads, [&](std::size_t at) {
    std::vector<std::size_t> firsts;
    for (const std::size_t g : *to_compare[at]) {
      const auto same = std::find_if(firsts.begin(), firsts.end(), [&](std::size_t first) {
        const Graph two[] = {graphs[first], graphs[g]};
        return !distinguishes_two(Span<const Graph>(two, 2), test, quietly, false);
      });
      if (same == firsts.end())
        firsts.push_back(g);
      else
        first_of[g] = *same;
    }
  });
  return number_classes(first_of);
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
    verdicts[p] = distinguishes_two(Span<const Graph>(&graphs[2 * p], 2), test, a_pair);
    if (!options.progress) return;
    const std::lock_guard<std::mutex> lock(guard);
    options.progress(++done, num_pairs);
  });
  return {verdicts.begin(), verdicts.end()};
}

std::vector<std::vector<CopyPicture>> picture_graphs(Span<const Graph> graphs, const WlTest& test,
                                                     const ClassifyOptions& options) {
  require_room(graphs, test, static_cast<std::uint64_t>(resolve_threads(options.threads)), options);
  const std::vector<MarkedCopy> copies = list_copies(graphs, test, options);
  const std::vector<CopyPicture> pictures = take_pictures(graphs, copies, test, options);
  std::vector<std::vector<CopyPicture>> of_graph(graphs.size());
  for (std::size_t i = 0; i < copies.size(); ++i)
    of_graph[copies[i].graph].insert(of_graph[copies[i].graph].end(), copies[i].marks.size, pictures[i]);
  return of_graph;
}

Classes classify_marked(Span<const Graph> graphs, const WlTest& test, const ClassifyOptions& options) {
  TWOFOLD_CHECK(test.marks >= 1);
  require_room(graphs, test, 2 * static_cast<std::uint64_t>(resolve_threads(options.threads)), options);
  // The classes of all tuples are asked for, not of one per orbit.
  ClassifyOptions plainly = options;
  plainly.shortcuts = false;
  const std::vector<MarkedCopy> copies = list_copies(graphs, test, plainly);
  return classify_copies(graphs, copies, take_pictures(graphs, copies, test, options), test, options);
}

std::vector<std::vector<Node>> marked_tuples(std::size_t n, int marks) {
  std::vector<std::vector<Node>> tuples;
  const Graph no_edges = GraphBuilder(n).build();
  for (MarkOrbit& orbit : mark_orbits(no_edges, false, marks, false)) tuples.push_back(std::move(orbit.nodes));
  return tuples;
}

}  // namespace twofold::wl
