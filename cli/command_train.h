#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "cli/config_file.h"
#include "cli/learn_options.h"
#include "cli/options.h"
#include "twofold/io/molecules.h"

namespace twofold::cli {

struct TrainCommandOptions {
  std::string dataset;
  std::string model;  // empty: 2-wl-gnn, or that of --from-run
  GivenOptions given;
  std::string preset;  // empty: molecules for a table of them, quick for nodes and links, else none
  io::MoleculeOptions molecules;
  model::TargetChoice target;
  double validation = 0.1;  // held out, unless there are splits
  std::string split;        // random, scaffold, column or a file; empty: what the data says
  std::string splits;
  int fold = 0;
  std::string from_run;  // a run folder; empty: none
  std::string output;
  bool resume = false;
  bool restart = false;
  double checkpoint_every = 30;  // seconds
  std::string log;
  std::string cache;  // folder; empty: none
  ConfigFile config;
  std::uint64_t seed = 1;
  std::uint64_t split_seed = 1;
  int threads = 1;
  std::uint64_t max_memory = 0;
  int shards = 0;  // 0: as mpirun implies, else none
  bool json = false;
  bool quiet = false;
};

void declare_train(Options& flags, TrainCommandOptions& options);
int run_train(const TrainCommandOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
