#pragma once

#include <cstdint>
#include <ostream>
#include <string>

#include "cli/options.h"
#include "twofold/io/molecules.h"

namespace twofold::cli {

struct ExplainOptions {
  std::string model;
  std::string dataset;
  std::size_t graph = 0;  // from 1; 0: not given
  std::string graphs;     // several: 1-20,25
  std::string node;       // of a model of nodes: which, from 0
  std::string link;       // of a model of links: u,v
  std::string by;         // empty: by the model
  std::string target;     // of several real ones; empty: the first
  io::MoleculeOptions molecules;
  std::string output;
  int threads = 0;
  std::uint64_t max_memory = 0;
  bool json = false;
  bool quiet = false;
};

void declare_explain(Options& flags, ExplainOptions& options);
int run_explain(const ExplainOptions& options, std::ostream& out, std::ostream& err);

}  // namespace twofold::cli
