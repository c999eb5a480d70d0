// Data: a dataset, immutable. What twofold.Graphs wraps.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>
#include <optional>
#include <sstream>

#include "bindings/arrays.h"
#include "bindings/call.h"
#include "bindings/flat_graphs.h"
#include "bindings/parts.h"
#include "twofold/base/error.h"
#include "twofold/graph/checksum.h"
#include "twofold/io/dataset_file.h"
#include "twofold/io/graph6.h"
#include "twofold/io/json_lines.h"

namespace twofold::python {
namespace {

const Graph& graph_at(const Dataset& data, std::size_t g) {
  if (g >= data.graphs.size())
    throw py::index_error(fmt::format("needed a graph in 0..{}, found {}", data.graphs.size() - 1, g));
  return data.graphs[g];
}

void require_rows(const char* name, std::size_t found, std::size_t needed, const char* of_what) {
  if (found != needed)
    throw py::value_error(
        fmt::format("{}: needed {} rows, one per {}, found {}", name, needed, of_what, found));
}

// The rows in the order of `row_of`, or as they are if that is empty; all must be finite.
std::vector<double> table_of(const RealArray& values, const std::vector<std::uint64_t>& row_of,
                             const char* name) {
  std::vector<double> table;
  table.reserve(values.rows() * values.columns());
  for (std::size_t i = 0; i < values.rows(); ++i) {
    const std::size_t row = row_of.empty() ? i : row_of[i];
    for (std::size_t c = 0; c < values.columns(); ++c) {
      const double value = values.at(row, c);
      if (!std::isfinite(value))
        throw py::value_error(fmt::format("{}: needed finite numbers, found {} in row {}", name, value, row));
      table.push_back(value);
    }
  }
  return table;
}

std::vector<Label> labels_of(const IntegerArray& values, const std::vector<std::uint64_t>& row_of,
                             const char* name) {
  std::vector<Label> labels;
  labels.reserve(values.size(0));
  for (std::size_t i = 0; i < values.size(0); ++i) {
    const std::size_t row = row_of.empty() ? i : row_of[i];
    labels.push_back(label_of(values.at(row), name, row));
  }
  return labels;
}

// The graph of each node; fills flat.nodes.
std::vector<std::uint32_t> split_nodes(const IntegerArray& batch, std::size_t num_graphs, FlatGraphs& flat) {
  const std::size_t n = batch.size(0);
  std::vector<std::uint32_t> graph_of(n);
  std::int64_t before = 0;
  flat.nodes.assign(1, 0);
  for (std::size_t v = 0; v < n; ++v) {
    const std::int64_t g = batch.at(v);
    if (g < before || g >= static_cast<std::int64_t>(num_graphs))
      throw py::value_error(
          fmt::format("batch: needed graphs in 0..{} in ascending order, found {} after {} at node {}",
                      static_cast<std::int64_t>(num_graphs) - 1, g, before, v));
    while (flat.nodes.size() <= static_cast<std::size_t>(g)) flat.nodes.push_back(v);
    graph_of[v] = static_cast<std::uint32_t>(g);
    before = g;
  }
  while (flat.nodes.size() <= num_graphs) flat.nodes.push_back(n);
  return graph_of;
}

// Fills flat.ends and flat.edges; returns the row of the input that each edge came from, or nothing if edges
// came graph by graph already.
std::vector<std::uint64_t> split_edges(const IntegerArray& edge_index,
                                       const std::vector<std::uint32_t>& graph_of, FlatGraphs& flat) {
  const std::size_t m = edge_index.size(1);
  const auto n = static_cast<std::int64_t>(graph_of.size());
  std::vector<std::uint64_t> count(flat.size() + 1, 0);
  std::vector<std::uint32_t> graph_of_edge(m);
  flat.ends.resize(m);
  bool is_sorted = true;
  for (std::size_t e = 0; e < m; ++e) {
    const std::int64_t u = edge_index.at(0, e), v = edge_index.at(1, e);
    if (u < 0 || v < 0 || u >= n || v >= n)
      throw py::value_error(fmt::format("edge_index: needed nodes in 0..{}, found {} at edge {}", n - 1,
                                        u < 0 || u >= n ? u : v, e));
    const std::uint32_t g = graph_of[static_cast<std::size_t>(u)];
    if (g != graph_of[static_cast<std::size_t>(v)])
      throw py::value_error(
          fmt::format("edge_index: needed both ends in one graph, found edge {} from node {} of "
                      "graph {} to node {} of graph {}",
                      e, u, g, v, graph_of[static_cast<std::size_t>(v)]));
    const std::uint64_t first = flat.nodes[g];
    flat.ends[e] = {static_cast<Node>(static_cast<std::uint64_t>(u) - first),
                    static_cast<Node>(static_cast<std::uint64_t>(v) - first)};
    graph_of_edge[e] = g;
    ++count[g + 1];
    is_sorted = is_sorted && (e == 0 || graph_of_edge[e - 1] <= g);
  }
  for (std::size_t g = 0; g < flat.size(); ++g) count[g + 1] += count[g];
  flat.edges = count;
  if (is_sorted) return {};
  std::vector<std::uint64_t> row_of(m);
  std::vector<Edge> ends(m);
  for (std::size_t e = 0; e < m; ++e) {
    const std::uint64_t to = count[graph_of_edge[e]]++;
    row_of[to] = e;
    ends[to] = flat.ends[e];
  }
  flat.ends = std::move(ends);
  return row_of;
}

Data from_arrays(const py::object& edge_index, const py::object& batch, std::size_t num_graphs,
                 const py::object& node_labels, const py::object& node_attributes,
                 const py::object& edge_labels, const py::object& edge_attributes, const std::string& name,
                 int threads) {
  const IntegerArray index(edge_index, "edge_index", 2);
  if (index.size(0) != 2)
    throw py::value_error(fmt::format("edge_index: needed 2 rows, found {}", index.size(0)));
  const IntegerArray graph(batch, "batch", 1);
  std::optional<IntegerArray> labels_of_nodes, labels_of_edges;
  std::optional<RealArray> rows_of_nodes, rows_of_edges;
  if (!node_labels.is_none()) labels_of_nodes.emplace(node_labels, "node_labels", 1);
  if (!edge_labels.is_none()) labels_of_edges.emplace(edge_labels, "edge_labels", 1);
  if (!node_attributes.is_none()) rows_of_nodes.emplace(node_attributes, "node_attributes");
  if (!edge_attributes.is_none()) rows_of_edges.emplace(edge_attributes, "edge_attributes");
  const std::size_t n = graph.size(0), m = index.size(1);
  if (labels_of_nodes) require_rows("node_labels", labels_of_nodes->size(0), n, "node");
  if (rows_of_nodes) require_rows("node_attributes", rows_of_nodes->rows(), n, "node");
  if (labels_of_edges) require_rows("edge_labels", labels_of_edges->size(0), m, "edge");
  if (rows_of_edges) require_rows("edge_attributes", rows_of_edges->rows(), m, "edge");
  if (num_graphs >= std::size_t{1} << 31) throw py::value_error("num_graphs: needed less than 2^31");
  return without_gil([&] {
    FlatGraphs flat;
    const std::vector<std::uint32_t> graph_of = split_nodes(graph, num_graphs, flat);
    const std::vector<std::uint64_t> row_of = split_edges(index, graph_of, flat);
    if (labels_of_nodes) flat.node_labels = labels_of(*labels_of_nodes, {}, "node_labels");
    if (labels_of_edges) flat.edge_labels = labels_of(*labels_of_edges, row_of, "edge_labels");
    if (rows_of_nodes) {
      flat.node_columns = rows_of_nodes->columns();
      flat.node_attributes = table_of(*rows_of_nodes, {}, "node_attributes");
    }
    if (rows_of_edges) {
      flat.edge_columns = rows_of_edges->columns();
      flat.edge_attributes = table_of(*rows_of_edges, row_of, "edge_attributes");
    }
    auto data = std::make_shared<Dataset>();
    data->name = name;
    data->graphs = build_graphs(flat, threads);
    return data;
  });
}

Data take(const Data& data, const py::object& indices) {
  const IntegerArray wanted(indices, "indices", 1);
  return without_gil([&] {
    auto taken = std::make_shared<Dataset>();
    taken->name = data->name;
    taken->target_names = data->target_names;
    taken->num_real_targets = data->num_real_targets;
    std::vector<std::string> names;
    const std::size_t width = data->num_real_targets;
    for (std::size_t i = 0; i < wanted.size(0); ++i) {
      const std::int64_t asked = wanted.at(i);
      if (asked < 0 || asked >= static_cast<std::int64_t>(data->graphs.size()))
        throw py::index_error(fmt::format("needed a graph in 0..{}, found {}",
                                          static_cast<std::int64_t>(data->graphs.size()) - 1, asked));
      const auto g = static_cast<std::size_t>(asked);
      taken->graphs.push_back(data->graphs[g]);
      if (data->has_classes()) names.push_back(data->class_names[data->class_of[g]]);
      for (std::size_t c = 0; c < width; ++c) taken->real_targets.push_back(data->real_targets[g * width + c]);
    }
    if (!names.empty()) taken->set_classes(names);
    return taken;
  });
}

// Side by side; targets are kept where all have them of one kind.
Data joined(const std::vector<std::pair<Data, std::size_t>>& parts, const std::string& name) {
  return without_gil([&] {
    auto all = std::make_shared<Dataset>();
    all->name = name;
    std::vector<std::string> names;
    std::size_t with_values = 0;
    const std::size_t width = parts.empty() ? 0 : parts[0].first->num_real_targets;
    for (const auto& [data, g] : parts) {
      all->graphs.push_back(graph_at(*data, g));
      if (data->has_classes()) names.push_back(data->class_names[data->class_of[g]]);
      with_values +=
          width > 0 && data->num_real_targets == width && data->target_names == parts[0].first->target_names;
    }
    if (!names.empty() && names.size() == parts.size()) all->set_classes(names);
    if (with_values == parts.size() && width > 0) {
      all->num_real_targets = width;
      all->target_names = parts[0].first->target_names;
      for (const auto& [data, g] : parts)
        for (std::size_t c = 0; c < width; ++c) all->real_targets.push_back(data->real_targets[g * width + c]);
    }
    return all;
  });
}

Data without_targets(const Dataset& data) {
  auto copy = std::make_shared<Dataset>();
  copy->name = data.name;
  copy->graphs = data.graphs;
  return copy;
}

Data with_classes(const Data& data, const std::vector<std::string>& names) {
  return without_gil([&] {
    if (names.size() != data->graphs.size())
      throw py::value_error(
          fmt::format("y: needed {} targets, one per graph, found {}", data->graphs.size(), names.size()));
    auto copy = std::make_shared<Dataset>(*without_targets(*data));
    if (!names.empty()) copy->set_classes(names);
    return copy;
  });
}

Data with_values(const Data& data, const py::object& values, std::vector<std::string> names) {
  const RealArray table(values, "y");
  return without_gil([&] {
    if (table.rows() != data->graphs.size())
      throw py::value_error(
          fmt::format("y: needed {} targets, one per graph, found {}", data->graphs.size(), table.rows()));
    auto copy = std::make_shared<Dataset>(*without_targets(*data));
    copy->num_real_targets = table.columns();
    copy->target_names = std::move(names);
    for (std::size_t g = 0; g < table.rows(); ++g)
      for (std::size_t c = 0; c < table.columns(); ++c) {
        const double value = table.at(g, c);
        if (std::isinf(value))
          throw py::value_error(fmt::format("y: needed finite numbers, found {} at graph {}", value, g));
        copy->real_targets.push_back(value);
      }
    return copy;
  });
}

template <typename Count>
py::array_t<std::int64_t> counts(const Data& data, Count count) {
  std::vector<std::int64_t> all;
  for (const Graph& g : data->graphs) all.push_back(static_cast<std::int64_t>(count(g)));
  return array_of(std::move(all));
}

// The edges or arcs, then the self-loops: of edges as labels and attributes count them.
py::array_t<std::int64_t> edges_of(const Graph& graph, const std::vector<Edge>& edges) {
  std::vector<std::int64_t> ends;
  for (const Edge e : edges) ends.insert(ends.end(), {std::int64_t{e.u}, std::int64_t{e.v}});
  for (const Node v : graph.self_loops()) ends.insert(ends.end(), {std::int64_t{v}, std::int64_t{v}});
  const auto rows = static_cast<py::ssize_t>(ends.size() / 2);
  return array_of(std::move(ends), {rows, 2});
}

void save(const Data& data, const std::string& path, const std::string& format, bool drop_data) {
  without_gil([&] {
    io::write_dataset(*data, path, format.empty() ? io::format_of_path(path) : io::parse_format(format),
                      drop_data);
  });
}

py::ssize_t signed_size(std::size_t size) { return static_cast<py::ssize_t>(size); }

void add_graph_arrays(py::class_<Dataset, std::shared_ptr<Dataset>>& data) {
  using Holder = std::shared_ptr<Dataset>;
  data.def("edges", [](const Holder& self, std::size_t g) {
    return edges_of(graph_at(*self, g), graph_at(*self, g).edges());
  });
  data.def("is_directed", [](const Holder& self, std::size_t g) { return graph_at(*self, g).is_directed(); });
  data.def("arcs", [](const Holder& self, std::size_t g) {
    const Graph& graph = graph_at(*self, g);
    if (!graph.is_directed()) throw py::value_error("needed a directed graph, found an undirected one");
    return edges_of(graph, graph.arcs());
  });
  data.def("node_labels", [](const py::object& self, std::size_t g) -> py::object {
    const Graph& graph = graph_at(self.cast<const Dataset&>(), g);
    if (!graph.has_node_labels()) return py::none();
    const auto labels = graph.node_labels();
    return view_of(labels.data(), {signed_size(labels.size())}, self);
  });
  data.def("node_attributes", [](const py::object& self, std::size_t g) -> py::object {
    const Graph& graph = graph_at(self.cast<const Dataset&>(), g);
    if (graph.num_node_attributes() == 0) return py::none();
    return view_of(graph.node_attributes(0).data(),
                   {signed_size(graph.num_nodes()), signed_size(graph.num_node_attributes())}, self);
  });
  data.def("edge_labels", [](const py::object& self, std::size_t g) -> py::object {
    const Graph& graph = graph_at(self.cast<const Dataset&>(), g);
    if (!graph.has_edge_labels()) return py::none();
    return view_of(graph.edge_labels().data(), {signed_size(graph.edge_labels().size())}, self);
  });
  data.def("edge_attributes", [](const py::object& self, std::size_t g) -> py::object {
    const Graph& graph = graph_at(self.cast<const Dataset&>(), g);
    if (graph.num_edge_attributes() == 0) return py::none();
    return view_of(
        graph.edge_attributes(0).data(),
        {signed_size(graph.num_edges() + graph.num_self_loops()), signed_size(graph.num_edge_attributes())},
        self);
  });
  data.def("num_self_loops",
           [](const Holder& self, std::size_t g) { return graph_at(*self, g).num_self_loops(); });
  data.def("neighbors", [](const py::object& self, std::size_t g, std::size_t v) {
    const Graph& graph = graph_at(self.cast<const Dataset&>(), g);
    if (v >= graph.num_nodes())
      throw py::index_error(fmt::format("needed a node below {}, found {}", graph.num_nodes(), v));
    const auto neighbors = graph.neighbors(static_cast<Node>(v));
    return view_of(neighbors.data(), {signed_size(neighbors.size())}, self);
  });
  data.def("graph6", [](const Holder& self, std::size_t g, bool sparse) {
    return sparse ? io::to_sparse6(graph_at(*self, g)) : io::to_graph6(graph_at(*self, g));
  });
}

void add_targets(py::class_<Dataset, std::shared_ptr<Dataset>>& data) {
  using Holder = std::shared_ptr<Dataset>;
  data.def_property_readonly("class_names", [](const Holder& self) { return self->class_names; });
  data.def_property_readonly("target_names", [](const Holder& self) { return self->target_names; });
  data.def_property_readonly("class_of", [](const Holder& self) -> py::object {
    if (!self->has_classes()) return py::none();
    return array_of(std::vector<std::int64_t>(self->class_of.begin(), self->class_of.end()));
  });
  data.def_property_readonly("real_targets", [](const Holder& self) -> py::object {
    if (self->num_real_targets == 0) return py::none();
    return array_of(std::vector<double>(self->real_targets),
                    {signed_size(self->graphs.size()), signed_size(self->num_real_targets)});
  });
  data.def("with_classes", with_classes);
  data.def("with_values", with_values);
}

}  // namespace

void add_data(py::module_& module) {
  using Holder = std::shared_ptr<Dataset>;
  py::class_<Dataset, Holder> bound(module, "Data");
  bound.def("__len__", [](const Holder& self) { return self->graphs.size(); });
  bound.def_property_readonly("name", [](const Holder& self) { return self->name; });
  bound.def("take", take);
  bound.def("renamed", [](const Holder& self, const std::string& name) {
    auto copy = std::make_shared<Dataset>(*self);
    copy->name = name;
    return copy;
  });
  bound.def("num_nodes",
            [](const Data& self) { return counts(self, [](const Graph& g) { return g.num_nodes(); }); });
  bound.def("num_edges",
            [](const Data& self) { return counts(self, [](const Graph& g) { return g.num_edges(); }); });
  bound.def("checksum", [](const Data& self) { return without_gil([&] { return checksum(*self); }); });
  bound.def("save", save);
  bound.def("to_json_lines", [](const Data& self) {
    return py::bytes(without_gil([&] {
      std::ostringstream out;
      io::print_dataset(*self, out, io::Format::kJsonLines);
      return out.str();
    }));
  });
  bound.def("without_targets", [](const Data& self) { return without_targets(*self); });
  bound.def("same_graph", [](const Data& self, std::size_t g, const Data& other, std::size_t h) {
    return graph_at(*self, g) == graph_at(*other, h);
  });
  bound.def("__eq__", [](const Data& self, const Data& other) { return *self == *other; });
  add_graph_arrays(bound);
  add_targets(bound);

  module.def("load", [](const std::string& path, int threads) {
    return without_gil([&] { return std::make_shared<Dataset>(io::read_dataset(path, threads)); });
  });
  module.def("from_json_lines",
             [](const std::string& text, const std::string& name, std::vector<std::string> targets) {
               return without_gil([&] {
                 auto data = std::make_shared<Dataset>();
                 if (!text.empty()) *data = io::read_json_lines(text, "graphs", 1);
                 data->name = name;
                 data->target_names = std::move(targets);
                 return data;
               });
             });
  module.def("from_arrays", from_arrays);
  module.def("joined", joined);
  module.def("from_graph6", [](const std::string& text, const std::string& name) {
    return without_gil([&] {
      auto data = std::make_shared<Dataset>();
      data->name = name;
      data->graphs = io::read_graph6(text, "graph6");
      return data;
    });
  });
}

}  // namespace twofold::python
