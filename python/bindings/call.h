#pragma once

#include <pybind11/pybind11.h>

#include <utility>

#include "twofold/base/interrupt.h"
#include "twofold/base/progress.h"

namespace twofold::python {

namespace py = pybind11;

/// Passes through the library, which handles no exception but std::exception: Python's error is set.
struct Stopped {};

/// Throws Stopped if Ctrl-C was pressed, or another signal's handler raised. For threads without the GIL.
void check_signals();

/// Calls `work` without the GIL, so that other Python threads run. Ctrl-C, and what a callback raised, ends it.
template <typename Work>
auto without_gil(Work&& work) {
  try {
    const py::gil_scoped_release release;
    const InterruptWatch watch(check_signals);
    return std::forward<Work>(work)();
  } catch (const Stopped&) {
    throw py::error_already_set();
  }
}

/// Calls a Python function from work without the GIL; what it raises ends the work. Null for None.
Progress progress_to(const py::object& callback);

/// `callback(arguments…)` with the GIL, from work without it.
template <typename... Arguments>
void call_python(const py::object& callback, Arguments&&... arguments) {
  const py::gil_scoped_acquire acquire;
  try {
    callback(std::forward<Arguments>(arguments)...);
  } catch (py::error_already_set& error) {
    error.restore();
    throw Stopped{};
  }
}

}  // namespace twofold::python
