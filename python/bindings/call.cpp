#include "bindings/call.h"

namespace twofold::python {

void check_signals() {
  const py::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw Stopped{};
}

Progress progress_to(const py::object& callback) {
  if (callback.is_none()) return {};
  return [&callback](std::uint64_t done, std::uint64_t total) { call_python(callback, done, total); };
}

}  // namespace twofold::python
