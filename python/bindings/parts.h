#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "twofold/graph/dataset.h"

namespace twofold::python {

namespace py = pybind11;

/// A dataset as Python holds it: shared, and never changed once Python has it.
using Data = std::shared_ptr<Dataset>;

// The parts of the module, one file each.
void add_errors();
void add_data(py::module_& module);
void add_networkx(py::module_& module);
void add_options(py::module_& module);
void add_kernels(py::module_& module);
void add_wl(py::module_& module);
void add_models(py::module_& module);
void add_evaluation(py::module_& module);

}  // namespace twofold::python
