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

CountsBuilder::CountsBuilder(Vocabulary& vocabulary, std::size_t num_graphs, std::uint64_t max_memory)
    : vocabulary_(vocabulary),
      max_memory_(max_memory),
      limit_(resolve_memory_limit(max_memory)),
      expected_(num_graphs) {}

void CountsBuilder::add(Span<const Graph> graphs, const Progress& progress) {
  for (std::size_t g = 0; g < graphs.size(); ++g, ++num_graphs_) {
    check_interrupt();
    GraphFeatures features = vocabulary_.add(graphs[g], max_memory_);
    for (auto& round : features.rounds) {
      std::sort(round.begin(), round.end(), [](const auto& a, const auto& b) { return a.feature < b.feature; });
      sizes_.push_back(static_cast<std::uint32_t>(round.size()));
      for (const GraphFeatures::Count& entry : round) {
        all_.columns.push_back(entry.feature);
        all_.counts.push_back(entry.count);
      }
    }
    if (num_graphs_ % 1024 != 0) continue;
    if (num_graphs_ == 1024) {
      const std::size_t foreseen = all_.columns.size() / 1024 * expected_ / 16 * 17;
      all_.columns.reserve(foreseen);
      all_.counts.reserve(foreseen);
      sizes_.reserve(expected_ * vocabulary_.num_rounds());
    }
    if (progress) progress(g, graphs.size());
    require_memory(fmt::format("the features of {} graphs", num_graphs_ + 1),
                   vocabulary_.bytes() + all_.bytes(), limit_);
  }
}

SparseCounts add_counts(Vocabulary& vocabulary, Span<const Graph> graphs, std::uint64_t max_memory,
                        const Progress& progress) {
  CountsBuilder builder(vocabulary, graphs.size(), max_memory);
  builder.add(graphs, progress);
  return std::move(builder).finish();
}

SparseCounts CountsBuilder::finish() && {
  const Vocabulary& vocabulary = vocabulary_;
  SparseCounts& all = all_;
  const std::vector<std::uint32_t>& sizes = sizes_;
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
    return std::move(all_);
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

void find_more_counts(const Vocabulary& vocabulary, const FeatureColumns& columns, Span<const Graph> graphs,
                      int threads, std::uint64_t limit, const Progress& progress, SparseCounts& counts) {
  // A block at a time, so that the lists of pairs (feature, count) of all graphs are never there together.
  constexpr std::size_t kBlock = 1024;
  std::vector<GraphFeatures> found;
  for (std::size_t begin = 0; begin < graphs.size(); begin += kBlock) {
    check_interrupt();
    const std::size_t end = std::min(graphs.size(), begin + kBlock);
    found.assign(end - begin, {});
    parallel_for(found.size(), threads, [&](std::size_t i) { found[i] = vocabulary.find(graphs[begin + i]); });
    for (const GraphFeatures& features : found) append_row(counts, vocabulary, columns, features);
    if (progress) progress(end, graphs.size());
    require_memory(fmt::format("the features of {} graphs", counts.num_rows()), counts.bytes(), limit);
  }
}

SparseCounts find_counts(const Vocabulary& vocabulary, Span<const Graph> graphs, int threads,
                         std::uint64_t max_memory, const Progress& progress) {
  const FeatureColumns columns(vocabulary);
  SparseCounts all;
  all.num_columns = columns.size();
  find_more_counts(vocabulary, columns, graphs, threads, resolve_memory_limit(max_memory), progress, all);
  return all;
}

}  // namespace twofold::gram
