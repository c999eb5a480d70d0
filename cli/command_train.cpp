#include "cli/command_train.h"

#include "cli/dataset_input.h"
#include "cli/split_choice.h"

namespace twofold::cli {

void declare_train(Options& flags, TrainCommandOptions& options) {
  flags.add("DATASET", options.dataset, kLabeledDatasetKinds).required().type_name("");
  declare_model(flags, options.model).show_default("2-wl-gnn");
  flags
      .add(
          "--preset", options.preset,
          "Defaults of options: molecules, quick or none [molecules for a CSV with SMILES, quick for nodes and "
          "links, else none]")
      .one_of({"molecules", "quick", "none"})
      .type_name("PRESET");
  declare_learning(flags, options.given, GivenValues::kOne);
  declare_targets(flags, options.target);
  flags.add("--validation", options.validation, "Part of the graphs held out to stop early by; 0: none")
      .range(0.0, 0.9)
      .show_default()
      .type_name("X");
  declare_split(flags, options.split);
  flags.add("--splits", options.splits, "Take training, validation and test graphs from here")
      .type_name("FILE.json");
  flags
      .add("--from-run", options.from_run,
           "Take model and configuration from this evaluation: what most folds chose, or fold --fold")
      .type_name("RUN");
  flags.add("--fold", options.fold, "Which fold of the splits, or of the run, counted from 1")
      .range(1, 1'000'000)
      .type_name("K");
  declare_molecules(flags, options.molecules);
  declare_output(flags, options.output, "Write the model here");
  flags.add_flag("--resume", options.resume, "Go on with the interrupted training of this output");
  flags.add_flag("--restart", options.restart, "Drop the interrupted training of this output and begin anew");
  flags
      .add("--checkpoint-every", options.checkpoint_every,
           "Save the training so often, in seconds; 0: after every epoch")
      .range(0, 1e9)
      .show_default()
      .type_name("S");
  flags.add("--log", options.log, "Write one line of JSON per epoch").type_name("FILE.jsonl");
  flags
      .add("--cache", options.cache,
           "Keep the colors of the dataset's rows in this folder, for the next training")
      .type_name("FOLDER");
  flags
      .add("--shards", options.shards,
           "Cut every batch into so many shards, which the ranks of mpirun or srun share; the model depends on "
           "the shards, not on the ranks [8 under mpirun, else none]")
      .range(1, 1024)
      .type_name("N");
  declare_seed(flags, options.seed);
  declare_split_seed(flags, options.split_seed);
  declare_threads(flags, options.threads);
  declare_max_memory(flags, options.max_memory);
  declare_json(flags, options.json);
  declare_quiet(flags, options.quiet);
  declare_config(flags, options.config);
  flags.footer(R"(
Options, defaults and limits are those of evaluate; each says which models have it. An interrupt (Ctrl-C) saves the
training beside the output, and --resume goes on to the very result it would have had. Under mpirun or srun the
ranks train one network together (docs/scale.md); any number of them gives the same file.

Examples:
  twofold train TRIANGLE -o triangle.model
  twofold train data/NCI1 --model gin --splits data/NCI1/NCI1_splits.json --fold 1 --json
  twofold train molecules.csv --target logS -o logS.model               a column of SMILES, and one to learn
  twofold train mine.jsonl --model wl-st --penalty 0.1 -o mine.model
  twofold train data/CORA --model gcn -o cora.model                     nodes, held out as in data/CORA/split.json
  twofold train data/CORA --model gcn --task links -o cora.model        edges, of which some are held out
  twofold train mine.jsonl --from-run runs/mine -o mine.model          what an evaluation found to be best
  mpirun -n 4 twofold train data/DD --radius 2 -o dd.model              four processes, one network)");
}

}  // namespace twofold::cli
