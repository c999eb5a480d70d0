#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "twofold/graph/dataset.h"
#include "twofold/graph/generate.h"

namespace twofold::cli {

/// The base graphs of `data generate cfi`.
struct CfiBaseOptions {
  std::optional<std::string> kind;   // complete (the default), cycle, grid or cubic
  std::optional<std::size_t> order;  // nodes of the base, 4 by default; for a grid, rows and columns
  std::optional<std::size_t> pairs;  // how many cubic bases to draw, 1 by default
  std::string file;                  // a dataset whose graphs are the bases; none of the above then
};

/// What the flags of each family fill: the options of the library's own generators.
struct GenerateChoices {
  std::uint64_t seed = 1;
  graph::TriangleOptions triangle;
  graph::RegularOptions regular;
  graph::HyperloopOptions hyperloop;
  graph::CyclesOptions cycles;
  graph::PathsOptions paths;
  graph::SkipLinksOptions skip_links;
  graph::StronglyRegularOptions strongly_regular;
  CfiBaseOptions cfi_base;
  graph::CfiOptions cfi;
  graph::RandomGraphsOptions random;
  graph::TreesOptions trees;
  graph::MoleculesOptions molecules;
  graph::CycleNodesOptions cycle_nodes;
  graph::BlockModelOptions block_models;
  graph::SrgLinksOptions srg_links;
  std::string count_patterns = "cycle-3-6";
  graph::CountTaskOptions count;
};

/// One word after `data generate`.
struct GenerateFamily {
  const char* name;
  const char* summary;  // one line
  const char* footer;   // classes and labels of the result, and examples
  void (*declare)(Options& flags, GenerateChoices& choices);
  Dataset (*generate)(const GenerateChoices& choices);
};

/// All families, in the order --help shows them.
const std::vector<GenerateFamily>& generate_families();

}  // namespace twofold::cli
