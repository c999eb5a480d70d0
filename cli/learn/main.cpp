#include <dlfcn.h>

#include <vector>

#include "cli/command.h"
#include "cli/command_bench_epoch.h"
#include "cli/command_embed.h"
#include "cli/command_explain.h"
#include "cli/command_predict.h"
#include "cli/command_reproduce_epoch_times.h"
#include "cli/command_reproduce_studies.h"
#include "cli/command_reproduce_tables.h"
#include "cli/command_simulate.h"
#include "cli/command_train.h"
#include "cli/command_tree.h"
#include "cli/interrupts_at_start.h"
#include "cli/learn/command_version_verbose.h"
#include "cli/learn/learner_factories.h"
#include "cli/learn/trained_separation.h"
#include "cli/registry.h"

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
  std::vector<Command> commands = twofold_commands();
  set_command(commands, "evaluate", declare_evaluate, run_evaluate_learn);
  set_command(commands, "train", declare_train, run_train);
  set_command(commands, "predict", declare_predict, run_predict);
  set_command(commands, "embed", declare_embed, run_embed);
  set_command(commands, "explain", declare_explain, run_explain);
  set_command(commands, "wl pairs", declare_wl_pairs, run_wl_pairs_learn);
  set_command(commands, "reproduce ladder", declare_reproduce_ladder, run_reproduce_ladder_learn);
  set_command(commands, "simulate", declare_simulate, run_simulate);
  set_command(commands, "bench epoch", declare_bench_epoch, run_bench_epoch);
  set_command(commands, "reproduce table1", declare_reproduce_table1, run_reproduce_table1_learn);
  set_command(commands, "reproduce table2", declare_reproduce_table2, run_reproduce_table2_learn);
  set_command(commands, "reproduce radius", declare_reproduce_radius, run_reproduce_radius_learn);
  set_command(commands, "reproduce epoch-times", declare_reproduce_epoch_times, run_reproduce_epoch_times);
  set_command(commands, "version", declare_version, run_version_verbose);
  return run_main(with_descriptions(std::move(commands)), argc, argv);
}
