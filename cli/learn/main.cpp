#include "cli/command.h"
#include "cli/command_reproduce_studies.h"
#include "cli/command_reproduce_tables.h"
#include "cli/interrupts_at_start.h"
#include "cli/learn/command_bench_epoch.h"
#include "cli/learn/command_embed.h"
#include "cli/learn/command_explain.h"
#include "cli/learn/command_predict.h"
#include "cli/learn/command_reproduce_epoch_times.h"
#include "cli/learn/command_simulate.h"
#include "cli/learn/command_train.h"
#include "cli/learn/command_version_verbose.h"
#include "cli/learn/learner_factories.h"
#include "cli/learn/trained_separation.h"

int main(int argc, char** argv) {
  using namespace twofold::cli;
  return run_main(
      {make_command("evaluate", "How good a learner is, by nested cross-validation", declare_evaluate,
                    run_evaluate_learn),
       make_command("train", "Train a network or kernel on a dataset", declare_train, run_train),
       make_command("predict", "What a trained model says about graphs", declare_predict, run_predict),
       make_command("embed", "Graph vectors of a trained network, as .npy", declare_embed, run_embed),
       make_command("explain", "Which nodes and pairs made a model decide, drawn", declare_explain,
                    run_explain),
       make_command("wl pairs", "Which pairs of graphs a test distinguishes", declare_wl_pairs,
                    run_wl_pairs_learn),
       make_command("reproduce ladder", "Which test tells which pairs of graphs apart",
                    declare_reproduce_ladder, run_reproduce_ladder_learn),
       make_command("simulate", "A gcn, gin or sage as a 2-wl-gnn that answers the same", declare_simulate,
                    run_simulate),
       make_command("bench epoch", "Seconds an epoch of training takes, by engine", declare_bench_epoch,
                    run_bench_epoch),
       make_command("reproduce table1", "Every learner of the paper on TRIANGLE", declare_reproduce_table1,
                    run_reproduce_table1_learn),
       make_command("reproduce table2", "Every learner of the paper on five real datasets",
                    declare_reproduce_table2, run_reproduce_table2_learn),
       make_command("reproduce radius", "Accuracy of the 2-WL-GNN by radius", declare_reproduce_radius,
                    run_reproduce_radius_learn),
       make_command("reproduce epoch-times", "Time of an epoch by nodes, degree and radius",
                    declare_reproduce_epoch_times, run_reproduce_epoch_times),
       make_command("version", "Print the version", declare_version, run_version_verbose)},
      argc, argv);
}
