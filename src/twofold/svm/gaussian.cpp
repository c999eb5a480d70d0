#include "twofold/svm/gaussian.h"

#include <algorithm>
#include <cmath>

namespace twofold::svm {

double gaussian(double gamma, double own_x, double own_y, double value) {
  // Rounding of normalized values could make it negative.
  return std::exp(-gamma * std::max(own_x + own_y - 2 * value, 0.0));
}

void SupportIndex::add(const gram::Vocabulary& vocabulary, std::size_t round, std::uint32_t feature,
                       std::uint64_t count, double factor, Span<double> values) const {
  const Round& lists = rounds[round];
  const double times = factor * static_cast<double>(vocabulary.weight(round, feature));
  const bool is_product = vocabulary.kernel().combine == gram::Combine::kProduct;
  for (std::uint64_t i = lists.offsets[feature]; i < lists.offsets[feature + 1]; ++i) {
    const std::uint64_t theirs = lists.counts[i];
    const double both = is_product ? static_cast<double>(count) * static_cast<double>(theirs)
                                   : static_cast<double>(std::min(count, theirs));
    values[lists.supports[i]] += times * both;
  }
}

std::vector<double> SupportIndex::values(const gram::Vocabulary& vocabulary,
                                         const gram::GraphFeatures& features) const {
  std::vector<double> sums(num_supports(), 0);
  for (std::size_t t = 0; t < rounds.size(); ++t)
    for (const auto& entry : features.rounds[t]) add(vocabulary, t, entry.feature, entry.count, 1, sums);
  return sums;
}

SupportIndex index_supports(const gram::Vocabulary& vocabulary,
                            const std::vector<gram::GraphFeatures>& features,
                            const std::vector<std::uint32_t>& supports) {
  SupportIndex index;
  index.rounds.resize(vocabulary.num_rounds());
  for (std::size_t t = 0; t < index.rounds.size(); ++t) {
    SupportIndex::Round& round = index.rounds[t];
    round.offsets.assign(vocabulary.num_features(t) + 1, 0);
    for (const std::uint32_t j : supports)
      for (const auto& entry : features[j].rounds[t]) ++round.offsets[entry.feature + 1];
    for (std::size_t f = 1; f < round.offsets.size(); ++f) round.offsets[f] += round.offsets[f - 1];
    round.supports.resize(round.offsets.back());
    round.counts.resize(round.offsets.back());
    std::vector<std::uint64_t> next(round.offsets.begin(), round.offsets.end() - 1);
    for (std::size_t s = 0; s < supports.size(); ++s)
      for (const auto& entry : features[supports[s]].rounds[t]) {
        const std::uint64_t at = next[entry.feature]++;
        round.supports[at] = s;
        round.counts[at] = entry.count;
      }
  }
  return index;
}

}  // namespace twofold::svm
