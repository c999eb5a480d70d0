#include "twofold/gram/kernel.h"

#include <array>

#include "twofold/base/error.h"

namespace twofold::gram {
namespace {

struct Name {
  KernelKind kind;
  const char* word;
};
constexpr std::array<Name, 4> kNames = {{{KernelKind::kWlSubtree, "wl-st"},
                                         {KernelKind::kWlShortestPath, "wl-sp"},
                                         {KernelKind::kLocalSets, "2-lwl"},
                                         {KernelKind::kGlobalSets, "2-gwl"}}};

}  // namespace

bool operator==(const Kernel& a, const Kernel& b) {
  return a.kind == b.kind && a.iterations == b.iterations && a.edge_labels == b.edge_labels;
}

KernelKind parse_kernel(const std::string& word) {
  for (const Name& name : kNames)
    if (word == name.word) return name.kind;
  throw UsageError(fmt::format("needed a kernel wl-st, wl-sp, 2-lwl or 2-gwl, found {}", in_quotes(word)));
}

std::string kernel_name(KernelKind kind) {
  for (const Name& name : kNames)
    if (kind == name.kind) return name.word;
  return "?";
}

std::string describe(const Kernel& kernel) {
  return fmt::format("{}, {} iteration{}{}", kernel_name(kernel.kind), kernel.iterations,
                     kernel.iterations == 1 ? "" : "s", kernel.edge_labels ? ", edge labels" : "");
}

void require_valid(const Kernel& kernel) {
  if (kernel.iterations < 0 || kernel.iterations > kMaxIterations)
    throw UsageError(fmt::format("needed iterations in 0..{}, found {}", kMaxIterations, kernel.iterations));
}

}  // namespace twofold::gram
