#include "bindings/json.h"

#include <fmt/format.h>

namespace twofold::python {

py::object to_python(const model::Config& json) {
  switch (json.type()) {
    case model::Config::value_t::null:
    case model::Config::value_t::discarded:
    case model::Config::value_t::binary:
      return py::none();
    case model::Config::value_t::boolean:
      return py::bool_(json.get<bool>());
    case model::Config::value_t::number_integer:
      return py::int_(json.get<std::int64_t>());
    case model::Config::value_t::number_unsigned:
      return py::int_(json.get<std::uint64_t>());
    case model::Config::value_t::number_float:
      return py::float_(json.get<double>());
    case model::Config::value_t::string: {
      // What is no UTF-8 is shown with the replacement character.
      const std::string& text = json.get_ref<const std::string&>();
      return py::reinterpret_steal<py::object>(
          PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
    }
    case model::Config::value_t::array: {
      py::list list;
      for (const model::Config& item : json) list.append(to_python(item));
      return std::move(list);
    }
    case model::Config::value_t::object: {
      py::dict dict;
      for (const auto& [key, value] : json.items()) dict[py::str(key)] = to_python(value);
      return std::move(dict);
    }
  }
  return py::none();
}

std::string shown(const py::handle& value) {
  std::string text = py::repr(value).cast<std::string>();
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

model::Config to_config(const py::handle& value, const std::string& name) {
  PyObject* const object = value.ptr();
  if (value.is_none()) return nullptr;
  const std::string type = Py_TYPE(object)->tp_name;
  if (PyBool_Check(object) || type == "numpy.bool_" || type == "numpy.bool")
    return PyObject_IsTrue(object) == 1;
  if (PyUnicode_Check(object)) return value.cast<std::string>();
  if (PyIndex_Check(object)) {
    int overflow = 0;
    const py::object number = py::reinterpret_steal<py::object>(PyNumber_Index(object));
    if (!number) throw py::error_already_set();
    const long long whole = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
    if (overflow != 0) return number.cast<double>();
    return static_cast<std::int64_t>(whole);
  }
  // A text or a list of numbers is no number, though some of them could be made one.
  if (PyFloat_Check(object) || (PyNumber_Check(object) && !PySequence_Check(object))) {
    const double real = PyFloat_AsDouble(object);
    if (PyErr_Occurred() == nullptr) return real;
    PyErr_Clear();
  }
  throw py::type_error(fmt::format("{}: needed a number, a text or a bool, found {}", name, shown(value)));
}

}  // namespace twofold::python
