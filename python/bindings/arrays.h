#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "twofold/graph/graph.h"

namespace twofold::python {

namespace py = pybind11;

/// The vector as a numpy array of that shape, without copying.
template <typename T>
py::array_t<T> array_of(std::vector<T>&& values, std::vector<py::ssize_t> shape) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  T* const data = owned->data();
  const py::capsule owner(owned.release(), [](void* vector) { delete static_cast<std::vector<T>*>(vector); });
  return py::array_t<T>(std::move(shape), data, owner);
}
template <typename T>
py::array_t<T> array_of(std::vector<T>&& values) {
  const auto size = static_cast<py::ssize_t>(values.size());
  return array_of(std::move(values), {size});
}

/// An array that `owner` keeps alive, to be read only.
template <typename T>
py::array_t<T> view_of(const T* data, std::vector<py::ssize_t> shape, const py::object& owner) {
  py::array_t<T> array(std::move(shape), data, owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

/// Integers of a numpy array of any integer type, read in place.
class IntegerArray {
 public:
  /// Throws TypeError naming the argument for anything but integers, ValueError for other than `dimensions`.
  IntegerArray(const py::handle& object, const std::string& name, int dimensions);

  std::size_t size(int dimension) const { return static_cast<std::size_t>(array_.shape(dimension)); }
  /// Needs no GIL.
  std::int64_t at(std::size_t i) const { return read(data_ + static_cast<py::ssize_t>(i) * stride_[0]); }
  std::int64_t at(std::size_t i, std::size_t j) const {
    return read(data_ + static_cast<py::ssize_t>(i) * stride_[0] + static_cast<py::ssize_t>(j) * stride_[1]);
  }

 private:
  std::int64_t read(const char* place) const {
    return is_wide_ ? *reinterpret_cast<const std::int64_t*>(place)
                    : *reinterpret_cast<const std::int32_t*>(place);
  }

  py::array array_;
  const char* data_ = nullptr;
  py::ssize_t stride_[2] = {0, 0};
  bool is_wide_ = true;
};

/// Real numbers, a row per node or edge; a list of numbers is one column.
class RealArray {
 public:
  /// Throws TypeError naming the argument for no numbers, ValueError for other than one or two dimensions.
  RealArray(const py::handle& object, const std::string& name);

  std::size_t rows() const { return static_cast<std::size_t>(array_.shape(0)); }
  std::size_t columns() const { return columns_; }
  double at(std::size_t i, std::size_t j) const {
    const char* const place =
        data_ + static_cast<py::ssize_t>(i) * stride_[0] + static_cast<py::ssize_t>(j) * stride_[1];
    return is_wide_ ? *reinterpret_cast<const double*>(place) : *reinterpret_cast<const float*>(place);
  }

 private:
  py::array array_;
  const char* data_ = nullptr;
  std::size_t columns_ = 1;
  py::ssize_t stride_[2] = {0, 0};
  bool is_wide_ = true;
};

/// `x` as a label; throws ValueError naming the argument and the place if it is too large.
Label label_of(std::int64_t x, const char* name, std::size_t place);

}  // namespace twofold::python
