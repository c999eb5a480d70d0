#include "cli/registry.h"

#include "cli/command_compare.h"
#include "cli/command_data_convert.h"
#include "cli/command_data_fetch.h"
#include "cli/command_data_generate.h"
#include "cli/command_data_info.h"
#include "cli/command_evaluate.h"
#include "cli/command_gram.h"
#include "cli/command_report.h"
#include "cli/command_reproduce_ladder.h"
#include "cli/command_version.h"
#include "cli/command_wl_classes.h"
#include "cli/command_wl_colors.h"
#include "cli/command_wl_count.h"
#include "cli/command_wl_hash.h"
#include "cli/command_wl_pairs.h"

namespace twofold::cli {

std::vector<Command> twofold_commands() {
  return {
      make_command("data info", "Statistics of datasets, the row of the paper's table", declare_data_info,
                   run_data_info),
      make_command("data generate", "Graphs of a known kind, random or not", declare_data_generate,
                   run_data_generate),
      make_command("data convert", "Write a dataset in another format", declare_data_convert, run_data_convert),
      make_command("data fetch", "Download a dataset of the TU collection", declare_data_fetch, run_data_fetch),
      make_command("wl classes", "Which graphs a Weisfeiler-Leman test can tell apart", declare_wl_classes,
                   run_wl_classes),
      make_command("wl pairs", "Which pairs of graphs a test distinguishes", declare_wl_pairs, run_wl_pairs),
      make_command("wl colors", "The colors of nodes, pairs or tuples, as a table or drawn", declare_wl_colors,
                   run_wl_colors),
      make_command("wl hash", "A frozen fingerprint a graph", declare_wl_hash, run_wl_hash),
      make_command("wl count", "Cycles by length, and which tests know their number", declare_wl_count,
                   run_wl_count),
      make_command("gram", "The Gram matrix of a graph kernel", declare_gram, run_gram),
      make_command("evaluate", "How good a learner is, by nested cross-validation", declare_evaluate,
                   run_evaluate),
      learn_command("train", "Train a network or kernel on a dataset"),
      learn_command("predict", "What a trained model says about graphs"),
      learn_command("embed", "Graph vectors of a trained network, as .npy"),
      learn_command("explain", "Which nodes and pairs made a model decide, drawn"),
      learn_command("simulate", "A gcn, gin or sage as a 2-wl-gnn that answers the same"),
      make_command("compare", "Evaluations side by side, fold by fold", declare_compare, run_compare),
      make_command("report", "Evaluations as one page with tables and plots", declare_report, run_report),
      make_command("reproduce ladder", "Which test tells which pairs of graphs apart", declare_reproduce_ladder,
                   run_reproduce_ladder),
      learn_command("bench epoch", "Seconds an epoch of training takes, by engine"),
      make_command("version", "Print the version", declare_version, run_version),
  };
}

}  // namespace twofold::cli
