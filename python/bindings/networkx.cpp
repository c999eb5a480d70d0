// networkx graphs, read from their dictionaries: twenty times faster than by their methods.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>

#include "bindings/arrays.h"
#include "bindings/call.h"
#include "bindings/flat_graphs.h"
#include "bindings/json.h"
#include "bindings/parts.h"

namespace twofold::python {
namespace {

constexpr const char* kChanged = "the graph changed while it was read";

// Under which keys nodes and edges have their data; null for none.
struct Keys {
  py::object node_label, node_attributes, edge_label, edge_attributes;
};

// What a node or an edge says under a key; null if it says nothing.
py::object value_of(PyObject* dict, const py::object& key) {
  if (key.is_none()) return {};
  if (!PyDict_Check(dict)) throw py::type_error("needed the dict of a node or edge, found something else");
  PyObject* const found = PyDict_GetItemWithError(dict, key.ptr());
  if (found == nullptr && PyErr_Occurred() != nullptr) throw py::error_already_set();
  return py::reinterpret_borrow<py::object>(found);
}

// Numbers of nodes, and of nodes with data, of all graphs: either all have it or none.
class Column {
 public:
  Column(const char* what, const py::object& key) : what_(what), key_(key) {}

  const py::object& key() const { return key_; }
  bool is_there() const { return state_ == 1; }

  /// Whether there is a value to be added, after checking that what came before agrees.
  bool add(const py::object& value, std::size_t graph, const py::object& place) {
    const int now = value ? 1 : 0;
    if (state_ < 0) state_ = now;
    if (state_ != now)
      throw py::value_error(fmt::format("{} {}: needed by all or by none, found {} {} of graph {} {}", what_,
                                        shown(key_), place_word(), shown(place), graph,
                                        now == 1 ? "with one" : "without"));
    return now == 1;
  }

  Label label(const py::object& value, std::size_t graph, const py::object& place) const {
    if (!PyIndex_Check(value.ptr()) || PyBool_Check(value.ptr()))
      throw py::type_error(fmt::format("{} {}: needed an integer, found {} at {} {} of graph {}", what_,
                                       shown(key_), shown(value), place_word(), shown(place), graph));
    const py::object whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
    if (!whole) throw py::error_already_set();
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(whole.ptr(), &overflow);
    if (overflow != 0 || number < INT32_MIN || number > INT32_MAX)
      throw py::value_error(fmt::format("{} {}: needed an integer of 32 bits, found {} at {} {} of graph {}",
                                        what_, shown(key_), shown(value), place_word(), shown(place), graph));
    return static_cast<Label>(number);
  }

  /// Appends a row of numbers; all rows must have one width.
  void row(const py::object& value, std::vector<double>& to, std::size_t& columns, std::size_t graph,
           const py::object& place) {
    const std::size_t begin = to.size();
    const auto push = [&](const py::handle& item) {
      const double number = PyFloat_AsDouble(item.ptr());
      if (PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        throw py::type_error(fmt::format("{} {}: needed numbers, found {} at {} {} of graph {}", what_,
                                         shown(key_), shown(value), place_word(), shown(place), graph));
      }
      if (!std::isfinite(number))
        throw py::value_error(fmt::format("{} {}: needed finite numbers, found {} at {} {} of graph {}", what_,
                                          shown(key_), number, place_word(), shown(place), graph));
      to.push_back(number);
    };
    if (PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr()) || !PySequence_Check(value.ptr())) {
      push(value);
    } else {
      const py::object items = py::reinterpret_steal<py::object>(PySequence_List(value.ptr()));
      if (!items) throw py::error_already_set();
      for (const py::handle item : items) push(item);
    }
    const std::size_t width = to.size() - begin;
    if (has_width_ && width != columns)
      throw py::value_error(fmt::format("{} {}: needed {} numbers as before, found {} at {} {} of graph {}",
                                        what_, shown(key_), columns, width, place_word(), shown(place), graph));
    has_width_ = true;
    columns = width;
  }

 private:
  const char* place_word() const { return what_[0] == 'n' ? "node" : "edge"; }

  const char* what_;
  py::object key_;
  int state_ = -1;  // nothing seen yet, no data, data
  bool has_width_ = false;
};

class NetworkxReader {
 public:
  NetworkxReader(const Keys& keys, bool is_directed)
      : node_label_("node_label", keys.node_label),
        node_attributes_("node_attributes", keys.node_attributes),
        edge_label_("edge_label", keys.edge_label),
        edge_attributes_("edge_attributes", keys.edge_attributes) {
    flat.is_directed = is_directed;
  }

  // `nodes` is a dict of dicts, `adjacency` one of dicts of dicts.
  void add(const py::dict& nodes, const py::dict& adjacency) {
    const std::size_t graph = flat.size();
    const py::list names = py::reinterpret_steal<py::list>(PyDict_Keys(nodes.ptr()));
    const std::size_t n = names.size();
    number_nodes(names);
    for (std::size_t v = 0; v < n; ++v) {
      const py::object name = names[v];
      const py::object data = item(nodes, name);
      if (const py::object value = value_of(data.ptr(), node_label_.key()); node_label_.add(value, graph, name))
        flat.node_labels.push_back(node_label_.label(value, graph, name));
      if (const py::object value = value_of(data.ptr(), node_attributes_.key());
          node_attributes_.add(value, graph, name))
        node_attributes_.row(value, flat.node_attributes, flat.node_columns, graph, name);
    }
    for (std::size_t u = 0; u < n; ++u) {
      const py::object neighbors = item(adjacency, names[u]);
      if (!PyDict_Check(neighbors.ptr()))
        throw py::type_error("needed a networkx.Graph, found other adjacencies");
      // A copy: looking up a node of a class of the user's may run any code.
      const py::list others = py::reinterpret_steal<py::list>(PyDict_Keys(neighbors.ptr()));
      for (const py::handle other : others) {
        const std::size_t v = number(py::reinterpret_borrow<py::object>(other), n);
        if (v < u && !flat.is_directed) continue;
        flat.ends.push_back({static_cast<Node>(u), static_cast<Node>(v)});
        if (edge_label_.key().is_none() && edge_attributes_.key().is_none()) continue;
        add_edge_data(neighbors, py::reinterpret_borrow<py::object>(other), graph, names[u]);
      }
    }
    flat.nodes.push_back(flat.nodes.back() + n);
    flat.edges.push_back(flat.ends.size());
  }

  FlatGraphs flat;

 private:
  void add_edge_data(const py::object& neighbors, const py::object& other, std::size_t graph,
                     const py::object& name) {
    const py::object data = item(neighbors, other);
    const py::object label = value_of(data.ptr(), edge_label_.key());
    const py::object row = value_of(data.ptr(), edge_attributes_.key());
    const py::object place = py::make_tuple(name, other);
    if (edge_label_.add(label, graph, place))
      flat.edge_labels.push_back(edge_label_.label(label, graph, place));
    if (edge_attributes_.add(row, graph, place))
      edge_attributes_.row(row, flat.edge_attributes, flat.edge_columns, graph, place);
  }

  static py::object item(const py::object& dict, const py::object& key) {
    PyObject* const found = PyDict_GetItemWithError(dict.ptr(), key.ptr());
    if (found == nullptr) {
      if (PyErr_Occurred() != nullptr) throw py::error_already_set();
      throw py::value_error(kChanged);
    }
    return py::reinterpret_borrow<py::object>(found);
  }

  // Most graphs call their nodes 0, 1, …: then no table is needed.
  void number_nodes(const py::list& names) {
    is_plain_ = true;
    for (std::size_t v = 0; v < names.size() && is_plain_; ++v) {
      PyObject* const name = PyList_GET_ITEM(names.ptr(), static_cast<Py_ssize_t>(v));
      is_plain_ = PyLong_CheckExact(name) && plain_number(name) == static_cast<long>(v);
    }
    if (is_plain_) return;
    numbers_ = py::dict();
    for (std::size_t v = 0; v < names.size(); ++v) numbers_[names[v]] = v;
  }

  static long plain_number(PyObject* name) {
    int overflow = 0;
    const long number = PyLong_AsLongAndOverflow(name, &overflow);
    return overflow != 0 ? -1 : number;
  }

  std::size_t number(const py::object& name, std::size_t n) const {
    if (is_plain_) {
      const long v = PyLong_CheckExact(name.ptr()) ? plain_number(name.ptr()) : -1;
      if (v < 0 || static_cast<std::size_t>(v) >= n) throw py::value_error(kChanged);
      return static_cast<std::size_t>(v);
    }
    return item(numbers_, name).cast<std::size_t>();
  }

  Column node_label_, node_attributes_, edge_label_, edge_attributes_;
  bool is_plain_ = true;
  py::dict numbers_;
};

// `parts` are pairs of dicts: nodes with their data, and adjacencies; of directed graphs the successors.
Data from_dicts(const py::list& parts, bool is_directed, const py::object& node_label,
                const py::object& node_attributes, const py::object& edge_label,
                const py::object& edge_attributes, const std::string& name, int threads) {
  NetworkxReader reader({node_label, node_attributes, edge_label, edge_attributes}, is_directed);
  std::size_t done = 0;
  for (const py::handle part : parts) {
    const auto pair = py::reinterpret_borrow<py::tuple>(part);
    reader.add(pair[0], pair[1]);
    if (++done % 256 == 0 && PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  const FlatGraphs flat = std::move(reader.flat);
  return without_gil([&] {
    auto data = std::make_shared<Dataset>();
    data->name = name;
    data->graphs = build_graphs(flat, threads);
    return data;
  });
}

}  // namespace

void add_networkx(py::module_& module) { module.def("from_dicts", from_dicts); }

}  // namespace twofold::python
