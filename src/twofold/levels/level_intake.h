#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "twofold/base/error.h"
#include "twofold/base/parallel.h"
#include "twofold/levels/class_index.h"
#include "twofold/levels/growing_array.h"
#include "twofold/levels/level_table.h"

namespace twofold::levels {

/// Numbers the colors that a chunk of graphs adds to a level. The graphs look their keys up side by side;
/// what the table lacks is numbered within each graph first, and then for all of them: graph by graph, in the
/// order of first sight, so that numbers depend neither on threads nor on chunks.
template <typename Item>
class LevelIntake {
 public:
  using Key = ClassKey<Item>;

  explicit LevelIntake(int threads)
      : threads_(threads), met_(static_cast<std::size_t>(resolve_threads(threads))) {}

  /// Before the graphs 0…count-1 of a chunk look up their keys.
  void begin(std::size_t count) {
    count_ = count;
    if (parts_.size() < count) parts_.resize(count);
  }
  /// Before a graph looks up its keys.
  void begin_graph(std::size_t graph) { parts_[graph].fresh.clear(); }
  /// The color that a graph's key has in the table; where the table lacks it, one that number_of knows after
  /// take_in. One thread per graph.
  Row find_or_add(std::size_t graph, const LevelTable<Item>& table, const Key& key) {
    const Row known = table.find(key);
    return known != pairs::kNoRow ? known : kNew + parts_[graph].fresh.find_or_add(key);
  }

  /// Adds the new colors to the table. `origins`, unless null, get those that `older` has of their own rows.
  /// Calls after(graph) on any thread.
  template <typename After>
  void take_in(LevelTable<Item>& table, GrowingArray<Row>* origins, const GrowingArray<Row>* older,
               const After& after) {
    find_same();
    sizes_.clear();
    const auto first = static_cast<Row>(table.size());
    for (std::size_t p = 0; p < count_; ++p) {
      Part& part = parts_[p];
      part.numbers.resize(part.fresh.size());
      for (Row k = 0; k < part.fresh.size(); ++k) {
        const auto [of_part, number] = part.same[k];
        if (of_part != p) {
          part.numbers[k] = parts_[of_part].numbers[number];
          continue;
        }
        part.numbers[k] = first + static_cast<Row>(sizes_.size());
        sizes_.push_back(static_cast<std::uint32_t>(part.fresh.key(k).items.size()));
      }
    }
    if (std::uint64_t{first} + sizes_.size() > 0x7fffffffu) throw Error("more than 2^31-1 colors in one round");
    table.add_room(sizes_);
    if (origins != nullptr) origins->extend(sizes_.size());
    parallel_for(count_, threads_, [&](std::size_t p) {
      const Part& part = parts_[p];
      for (Row k = 0; k < part.fresh.size(); ++k) {
        if (part.same[k].first != p) continue;
        const Key key = part.fresh.key(k);
        table.put(part.numbers[k], key);
        if (origins != nullptr) (*origins)[part.numbers[k]] = (*older)[key.own];
      }
      after(p);
    });
    table.end_room(first, threads_);
  }
  /// Of a color that find_or_add gave the graph, after take_in.
  Row number_of(std::size_t graph, Row color) const {
    return color < kNew ? color : parts_[graph].numbers[color - kNew];
  }

  std::uint64_t bytes() const {
    std::uint64_t sum = 0;
    for (std::size_t p = 0; p < count_; ++p) sum += parts_[p].fresh.bytes();
    return sum;
  }

 private:
  static constexpr Row kNew = 0x80000000u;

  // Of one graph. Neighbors are worked on at the same time, so they share no cache line.
  struct alignas(kApart) Part {
    LevelTable<Item> fresh;
    // One per key of `fresh`: the first equal one in the chunk (its part and number), and the color's number.
    std::vector<std::pair<std::uint32_t, Row>> same;
    std::vector<Row> numbers;
  };
  // Of one thread: the new keys of a chunk that it has met.
  struct alignas(kApart) Met {
    ClassIndex index;
    std::vector<std::pair<std::uint32_t, Row>> keys;
  };

  // Which new colors several graphs have. Every thread looks at the keys whose hash is its own.
  void find_same() {
    for (std::size_t p = 0; p < count_; ++p) parts_[p].same.resize(parts_[p].fresh.size());
    const std::size_t shares = met_.size();
    parallel_for(shares, threads_, [&](std::size_t share) {
      Met& met = met_[share];
      met.index.clear();
      met.keys.clear();
      for (std::size_t p = 0; p < count_; ++p) {
        Part& part = parts_[p];
        for (Row k = 0; k < part.fresh.size(); ++k) {
          const std::uint64_t hash = part.fresh.hash(k);
          // Bits that neither the index nor its tags begin with.
          if (shares > 1 && (hash >> 24 & 0xffff) % shares != share) continue;
          const Key key = part.fresh.key(k);
          const Row found = met.index.find(hash, [&](Row other) {
            const auto [of_part, number] = met.keys[other];
            // A graph's own keys are all different.
            return of_part != p && is_same_key(parts_[of_part].fresh.key(number), key);
          });
          part.same[k] = {static_cast<std::uint32_t>(p), k};
          if (found != pairs::kNoRow) {
            part.same[k] = met.keys[found];
            continue;
          }
          met.index.add(hash);
          met.keys.push_back(part.same[k]);
        }
      }
    });
  }

  int threads_;
  std::size_t count_ = 0;
  std::vector<Part> parts_;
  std::vector<Met> met_;
  std::vector<std::uint32_t> sizes_;
};

/// Where a chunk of graphs that are colored side by side ends; borders depend on the graphs alone.
inline std::size_t chunk_end(Span<const Graph> graphs, std::size_t begin) {
  constexpr std::size_t kNodes = 8192;
  constexpr std::size_t kGraphs = 256;
  std::size_t end = begin;
  for (std::size_t nodes = 0; end < graphs.size() && end - begin < kGraphs && nodes < kNodes; ++end)
    nodes += graphs[end].num_nodes();
  return end;
}

}  // namespace twofold::levels
