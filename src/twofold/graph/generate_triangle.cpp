#include "twofold/graph/generate_triangle.h"

#include <string>
#include <utility>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/graph/graph_builder.h"

namespace twofold::graph {
namespace {

// Nodes 0…num_first-1 have the one color, the others the other; 0, 1, 2 are the unicolored triangle.
class TriangleSketch {
 public:
  TriangleSketch(std::size_t num_first, std::size_t num_second)
      : n_(num_first + num_second), num_first_(num_first), adjacent_(n_ * n_) {
    add(0, 1);
    add(1, 2);
    add(2, 0);
  }

  std::size_t num_nodes() const { return n_; }
  std::size_t num_edges() const { return m_; }
  bool same_color(std::size_t u, std::size_t v) const { return (u < num_first_) == (v < num_first_); }

  // Needs u != v. Leaves the edge out if a node of their own color, if they share one, is adjacent to both:
  // only then would it close a unicolored triangle.
  void add_unless_it_closes_a_triangle(std::size_t u, std::size_t v) {
    if (same_color(u, v))
      for (std::size_t w = 0; w < n_; ++w)
        if (same_color(u, w) && adjacent_[u * n_ + w] && adjacent_[v * n_ + w]) return;
    add(u, v);
  }

  Graph build(Label first_label) const {
    GraphBuilder builder(n_);
    std::vector<Label> labels(n_);
    for (Node u = 0; u < n_; ++u) {
      labels[u] = u < num_first_ ? first_label : 1 - first_label;
      for (Node v = u + 1; v < n_; ++v)
        if (adjacent_[u * n_ + v]) builder.add_edge(u, v);
    }
    builder.set_node_labels(std::move(labels));
    return std::move(builder).build();
  }

 private:
  void add(std::size_t u, std::size_t v) {
    if (!adjacent_[u * n_ + v]) ++m_;
    adjacent_[u * n_ + v] = true;
    adjacent_[v * n_ + u] = true;
  }

  std::size_t n_;
  std::size_t num_first_;
  std::size_t m_ = 0;
  std::vector<bool> adjacent_;
};

// The density is quarters / 4: whole numbers round the same everywhere.
TriangleSketch draw_by_recipe(std::size_t num_first, std::size_t num_second, std::size_t quarters,
                              Random& random) {
  TriangleSketch sketch(num_first, num_second);
  const auto attempt_within = [&](std::size_t first, std::size_t count) {
    for (std::size_t left = count * (count + 1) * quarters / 8; left > 0; --left) {
      const std::size_t u = first + random.below(count);
      const std::size_t v = first + random.below(count);
      if (u != v) sketch.add_unless_it_closes_a_triangle(u, v);
    }
  };
  attempt_within(0, num_first);
  attempt_within(num_first, num_second);
  for (std::size_t left = num_first * num_second * quarters / 4; left > 0; --left) {
    const std::size_t u = random.below(num_first);
    const std::size_t v = num_first + random.below(num_second);
    sketch.add_unless_it_closes_a_triangle(u, v);
  }
  return sketch;
}

// Goes through all pairs in random order until there are edges enough. Where unicolored pairs came too early
// and block each other, that may fail; another order is tried then. (Complete between the colors, a graph of 32
// nodes in the proportion 3:1 has 192 edges and needs 64 more within; triangle-free graphs of 24 nodes go up to
// 144.)
TriangleSketch draw_by_count(std::size_t num_first, std::size_t num_second, std::size_t quarters,
                             Random& random) {
  const std::size_t n = num_first + num_second;
  const std::size_t target = n * n * quarters / 8;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t u = 0; u < n; ++u)
    for (std::size_t v = u + 1; v < n; ++v) pairs.emplace_back(u, v);
  for (int attempt = 0; attempt < 100000; ++attempt) {
    TriangleSketch sketch(num_first, num_second);
    random.shuffle(pairs);
    for (const auto& [u, v] : pairs) {
      if (sketch.num_edges() == target) return sketch;
      sketch.add_unless_it_closes_a_triangle(u, v);
    }
    if (sketch.num_edges() == target) return sketch;
  }
  TWOFOLD_CHECK(false, "no graph of {}+{} nodes and {} edges found", num_first, num_second, target);
}

}  // namespace

Dataset generate_triangle(std::uint64_t seed, const TriangleOptions& options) {
  constexpr std::size_t kProportions[][2] = {{1, 1}, {1, 3}, {3, 1}};
  constexpr std::size_t kMaxNodes = 33;
  constexpr int kGraphsOfAKind = 3;
  Dataset dataset;
  dataset.name = "TRIANGLE";
  std::vector<std::string> classes;
  for (std::size_t s = 3; s <= 9; ++s)
    for (const auto& [first, second] : kProportions)
      for (const std::size_t quarters : {1, 2})
        for (const Label label : {0, 1})
          for (int i = 0; i < kGraphsOfAKind; ++i) {
            if (s * (first + second) > kMaxNodes) continue;
            Random random = Random(seed).stream(dataset.graphs.size());
            const TriangleSketch sketch = options.densities == TriangleDensities::kRecipe
                                              ? draw_by_recipe(s * first, s * second, quarters, random)
                                              : draw_by_count(s * first, s * second, quarters, random);
            dataset.graphs.push_back(sketch.build(label));
            classes.push_back(std::to_string(label));
          }
  dataset.set_classes(classes);
  return dataset;
}

}  // namespace twofold::graph
