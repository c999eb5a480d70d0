#include "cli/command_embed.h"

namespace twofold::cli {

void declare_embed(Options& flags, EmbedOptions& options) {
  flags.add("MODEL", options.model, "A network that twofold train wrote").required().type_name("");
  flags.add("DATASET", options.dataset, "TU folder or zip, JSON-lines, graph6 or sparse6 file, - or TRIANGLE")
      .required()
      .type_name("");
  declare_output(flags, options.output, "Write the vectors here: FILE.npy").required();
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  flags.footer(R"(
A row of 32-bit floats per graph: what pooling gives and the head reads (gin: of all layers, side by side).

Example:
  twofold embed triangle.model TRIANGLE -o vectors.npy)");
}

}  // namespace twofold::cli
