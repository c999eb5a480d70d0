#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "twofold/base/span.h"

namespace twofold::svm {

struct SvcOptions {
  /// C: what a training error costs. More than 0.
  double penalty = 1;
  /// libsvm's stopping tolerance.
  double tolerance = 1e-3;
  /// Megabytes of kernel rows that libsvm keeps. Changes the speed only.
  double cache = 200;
};

/// A training graph that counts for a decision.
struct Support {
  std::uint32_t graph = 0;  // its number among the training graphs
  double coefficient = 0;   // not 0
};

/// A support vector classifier over a kernel that is known by its values: for every two classes a < b, in the
/// order (0,1), (0,2), …, (1,2), …, a decision Σ_i coefficient(i) K(i, x) - rho that votes for a where it is
/// positive.
struct Svc {
  std::size_t num_classes = 0;
  // For each pair of classes its support vectors, by their numbers. They are of these classes, so all pairs
  // together have fewer than num_classes per training graph.
  std::vector<std::vector<Support>> supports;
  // For each pair of classes.
  std::vector<double> rho;
  std::size_t num_graphs = 0;  // trained on

  std::size_t num_pairs() const { return rho.size(); }
  /// 0 unless the graph is a support vector of the pair.
  double coefficient(std::size_t pair, std::size_t graph) const;
  /// The decisions for a graph of which the kernel values with all training graphs are given.
  std::vector<double> decisions(Span<const double> kernel_values) const;
};

/// Fills `row`, one value per training graph, with the kernel values of training graph i. Asked once for each,
/// in order.
using KernelRow = std::function<void(std::size_t i, std::vector<double>& row)>;

/// Trains libsvm's C-SVC (one against one, shrinking, no class weights) on a symmetric kernel.
///
/// `class_of` has an entry below num_classes for each training graph.
/// A pair of classes of which the training graphs lack one gets no support vectors and votes for the one that
/// is there (if neither is, for the first). Throws InputError without training graphs or with a value that is
/// not finite, UsageError for a penalty that is not positive, Error, before it starts, where memory does not
/// suffice: 16 bytes per entry of the kernel. Runs on
/// one thread; several trainings may run at once. The same input gives the same bits.
Svc train_svc(const KernelRow& kernel, Span<const std::uint32_t> class_of, std::size_t num_classes,
              const SvcOptions& options = {}, std::uint64_t max_memory = 0);

/// Of the libsvm in use, as `324`.
std::string libsvm_version();

/// The class with most votes; among equals the smallest.
std::uint32_t voted_class(Span<const double> decisions, std::size_t num_classes);

/// One number per class; the first of the largest is that of voted_class (but a decision of exactly 0 between
/// two classes is for the second). Two classes: the decision, and its negative for the second. More: how many
/// other classes it wins against.
std::vector<double> class_scores(Span<const double> decisions, std::size_t num_classes);

}  // namespace twofold::svm
