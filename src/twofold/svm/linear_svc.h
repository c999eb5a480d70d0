#pragma once

#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/gram/sparse_counts.h"
#include "twofold/svm/svc.h"

namespace twofold::svm {

/// Rows of counts as a linear machine reads them: the given rows of `counts`, divided by their lengths if
/// `normalize` (rows of zeros stay so).
struct LinearRows {
  const gram::SparseCounts* counts;
  Span<const std::uint32_t> rows;
  bool normalize = false;
};

/// A linear classifier: for every two classes a < b, in the order of Svc, a decision Σ_f weight(f) x_f - rho
/// that votes for a where it is positive.
struct LinearSvc {
  std::size_t num_classes = 0;
  // For each pair of classes, one a column.
  std::vector<std::vector<double>> weights;
  // For each pair of classes.
  std::vector<double> rho;
  // Of the pair that took most; all are below the limit unless the penalty is far too large for the data.
  std::size_t passes = 0;

  std::size_t num_pairs() const { return rho.size(); }
  /// The decisions for row `row` of counts, which have the columns that were trained on, or these and more.
  std::vector<double> decisions(const gram::SparseCounts& counts, std::uint32_t row, bool normalize) const;
};

/// Trains a linear support vector classifier (hinge loss, one against one) by dual coordinate descent, on the
/// counts themselves: no kernel matrix is made. Time is a few dozen passes over the counts; memory 8 bytes per
/// column and graph.
///
/// It minimizes |w|² / 2 + C Σ max(0, 1 - y (w x - rho)), which is libsvm's problem on the same kernel. Stops
/// where the projected gradients of the dual, and what rho still moves by, lie within `tolerance`, or after
/// 10,000 passes. Coordinates are taken in an order drawn from a seed that never changes: the same input gives
/// the same bits. Pairs of classes of which one is missing, and errors: as train_svc.
LinearSvc train_linear(const LinearRows& data, Span<const std::uint32_t> class_of, std::size_t num_classes,
                       const SvcOptions& options = {});

}  // namespace twofold::svm
