#include "twofold/levels/color_levels.h"

#include <algorithm>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/levels/level_arrays.h"
#include "twofold/levels/twin_scan.h"

namespace twofold::levels {
namespace {

// What is kept of a graph while its chunk is being colored. Neighbors are worked on at the same time, so they
// share no cache line.
struct alignas(kApart) Part {
  InitialColors initial;
  TwinRows rows;
  // One a row: its color; while a round is under way, those that the table lacks have kNew added to their
  // number in `fresh`.
  std::vector<Row> colors;
  std::vector<Row> next;
  TripleTable fresh;
  // One per key of `fresh`: the first equal one in the chunk (its part and number), and the color's number.
  std::vector<std::pair<std::uint32_t, Row>> same;
  std::vector<Row> numbers;
  std::vector<ColorCount> counts;
  std::uint64_t num_triples = 0;
};

constexpr Row kNew = 0x80000000u;

class ColorLevelBuilder {
 public:
  ColorLevelBuilder(Span<const Graph> graphs, pairs::Radius radius, const ColorLevelOptions& options)
      : graphs_(graphs),
        radius_(radius),
        options_(options),
        limit_(resolve_memory_limit(options.max_memory)),
        initial_(layout(graphs, options), options.attributes),
        tables_(static_cast<std::size_t>(options.rounds)),
        scans_(static_cast<std::size_t>(resolve_threads(options.threads))),
        storage_(std::make_shared<LevelArrays<RowPair>>(tables_.size() + 1)) {}

  ColorLevels build() {
    for (std::size_t begin = 0; begin < graphs_.size();) {
      const std::size_t end = chunk_end(begin);
      parts_.resize(std::max(parts_.size(), end - begin));
      color_chunk(begin, end);
      begin = end;
      if (options_.progress) options_.progress(begin, graphs_.size());
    }
    return finish_levels(std::move(storage_), initial_.take_rows(), tables_, 1);
  }

 private:
  static pairs::FeatureLayout layout(Span<const Graph> graphs, const ColorLevelOptions& options) {
    pairs::FeatureLayout layout = pairs::feature_layout(graphs, options.indicators);
    if (options.attributes == AttributeUse::kNone) layout.node_attributes = layout.edge_attributes = 0;
    return layout;
  }

  // Graphs that are colored side by side; borders depend on the graphs alone.
  std::size_t chunk_end(std::size_t begin) const {
    constexpr std::size_t kNodes = 8192;
    constexpr std::size_t kGraphs = 256;
    std::size_t end = begin;
    for (std::size_t nodes = 0; end < graphs_.size() && end - begin < kGraphs && nodes < kNodes; ++end)
      nodes += graphs_[end].num_nodes();
    return end;
  }

  void color_chunk(std::size_t begin, std::size_t end) {
    const std::size_t count = end - begin;
    for (std::size_t k = 0; k < count; ++k)
      initial_.number(graphs_[begin + k], static_cast<std::uint32_t>(begin + k), parts_[k].initial);
    const std::uint64_t left = limit_ - std::min(limit_, bytes(count));
    parallel_for(count, options_.threads, [&](std::size_t k) {
      Part& part = parts_[k];
      part.rows = make_twin_rows(graphs_[begin + k], part.initial, radius_,
                                 options_.twins && options_.node_times.empty(), left);
    });
    for (std::size_t k = 0; k < count; ++k) {
      Part& part = parts_[k];
      if (part.rows.num_indirect > 0) {
        const Edge pair = part.rows.indirect_pair();
        part.rows.set_indirect(initial_.number_indirect(static_cast<std::uint32_t>(begin + k), pair.u, pair.v));
      }
      part.colors = part.rows.color;
      part.num_triples = 0;
    }
    storage_->take_in_initial(initial_.rows().size());
    obey_limit(begin, count);
    for (std::size_t round = 0; round < tables_.size(); ++round) {
      parallel_for_workers(count, options_.threads, [&](std::size_t k, int worker) {
        refine(parts_[k], round, scans_[static_cast<std::size_t>(worker)]);
      });
      obey_limit(begin, count);
      take_in(count, round);
      obey_limit(begin, count);
    }
    parallel_for(count, options_.threads, [&](std::size_t k) { count_colors(parts_[k], begin + k); });
    for (std::size_t k = 0; k < count; ++k) pool(parts_[k], begin + k);
    parallel_for(count, options_.threads, [&](std::size_t k) { parts_[k].rows = TwinRows(); });
  }

  std::size_t num_colors(std::size_t level) const {
    return level == 0 ? initial_.rows().size() : tables_[level - 1].size();
  }

  // The next colors of a graph, as far as the table has them; others are numbered within the graph.
  void refine(Part& part, std::size_t round, TwinScan& scan) {
    const TripleTable& table = tables_[round];
    part.fresh.clear();
    part.next.resize(part.colors.size());
    scan.scan(part.rows, part.colors, num_colors(round), [&](Row row, const TripleKey& key) {
      const Row known = table.find(key);
      part.next[row] = known != pairs::kNoRow ? known : kNew + part.fresh.find_or_add(key);
      if (round == 0) part.num_triples += scan.num_triples() * part.rows.count(row);
    });
  }

  // Gives the new colors of a chunk their numbers: graph by graph, in the order of first sight, so they depend
  // neither on threads nor on chunks.
  void take_in(std::size_t count, std::size_t round) {
    TripleTable& table = tables_[round];
    find_same(count);
    sizes_.clear();
    const auto first = static_cast<Row>(table.size());
    for (std::size_t p = 0; p < count; ++p) {
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
    GrowingArray<Row>& origins = storage_->origins[round + 1];
    const GrowingArray<Row>& older = storage_->origins[round];
    origins.extend(sizes_.size());
    parallel_for(count, options_.threads, [&](std::size_t p) {
      Part& part = parts_[p];
      for (Row k = 0; k < part.fresh.size(); ++k) {
        if (part.same[k].first != p) continue;
        const TripleKey key = part.fresh.key(k);
        table.put(part.numbers[k], key);
        origins[part.numbers[k]] = older[key.own];
      }
      for (Row& color : part.next)
        if (color >= kNew) color = part.numbers[color - kNew];
      part.colors.swap(part.next);
    });
    table.end_room(first, options_.threads);
  }

  // Which new colors of a chunk several graphs have. Every thread looks at the keys whose hash is its own.
  void find_same(std::size_t count) {
    for (std::size_t p = 0; p < count; ++p) parts_[p].same.resize(parts_[p].fresh.size());
    const std::size_t shares = scans_.size();
    met_.resize(shares);
    parallel_for(shares, options_.threads, [&](std::size_t share) {
      Met& met = met_[share];
      met.index.clear();
      met.keys.clear();
      for (std::size_t p = 0; p < count; ++p) {
        Part& part = parts_[p];
        for (Row k = 0; k < part.fresh.size(); ++k) {
          const std::uint64_t hash = part.fresh.hash(k);
          // Bits that neither the index nor its tags begin with.
          if (shares > 1 && (hash >> 24 & 0xffff) % shares != share) continue;
          const TripleKey key = part.fresh.key(k);
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

  // The row of two nodes; kNoRow beyond the radius.
  static Row find_pair(const TwinRows& rows, Node u, Node v) {
    const std::uint32_t a = rows.twins.class_of[u], b = rows.twins.class_of[v];
    if (a == b) return rows.inner[a];
    const Span<const Node> ball = rows.balls.of(a);
    const Node* const found = std::lower_bound(ball.begin(), ball.end(), b);
    if (found == ball.end() || *found != b) return pairs::kNoRow;
    return rows.ball_rows[rows.balls.offsets[a] + static_cast<std::uint64_t>(found - ball.begin())];
  }

  void count_colors(Part& part, std::size_t graph) const {
    part.counts.resize(part.colors.size());
    for (Row row = 0; row < part.counts.size(); ++row) {
      std::uint64_t pairs = part.rows.count(row);
      if (!options_.node_times.empty()) pairs *= options_.node_times[graph][part.rows.first[row]];
      const bool is_loop = row < part.rows.twins.num_classes();
      part.counts[row] = {part.colors[row], is_loop ? static_cast<std::uint32_t>(pairs) : 0, pairs};
    }
    add_up(part.counts);
  }

  void pool(const Part& part, std::size_t graph) {
    storage_->add_graph(part.counts, part.num_triples);
    // Loops are the first rows, one per class of twins.
    for (std::size_t v = 0; options_.loop_rows && v < part.rows.twins.class_of.size(); ++v)
      storage_->loop_rows.push_back(part.colors[part.rows.twins.class_of[v]]);
    for (; next_pair_ < options_.pairs.size() && options_.pairs[next_pair_].graph == graph; ++next_pair_) {
      const Row row = find_pair(part.rows, options_.pairs[next_pair_].u, options_.pairs[next_pair_].v);
      storage_->pair_rows.push_back(row == pairs::kNoRow ? row : part.colors[row]);
    }
  }

  std::uint64_t bytes(std::size_t count) const {
    std::uint64_t sum = initial_.bytes() + storage_->bytes();
    for (const TripleTable& table : tables_) sum += table.bytes();
    for (std::size_t k = 0; k < count; ++k)
      sum += parts_[k].rows.memory() + parts_[k].fresh.bytes() + 8 * parts_[k].colors.size();
    return sum;
  }

  void obey_limit(std::size_t begin, std::size_t count) const {
    const std::uint64_t need = bytes(count);
    if (need <= limit_) return;
    require_memory(fmt::format("coloring {} graphs at radius {} ({} of them done)", graphs_.size(),
                               pairs::to_string(radius_), begin),
                   need, limit_);
  }

  Span<const Graph> graphs_;
  pairs::Radius radius_;
  const ColorLevelOptions& options_;
  std::uint64_t limit_;
  InitialTable initial_;
  std::vector<TripleTable> tables_;  // of rounds 1…T
  std::vector<TwinScan> scans_;      // one per thread
  std::vector<Part> parts_;
  // Per thread: the new keys of a chunk that it has met.
  struct alignas(kApart) Met {
    ClassIndex index;
    std::vector<std::pair<std::uint32_t, Row>> keys;
  };
  std::vector<Met> met_;
  std::vector<std::uint32_t> sizes_;
  std::size_t next_pair_ = 0;  // of options_.pairs
  std::shared_ptr<LevelArrays<RowPair>> storage_;
};

}  // namespace

ColorLevels build_color_levels(Span<const Graph> graphs, pairs::Radius radius,
                               const ColorLevelOptions& options) {
  if (options.rounds < 0) throw UsageError(fmt::format("needed at least 0 rounds, found {}", options.rounds));
  return ColorLevelBuilder(graphs, radius, options).build();
}

}  // namespace twofold::levels
