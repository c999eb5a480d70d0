#pragma once

#include <string>

#include "cli/options.h"
#include "twofold/gram/kernel.h"

namespace twofold::cli {

/// A kernel as one names it on the command line.
struct KernelFlags {
  std::string name;
  int iterations = 3;
  std::string radius = "1";
  bool edge_labels = false;
};

/// Hands back --kernel.
Option& declare_kernel(Options& flags, KernelFlags& kernel);

/// Throws UsageError for what is no kernel.
gram::Kernel kernel_of(const KernelFlags& flags);

}  // namespace twofold::cli
