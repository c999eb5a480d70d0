// How fast datasets are read, beside the plain way of reading the same text: an istream for TU, nlohmann's
// parser for JSON lines. Bytes a second count the text. The data is generated, of REDDIT-BINARY's shape:
// sparse, no labels.
#include <benchmark/benchmark.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

#include "twofold/base/random.h"
#include "twofold/graph/graph_builder.h"
#include "twofold/io/graph6.h"
#include "twofold/io/json_lines.h"
#include "twofold/io/tu.h"

namespace twofold::io {
namespace {

// Trees with a few more edges, numbered so that files look like real ones.
const Dataset& sample() {
  static const Dataset dataset = [] {
    Dataset made;
    made.name = "X";
    Random random(1);
    std::vector<std::string> classes;
    for (int i = 0; i < 400; ++i) {
      const std::size_t n = 50 + random.below(800);
      GraphBuilder builder(n);
      for (Node v = 1; v < n; ++v) builder.add_edge(v, static_cast<Node>(random.below(v)));
      for (std::size_t extra = n / 6; extra > 0; --extra)
        builder.add_edge(static_cast<Node>(random.below(n)), static_cast<Node>(random.below(n)));
      made.graphs.push_back(std::move(builder).build());
      classes.push_back(std::to_string(i % 2));
    }
    made.set_classes(classes);
    return made;
  }();
  return dataset;
}

std::map<std::string, std::string> tu_files() {
  std::string edges;
  std::string indicator;
  std::string labels;
  std::size_t first = 1;
  for (std::size_t i = 0; i < sample().graphs.size(); ++i) {
    const Graph& g = sample().graphs[i];
    for (Node u = 0; u < g.num_nodes(); ++u) {
      indicator += std::to_string(i + 1) + "\n";
      for (const Node v : g.neighbors(u))
        edges += std::to_string(first + u) + ", " + std::to_string(first + v) + "\n";
    }
    for (const Node v : g.self_loops())
      edges += std::to_string(first + v) + ", " + std::to_string(first + v) + "\n";
    labels += std::to_string(i % 2) + "\n";
    first += g.num_nodes();
  }
  return {{"X_A.txt", edges}, {"X_graph_indicator.txt", indicator}, {"X_graph_labels.txt", labels}};
}

std::string json_text() {
  std::string text;
  write_json_lines(sample(), [&](std::string_view line) { text += line; });
  return text;
}

void require(bool right) {
  if (!right) throw std::runtime_error("the answer is wrong; nothing is timed");
}

void set_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes));
}

void read_tu(benchmark::State& state) {
  const auto files = tu_files();
  require(read_tu_files("X", files, 1) == sample());
  std::size_t bytes = 0;
  for (const auto& [name, text] : files) bytes += text.size();
  for (auto _ : state) benchmark::DoNotOptimize(read_tu_files("X", files, 1));
  set_bytes(state, bytes);
}

void read_tu_plainly(benchmark::State& state) {
  const auto files = tu_files();
  const std::string& text = files.at("X_A.txt");
  std::size_t entries = 0;
  for (auto _ : state) {
    std::istringstream stream(text);
    std::vector<Edge> edges;
    Edge e{};
    char comma = 0;
    while (stream >> e.u >> comma >> e.v) edges.push_back(e);
    entries = edges.size();
  }
  require(entries > 0);
  set_bytes(state, text.size());
}

void read_json(benchmark::State& state) {
  const std::string text = json_text();
  Dataset read = read_json_lines(text, "x", 1);
  read.name = "X";
  require(read == sample());
  for (auto _ : state) benchmark::DoNotOptimize(read_json_lines(text, "x", 1));
  set_bytes(state, text.size());
}

void read_json_plainly(benchmark::State& state) {
  const std::string text = json_text();
  std::size_t edges = 0;
  for (auto _ : state) {
    std::istringstream stream(text);
    edges = 0;
    for (std::string line; std::getline(stream, line);) edges += nlohmann::json::parse(line).at("edges").size();
  }
  require(edges > 0);
  set_bytes(state, text.size());
}

void read_lines(benchmark::State& state, std::string (*to_line)(const Graph&)) {
  std::string text;
  for (const Graph& g : sample().graphs) text += to_line(g) + "\n";
  require(read_graph6(text, "x").size() == sample().graphs.size());
  for (auto _ : state) benchmark::DoNotOptimize(read_graph6(text, "x"));
  set_bytes(state, text.size());
}

BENCHMARK(read_tu)->Name("read/tu/twofold")->Unit(benchmark::kMillisecond);
BENCHMARK(read_tu_plainly)->Name("read/tu/istream_edges_only")->Unit(benchmark::kMillisecond);
BENCHMARK(read_json)->Name("read/json_lines/twofold")->Unit(benchmark::kMillisecond);
BENCHMARK(read_json_plainly)->Name("read/json_lines/nlohmann")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_lines, graph6, to_graph6)->Name("read/graph6/twofold")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_lines, sparse6, to_sparse6)->Name("read/sparse6/twofold")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace twofold::io
