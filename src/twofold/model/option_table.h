#pragma once

#include <vector>

#include "twofold/model/model_table.h"

namespace twofold::model {

/// Sets of models.
enum Models : unsigned {
  kTwoWl = 1,
  kTwoGnn = 2,
  kGin = 4,
  kGcn = 8,
  kSage = 16,
  kMlp = 32,
  kWlSt = 64,
  kWlSp = 128,
  kTwoLwl = 256,
  kTwoGwl = 512,
  kTwoWlKernel = 1024,
  kPairs = kTwoWl | kTwoGnn,
  kStacks = kPairs | kGcn | kSage,
  kNodes = kGin | kGcn | kSage | kMlp,
  kNetworks = kPairs | kNodes,
  kKernels = kWlSt | kWlSp | kTwoLwl | kTwoGwl | kTwoWlKernel,
};

/// One row of the table of all learning options. This is the only place that names an option: the command lines
/// of train and evaluate, grids, presets, configuration files, model files, run records and the documentation
/// read it.
struct OptionRow {
  ModelOption option;
  unsigned models = 0;
  // What some of the models have otherwise: another fallback (null: the same), other words (empty: the same).
  struct Otherwise {
    unsigned models;
    Config fallback;
    std::vector<std::string> words = {};
  };
  std::vector<Otherwise> otherwise = {};
};

/// In the order that configurations have them: of a grid, the first varies slowest.
const std::vector<OptionRow>& option_table();

}  // namespace twofold::model
