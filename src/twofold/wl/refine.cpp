#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/wl/certify.h"
#include "twofold/wl/coloring.h"
#include "twofold/wl/joint_run.h"
#include "twofold/wl/mix.h"
#include "twofold/wl/stable_vertices.h"

namespace twofold::wl {

std::vector<std::pair<Color, std::size_t>> Coloring::histogram(std::size_t g) const {
  std::vector<Color> sorted(of_graph(g).begin(), of_graph(g).end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::pair<Color, std::size_t>> counts;
  for (const Color c : sorted) {
    if (counts.empty() || counts.back().first != c) counts.emplace_back(c, 0);
    ++counts.back().second;
  }
  return counts;
}

void Coloring::check() const {
  TWOFOLD_CHECK(!offsets.empty() && offsets.front() == 0 && offsets.back() == colors.size());
  TWOFOLD_CHECK(std::is_sorted(offsets.begin(), offsets.end()));
  std::size_t seen = 0;
  for (const Color c : colors) {
    TWOFOLD_CHECK(c <= seen, "color {} appears before color {}", c, seen);
    seen += c == seen;
  }
  TWOFOLD_CHECK(seen == num_colors);
}

Coloring refine(Span<const Graph> graphs, const WlTest& test, const RefineOptions& options) {
  TWOFOLD_CHECK(test.marks == 0, "refine colors graphs without marks, {} were asked for", test.marks);
  check_directions(graphs, test);
  const std::uint64_t limit = resolve_memory_limit(options.max_memory);
  std::uint64_t need = 0;
  for (const Graph& g : graphs) {
    need += std::min(objects_memory(g, test, limit), std::uint64_t{1} << 62);
    if (need > limit) require_memory(describe(test), need, limit);
  }
  if (test.kind == Kind::kVertices && options.max_rounds < 0 && !options.after_round)
    return stable_vertices(graphs, test);

  std::vector<std::unique_ptr<Objects>> owned(graphs.size());
  parallel_for(graphs.size(), options.threads,
               [&](std::size_t g) { owned[g] = make_objects(graphs[g], test); });
  std::vector<Objects*> parts;
  for (const auto& objects : owned) parts.push_back(objects.get());
  return refine_together(parts, test, options);
}

Coloring refine(const Graph& graph, const WlTest& test, const RefineOptions& options) {
  return refine(Span<const Graph>(&graph, 1), test, options);
}

}  // namespace twofold::wl
