#pragma once

#include <cstdint>
#include <vector>

#include "twofold/base/span.h"
#include "twofold/gram/vocabulary.h"

namespace twofold::svm {

/// exp(-gamma d²), where d² = K(x,x) + K(y,y) - 2 K(x,y) is the squared distance of two graphs by a kernel K:
/// of its features, or by intersection the sum of absolute differences of counts (then this is the Laplacian
/// kernel of the counts). Positive definite for any gamma > 0.
double gaussian(double gamma, double own_x, double own_y, double value);

/// The support vectors of a machine on such a kernel, which is no sum over features: their features are kept,
/// listed by feature, so that the kernel values of a graph with all of them take one pass over its features.
struct SupportIndex {
  struct Round {
    // Those that have feature f stand at offsets[f]…offsets[f+1], ascending, with how often they have it (>=
    // 1).
    std::vector<std::uint64_t> offsets = {0};
    std::vector<std::uint64_t> supports;
    std::vector<std::uint64_t> counts;
  };
  std::vector<Round> rounds;
  // A support vector: the raw kernel value with itself.
  std::vector<double> own;
  // A row per support vector: its coefficient for each pair of classes.
  std::vector<double> coefficients;

  std::size_t num_supports() const { return own.size(); }

  /// What the objects of a graph that have `feature`, `count` in all, add to the raw kernel values with the
  /// support vectors, times `factor`: values[s] += ….
  void add(const gram::Vocabulary& vocabulary, std::size_t round, std::uint32_t feature, std::uint64_t count,
           double factor, Span<double> values) const;
  /// The raw kernel values of a graph with all support vectors.
  std::vector<double> values(const gram::Vocabulary& vocabulary, const gram::GraphFeatures& features) const;
};

/// Of the graphs whose number in `features` stands in `supports`, ascending; own and coefficients are left to
/// the caller.
SupportIndex index_supports(const gram::Vocabulary& vocabulary,
                            const std::vector<gram::GraphFeatures>& features,
                            const std::vector<std::uint32_t>& supports);

}  // namespace twofold::svm
