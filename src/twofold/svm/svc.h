#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "twofold/base/span.h"

namespace twofold::svm {

/// The penalties that the paper's experiments choose from.
inline constexpr double kPenaltyGrid[] = {1, 0.1, 0.01, 0.001, 0.0001};

struct SvcOptions {
  /// C: what a training error costs. More than 0.
  double penalty = 1;
  /// libsvm's stopping tolerance.
  double tolerance = 1e-3;
  /// Megabytes of kernel rows that libsvm keeps. Changes the speed only.
  double cache = 200;
};

/// A support vector classifier over a kernel that is known by its values: for every two classes a < b, in the
/// order (0,1), (0,2), …, (1,2), …, a decision Σ_i coefficients[i] K(i, x) - rho that votes for a where it is
/// positive.
struct Svc {
  std::size_t num_classes = 0;
  // A pair of classes: one coefficient a training graph, 0 unless it is a support vector.
  std::vector<std::vector<double>> coefficients;
  // A pair of classes.
  std::vector<double> rho;

  std::size_t num_pairs() const { return rho.size(); }
  /// The decisions for a graph of which the kernel values with all training graphs are given.
  std::vector<double> decisions(Span<const double> kernel_values) const;
};

/// Trains libsvm's C-SVC (one against one, shrinking, no class weights).
///
/// `kernel` is square and symmetric, a row a training graph; `class_of` has as many entries below num_classes.
/// A pair of classes of which the training graphs lack one gets coefficients of 0 and votes for the one that is
/// there (if neither is, for the first). Throws InputError without training graphs or with a value that is not
/// finite, UsageError for a penalty that is not positive. Memory: 16 bytes an entry of the kernel. Runs on one
/// thread; several trainings may run at once. The same input gives the same bits.
Svc train_svc(Span<const double> kernel, Span<const std::uint32_t> class_of, std::size_t num_classes,
              const SvcOptions& options = {});

/// The class with most votes; among equals the smallest.
std::uint32_t voted_class(Span<const double> decisions, std::size_t num_classes);

/// One number per class; the first of the largest is that of voted_class (but a decision of exactly 0 between
/// two classes is for the second). Two classes: the decision, and its negative for the second. More: how many
/// other classes it wins against.
std::vector<double> class_scores(Span<const double> decisions, std::size_t num_classes);

}  // namespace twofold::svm
