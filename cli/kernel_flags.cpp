#include "cli/kernel_flags.h"

#include <fmt/format.h>

#include "twofold/base/error.h"

namespace twofold::cli {

Option& declare_kernel(Options& flags, KernelFlags& kernel) {
  Option& name = flags.add("--kernel", kernel.name, gram::kernel_names()).type_name("KERNEL");
  flags.add("--iterations", kernel.iterations, "Refinements after the initial colors")
      .range(0, gram::kMaxIterations)
      .show_default()
      .type_name("T");
  flags.add("--radius", kernel.radius, "2-wl only: count pairs of nodes up to this distance (1, 2, … or all)")
      .show_default()
      .type_name("R");
  flags.add_flag("--edge-labels", kernel.edge_labels, "Let edge labels enter the colors");
  return name;
}

gram::Kernel kernel_of(const KernelFlags& flags) {
  gram::Kernel kernel;
  kernel.kind = gram::parse_kernel(flags.name);
  kernel.iterations = flags.iterations;
  kernel.edge_labels = flags.edge_labels;
  if (flags.radius != "1" && kernel.kind != gram::KernelKind::kRows)
    throw UsageError(fmt::format("--radius: {} has none, only 2-wl has", flags.name));
  kernel.radius = graph::parse_radius(flags.radius);
  gram::require_valid(kernel);
  return kernel;
}

}  // namespace twofold::cli
