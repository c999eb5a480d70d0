#pragma once

#include <pybind11/pybind11.h>

#include <string>

#include "twofold/model/model_table.h"

namespace twofold::python {

namespace py = pybind11;

/// `batch-norm` as a keyword: `batch_norm`.
std::string python_name(std::string option);

/// A value of an option. Throws TypeError or ValueError `epochs: needed an integer in 1..1000000, found 0`.
model::Config checked_value(const model::ModelOption& option, const py::handle& value);

/// Every option of the model: as the keywords say, else its default. None is the default too. Throws as
/// checked_value, and for a keyword that the model does not have.
model::Config config_of(const model::Model& model, const py::dict& keywords);

}  // namespace twofold::python
