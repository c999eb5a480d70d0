#include "bindings/arrays.h"

#include <fmt/format.h>

#include <limits>

namespace twofold::python {
namespace {

std::string kind_of(const py::handle& object) {
  if (py::isinstance<py::array>(object)) {
    const py::array array = py::reinterpret_borrow<py::array>(object);
    return fmt::format("an array of {}", py::str(array.dtype()).cast<std::string>());
  }
  return Py_TYPE(object.ptr())->tp_name;
}

py::array as_array(const py::handle& object, const std::string& name, const char* needed) {
  py::array array = py::array::ensure(object);
  if (!array) throw py::type_error(fmt::format("{}: needed {}, found {}", name, needed, kind_of(object)));
  return array;
}

bool is_aligned(const py::array& array) {
  return (array.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
}

// In this machine's byte order.
bool is_native(const py::array& array) {
  const char order = array.dtype().attr("byteorder").cast<std::string>()[0];
  return order == '=' || order == '|' || order == '<';
}

}  // namespace

IntegerArray::IntegerArray(const py::handle& object, const std::string& name, int dimensions)
    : array_(as_array(object, name, "integers")) {
  // An empty list has no kind of its own.
  const bool is_empty_list = array_.size() == 0 && !py::isinstance<py::array>(object);
  const char kind = array_.dtype().kind();
  if (kind != 'i' && kind != 'u' && !is_empty_list)
    throw py::type_error(fmt::format("{}: needed integers, found {}", name, kind_of(array_)));
  if (array_.ndim() != dimensions)
    throw py::value_error(fmt::format("{}: needed {} dimension{}, found {}", name, dimensions,
                                      dimensions == 1 ? "" : "s", array_.ndim()));
  const bool fits = kind == 'i' && (array_.itemsize() == 8 || array_.itemsize() == 4) && is_aligned(array_) &&
                    is_native(array_);
  if (!fits) array_ = py::array_t<std::int64_t, py::array::forcecast>(array_);
  is_wide_ = array_.itemsize() == 8;
  data_ = static_cast<const char*>(array_.data());
  for (int d = 0; d < dimensions; ++d) stride_[d] = array_.strides(d);
}

RealArray::RealArray(const py::handle& object, const std::string& name)
    : array_(as_array(object, name, "numbers")) {
  const char kind = array_.dtype().kind();
  if (kind != 'f' && kind != 'i' && kind != 'u' && kind != 'b')
    throw py::type_error(
        fmt::format("{}: needed numbers, in rows of one width, found {}", name, kind_of(array_)));
  if (array_.ndim() != 1 && array_.ndim() != 2)
    throw py::value_error(fmt::format("{}: needed one or two dimensions, found {}", name, array_.ndim()));
  const bool fits = kind == 'f' && (array_.itemsize() == 8 || array_.itemsize() == 4) && is_aligned(array_) &&
                    is_native(array_);
  if (!fits) array_ = py::array_t<double, py::array::forcecast>(array_);
  is_wide_ = array_.itemsize() == 8;
  data_ = static_cast<const char*>(array_.data());
  stride_[0] = array_.strides(0);
  if (array_.ndim() == 2) {
    columns_ = static_cast<std::size_t>(array_.shape(1));
    stride_[1] = array_.strides(1);
  }
}

Label label_of(std::int64_t x, const char* name, std::size_t place) {
  if (x < std::numeric_limits<Label>::min() || x > std::numeric_limits<Label>::max())
    throw py::value_error(fmt::format("{}: needed integers of 32 bits, found {} at {}", name, x, place));
  return static_cast<Label>(x);
}

}  // namespace twofold::python
