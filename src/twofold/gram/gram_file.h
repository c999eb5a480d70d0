#pragma once

#include <string>

#include "twofold/base/file.h"
#include "twofold/gram/gram_matrix.h"
#include "twofold/graph/dataset.h"

namespace twofold::gram {

enum class GramFormat { kNpy, kCsv, kLibsvm };

/// By the path's ending: .npy, .csv, .libsvm; throws UsageError for another.
GramFormat gram_format_of_path(const std::string& path);

/// Writes the matrix, or with `normalize` its cosine values; commits nothing.
///
/// .npy: an array of size × size, 64-bit integers (normalized: 64-bit floats), little-endian, row by row.
/// .csv: a line per graph, values separated by commas, no header.
/// libsvm's precomputed kernel: `target 0:i 1:K(i,1) 2:K(i,2) …`, i from 1. The target is the class as the
/// dataset wrote it where all classes are numbers, the class's index from 0 where they are words, else the
/// first real target, else 0. Needs dataset.graphs.size() == matrix.size for libsvm; the others do not look at
/// the dataset.
void write_gram(const GramMatrix& matrix, const Dataset& dataset, GramFormat format, bool normalize,
                AtomicFile& file);

}  // namespace twofold::gram
