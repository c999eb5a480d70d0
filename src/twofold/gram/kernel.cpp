#include "twofold/gram/kernel.h"

#include <array>

#include "twofold/base/error.h"

namespace twofold::gram {
namespace {

struct Name {
  KernelKind kind;
  const char* word;
};
constexpr std::array<Name, 5> kNames = {{{KernelKind::kWlSubtree, "wl-st"},
                                         {KernelKind::kWlShortestPath, "wl-sp"},
                                         {KernelKind::kLocalSets, "2-lwl"},
                                         {KernelKind::kGlobalSets, "2-gwl"},
                                         {KernelKind::kRows, "2-wl"}}};

}  // namespace

Combine parse_combine(const std::string& word) {
  if (word == "product") return Combine::kProduct;
  if (word == "intersection") return Combine::kIntersection;
  throw UsageError(fmt::format("needed product or intersection, found {}", in_quotes(word)));
}

std::string to_string(Combine combine) { return combine == Combine::kProduct ? "product" : "intersection"; }

bool operator==(const Kernel& a, const Kernel& b) {
  return a.kind == b.kind && a.iterations == b.iterations && a.edge_labels == b.edge_labels &&
         a.combine == b.combine && (a.kind != KernelKind::kRows || a.radius == b.radius);
}

KernelKind parse_kernel(const std::string& word) {
  for (const Name& name : kNames)
    if (word == name.word) return name.kind;
  throw UsageError(fmt::format("needed a kernel {}, found {}", kernel_names(), in_quotes(word)));
}

std::string kernel_name(KernelKind kind) {
  for (const Name& name : kNames)
    if (kind == name.kind) return name.word;
  return "?";
}

std::string kernel_names() {
  std::string text;
  for (std::size_t i = 0; i < kNames.size(); ++i)
    text += (i == 0 ? "" : i + 1 == kNames.size() ? " or " : ", ") + std::string(kNames[i].word);
  return text;
}

std::string describe(const Kernel& kernel) {
  const bool has_radius = kernel.kind == KernelKind::kRows;
  return fmt::format("{}{}, {} iteration{}{}{}", kernel_name(kernel.kind),
                     has_radius ? ", radius " + to_string(kernel.radius) : "", kernel.iterations,
                     kernel.iterations == 1 ? "" : "s", kernel.edge_labels ? ", edge labels" : "",
                     kernel.combine == Combine::kIntersection ? ", intersection" : "");
}

void require_valid(const Kernel& kernel) {
  if (kernel.iterations < 0 || kernel.iterations > kMaxIterations)
    throw UsageError(fmt::format("needed iterations in 0..{}, found {}", kMaxIterations, kernel.iterations));
}

}  // namespace twofold::gram
