#pragma once

#include <cstdint>
#include <vector>

#include "twofold/base/progress.h"
#include "twofold/base/span.h"
#include "twofold/graph/graph.h"
#include "twofold/model/model_options.h"

namespace twofold::train {

/// How a network is trained on a pair of graphs, and how what it learnt is held against relabelled copies.
struct SeparationOptions {
  model::ModelOptions model;
  /// model.layers is for pairs that the exact twin tells apart in as many rounds or fewer; others get a layer
  /// per round, up to this many.
  int most_layers = 96;
  /// Trainings that are tried, with new starting values, until one tells the pair apart.
  int tries = 4;
  /// Steps of a training; it ends early once the outputs differ by `good_difference`.
  int steps = 100;
  double good_difference = 4;
  double learning_rate = 0.01;
  /// 2-wl-gnn: W_F starts smaller by this over the most triples of a row: sums of many terms would saturate
  /// what follows. 0: as usual.
  double sum_gain = 16;
  /// 2-wl-gnn: and W_Gamma larger by this.
  double inner_gain = 4;
  /// After so many trainings the further ones are careful: of `starts` (of a 2-wl-gnn those of spread_start.h)
  /// the one that differs most, a tenth of the learning rate, and a step that makes the difference smaller is
  /// undone and halves the rate. They end at `careful_difference`.
  int plain_tries = 2;
  int starts = 4;
  double careful_difference = 1;
  /// Relabelled copies of each graph.
  int copies = 40;
  /// What the statistic must exceed (below `copies`).
  double threshold = 36;
  /// What the outputs must differ by, relative to their size: far beyond the rounding of double numbers.
  double margin = 1e-4;
  std::uint64_t seed = 1;

  /// For pairs side by side; 0: all there are. Changes no result.
  int threads = 1;
  std::uint64_t max_memory = 0;
  Progress progress = {};
};

/// Options that do for pairs of up to a hundred nodes or so; model.radius is the caller's.
SeparationOptions separation_options(model::ModelKind model);

/// What is seen of one pair, after its last training.
struct Separation {
  bool is_distinguished = false;
  // Of the network.
  int layers = 0;
  // The mean over copies of output(first) - output(second).
  double difference = 0;
  // (sum of differences)^2 / (sum of their squares), 0 to `copies`; and the same of copies of the first graph
  // against other copies of it, and of the second. 0 if the outputs did not differ enough to look.
  double statistic = 0;
  double controls[2] = {0, 0};
  // Over all trainings: how often copies of one graph were compared by the network that was trained on the
  // pair, and how often these were told apart, by the same threshold and margin: false, each of them.
  int num_controls = 0;
  int num_false = 0;
};

/// Trains a network to tell graphs 0 and 1, 2 and 3, … apart, each pair on its own, and tests whether it does:
/// the reliable paired comparison of Wang and Zhang's BREC benchmark (2024), without its assumptions.
///
/// Networks run in double numbers on random relabellings g_i, h_i of both graphs, and d_i is the difference of
/// the two outputs. If the graphs are isomorphic, g_i and h_i are drawn alike, d_i is as likely as -d_i, and
///   P( (sum d)^2 > s * sum d^2 ) <= 2 exp(-s/2)    (Efron 1969: sums of symmetric numbers divided by their
///   length)
/// whatever rounding does: 3e-8 for the threshold 36. There is no covariance matrix to invert, which is
/// singular for networks that are invariant but for rounding: differences that are all 0 give 0, equal ones
/// `copies`. Graphs that are not isomorphic but one to the network can differ in how they round; against that
/// the mean difference must exceed `margin`. A pair of which a control exceeds the threshold is not called
/// distinguished.
///
/// Trainings go over the colors of both graphs (levels/levels.h): each is computed once, exactly, and where all
/// colors are the same nothing differs. Copies are read row by row; with marks, one mark of each orbit.
///
/// Throws UsageError for options that do not fit, InputError for graphs of a pair with different kinds of
/// labels. Needs an even number of graphs. The same for any number of threads.
std::vector<Separation> separate_pairs(Span<const Graph> graphs, const SeparationOptions& options);

/// (sum of values)^2 / (sum of squares); 0 if all are 0.
double paired_statistic(Span<const double> differences);

}  // namespace twofold::train
