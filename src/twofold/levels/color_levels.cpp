#include "twofold/levels/color_levels.h"

#include <algorithm>
#include <utility>

#include "twofold/base/error.h"
#include "twofold/base/memory.h"
#include "twofold/base/parallel.h"
#include "twofold/levels/level_arrays.h"
#include "twofold/levels/level_intake.h"
#include "twofold/levels/twin_scan.h"

namespace twofold::levels {
namespace {

// What is kept of a graph while its chunk is being colored. Neighbors are worked on at the same time, so they
// share no cache line.
struct alignas(kApart) Part {
  InitialColors initial;
  TwinRows rows;
  // One a row: its color, and while a round is under way the next one.
  std::vector<Row> colors;
  std::vector<Row> next;
  std::vector<ColorCount> counts;
  std::uint64_t num_triples = 0;
};

class ColorLevelBuilder : public LevelBuilder<RowPair> {
 public:
  ColorLevelBuilder(pairs::FeatureLayout layout, pairs::Radius radius, std::size_t num_graphs,
                    const ColorLevelOptions& options)
      : num_graphs_(num_graphs),
        radius_(radius),
        options_(options),
        limit_(resolve_memory_limit(options.max_memory)),
        initial_(seen(std::move(layout), options), options.attributes),
        tables_(static_cast<std::size_t>(options.rounds)),
        scans_(static_cast<std::size_t>(resolve_threads(options.threads))),
        intake_(options.threads),
        storage_(std::make_shared<LevelArrays<RowPair>>(tables_.size() + 1)) {}

  void add(Span<const Graph> graphs) override {
    for (std::size_t begin = 0; begin < graphs.size();) {
      const std::size_t end = chunk_end(graphs, begin);
      parts_.resize(std::max(parts_.size(), end - begin));
      color_chunk(Span<const Graph>(graphs.data() + begin, end - begin));
      begin = end;
      if (options_.progress) options_.progress(done_, num_graphs_);
    }
  }

  ColorLevels finish() override { return finish_levels(std::move(storage_), initial_.take_rows(), tables_, 1); }

 private:
  static pairs::FeatureLayout seen(pairs::FeatureLayout layout, const ColorLevelOptions& options) {
    layout.indicators = options.indicators;
    if (options.attributes == AttributeUse::kNone) layout.node_attributes = layout.edge_attributes = 0;
    return layout;
  }

  void color_chunk(Span<const Graph> graphs) {
    const std::size_t count = graphs.size();
    const auto number = [&](std::size_t k) { return static_cast<std::uint32_t>(done_ + k); };
    for (std::size_t k = 0; k < count; ++k) initial_.number(graphs[k], number(k), parts_[k].initial);
    const std::uint64_t left = limit_ - std::min(limit_, bytes(count));
    parallel_for(count, options_.threads, [&](std::size_t k) {
      Part& part = parts_[k];
      part.rows = make_twin_rows(graphs[k], part.initial, radius_, options_.twins, left, times_of(done_ + k));
    });
    for (std::size_t k = 0; k < count; ++k) {
      Part& part = parts_[k];
      if (part.rows.num_indirect > 0) {
        const Edge pair = part.rows.indirect_pair();
        part.rows.set_indirect(initial_.number_indirect(number(k), pair.u, pair.v));
      }
      part.colors = part.rows.color;
      part.num_triples = 0;
    }
    storage_->take_in_initial(initial_.rows().size());
    obey_limit(count);
    for (std::size_t round = 0; round < tables_.size(); ++round) {
      intake_.begin(count);
      parallel_for_workers(count, options_.threads, [&](std::size_t k, int worker) {
        refine(k, round, scans_[static_cast<std::size_t>(worker)]);
      });
      obey_limit(count);
      intake_.take_in(tables_[round], &storage_->origins[round + 1], &storage_->origins[round],
                      [&](std::size_t k) {
                        Part& part = parts_[k];
                        for (Row& color : part.next) color = intake_.number_of(k, color);
                        part.colors.swap(part.next);
                      });
      obey_limit(count);
    }
    parallel_for(count, options_.threads, [&](std::size_t k) { count_colors(parts_[k], done_ + k); });
    for (std::size_t k = 0; k < count; ++k) pool(parts_[k], done_ + k);
    parallel_for(count, options_.threads, [&](std::size_t k) { parts_[k].rows = TwinRows(); });
    done_ += count;
  }

  std::size_t num_colors(std::size_t level) const {
    return level == 0 ? initial_.rows().size() : tables_[level - 1].size();
  }

  // The next colors of a graph.
  void refine(std::size_t k, std::size_t round, TwinScan& scan) {
    Part& part = parts_[k];
    intake_.begin_graph(k);
    part.next.resize(part.colors.size());
    scan.scan(part.rows, part.colors, num_colors(round), [&](Row row, const TripleKey& key) {
      part.next[row] = intake_.find_or_add(k, tables_[round], key);
      if (round == 0) part.num_triples += scan.num_triples() * part.rows.count(row);
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

  Span<const std::uint32_t> times_of(std::size_t graph) const {
    if (options_.node_times.empty()) return {};
    return options_.node_times[graph];
  }

  void count_colors(Part& part, std::size_t graph) const {
    const Span<const std::uint32_t> times = times_of(graph);
    part.counts.resize(part.colors.size());
    for (Row row = 0; row < part.counts.size(); ++row) {
      std::uint64_t pairs = part.rows.count(row);
      if (!times.empty()) pairs *= times[part.rows.twins.member[part.rows.first[row]]];
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
    std::uint64_t sum = initial_.bytes() + storage_->bytes() + intake_.bytes();
    for (const TripleTable& table : tables_) sum += table.bytes();
    for (std::size_t k = 0; k < count; ++k) sum += parts_[k].rows.memory() + 8 * parts_[k].colors.size();
    return sum;
  }

  void obey_limit(std::size_t count) const {
    const std::uint64_t need = bytes(count);
    if (need <= limit_) return;
    require_memory(fmt::format("coloring {} graphs at radius {} ({} of them done)", num_graphs_,
                               pairs::to_string(radius_), done_),
                   need, limit_);
  }

  std::size_t num_graphs_;
  std::size_t done_ = 0;  // graphs that were colored
  pairs::Radius radius_;
  ColorLevelOptions options_;
  std::uint64_t limit_;
  InitialTable initial_;
  std::vector<TripleTable> tables_;  // of rounds 1…T
  std::vector<TwinScan> scans_;      // one per thread
  std::vector<Part> parts_;
  LevelIntake<RowPair> intake_;
  std::size_t next_pair_ = 0;  // of options_.pairs
  std::shared_ptr<LevelArrays<RowPair>> storage_;
};

}  // namespace

std::unique_ptr<LevelBuilder<RowPair>> color_level_builder(const pairs::FeatureLayout& layout,
                                                           pairs::Radius radius, std::size_t num_graphs,
                                                           const ColorLevelOptions& options) {
  if (options.rounds < 0) throw UsageError(fmt::format("needed at least 0 rounds, found {}", options.rounds));
  return std::make_unique<ColorLevelBuilder>(layout, radius, num_graphs, options);
}

ColorLevels build_color_levels(Span<const Graph> graphs, pairs::Radius radius,
                               const ColorLevelOptions& options) {
  const auto builder =
      color_level_builder(pairs::feature_layout(graphs, options.indicators), radius, graphs.size(), options);
  builder->add(graphs);
  return builder->finish();
}

}  // namespace twofold::levels
