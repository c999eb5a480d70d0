#include "cli/command_predict.h"

#include "cli/dataset_input.h"

namespace twofold::cli {

void declare_predict(Options& flags, PredictOptions& options) {
  flags.add("MODEL", options.model, "A file that twofold train wrote").required().type_name("");
  flags.add("DATASET", options.dataset, kDatasetKinds).required().type_name("");
  declare_output(flags, options.output, "Write the predictions here: FILE.csv, .json, .jsonl or .txt");
  flags.add_flag("--score", options.score,
                 "Compare with the targets of the dataset: accuracy and confusion, or errors");
  flags
      .add("--interval", options.interval,
           "Ends between which a value lies this often, e.g. 0.9, or the classes that the true one is among; "
           "probabilities are calibrated")
      .range(0.01, 0.999)
      .type_name("LEVEL");
  flags.add("--target", options.molecules.targets, "Of a CSV: the columns that --score compares with")
      .comma_separated()
      .type_name("T[,T…]");
  declare_molecules(flags, options.molecules, false);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  flags.footer(R"(
A header, then one line per graph: its number from 1, its class, and one score per class. Networks give
probabilities; kernels of two classes the decision and its negative, of more the number of classes it wins against.
For real targets: number and value. Ids and SMILES of the dataset come back. Intervals are conformal: they go by the
errors on graphs that were held out in training, and hold as often as said for new graphs of the same kind. Targets in the dataset are looked at with --score alone.

Examples:
  twofold predict triangle.model TRIANGLE
  twofold predict mine.model new.jsonl -o new.csv
  twofold predict mine.model test.jsonl --score
  twofold predict logS.model new.csv --interval 0.9 -o predicted.csv
  cat new.jsonl | twofold predict mine.model - --json)");
}

}  // namespace twofold::cli
