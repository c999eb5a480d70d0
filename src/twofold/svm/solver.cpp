#include "twofold/svm/solver.h"

#include "twofold/base/error.h"

namespace twofold::svm {

Solver parse_solver(const std::string& word) {
  for (const Solver solver : {Solver::kAuto, Solver::kLibsvm, Solver::kLinear})
    if (word == to_string(solver)) return solver;
  throw UsageError(fmt::format("solver: needed auto, libsvm or linear, found {}", in_quotes(word)));
}

std::string to_string(Solver solver) {
  switch (solver) {
    case Solver::kAuto:
      return "auto";
    case Solver::kLibsvm:
      return "libsvm";
    case Solver::kLinear:
      return "linear";
  }
  TWOFOLD_CHECK(false);
  return {};
}

Solver resolve_solver(Solver solver, const gram::Kernel& kernel, double gamma, std::size_t num_graphs) {
  const bool is_linear = kernel.combine == gram::Combine::kProduct && gamma == 0;
  if (solver == Solver::kLinear && gamma != 0)
    throw UsageError(
        fmt::format("solver: linear needs gamma 0, found {}: a Gaussian is no inner product of counts", gamma));
  if (solver == Solver::kLinear && !is_linear)
    throw UsageError(
        "solver: linear needs the combination product; intersection is no inner product of counts");
  if (solver != Solver::kAuto) return solver;
  return is_linear && num_graphs > kMostForMatrix ? Solver::kLinear : Solver::kLibsvm;
}

}  // namespace twofold::svm
