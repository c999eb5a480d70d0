#pragma once

#include <string>

#include "twofold/wl/wl_test.h"

namespace twofold::cli {

/// Who tells the graphs of a pair apart.
enum class PairJudge {
  kExact,    // the test itself
  kNet,      // random networks whose twin it is: `net:MODEL`
  kTrained,  // networks trained on the pair: `trained:MODEL`
};

/// What `wl pairs --test` takes.
struct PairTest {
  PairJudge judge = PairJudge::kExact;
  /// Of networks: the exact test that bounds them from above.
  wl::WlTest test;
  /// Of networks: gin, 2-gnn, 2-wl-gnn.
  std::string model;
};

/// `1-wl`, …, `net:2-wl-gnn`, `trained:gin`. Throws UsageError for another word.
PairTest parse_pair_test(const std::string& word);
/// As `--test` takes it.
std::string test_word(const PairTest& test);
/// All of it: `net:2-wl-gnn, radius 2`.
std::string describe(const PairTest& test);

}  // namespace twofold::cli
