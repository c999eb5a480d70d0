#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "twofold/graph/dataset.h"

namespace twofold::gram {

/// What stands before the values of a NumPy array (format 1.0): `type` as `<i8`, values row by row.
std::string npy_header(const std::string& type, const std::vector<std::uint64_t>& shape);

/// The targets of a dataset as libsvm's files have them: the class as the dataset wrote it where all classes
/// are numbers, the class's index from 0 where they are words, else the first real target, else 0.
class TargetTexts {
 public:
  explicit TargetTexts(const Dataset& dataset);
  std::string operator[](std::size_t graph) const;

 private:
  const Dataset& dataset_;
  bool numeric_classes_;
};

}  // namespace twofold::gram
