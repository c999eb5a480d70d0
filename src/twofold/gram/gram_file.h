#pragma once

#include <string>

#include "twofold/base/file.h"
#include "twofold/gram/array_text.h"
#include "twofold/gram/gram_matrix.h"
#include "twofold/graph/dataset.h"

namespace twofold::gram {

enum class GramFormat { kNpy, kCsv, kLibsvm };

/// By the path's ending: .npy, .csv, .libsvm; throws UsageError for another.
GramFormat gram_format_of_path(const std::string& path);

/// Writes a matrix, or with `normalize` its cosine values, by blocks of rows; commits nothing. The bytes do not
/// depend on the blocks.
///
/// .npy: an array of size × size, 64-bit integers (normalized: 64-bit floats), little-endian, row by row.
/// .csv: a line per graph, values separated by commas, no header.
/// libsvm's precomputed kernel: `target 0:i 1:K(i,1) 2:K(i,2) …`, i from 1. The target is the class as the
/// dataset wrote it where all classes are numbers, the class's index from 0 where they are words, else the
/// first real target, else 0. Needs dataset.graphs.size() == size for libsvm; the others do not look at
/// the dataset.
class GramWriter {
 public:
  /// Both must outlive it.
  GramWriter(std::size_t size, const Dataset& dataset, GramFormat format, bool normalize, AtomicFile& file);
  /// From the first row to the last, without gaps.
  void add(const GramMatrix& rows);

 private:
  std::size_t size_;
  GramFormat format_;
  bool normalize_;
  AtomicFile& file_;
  TargetTexts targets_;
  std::size_t next_ = 0;  // row
};

}  // namespace twofold::gram
