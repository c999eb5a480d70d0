#include "cli/command_bench_epoch.h"

namespace twofold::cli {

void declare_bench_epoch(Options& flags, BenchEpochOptions& options) {
  flags.add("DATASET", options.dataset, "TU folder or zip, JSON-lines file, - or TRIANGLE")
      .required()
      .type_name("");
  declare_model(flags, options.model).show_default(options.model);
  declare_learning(flags, options.given, GivenValues::kOne);
  flags
      .add("--against", options.against,
           "Measure this engine too, epoch by epoch in turn: auto, colors, fused, mixed or gather-scatter")
      .type_name("ENGINE");
  flags.add("--repeats", options.repeats, "Epochs to measure, after one to warm up")
      .range(1, 10000)
      .show_default()
      .type_name("N");
  flags.add("--limit", options.limit, "Only so many graphs, drawn by the seed; 0: all")
      .show_default()
      .type_name("N");
  declare_seed(flags, options.seed);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  flags.footer(R"(
An epoch is what training does in one: new batches, forward, backward and the optimizer's step for every graph,
without validation. With --against, both engines first have to give the same loss and gradient.

Examples:
  twofold bench epoch data/NCI1 --radius 1 --layers 3 --width 32 --batch 32
  twofold bench epoch data/NCI1 --radius 8 --engine fused --against gather-scatter --limit 400)");
}

}  // namespace twofold::cli
