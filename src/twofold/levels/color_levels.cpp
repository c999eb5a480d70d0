#include "twofold/levels/color_levels.h"

#include <algorithm>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/levels/level_arrays.h"
#include "twofold/levels/twin_scan.h"

namespace twofold::levels {
namespace {

// What is kept of a graph while its chunk is being colored.
struct Part {
  InitialColors initial;
  TwinRows rows;
  // One a row: its color; while a round is under way, those that the table lacks have kNew added to their
  // number in `fresh`.
  std::vector<Row> colors;
  std::vector<Row> next;
  TripleTable fresh;
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
      for (std::size_t k = 0; k < count; ++k) take_in(parts_[k], round);
      obey_limit(begin, count);
    }
    for (std::size_t k = 0; k < count; ++k) {
      pool(parts_[k], begin + k);
      parts_[k].rows = TwinRows();
    }
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

  // Gives the new colors of a graph their numbers. Called graph by graph, so they do not depend on threads.
  void take_in(Part& part, std::size_t round) {
    TripleTable& table = tables_[round];
    GrowingArray<Row>& origins = storage_->origins[round + 1];
    const GrowingArray<Row>& older = storage_->origins[round];
    numbers_.resize(part.fresh.size());
    for (std::size_t k = 0; k < part.fresh.size(); ++k) {
      const TripleKey key = part.fresh.key(static_cast<Row>(k));
      numbers_[k] = table.find_or_add(key);
      if (origins.size() < table.size()) origins.push_back(older[key.own]);
    }
    for (Row& color : part.next)
      if (color >= kNew) color = numbers_[color - kNew];
    part.colors.swap(part.next);
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

  void pool(const Part& part, std::size_t graph) {
    std::vector<ColorCount> counts(part.colors.size());
    for (Row row = 0; row < counts.size(); ++row) {
      std::uint64_t pairs = part.rows.count(row);
      if (!options_.node_times.empty()) pairs *= options_.node_times[graph][part.rows.first[row]];
      const bool is_loop = row < part.rows.twins.num_classes();
      counts[row] = {part.colors[row], is_loop ? static_cast<std::uint32_t>(pairs) : 0, pairs};
    }
    storage_->add_graph(counts, part.num_triples);
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
  std::vector<Row> numbers_;
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
