#include "cli/command_reproduce_epoch_times.h"

namespace twofold::cli {

void declare_reproduce_epoch_times(Options& flags, ReproduceOptions& options) {
  options.threads = 1;
  declare_reproduce_page(flags, options);
  declare_reproduce_data(flags, options);
  flags.add_flag("--quick", options.quick,
                 "20 graphs instead of 100, up to 4096 nodes, 300 graphs of each real dataset");
  declare_seed(flags, options.seed);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  flags.footer(R"(
Times of one epoch of training (Appendix E): 2-WL-GNN with r = 1, 2, 3 and GIN on generated regular graphs, over n = 16…16384 with
degree 2 and over degree 2…6 with n = 1024; the factors by which the 2-WL-GNN is slower; the exponents of n and d, fitted; and,
with --data, the same factors on the real datasets. The graphs are copies of two, which colors would compute but once: so rows
are computed one by one, and a line of its own shows what colors make of it. Keep the machine idle meanwhile.

Examples:
  twofold reproduce epoch-times --quick -o paper          about a minute
  twofold reproduce epoch-times --data data -o paper      minutes)");
}

}  // namespace twofold::cli
