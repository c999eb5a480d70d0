#include <cmath>

#include "twofold/base/error.h"
#include "twofold/levels/level_cutter.h"
#include "twofold/levels/level_pool.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/kept_batches.h"
#include "twofold/train/sparse_table.h"

namespace twofold::train {
namespace {

using levels::Row;
using model::ModelKind;

// A batch with all that it refers to.
template <typename T>
struct ColorBatch {
  std::vector<std::uint32_t> graphs;
  SparseTable<T> table;
  // Of 2-wl-gnn: the levels, with a plan each. Of the others: one or two matrices per round.
  levels::BatchLevels<levels::RowPair> pairs;
  std::vector<compute::PairPlan> plans;
  levels::BatchLevels<Row> neighbors;
  std::vector<SparseTable<T>> sums;
  std::vector<SparseTable<T>> ends;
  std::vector<std::vector<T>> own_times;
  // For every round from 0 on, where it is needed: what graphs have of it, and how often each row counts.
  std::vector<levels::LevelPool> pools;
  std::vector<std::vector<T>> counts;
  struct Segments {
    std::vector<std::uint32_t> rows;
    std::vector<std::uint64_t> counts;
    std::vector<compute::PoolSegment> list;
  };
  std::vector<Segments> segments;
  // Of nodes and links, which `graphs` then are: the last round's rows of both ends and, where pairs have rows,
  // that of the pair, or kNoRow.
  std::vector<std::uint32_t> item_rows;

  compute::NetPart<T> part;
  typename compute::NetBatch<T>::Size size;
};

// Rounds of the network and of the levels alike: layers that sum are one each.
struct Rounds {
  explicit Rounds(const compute::NetShape& shape) {
    std::size_t round = 0;
    for (const compute::LayerShape& layer : shape.stack.layers) {
      if (layer.sum != compute::LayerShape::Sum::kNone) ++round;
      of_layer.push_back(round);
      for (const compute::EndShape* end : {&layer.sum_end, &layer.end, &layer.second_end})
        has_batch_norm = has_batch_norm || end->norm == compute::Norm::kBatch;
    }
    count = round;
    is_read.assign(round + 1, false);
    for (const compute::ReadoutShape& readout : shape.readouts) is_read[of_layer[readout.layer]] = true;
  }

  std::vector<std::size_t> of_layer;
  std::size_t count = 0;
  std::vector<bool> is_read;
  bool has_batch_norm = false;
};

template <typename T>
class ColorBatches : public BatchMaker<T> {
 public:
  ColorBatches(const EncodedDataset& data, const model::ModelOptions& model, const compute::NetShape& shape,
               const FeatureScaling& scaling)
      : data_(data), model_(model), shape_(shape), rounds_(shape) {
    const int rounds = static_cast<int>(rounds_.count);
    if (has_triples()) {
      colors_ = data.color_levels(rounds);
      initial_ = colors_.initial;
      pair_cutter_ = std::make_unique<levels::Cutter<levels::RowPair>>(colors_);
      loop_rows_ = colors_.loop_rows;
      pair_rows_ = colors_.pair_rows;
      number_.assign(colors_.levels.back().num_rows(), pairs::kNoRow);
    } else {
      const levels::NeighborLevels& levels = data.neighbor_levels(rounds);
      initial_ = levels.initial;
      step_ = levels.levels_per_round;
      neighbor_cutter_ = std::make_unique<levels::Cutter<Row>>(levels);
      loop_rows_ = levels.loop_rows;
      pair_rows_ = levels.pair_rows;
      number_.assign(levels.levels.back().num_rows(), pairs::kNoRow);
    }
    const EncodedDataset::InitialRows start = data.initial_rows(initial_);
    // Degrees are part of the initial colors.
    if (model.model == ModelKind::kGcn)
      for (const levels::InitialRow& row : start.rows)
        scales_.push_back(1 / std::sqrt(static_cast<double>(start.graphs[row.graph].degree(row.u) + 1)));
    if (!data.items.empty())
      for (const Graph& g : data.graphs()) first_node_.push_back(first_node_.back() + g.num_nodes());
    const std::size_t columns = data.columns();
    // Without labels and attributes there is one constant column.
    std::vector<float> features(initial_.size() * columns, 1);
    if (data.layout().features.columns() > 0)
      levels::write_initial_features(start.rows, start.graphs, data.layout().features, scaling,
                                     features.data());
    for (std::size_t i = 0; i < initial_.size(); ++i) table_.add({features.data() + i * columns, columns});
  }

  const compute::NetBatch<T>& make(const Batch& batch, std::size_t slot) override {
    ColorBatch<T>& cut_out = batches_.get(
        batch.graphs,
        [&](const auto& graphs, ColorBatch<T>& to) {
          cut(graphs, to);
          // Numbers of rows, pools and features; items with their multiplicities.
          return 64 * std::uint64_t{to.size.num_rows} + 16 * std::uint64_t{to.size.num_items};
        },
        slot);
    while (made_.size() <= slot) made_.push_back(std::make_unique<compute::NetBatch<T>>());
    compute::NetBatch<T>& made = *made_[slot];
    made.has_colors = true;
    made.table = cut_out.table.view();
    made.parts.assign(batch.graphs.empty() ? 0 : 1, cut_out.size);
    made.fill = [&cut_out](std::size_t, compute::NetPart<T>& to) { to = cut_out.part; };
    made.num_graphs = batch.graphs.size();
    made.seed = batch.seed;
    return made;
  }

  // The items of its different colors.
  std::uint64_t cost(std::uint32_t graph) const override {
    const auto of = [&](const auto& levels) {
      const auto& last = levels.levels.back();
      std::uint64_t sum = 0;
      for (std::uint64_t k = levels.pool_offsets[graph]; k < levels.pool_offsets[graph + std::size_t{1}]; ++k) {
        const Row row = levels.pool_rows[k];
        sum += 8 + last.offsets[row + std::size_t{1}] - last.offsets[row];
      }
      return sum;
    };
    const int rounds = static_cast<int>(rounds_.count);
    return has_triples() ? of(colors_) : of(data_.neighbor_levels(rounds));
  }

 private:
  bool has_triples() const { return model_.model == ModelKind::k2WlGnn; }

  void cut(const std::vector<std::uint32_t>& items, ColorBatch<T>& to) {
    to.graphs = items;
    const std::vector<std::uint32_t> graphs = data_.items.empty() ? items : data_.graphs_of(items);
    numbers_.assign(graphs.begin(), graphs.end());
    to.pools.resize(rounds_.count + 1);
    to.size = {};
    to.size.num_graphs = items.size();
    if (has_triples()) {
      pair_cutter_->cut(numbers_, to.pairs);
      levels::pool_of_last(to.pairs, to.pools.back());
      fill_table(to.pairs.rows[0], to);
    } else {
      neighbor_cutter_->cut(numbers_, to.neighbors);
      levels::pool_of_last(to.neighbors, to.pools.back());
      fill_table(to.neighbors.rows[0], to);
    }
    if (!data_.items.empty()) find_items(to);
    fill_pools(to);
    fill_steps(to);
  }

  // The rows of the last round that the batch's nodes, or the ends of its pairs, are of.
  void find_items(ColorBatch<T>& to) {
    const std::vector<Row>& last = has_triples() ? to.pairs.rows.back() : to.neighbors.rows.back();
    for (std::size_t row = 0; row < last.size(); ++row) number_[last[row]] = static_cast<Row>(row);
    to.item_rows.clear();
    for (const std::uint32_t i : to.graphs) {
      const Item item = data_.items[i];
      for (const Node end : {item.u, item.v})
        to.item_rows.push_back(number_[loop_rows_[first_node_[item.graph] + end]]);
      if (pair_rows_.empty()) continue;
      const Row row = pair_rows_[i];
      to.item_rows.push_back(row == pairs::kNoRow ? row : number_[row]);
    }
    for (const Row row : last) number_[row] = pairs::kNoRow;
  }

  // Those rows as they were in an earlier round.
  void fill_item_segments(std::size_t round, ColorBatch<T>& to) const {
    typename ColorBatch<T>::Segments& made = to.segments[round];
    made.rows = to.item_rows;
    for (std::size_t r = rounds_.count; r > round; --r)
      for (std::uint32_t& row : made.rows)
        if (row != pairs::kNoRow) row = own(to, r)[row];
    made.list.clear();
    const std::size_t size = model_.about == TargetOf::kNodes ? 1 : 2;
    const std::size_t stride = pair_rows_.empty() ? 2 : 3;
    for (std::size_t i = 0; i < to.graphs.size(); ++i) {
      const std::uint32_t* const rows = made.rows.data() + stride * i;
      made.list.push_back({rows, nullptr, 0, size});
      if (stride == 3) made.list.push_back({rows + 2, nullptr, 0, rows[2] == pairs::kNoRow ? 0U : 1U});
    }
  }

  // All of the round's rows.
  std::size_t num_rows(const ColorBatch<T>& batch, std::size_t round) const {
    return has_triples() ? batch.pairs.num_rows(round) : batch.neighbors.num_rows(round * step_);
  }
  const std::vector<Row>& own(const ColorBatch<T>& batch, std::size_t round) const {
    return has_triples() ? batch.pairs.levels[round - 1].own : batch.neighbors.levels[round * step_ - 1].own;
  }
  const std::vector<Row>& origins(const ColorBatch<T>& batch, std::size_t round) const {
    return has_triples() ? batch.pairs.origins[round] : batch.neighbors.origins[round * step_];
  }
  Row first_row(const ColorBatch<T>& batch, std::size_t origin) const {
    return has_triples() ? batch.pairs.rows[0][origin] : batch.neighbors.rows[0][origin];
  }
  // Of gcn: what a row that began there is multiplied by.
  double scale(const ColorBatch<T>& batch, std::size_t origin) const {
    return scales_[first_row(batch, origin)];
  }

  void fill_table(const std::vector<Row>& rows, ColorBatch<T>& to) const {
    to.table.clear();
    for (const Row row : rows) to.table.add(table_, row);
  }

  void fill_pools(ColorBatch<T>& to) const {
    to.counts.resize(rounds_.count + 1);
    to.segments.resize(rounds_.count + 1);
    std::size_t needed = rounds_.count;
    for (std::size_t r = 0; r < needed; ++r)
      if (rounds_.is_read[r] || rounds_.has_batch_norm) needed = r;
    for (std::size_t r = rounds_.count; r > needed; --r)
      levels::pool_before(to.pools[r], own(to, r), num_rows(to, r - 1), to.pools[r - 1]);
    for (std::size_t r = needed; r <= rounds_.count; ++r) {
      if (rounds_.has_batch_norm) {
        std::vector<std::uint64_t> counts;
        levels::count_rows(to.pools[r], num_rows(to, r), counts);
        to.counts[r].assign(counts.begin(), counts.end());
      }
      if (rounds_.is_read[r]) fill_segments(r, to);
    }
  }

  void fill_segments(std::size_t round, ColorBatch<T>& to) const {
    if (!data_.items.empty()) {
      fill_item_segments(round, to);
      return;
    }
    const levels::LevelPool& pool = to.pools[round];
    typename ColorBatch<T>::Segments& made = to.segments[round];
    made.list.clear();
    const std::size_t num_kinds = shape_.readouts[0].num_kinds;
    if (num_kinds == 1 && !model_.loops_only) {
      for (std::size_t g = 0; g < pool.num_graphs(); ++g)
        made.list.push_back({pool.rows.data() + pool.offsets[g], pool.counts.data() + pool.offsets[g], 0,
                             static_cast<std::size_t>(pool.offsets[g + 1] - pool.offsets[g])});
      return;
    }
    // The lists first, so that pointers to them stay.
    made.rows.clear();
    made.counts.clear();
    std::vector<std::size_t> borders = {0};
    for (std::size_t g = 0; g < pool.num_graphs(); ++g)
      for (std::uint32_t kind = 0; kind < num_kinds; ++kind) {
        for (std::uint64_t k = pool.offsets[g]; k < pool.offsets[g + 1]; ++k) {
          std::uint64_t count = pool.counts[k];
          if (num_kinds == 1)
            count = pool.loops[k];
          else if (initial_[first_row(to, round == 0 ? pool.rows[k] : origins(to, round)[pool.rows[k]])].kind !=
                   kind)
            count = 0;
          if (count == 0) continue;
          made.rows.push_back(pool.rows[k]);
          made.counts.push_back(count);
        }
        borders.push_back(made.rows.size());
      }
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
      made.list.push_back(
          {made.rows.data() + borders[i], made.counts.data() + borders[i], 0, borders[i + 1] - borders[i]});
  }

  void fill_steps(ColorBatch<T>& to) const {
    to.sums.resize(rounds_.count);
    to.ends.resize(rounds_.count);
    to.own_times.resize(rounds_.count);
    to.plans.clear();
    if (has_triples())
      for (const pairs::Level& level : to.pairs.levels) to.plans.push_back(compute::make_plan({&level}));
    to.part.steps.clear();
    to.part.segments.clear();
    for (const std::size_t round : rounds_.of_layer) {
      const bool sums = shape_.stack.layers[to.part.steps.size()].sum != compute::LayerShape::Sum::kNone;
      const std::size_t before = sums ? round - 1 : round;
      compute::NetStep<T> step;
      step.num_sources = num_rows(to, before);
      step.num_rows = num_rows(to, round);
      if (sums) step.own = own(to, round).data();
      if (before > 0) step.labels = origins(to, before).data();
      if (rounds_.has_batch_norm) step.counts = to.counts[round].data();
      to.size.num_rows += step.num_rows;
      if (sums && has_triples()) {
        step.pairs = &to.plans[round - 1];
        to.size.num_items += to.pairs.levels[round - 1].items.size();
      } else if (sums) {
        fill_sums(round, to);
        step.neighbors = to.sums[round - 1].view();
        to.size.num_items += to.sums[round - 1].columns.size();
        if (step_ == 2) {
          step.ends = to.ends[round - 1].view();
          step.own_times = to.own_times[round - 1].data();
        }
      }
      to.part.steps.push_back(step);
      to.part.segments.push_back(rounds_.is_read[round] ? to.segments[round].list.data() : nullptr);
    }
  }

  // Row by row: its sources, and its own row where the model counts it among them.
  void fill_sums(std::size_t round, ColorBatch<T>& to) const {
    const pairs::LevelOf<Row>& level = to.neighbors.levels[round * step_ - step_];
    const bool with_own = model_.model == ModelKind::kGin || model_.model == ModelKind::kGcn;
    const std::size_t num_rows = level.num_rows();
    SparseTable<T>& sums = to.sums[round - 1];
    sums.resize(num_rows, level.items.size() + (with_own ? num_rows : 0));
    const Row* const before = round == 1 ? nullptr : origins(to, round - 1).data();
    std::uint32_t at = 0;
    for (std::size_t row = 0; row < num_rows; ++row) {
      double times = 1;
      if (model_.model == ModelKind::kGcn) times = scale(to, origins(to, round)[row]);
      if (model_.model == ModelKind::kSage) {
        double size = 0;
        for (std::uint64_t k = level.offsets[row]; k < level.offsets[row + 1]; ++k)
          size += level.multiplicity[k];
        times = size == 0 ? 0 : 1 / size;
      }
      const auto put = [&](Row source, double count) {
        double value = times * count;
        if (model_.model == ModelKind::kGcn) value *= scale(to, before == nullptr ? source : before[source]);
        sums.columns[at] = source;
        sums.values[at++] = static_cast<T>(value);
      };
      for (std::uint64_t k = level.offsets[row]; k < level.offsets[row + 1]; ++k)
        put(level.items[k], level.multiplicity[k]);
      if (with_own) put(level.own[row], 1);
      sums.offsets[row + 1] = at;
    }
    if (step_ == 1) return;
    // 2-gnn: those were sums at nodes; a row adds up its ends, and is itself at each.
    const pairs::LevelOf<Row>& last = to.neighbors.levels[round * step_ - 1];
    SparseTable<T>& ends = to.ends[round - 1];
    ends.clear();
    to.own_times[round - 1].clear();
    for (std::size_t row = 0; row < last.num_rows(); ++row) {
      double count = 0;
      for (std::uint64_t k = last.offsets[row]; k < last.offsets[row + 1]; ++k) {
        ends.put(last.items[k], static_cast<T>(last.multiplicity[k]));
        count += last.multiplicity[k];
      }
      ends.end_row();
      to.own_times[round - 1].push_back(static_cast<T>(-count));
    }
  }

  const EncodedDataset& data_;
  model::ModelOptions model_;
  const compute::NetShape& shape_;
  Rounds rounds_;
  levels::ColorLevels colors_;
  Span<const levels::InitialRow> initial_;
  std::size_t step_ = 1;
  std::unique_ptr<levels::Cutter<levels::RowPair>> pair_cutter_;
  std::unique_ptr<levels::Cutter<Row>> neighbor_cutter_;
  // The features of level 0.
  SparseTable<T> table_;
  // Of gcn, one per row of level 0: 1 / sqrt(degree + 1).
  std::vector<double> scales_;

  // Of nodes and links: the dataset's rows of the last round by node, where each graph's nodes begin, and room
  // for the numbers that rows have in a batch (kNoRow in between).
  Span<const Row> loop_rows_;
  // Of links in models on pairs: the same by pair, or kNoRow.
  Span<const Row> pair_rows_;
  std::vector<std::size_t> first_node_ = {0};
  std::vector<Row> number_;

  KeptBatches<ColorBatch<T>> batches_{256, kMostKeptBytes};
  std::vector<std::size_t> numbers_;
  std::vector<std::unique_ptr<compute::NetBatch<T>>> made_;  // by slot
};

}  // namespace

template <typename T>
std::unique_ptr<BatchMaker<T>> make_color_batches(const EncodedDataset& data, const model::ModelOptions& model,
                                                  const compute::NetShape& shape,
                                                  const FeatureScaling& scaling) {
  return std::make_unique<ColorBatches<T>>(data, model, shape, scaling);
}

template std::unique_ptr<BatchMaker<float>> make_color_batches(const EncodedDataset&,
                                                               const model::ModelOptions&,
                                                               const compute::NetShape&, const FeatureScaling&);
template std::unique_ptr<BatchMaker<double>> make_color_batches(const EncodedDataset&,
                                                                const model::ModelOptions&,
                                                                const compute::NetShape&,
                                                                const FeatureScaling&);

}  // namespace twofold::train
