#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/wl/classify.h"
#include "twofold/wl/objects.h"

namespace twofold::wl {

/// A layer of a network on the objects of a test, all rows of `width` values; matrices are row-major, products
/// x W. s is the sum over the neighborhood.
///   nodes (gin)        tanh( tanh( ((1 + eps) z + s) W_Gamma + b_Gamma ) W + b ),     s = sum of z_u
///   edges (2-gnn)      tanh( z W + s W_Gamma + b ),                                   s = sum of z_e
///   rows  (2-wl-gnn)   tanh( z W + b + (z W_F) * s ),     s = sum of logistic( z_il W_Gamma + z_lj W_Gamma +
///   b_Gamma )
/// W_F is read by rows alone, b_Gamma not by edges, eps by nodes alone.
struct NetLayer {
  std::size_t width = 0;
  std::vector<double> weight, factor, inner;
  std::vector<double> bias, inner_bias;
  double eps = 0;
};

/// Random weights for neighborhoods of up to `most_terms` objects: so small that little saturates.
NetLayer random_layer(Kind kind, std::size_t width, std::size_t most_terms, std::uint64_t seed);

/// A row per object: what the layer makes of `from`, whose values are within -1…1.
///
/// The result is a function of an object's own row and the multiset around it, bit for bit: terms are rounded
/// to a grid on which their sum is exact, so that no order of adding matters. Objects of one color therefore
/// have one row, in whichever graph. O(neighborhoods * width). Not for tuples.
std::vector<double> apply_layer(const Objects& objects, Kind kind, const NetLayer& layer,
                                const std::vector<double>& from);

/// The sum of the rows, by the same kind of adding.
std::vector<double> pool_rows(const std::vector<double>& rows, std::size_t width);

struct NetOptions {
  /// Networks that are tried, one after the other until one tells the pair apart.
  int nets = 3;
  std::size_t width = 8;
  /// Layers are added until no further row differs from the others, or there are so many.
  int max_layers = 64;
  std::uint64_t seed = 1;
};

/// Whether there are networks whose twin the test is: gin of 1-wl, 2-gnn of 2-gnn, 2-wl-gnn of 2-wl; with one
/// mark gin, and 2-wl-gnn with a radius other than `all`.
bool has_network(const WlTest& test);

/// Whether a random network tells graphs 0 and 1, 2 and 3, … apart: whether the sums of its rows differ after
/// some layer. `twin` is the exact test on the objects that the network runs on: gin has 1-wl, 2-gnn 2-gnn,
/// 2-wl-gnn 2-wl with its radius.
///
/// Never true for a pair that the twin does not distinguish, isomorphic ones above all: by apply_layer, not by
/// a tolerance. In exact numbers almost all weights would reach the twin's verdict, as the activations are
/// analytic; 53 bits are nearly that.
/// With one mark the network reads every graph once for each node, with that node marked, and adds up all rows
/// (graph/marked_union.h). gin sees no edge labels. Needs an even number of graphs, no tuples, at most one
/// mark, and that only of gin and of 2-wl-gnn with a radius other than `all` (has_network). Throws Error where
/// memory does not suffice. The same for any number of threads.
std::vector<bool> distinguish_pairs_by_nets(Span<const Graph> graphs, const WlTest& twin,
                                            const NetOptions& net = {}, const ClassifyOptions& options = {});

/// `gin`, `2-gnn`, `2-wl-gnn`: the twin, with radius 1. Throws UsageError for another word.
WlTest parse_net(const std::string& word);
std::string net_name(const WlTest& twin);

}  // namespace twofold::wl
