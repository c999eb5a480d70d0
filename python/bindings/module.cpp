// twofold._core: the library as Python sees it. The package twofold (python/twofold) makes classes of it.
#include "bindings/parts.h"
#include "cli/version.h"
#include "twofold/base/parallel.h"

PYBIND11_MODULE(_core, module) {
  namespace python = twofold::python;
  module.attr("version") = twofold::cli::version_number();
  module.attr("commit") = twofold::cli::build_commit();
  module.def("available_threads", twofold::available_threads);
  python::add_errors();
  python::add_data(module);
  python::add_networkx(module);
  python::add_options(module);
  python::add_kernels(module);
  python::add_wl(module);
  python::add_models(module);
  python::add_evaluation(module);
}
