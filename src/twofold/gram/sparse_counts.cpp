#include "twofold/gram/sparse_counts.h"

#include <algorithm>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/base/interrupt.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"

namespace twofold::gram {

FeatureColumns::FeatureColumns(const Vocabulary& vocabulary) : first_(vocabulary.num_rounds()) {
  for (std::size_t t = 0; t < first_.size(); ++t) {
    first_[t].reserve(vocabulary.num_features(t));
    for (std::uint32_t f = 0; f < vocabulary.num_features(t); ++f) {
      first_[t].push_back(size_);
      size_ += vocabulary.weight(t, f);
    }
  }
  if (size_ > std::numeric_limits<std::uint32_t>::max())
    throw Error(fmt::format("{} features are more than {} columns can hold", size_,
                            std::numeric_limits<std::uint32_t>::max()));
}

void append_row(SparseCounts& counts, const Vocabulary& vocabulary, const FeatureColumns& columns,
                const GraphFeatures& features) {
  for (std::size_t t = 0; t < features.rounds.size(); ++t) {
    std::vector<GraphFeatures::Count> sorted = features.rounds[t];
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.feature < b.feature; });
    for (const GraphFeatures::Count& entry : sorted)
      for (std::uint32_t i = 0; i < vocabulary.weight(t, entry.feature); ++i) {
        counts.columns.push_back(static_cast<std::uint32_t>(columns.first(t, entry.feature) + i));
        counts.counts.push_back(entry.count);
      }
  }
  counts.starts.push_back(counts.columns.size());
  counts.num_columns = columns.size();
}

SparseCounts add_counts(Vocabulary& vocabulary, Span<const Graph> graphs, std::uint64_t max_memory,
                        const Progress& progress) {
  const std::uint64_t limit = resolve_memory_limit(max_memory);
  // The columns are known only when all graphs have been read: until then a feature stands for its column,
  // round by round.
  SparseCounts all;
  std::vector<std::uint32_t> sizes;  // entries per graph and round
  for (std::size_t g = 0; g < graphs.size(); ++g) {
    check_interrupt();
    GraphFeatures features = vocabulary.add(graphs[g], max_memory);
    for (auto& round : features.rounds) {
      std::sort(round.begin(), round.end(), [](const auto& a, const auto& b) { return a.feature < b.feature; });
      sizes.push_back(static_cast<std::uint32_t>(round.size()));
      for (const GraphFeatures::Count& entry : round) {
        all.columns.push_back(entry.feature);
        all.counts.push_back(entry.count);
      }
    }
    if (g % 1024 != 0) continue;
    if (progress) progress(g, graphs.size());
    require_memory(fmt::format("the features of {} of {} graphs", g + 1, graphs.size()),
                   vocabulary.bytes() + all.bytes(), limit);
  }
  const FeatureColumns columns(vocabulary);
  const std::size_t rounds = vocabulary.num_rounds();
  std::size_t at = 0;
  if (vocabulary.kernel().kind != KernelKind::kWlShortestPath) {  // no weights: in place
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      for (const std::size_t end = at + sizes[i]; at < end; ++at)
        all.columns[at] = static_cast<std::uint32_t>(columns.first(i % rounds, all.columns[at]));
      if ((i + 1) % rounds == 0) all.starts.push_back(at);
    }
    all.num_columns = columns.size();
    return all;
  }
  SparseCounts result;
  result.num_columns = columns.size();
  result.columns.reserve(all.columns.size());
  result.counts.reserve(all.counts.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t round = i % rounds;
    for (const std::size_t end = at + sizes[i]; at < end; ++at)
      for (std::uint32_t copy = 0; copy < vocabulary.weight(round, all.columns[at]); ++copy) {
        result.columns.push_back(static_cast<std::uint32_t>(columns.first(round, all.columns[at]) + copy));
        result.counts.push_back(all.counts[at]);
      }
    if (round + 1 == rounds) result.starts.push_back(result.columns.size());
  }
  return result;
}

SparseCounts find_counts(const Vocabulary& vocabulary, Span<const Graph> graphs, int threads,
                         std::uint64_t max_memory, const Progress& progress) {
  const FeatureColumns columns(vocabulary);
  const std::uint64_t limit = resolve_memory_limit(max_memory);
  SparseCounts all;
  all.num_columns = columns.size();
  // A block at a time, so that the lists of pairs (feature, count) of all graphs are never there together.
  constexpr std::size_t kBlock = 1024;
  std::vector<GraphFeatures> found;
  for (std::size_t begin = 0; begin < graphs.size(); begin += kBlock) {
    check_interrupt();
    const std::size_t end = std::min(graphs.size(), begin + kBlock);
    found.assign(end - begin, {});
    parallel_for(found.size(), threads, [&](std::size_t i) { found[i] = vocabulary.find(graphs[begin + i]); });
    for (const GraphFeatures& features : found) append_row(all, vocabulary, columns, features);
    if (progress) progress(end, graphs.size());
    require_memory(fmt::format("the features of {} of {} graphs", end, graphs.size()), all.bytes(), limit);
  }
  return all;
}

}  // namespace twofold::gram
