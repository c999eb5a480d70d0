#pragma once

#include <string>

#include "twofold/base/file.h"
#include "twofold/gram/sparse_counts.h"
#include "twofold/graph/dataset.h"

namespace twofold::gram {

enum class FeaturesFormat { kNpz, kSvm };

/// By the path's ending: .npz, .svm; throws UsageError for another.
FeaturesFormat features_format_of_path(const std::string& path);

/// Writes the counts, or with `normalize` the rows divided by their lengths; commits nothing.
///
/// .npz: what scipy.sparse.load_npz takes, a CSR matrix of 64-bit integers (normalized: floats).
/// .svm: a line per graph, `target column:count …` with columns from 1, as liblinear and scikit-learn's
/// load_svmlight_file read it; targets as gram::TargetTexts has them.
/// Needs dataset.graphs.size() == counts.num_rows() for .svm. Throws Error for a .npz beyond 4 GiB.
void write_features(const SparseCounts& counts, const Dataset& dataset, FeaturesFormat format, bool normalize,
                    AtomicFile& file);

}  // namespace twofold::gram
