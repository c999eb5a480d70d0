// Every error of the library as the Python exception of its kind.
#include <pybind11/pybind11.h>

#include "bindings/parts.h"
#include "twofold/base/error.h"
#include "twofold/base/failure.h"

namespace twofold::python {
namespace {

// Messages name options as the command line has them, `--max-memory`; Python's have underscores.
std::string in_python_words(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_option = text.compare(i, 2, "--") == 0 && i + 2 < text.size() && std::islower(text[i + 2]) &&
                           (i == 0 || text[i - 1] == ' ' || text[i - 1] == '(');
    if (!is_option) {
      out += text[i];
      continue;
    }
    for (i += 2; i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '-'); ++i)
      out += text[i] == '-' ? '_' : text[i];
    --i;
  }
  return out;
}

void set_error(PyObject* kind, const std::exception& error) {
  PyErr_SetString(kind, in_python_words(error.what()).c_str());
}

}  // namespace

void add_errors() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const FileError& error) {
      // Python chooses FileNotFoundError, PermissionError, … by the number.
      errno = error.code;
      PyErr_SetFromErrnoWithFilename(PyExc_OSError, error.path.c_str());
    } catch (const MemoryError& error) {
      set_error(PyExc_MemoryError, error);
    } catch (const InputError& error) {
      set_error(PyExc_ValueError, error);
    } catch (const UsageError& error) {
      set_error(PyExc_ValueError, error);
    } catch (const Error& error) {
      set_error(PyExc_RuntimeError, error);
    } catch (const CheckError& error) {
      set_error(PyExc_RuntimeError, error);
    }
  });
}

}  // namespace twofold::python
