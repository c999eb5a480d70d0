#include "twofold/train/library_versions.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <hwy/highway.h>
#include <torch/version.h>

namespace twofold::train {

std::string blas_in_use() {
  // Asked by name: no header of it need be there.
  if (void* config = dlsym(RTLD_DEFAULT, "openblas_get_config")) return reinterpret_cast<char* (*)()>(config)();
  Dl_info where{};
  void* product = dlsym(RTLD_DEFAULT, "sgemm_");
  if (product != nullptr && dladdr(product, &where) != 0) {
    const std::string file = where.dli_fname;
    return "not OpenBLAS: " + file.substr(file.rfind('/') + 1);
  }
  return "none";
}

model::Libraries network_libraries() {
  // `OpenBLAS 0.3.21 NO_LAPACKE … MAX_THREADS=64`: what follows the version tells of the machine.
  std::string blas = blas_in_use();
  if (const std::size_t name = blas.find(' '); name != std::string::npos && blas.rfind("OpenBLAS", 0) == 0)
    blas = blas.substr(0, blas.find(' ', name + 1));
  return {{"libtorch", TORCH_VERSION},
          {"blas", blas},
          {"highway", fmt::format("{}.{}.{}", HWY_MAJOR, HWY_MINOR, HWY_PATCH)}};
}

}  // namespace twofold::train
