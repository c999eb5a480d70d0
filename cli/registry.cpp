#include "cli/registry.h"

#include "cli/command_bench_epoch.h"
#include "cli/command_compare.h"
#include "cli/command_data_convert.h"
#include "cli/command_data_fetch.h"
#include "cli/command_data_generate.h"
#include "cli/command_data_info.h"
#include "cli/command_embed.h"
#include "cli/command_evaluate.h"
#include "cli/command_explain.h"
#include "cli/command_features.h"
#include "cli/command_gram.h"
#include "cli/command_predict.h"
#include "cli/command_report.h"
#include "cli/command_reproduce_cycles.h"
#include "cli/command_reproduce_deltas.h"
#include "cli/command_reproduce_epoch_times.h"
#include "cli/command_reproduce_figures.h"
#include "cli/command_reproduce_stats.h"
#include "cli/command_reproduce_steadiness.h"
#include "cli/command_reproduce_studies.h"
#include "cli/command_reproduce_tables.h"
#include "cli/command_reveal.h"
#include "cli/command_simulate.h"
#include "cli/command_status.h"
#include "cli/command_train.h"
#include "cli/command_version.h"
#include "cli/command_wl_classes.h"
#include "cli/command_wl_colors.h"
#include "cli/command_wl_count.h"
#include "cli/command_wl_hash.h"
#include "cli/command_wl_ladder.h"
#include "cli/command_wl_pairs.h"
#include "cli/command_wl_verify.h"

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
      make_command("wl verify", "Whether certificates of wl pairs are true", declare_wl_verify, run_wl_verify),
      make_command("wl ladder", "Many tests on many pairs or graphs, side by side", declare_wl_ladder,
                   run_wl_ladder),
      make_command("wl colors", "The colors of nodes, pairs or tuples, as a table or drawn", declare_wl_colors,
                   run_wl_colors),
      make_command("wl hash", "A frozen fingerprint a graph", declare_wl_hash, run_wl_hash),
      make_command("wl count", "Cycles by length, and which tests know their number", declare_wl_count,
                   run_wl_count),
      make_command("features", "How often each graph has which color: the vectors behind a kernel",
                   declare_features, run_features),
      make_command("gram", "The Gram matrix of a graph kernel", declare_gram, run_gram),
      make_command("evaluate", "How good a learner is, by nested cross-validation", declare_evaluate,
                   run_evaluate),
      make_command("train", "Train a network or kernel on a dataset", declare_train, run_train),
      make_command("predict", "What a trained model says about graphs", declare_predict, run_predict),
      make_command("embed", "Graph vectors of a trained network, as .npy", declare_embed, run_embed),
      make_command("explain", "Which nodes and pairs made a model decide, drawn", declare_explain, run_explain),
      make_command("simulate", "A gcn, gin or sage as a 2-wl-gnn that answers the same", declare_simulate,
                   run_simulate),
      make_command("status", "What of an evaluation is done, running and left", declare_status, run_status),
      make_command("reveal", "Open the test scores of a blind evaluation", declare_reveal, run_reveal),
      make_command("compare", "Evaluations side by side, fold by fold", declare_compare, run_compare),
      make_command("report", "Evaluations as one page with tables and plots", declare_report, run_report),
      make_command("reproduce table1", "Every learner of the paper on TRIANGLE", declare_reproduce_table1,
                   run_reproduce_table1),
      make_command("reproduce table2", "Every learner of the paper on five real datasets",
                   declare_reproduce_table2, run_reproduce_table2),
      make_command("reproduce stats", "The sizes of the paper's datasets", declare_reproduce_stats,
                   run_reproduce_stats),
      make_command("reproduce radius", "Accuracy of the 2-WL-GNN by radius", declare_reproduce_radius,
                   run_reproduce_radius),
      make_command("reproduce epoch-times", "Time of an epoch by nodes, degree and radius",
                   declare_reproduce_epoch_times, run_reproduce_epoch_times),
      make_command("reproduce deltas", "Fold-wise differences between all learners", declare_reproduce_deltas,
                   run_reproduce_deltas),
      make_command("reproduce figures", "The paper's drawings", declare_reproduce_figures,
                   run_reproduce_figures),
      make_command("reproduce cycles", "Cycles of the datasets beside the gain from a radius",
                   declare_reproduce_cycles, run_reproduce_cycles),
      make_command("reproduce wlst-depths", "Accuracy of the WL subtree kernel by depth",
                   declare_reproduce_wlst_depths, run_reproduce_wlst_depths),
      make_command("reproduce steadiness", "TRIANGLE with ten seeds: the paper's network and ours",
                   declare_reproduce_steadiness, run_reproduce_steadiness),
      make_command("reproduce ladder", "Which test tells which pairs of graphs apart: wl ladder",
                   declare_wl_ladder, run_wl_ladder),
      make_command("bench epoch", "Seconds an epoch of training takes, by engine", declare_bench_epoch,
                   run_bench_epoch),
      make_command("version", "Print the version", declare_version, run_version),
  };
}

}  // namespace twofold::cli
