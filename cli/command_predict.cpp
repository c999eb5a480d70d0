#include "cli/command_predict.h"

namespace twofold::cli {

void declare_predict(Options& flags, PredictOptions& options) {
  flags.add("MODEL", options.model, "A file that twofold train wrote").required().type_name("");
  flags.add("DATASET", options.dataset, "TU folder or zip, JSON-lines, graph6 or sparse6 file, - or TRIANGLE")
      .required()
      .type_name("");
  declare_output(flags, options.output, "Write the predictions here: FILE.csv, .json, .jsonl or .txt");
  flags.add_flag("--score", options.score,
                 "Compare with the targets of the dataset: accuracy and confusion, or errors");
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  flags.footer(R"(
A header, then one line per graph: its number from 1, its class, and one score per class. Networks give
probabilities; kernels of two classes the decision and its negative, of more the number of classes it wins against.
For real targets: number and value. Targets in the dataset are looked at with --score alone.

Examples:
  twofold predict triangle.model TRIANGLE
  twofold predict mine.model new.jsonl -o new.csv
  twofold predict mine.model test.jsonl --score
  cat new.jsonl | twofold predict mine.model - --json)");
}

}  // namespace twofold::cli
