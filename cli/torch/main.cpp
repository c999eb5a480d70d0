#include <dlfcn.h>

#include <vector>

#include "cli/command.h"
#include "cli/command_tree.h"
#include "cli/interrupts_at_start.h"
#include "cli/registry.h"
#include "twofold/torch/torch_engine.h"

namespace {

// OpenBLAS takes its buffer with the first product, 128 MiB of addresses of which it touches few, and tries for
// good if it gets none. So it takes it here, before --max-memory is in force. The loader knows the product by
// name, as only libtorch is linked.
void take_blas_buffer() {
  using Product =
      void (*)(const char*, const char*, const int*, const int*, const int*, const float*, const float*,
               const int*, const float*, const int*, const float*, float*, const int*);
  const auto product = reinterpret_cast<Product>(dlsym(RTLD_DEFAULT, "sgemm_"));
  if (product == nullptr) return;
  const int n = 256;  // small ones go without the buffer
  const float one = 1, zero = 0;
  const std::vector<float> a(static_cast<std::size_t>(n * n), 0.0f);
  std::vector<float> c(a.size());
  product("N", "N", &n, &n, &n, &one, a.data(), &n, a.data(), &n, &zero, c.data(), &n);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace twofold::cli;
  take_blas_buffer();
  twofold::tensors::install_torch_engine();
  return run_main(with_descriptions(twofold_commands()), argc, argv);
}
