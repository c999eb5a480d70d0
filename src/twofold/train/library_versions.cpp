#include "twofold/train/library_versions.h"

#include <fmt/format.h>
#include <hwy/highway.h>

#include "twofold/train/tensor_engine.h"

namespace twofold::train {

model::Libraries network_libraries() {
  model::Libraries libraries;
  if (tensor_engine() != nullptr) libraries = tensor_engine()->libraries();
  libraries.emplace_back("highway", fmt::format("{}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH));
  return libraries;
}

}  // namespace twofold::train
