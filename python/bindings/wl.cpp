// The WL tests: classes, pairs, colors, hashes; and cycle counts.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "bindings/arrays.h"
#include "bindings/call.h"
#include "bindings/json.h"
#include "bindings/parts.h"
#include "twofold/base/error.h"
#include "twofold/graph/cycle_counts.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/coloring.h"
#include "twofold/wl/fingerprint.h"
#include "twofold/wl/objects.h"

namespace twofold::python {
namespace {

wl::WlTest test_of(const std::string& word, const py::object& radius, int marks) {
  wl::WlTest test = wl::parse_test(word);
  if (marks < 0 || marks > 100)
    throw py::value_error(fmt::format("marks: needed an integer in 0..100, found {}", marks));
  test.marks = marks;
  if (radius.is_none()) return test;
  if (test.kind != wl::Kind::kRows)
    throw py::value_error(fmt::format("radius: the test {} has none; 2-wl has", word));
  const model::Config value = to_config(radius, "radius");
  if (!value.is_number_integer() && !value.is_string())
    throw py::type_error(fmt::format("radius: needed 1, 2, … or 'all', found {}", shown(radius)));
  try {
    test.radius = graph::parse_radius(value.is_string() ? value.get<std::string>() : value.dump());
  } catch (const UsageError&) {
    throw py::value_error(fmt::format("radius: needed 1, 2, … or 'all', found {}", shown(radius)));
  }
  return test;
}

wl::ClassifyOptions options_of(int threads, std::uint64_t max_memory) {
  wl::ClassifyOptions options;
  options.threads = threads;
  options.max_memory = max_memory;
  return options;
}

// A row of nodes per object: a node, a tuple, a pair, or the marked nodes.
std::vector<std::int64_t> objects_of(const Graph& graph, const wl::WlTest& test, std::size_t& width) {
  std::vector<std::int64_t> objects;
  const std::size_t n = graph.num_nodes();
  if (test.marks > 0) {
    width = static_cast<std::size_t>(test.marks);
    for (const auto& tuple : wl::marked_tuples(n, test.marks))
      objects.insert(objects.end(), tuple.begin(), tuple.end());
    return objects;
  }
  switch (test.kind) {
    case wl::Kind::kVertices:
      width = 1;
      for (std::size_t v = 0; v < n; ++v) objects.push_back(static_cast<std::int64_t>(v));
      break;
    case wl::Kind::kTuples: {
      width = static_cast<std::size_t>(test.k);
      std::vector<std::size_t> tuple(width, 0);
      const std::uint64_t count = wl::count_objects(graph, test);
      for (std::uint64_t i = 0; i < count; ++i) {
        objects.insert(objects.end(), tuple.begin(), tuple.end());
        for (std::size_t j = width; j > 0 && ++tuple[j - 1] == n; --j) tuple[j - 1] = 0;
      }
      break;
    }
    case wl::Kind::kRows:
    case wl::Kind::kEdges:
      width = 2;
      for (const Edge row :
           wl::list_rows(graph, test.kind == wl::Kind::kEdges ? graph::PowerRadius(1) : test.radius))
        objects.insert(objects.end(), {std::int64_t{row.u}, std::int64_t{row.v}});
      break;
  }
  return objects;
}

py::tuple colors(const Data& data, const std::string& word, const py::object& radius, int marks, int max_rounds,
                 int threads, std::uint64_t max_memory) {
  const wl::WlTest test = test_of(word, radius, marks);
  std::vector<std::uint32_t> all;
  std::vector<std::vector<std::int64_t>> objects(data->graphs.size());
  std::size_t width = 1, num_colors = 0, num_rounds = 0;
  without_gil([&] {
    if (test.marks > 0) {
      wl::Classes classes = wl::classify_marked(data->graphs, test, options_of(threads, max_memory));
      all = std::move(classes.class_of);
      num_colors = classes.num_classes;
    } else {
      wl::RefineOptions options;
      options.max_rounds = max_rounds;
      options.threads = threads;
      options.max_memory = max_memory;
      wl::Coloring coloring = wl::refine(data->graphs, test, options);
      all.assign(coloring.colors.begin(), coloring.colors.end());
      num_colors = coloring.num_colors;
      num_rounds = coloring.num_rounds;
    }
    for (std::size_t g = 0; g < objects.size(); ++g) objects[g] = objects_of(data->graphs[g], test, width);
  });
  py::list result;
  std::size_t at = 0;
  for (auto& of_graph : objects) {
    const std::size_t count = of_graph.size() / width;
    std::vector<std::int64_t> own(all.begin() + static_cast<std::ptrdiff_t>(at),
                                  all.begin() + static_cast<std::ptrdiff_t>(at + count));
    at += count;
    const auto rows = static_cast<py::ssize_t>(count);
    result.append(py::make_tuple(array_of(std::move(of_graph), {rows, static_cast<py::ssize_t>(width)}),
                                 array_of(std::move(own))));
  }
  return py::make_tuple(result, num_colors, num_rounds);
}

py::list count_cycles(const Data& data, int shortest, int longest, int threads, const py::object& progress) {
  if (shortest < 3 || shortest > longest || longest > graph::kLongestCycle)
    throw py::value_error(fmt::format("lengths: needed 3 <= shortest <= longest <= {}, found {} and {}",
                                      graph::kLongestCycle, shortest, longest));
  graph::CountCyclesOptions options;
  options.threads = threads;
  options.progress = progress_to(progress);
  auto counted = without_gil([&] { return graph::count_cycles(data->graphs, {shortest, longest}, options); });
  const auto width = static_cast<py::ssize_t>(longest - shortest + 1);
  py::list result;
  for (graph::CycleCounts& one : counted) {
    const auto nodes = static_cast<py::ssize_t>(one.at_node.size()) / width;
    const auto edges = static_cast<py::ssize_t>(one.at_edge.size()) / width;
    result.append(py::make_tuple(array_of(std::move(one.in_graph)),
                                 array_of(std::move(one.at_node), {nodes, width}),
                                 array_of(std::move(one.at_edge), {edges, width})));
  }
  return result;
}

}  // namespace

void add_wl(py::module_& module) {
  module.def("wl_classes", [](const Data& data, const std::string& word, const py::object& radius, int marks,
                              int threads, std::uint64_t max_memory) {
    const wl::WlTest test = test_of(word, radius, marks);
    wl::Classes classes =
        without_gil([&] { return wl::classify(data->graphs, test, options_of(threads, max_memory)); });
    return array_of(std::vector<std::int64_t>(classes.class_of.begin(), classes.class_of.end()));
  });
  module.def("wl_pairs", [](const Data& data, const std::string& word, const py::object& radius, int marks,
                            int threads, std::uint64_t max_memory) {
    const wl::WlTest test = test_of(word, radius, marks);
    if (data->graphs.size() % 2 != 0)
      throw py::value_error(fmt::format("needed an even number of graphs, found {}", data->graphs.size()));
    return without_gil(
        [&] { return wl::distinguish_pairs(data->graphs, test, options_of(threads, max_memory)); });
  });
  module.def("wl_hashes", [](const Data& data, const std::string& word, const py::object& radius, int marks,
                             int threads, std::uint64_t max_memory) {
    const wl::WlTest test = test_of(word, radius, marks);
    return without_gil([&] { return wl::fingerprints(data->graphs, test, options_of(threads, max_memory)); });
  });
  module.def("wl_colors", colors);
  module.def("count_cycles", count_cycles);
}

}  // namespace twofold::python
