#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "twofold/compute/activation.h"
#include "twofold/compute/graph_loss.h"
#include "twofold/compute/pooling.h"

namespace twofold::compute {

/// A place in the flat parameters that does not exist.
inline constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

/// What brings the values of rows to mean 0 and deviation 1: each channel over all rows of a batch, each as
/// often as it counts, or each row over its channels.
enum class Norm : std::uint8_t { kNone, kBatch, kLayer };

/// How a row's own features meet the sum: multiplied as they are (the paper's), multiplied through tanh, or not
/// at all (the sum is added).
enum class Gate : std::uint8_t { kLinear, kBounded, kNone };

/// What follows a map of rows: a bias, a normalization, an activation. A bias that batch normalization takes
/// out again is not added in training.
struct EndShape {
  std::size_t bias = kNowhere;
  Norm norm = Norm::kNone;
  // A value per channel each; the last two, of batch normalization alone, are the running statistics.
  std::size_t scale = kNowhere;
  std::size_t shift = kNowhere;
  std::size_t mean = kNowhere;
  std::size_t variance = kNowhere;
  Activation activation = Activation::kIdentity;
  // Channels side by side with activations of their own, in place of the one for all.
  std::vector<std::pair<std::size_t, Activation>> groups;
};

/// One layer, and where its parameters lie. With x the rows of the layer before (and, where the layer sees
/// them, the initial features), e the row that row f goes on from, and whatever parts there are:
///   s[f] = norm of the sum over f's triples of inner(x[a] W_G + x[b] W_G + inner bias), or
///          norm of the weighted sum over f's neighbors of x[u] W_G, and eps x[e] W_G
///   a[f] = x[e] W_L + gate(x[e] W_F) * s[f], or x[e] W_L + s[f]
///   y[f] = end(a[f]),  then second_end(y[f] W_2),  then + x[e]
struct LayerShape {
  enum class Sum : std::uint8_t { kNone, kPairs, kNeighbors };
  Sum sum = Sum::kNone;
  // Whether there is a W_L; with a gate there is a W_F too.
  bool own = true;
  Gate gate = Gate::kNone;
  // Columns of each of W_L | W_F | W_G, which lie side by side: a row per input column, with jumping knowledge
  // those of the initial features last. kNowhere: the initial features are taken as they are.
  std::size_t width = 0;
  std::size_t weight = kNowhere;
  Activation inner_activation = Activation::kIdentity;
  std::size_t inner_bias = kNowhere;
  std::size_t eps = kNowhere;
  EndShape sum_end;
  EndShape end;
  // W_2: width x second_width, if there is one.
  std::size_t second_width = 0;
  std::size_t second_weight = kNowhere;
  EndShape second_end;
  bool residual = false;

  std::size_t num_blocks() const {
    return std::size_t{own} + std::size_t{gate != Gate::kNone} + std::size_t{sum != Sum::kNone};
  }
  /// Columns of the products x W.
  std::size_t columns() const { return num_blocks() * width; }
  /// Where W_F and W_G begin among them.
  std::size_t gate_column() const { return own ? width : 0; }
  std::size_t sum_column() const { return (num_blocks() - 1) * width; }
  /// Channels of y.
  std::size_t out() const { return second_width > 0 ? second_width : width; }
  bool has_second() const { return second_width > 0; }
};

/// Layers one after the other.
struct StackShape {
  // Columns of the initial features.
  std::size_t in = 0;
  bool jumping_knowledge = false;
  // For messages.
  bool is_attention = false;
  std::vector<LayerShape> layers;

  /// Whether layer k reads the initial features.
  bool sees_input(std::size_t k) const { return k == 0 || jumping_knowledge; }
  /// The first row of layer k's weight that belongs to them.
  std::size_t input_row(std::size_t k) const { return k == 0 ? 0 : layers[k - 1].out(); }
};

/// From the rows of a layer to outputs per graph: pooled, side by side by kind of row and by pooling, then
/// through a head. All readouts of a network are added up.
struct ReadoutShape {
  std::size_t layer = 0;
  std::vector<Pooling> poolings = {Pooling::kMean};
  // Groups of rows that are pooled each for itself: all (or those that count), or by kind.
  std::size_t num_kinds = 1;
  // The weighted mean's scores as a linear map of a row: position of a value per channel. kNowhere: they come
  // from the network's attention.
  std::size_t score_weight = kNowhere;
  // A normalization of what is pooled, over the graphs of the batch or over each graph's values, and nothing
  // else: no bias, no activation. With a head alone.
  EndShape pooled_end;

  // A hidden layer (0: none) and an output layer (kNowhere: none, what is pooled are the outputs).
  std::size_t hidden = 0;
  Activation hidden_activation = Activation::kLogistic;
  std::size_t hidden_weight = kNowhere;
  std::size_t hidden_bias = kNowhere;
  std::size_t output_weight = kNowhere;
  std::size_t output_bias = kNowhere;
  // What is pooled is the chance of class 1, and its logit the output: chances below 1e-7 and above 1 - 1e-7
  // count as those.
  bool pools_chances = false;
};

/// A whole network, and where its parameters lie in one flat buffer.
struct NetShape {
  StackShape stack;
  // The weighted mean's scores: a second stack (no layers: none) of as many channels at its end.
  StackShape attention;
  std::vector<ReadoutShape> readouts;
  std::size_t num_outputs = 1;
  // Left out in training: of what a readout gives, or of what is pooled for it.
  double dropout = 0;
  bool drops_outputs = false;
  // Left out in training: of the rows that a layer but the first reads, and, where the first reads features
  // that are sparse (drops_table), of those. Not on colors, of which a row would be dropped for all it stands
  // for.
  double layer_dropout = 0;
  bool drops_table = false;
  Loss loss = Loss::kCrossEntropy;
  double norm_epsilon = 1e-5;
  double norm_momentum = 0.1;
  std::size_t num_parameters = 0;

  /// Values per graph that a readout pools.
  std::size_t vector_width(const ReadoutShape& readout) const {
    return stack.layers[readout.layer].out() * readout.num_kinds * readout.poolings.size();
  }
  std::size_t vector_width() const {
    std::size_t width = 0;
    for (const ReadoutShape& readout : readouts) width += vector_width(readout);
    return width;
  }
};

}  // namespace twofold::compute
