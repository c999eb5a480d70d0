#pragma once

#include <cstddef>
#include <string>

#include "twofold/gram/kernel.h"

namespace twofold::svm {

/// How a support vector machine is trained.
enum class Solver {
  kAuto,    // linear for more than kMostForMatrix graphs where the kernel allows it, else libsvm
  kLibsvm,  // on the matrix of kernel values (svc.h)
  kLinear,  // on the counts themselves (linear_svc.h): kernels of products only
};
/// `auto`, `libsvm` or `linear`; throws UsageError for another word.
Solver parse_solver(const std::string& word);
/// The word parse_solver takes.
std::string to_string(Solver solver);

/// A matrix of so many graphs takes 3.2 GB, and libsvm minutes for it.
inline constexpr std::size_t kMostForMatrix = 10'000;

/// kLibsvm or kLinear. It goes by the number of graphs and not by the memory there is, so that every machine
/// makes the same model. Throws UsageError for kLinear with a kernel that is no inner product of counts: by
/// intersection, or behind a Gaussian (gamma > 0).
Solver resolve_solver(Solver solver, const gram::Kernel& kernel, double gamma, std::size_t num_graphs);

}  // namespace twofold::svm
