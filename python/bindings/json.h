#pragma once

#include <pybind11/pybind11.h>

#include "twofold/model/config.h"

namespace twofold::python {

namespace py = pybind11;

/// Dicts, lists, numbers, texts, None.
py::object to_python(const model::Config& json);

/// Of None, a bool, an integer, a real number or a text, numpy's included. Throws TypeError naming `name` for
/// anything else.
model::Config to_config(const py::handle& value, const std::string& name);

/// `repr(value)`, cut after 60 characters, for messages.
std::string shown(const py::handle& value);

}  // namespace twofold::python
