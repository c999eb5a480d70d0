#include "twofold/gram/pair_colors.h"

#include "twofold/gram/row_colors.h"
#include "twofold/gram/set_colors.h"

namespace twofold::gram {

std::unique_ptr<PairColors> make_pair_colors(const Graph& g, const Kernel& kernel) {
  if (kernel.kind == KernelKind::kRows) return std::make_unique<RowColors>(g, kernel);
  return std::make_unique<SetColors>(g, kernel);
}

PairSizes count_pairs(const Graph& g, const Kernel& kernel) {
  return kernel.kind == KernelKind::kRows ? RowColors::count(g, kernel) : SetColors::count(g, kernel);
}

}  // namespace twofold::gram
