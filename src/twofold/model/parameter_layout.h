#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twofold/model/model_options.h"

namespace twofold::model {

/// What batch normalization adds to variances.
inline constexpr double kNormEpsilon = 1e-5;

/// One matrix or vector of a network within its flat buffer.
struct Parameter {
  std::string name;
  // First value in the buffer; a multiple of 16, so that float parameters begin at cache lines.
  std::size_t offset = 0;
  // Row-major. A vector has columns == 1 and `rows` values.
  std::size_t rows = 0;
  std::size_t columns = 1;
  // Starts Glorot-uniform in ±sqrt(6 / (fan_in + fan_out)) if fan_in is not 0, else with the value `fill`.
  std::size_t fan_in = 0;
  std::size_t fan_out = 0;
  double fill = 0;
  // False for the running statistics of batch normalization: no gradient, no optimizer; the forward pass of
  // training moves them.
  bool is_trained = true;

  std::size_t size() const { return rows * columns; }
  bool is_matrix() const { return fan_in != 0; }
};

/// All parameters of a network in one flat buffer of `size` values, in this order; between them lies padding
/// that stays 0. Products are x W, so a weight has a row per input and a column per output.
///
/// Names, T = layers, `c` = columns of the initial features, `w` = width:
///   conv.t.weight  2-wl-gnn in x 3 out (W_L | W_F | W_Gamma), 2-gnn in x 2 out (W | W_Gamma), gcn in x out,
///                  sage in x 2 out (own | neighbors); `in` is c for t = 0, else w (+ c with jumping
///                  knowledge); `out` is w, or the outputs for the last one without a head; with forms of
///                  layers `out` is the channels of the form, `in` those of the one before
///                  without a gate in x 2 out (W_L | W_Gamma)
///   conv.t.bias, conv.t.inner_bias (2-wl-gnn only): out values each
///   conv.t.second.weight out x out, .bias (2-wl-gnn without a gate)
///   conv.t.scale, .shift (norm), conv.t.sum.scale, .shift (sum norm), conv.t.second.scale, .shift: out values
///                  each; batch normalization has .mean and .variance of each at the very end (not trained)
///   attention.t.*  the second stack (attention stack), as conv; attention.weight: out x 1 (attention scalar)
///   head.0.weight p x w, head.0.bias, head.1.weight w x outputs, head.1.bias, or, of a linear head,
///                  head.weight p x outputs, head.bias; p = w times the poolings times the kinds of rows.
///                  With the readout of all layers readout.t in place of head
/// gin, t = 0…T and i = 0, 1: conv.t.i.weight, .bias, .scale, .shift (batch norm), readout.t.weight, .bias,
///   conv.t.eps (t > 0, train_eps), and at the very end conv.t.i.mean, .variance (not trained)
/// mlp: vertex.weight, vertex.bias (per-vertex form), head.0.*, head.1.*
struct ParameterLayout {
  std::vector<Parameter> parameters;
  std::size_t size = 0;

  /// Throws CheckError if there is none of that name.
  const Parameter& at(const std::string& name) const;
  const Parameter* find(const std::string& name) const;
  /// Values that training changes, padding not counted.
  std::size_t num_trained() const;
};

/// Needs options that check_options accepts, and columns from 1 on.
ParameterLayout parameter_layout(const ModelOptions& options, std::size_t columns);

/// The starting values from a seed: the same on every machine, whatever the number type they are rounded to.
std::vector<double> initial_parameters(const ParameterLayout& layout, std::uint64_t seed);

}  // namespace twofold::model
