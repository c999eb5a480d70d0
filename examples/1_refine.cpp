// Which graphs can a Weisfeiler-Leman test tell apart? Ask for verdicts, classes, colors round by round,
// fingerprints.
#include <iostream>
#include <vector>

#include "twofold/graph/graph_builder.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/coloring.h"
#include "twofold/wl/fingerprint.h"

namespace {

twofold::Graph cycles(std::size_t count, std::size_t length) {
  twofold::GraphBuilder builder(count * length);
  for (std::size_t v = 0; v < count * length; ++v) {
    const std::size_t first = v / length * length;
    builder.add_edge(static_cast<twofold::Node>(v),
                     static_cast<twofold::Node>(first + (v - first + 1) % length));
  }
  return std::move(builder).build();
}

}  // namespace

int main() {
  using namespace twofold;
  const std::vector<Graph> graphs = {cycles(1, 12), cycles(2, 6), cycles(3, 4), cycles(4, 3)};

  // A test is a value: 1-wl, 2-gnn, 2-wl with a radius, k-fwl with any k, each with marked nodes.
  for (const char* word : {"1-wl", "2-gnn", "2-wl", "2-fwl"}) {
    const wl::WlTest test = wl::parse_test(word);
    std::cout << wl::describe(test) << ": " << wl::classify(graphs, test).num_classes << " classes\n";
  }
  wl::WlTest rows = wl::parse_test("2-wl");
  for (int radius = 1; radius <= 3; ++radius) {
    rows.radius = radius;
    std::cout << "radius " << radius << ": " << wl::classify(graphs, rows).num_classes << " classes\n";
  }
  wl::WlTest marked = wl::parse_test("1-wl");
  marked.marks = 1;
  std::cout << wl::describe(marked) << ": " << wl::classify(graphs, marked).num_classes << " classes\n";

  std::cout << "a ring of 12 against two of 6, 2-fwl: "
            << (wl::distinguishes(wl::parse_test("2-fwl"), graphs[0], graphs[1]) ? "different" : "equal")
            << '\n';

  // Colors of every round, joint over the batch.
  GraphBuilder path(5);
  for (Node v = 1; v < 5; ++v) path.add_edge(v - 1, v);
  wl::RefineOptions options;
  options.after_round = [](const wl::Coloring& coloring) {
    std::cout << "round " << coloring.num_rounds << ':';
    for (const wl::Color color : coloring.of_graph(0)) std::cout << ' ' << color;
    std::cout << '\n';
    return true;
  };
  wl::refine(std::move(path).build(), wl::parse_test("1-wl"), options);

  std::cout << wl::fingerprint(graphs[0], wl::parse_test("2-wl")) << '\n';
}
