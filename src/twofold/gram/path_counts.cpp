#include "twofold/gram/path_counts.h"

#include <algorithm>
#include <numeric>

#include "twofold/gram/word_table.h"

namespace twofold::gram {
namespace {

// Reused between sources; `order` holds the classes reached, nearest first, the source at the front.
struct Search {
  std::vector<std::uint32_t> distances;
  std::vector<std::uint32_t> order;

  void run(const TwinGraph& twins, std::uint32_t source) {
    distances.assign(twins.num_classes(), kUnreachable);
    order.assign(1, source);
    distances[source] = 0;
    for (std::size_t at = 0; at < order.size(); ++at) {
      const std::uint32_t c = order[at];
      for (const std::uint32_t next : twins.neighbors(c)) {
        if (distances[next] != kUnreachable) continue;
        distances[next] = distances[c] + 1;
        order.push_back(next);
      }
    }
  }
};

// Two members of one class are neighbors, or have a neighbor in common, or have none at all.
std::uint32_t distance_within(const TwinGraph& twins, std::uint32_t c) {
  if (twins.sizes[c] < 2) return kUnreachable;
  if (twins.is_clique[c]) return 1;
  return twins.neighbors(c).empty() ? kUnreachable : 2;
}

// The counts of one round for the sources of one color.
struct Round {
  std::vector<std::uint32_t> names;                // the round's colors in this graph, ascending
  std::vector<std::uint32_t> color_of;             // a class: its color's place in `names`
  std::vector<std::vector<std::uint64_t>> counts;  // [distance][place]
  struct Place {
    std::uint32_t distance, color;
  };
  std::vector<Place> touched;  // where counts is not 0

  void add(std::uint32_t distance, std::uint32_t color, std::uint64_t count) {
    if (distance >= counts.size()) counts.resize(distance + 1);
    auto& row = counts[distance];
    if (row.empty()) row.assign(names.size(), 0);
    if (row[color] == 0) touched.push_back({distance, color});
    row[color] += count;
  }
};

}  // namespace

void distances_from(const TwinGraph& twins, std::uint32_t source, std::vector<std::uint32_t>& distances) {
  Search search;
  search.run(twins, source);
  distances.swap(search.distances);
  distances[source] = distance_within(twins, source);
}

void count_paths(const TwinGraph& twins, const std::vector<std::uint32_t>& colors, std::size_t num_rounds,
                 const std::function<void(std::size_t, const PathCount&)>& tell) {
  const std::size_t q = twins.num_classes();
  const std::size_t n = twins.class_of.size();
  std::vector<Round> rounds(num_rounds);
  for (std::size_t t = 0; t < num_rounds; ++t) {
    Round& round = rounds[t];
    round.color_of.resize(q);
    for (std::size_t c = 0; c < q; ++c) round.names.push_back(colors[t * n + twins.members[c]]);
    const std::vector<std::uint32_t> name_of = round.names;
    std::sort(round.names.begin(), round.names.end());
    round.names.erase(std::unique(round.names.begin(), round.names.end()), round.names.end());
    for (std::size_t c = 0; c < q; ++c)
      round.color_of[c] = static_cast<std::uint32_t>(
          std::lower_bound(round.names.begin(), round.names.end(), name_of[c]) - round.names.begin());
  }

  // In this order the classes of one color stand together, in every round: one search serves all rounds.
  std::vector<std::uint32_t> sources(q);
  std::iota(sources.begin(), sources.end(), 0);
  std::sort(sources.begin(), sources.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (const Round& round : rounds)
      if (round.color_of[a] != round.color_of[b]) return round.color_of[a] < round.color_of[b];
    return a < b;
  });

  Search search;
  for (std::size_t i = 0; i < q; ++i) {
    const std::uint32_t source = sources[i];
    search.run(twins, source);
    const std::uint64_t own_size = twins.sizes[source];
    const std::uint32_t within = distance_within(twins, source);
    for (std::size_t t = 0; t < num_rounds; ++t) {
      Round& round = rounds[t];
      const std::uint32_t own = round.color_of[source];
      if (round.names[own] != kNoColor) {
        if (within != kUnreachable) round.add(within, own, own_size * (own_size - 1));
        for (std::size_t at = 1; at < search.order.size(); ++at) {
          const std::uint32_t c = search.order[at];
          const std::uint32_t color = round.color_of[c];
          if (color >= own) round.add(search.distances[c], color, own_size * twins.sizes[c]);
        }
      }
      if (i + 1 < q && round.color_of[sources[i + 1]] == own) continue;
      for (const Round::Place& place : round.touched) {
        std::uint64_t& count = round.counts[place.distance][place.color];
        if (round.names[place.color] != kNoColor)
          tell(t, {round.names[own], round.names[place.color], place.distance, count});
        count = 0;
      }
      round.touched.clear();
    }
  }
}

}  // namespace twofold::gram
