#include "cli/command_simulate.h"

namespace twofold::cli {

void declare_simulate(Options& flags, SimulateOptions& options) {
  flags.add("MODEL", options.model, "A gcn, gin or sage that twofold train wrote").required().type_name("");
  declare_output(flags, options.output, "Write the 2-wl-gnn here").required();
  declare_json(flags, options.json);
  flags.footer(R"(
The paper's Theorem 4.5 as a compiler: for each network that adds up neighbors there is a 2-wl-gnn of radius 1 that gives
the same answer on every graph. It is a model like any other: predict, embed and explain read it.

Example:
  twofold train TRIANGLE --model gin -o gin.model
  twofold simulate gin.model -o pairs.model
  twofold predict pairs.model TRIANGLE)");
}

}  // namespace twofold::cli
