#include <algorithm>

#include "twofold/base/error.h"
#include "twofold/levels/level_cutter.h"
#include "twofold/levels/level_pool.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/kept_batches.h"

namespace twofold::train {
namespace {

using levels::Row;

// The front of a batch with all that it refers to.
template <typename T>
struct FrontBatch {
  std::vector<std::uint32_t> graphs;
  levels::BatchLevels<levels::RowPair> levels;
  std::vector<compute::PairPlan> plans;
  // For every level: the label of each row.
  std::vector<std::vector<std::uint32_t>> labels;
  // For every level but the first, where batches are normalized: how often each row counts.
  std::vector<levels::LevelPool> pools;
  std::vector<std::vector<T>> counts;
  // Part by part, one after the other: its rows of the last level, and the place of each of its own rows among
  // them. Where those of each part begin, and one more.
  std::vector<std::uint32_t> front_rows;
  std::vector<std::size_t> first_front_row;
  std::vector<std::uint32_t> places;
  std::vector<std::size_t> first_place;
  compute::NetFront<T> front;
};

// Rows as make_row_batches has them, which begin with the colors that they have after the first layers.
template <typename T>
class MixedBatches : public BatchMaker<T> {
 public:
  MixedBatches(const EncodedDataset& data, const model::ModelOptions& model, const compute::NetShape& shape,
               const FeatureScaling& scaling, std::size_t front_layers)
      : data_(data),
        colors_(data.row_colors(static_cast<int>(front_layers))),
        layers_(front_layers),
        rows_(make_row_batches<T>(data, model, shape, scaling)),
        cutter_(colors_.levels),
        number_(colors_.levels.levels.back().num_rows(), pairs::kNoRow) {
    TWOFOLD_CHECK(front_layers > 0 && data.has_labels_only() && data.items.empty());
    for (const compute::LayerShape& layer : shape.stack.layers)
      for (const compute::EndShape* end : {&layer.sum_end, &layer.end, &layer.second_end})
        has_batch_norm_ = has_batch_norm_ || end->norm == compute::Norm::kBatch;
    find_labels();
  }

  const compute::NetBatch<T>& make(const Batch& batch, std::size_t slot) override {
    const compute::NetBatch<T>& rows = rows_->make(batch, slot);
    const FrontBatch<T>& cut_out = batches_.get(
        batch.graphs,
        [&](const auto& graphs, FrontBatch<T>& to) {
          cut(graphs, rows.parts, to);
          return 64 * std::uint64_t{colors_in(to)} + 16 * std::uint64_t{to.front.num_items} +
                 4 * std::uint64_t{to.front_rows.size() + to.places.size()};
        },
        slot);
    while (made_.size() <= slot) made_.push_back(std::make_unique<compute::NetBatch<T>>());
    compute::NetBatch<T>& made = *made_[slot];
    made = rows;
    made.front = cut_out.front;
    made.fill = [&rows, &cut_out](std::size_t p, compute::NetPart<T>& to) {
      rows.fill(p, to);
      to.front_rows = cut_out.front_rows.data() + cut_out.first_front_row[p];
      to.num_front_rows = cut_out.first_front_row[p + 1] - cut_out.first_front_row[p];
      to.front_places = cut_out.places.data() + cut_out.first_place[p];
    };
    return made;
  }

  std::uint64_t cost(std::uint32_t graph) const override { return rows_->cost(graph); }

 private:
  static std::size_t colors_in(const FrontBatch<T>& batch) {
    std::size_t count = 0;
    for (const std::vector<Row>& rows : batch.levels.rows) count += rows.size();
    return count;
  }

  // The label of each color at the start, by the first pair that has it.
  void find_labels() {
    std::vector<std::uint32_t> labels;
    for (const levels::InitialRow& start : colors_.levels.initial) {
      const PairSlice slice = data_.pair_sets(std::vector<std::uint32_t>{start.graph});
      labels.resize(data_.num_rows(start.graph));
      data_.write_labels(start.graph, slice.sets[0], labels.data());
      label_of_.push_back(labels[slice.sets[0]->find_row(start.u, start.v)]);
    }
  }

  void cut(const std::vector<std::uint32_t>& graphs,
           const std::vector<typename compute::NetBatch<T>::Size>& parts, FrontBatch<T>& to) {
    to.graphs = graphs;
    numbers_.assign(graphs.begin(), graphs.end());
    cutter_.cut(numbers_, to.levels);
    fill_steps(to);
    const std::vector<Row>& last = to.levels.rows.back();
    for (std::size_t row = 0; row < last.size(); ++row) number_[last[row]] = static_cast<Row>(row);
    // Per color: its place in the part at hand.
    std::vector<std::uint32_t> place(last.size(), pairs::kNoRow);
    to.front_rows.clear();
    to.places.clear();
    to.first_front_row.assign(1, 0);
    to.first_place.assign(1, 0);
    for (const auto& part : parts) {
      const std::size_t begin = to.front_rows.size();
      for (std::size_t i = part.first_graph; i < part.first_graph + part.num_graphs; ++i)
        for (const Row color : colors_.of_graph(data_, graphs[i])) {
          const Row row = number_[color];
          if (place[row] == pairs::kNoRow) {
            place[row] = static_cast<std::uint32_t>(to.front_rows.size() - begin);
            to.front_rows.push_back(row);
          }
          to.places.push_back(place[row]);
        }
      for (std::size_t k = begin; k < to.front_rows.size(); ++k) place[to.front_rows[k]] = pairs::kNoRow;
      to.first_front_row.push_back(to.front_rows.size());
      to.first_place.push_back(to.places.size());
    }
    for (const Row color : last) number_[color] = pairs::kNoRow;
  }

  void fill_steps(FrontBatch<T>& to) const {
    const levels::BatchLevels<levels::RowPair>& cut_out = to.levels;
    to.labels.resize(layers_ + 1);
    for (std::size_t k = 0; k <= layers_; ++k) {
      to.labels[k].clear();
      for (const Row origin : cut_out.origins[k]) to.labels[k].push_back(label_of_[cut_out.rows[0][origin]]);
    }
    fill_counts(to);
    to.plans.clear();
    for (const pairs::Level& level : cut_out.levels) to.plans.push_back(compute::make_plan({&level}));
    to.front = {};
    to.front.layers = layers_;
    for (std::size_t k = 0; k <= layers_; ++k) {
      compute::NetStep<T> step;
      step.num_sources = cut_out.num_rows(k);
      step.labels = to.labels[k].data();
      if (k < layers_) {
        step.num_rows = cut_out.num_rows(k + 1);
        step.own = cut_out.levels[k].own.data();
        step.pairs = &to.plans[k];
        if (has_batch_norm_) step.counts = to.counts[k + 1].data();
        to.front.num_items += cut_out.levels[k].items.size();
      }
      to.front.part.steps.push_back(step);
    }
  }

  void fill_counts(FrontBatch<T>& to) const {
    if (!has_batch_norm_) return;
    to.pools.resize(layers_ + 1);
    to.counts.resize(layers_ + 1);
    levels::pool_of_last(to.levels, to.pools.back());
    for (std::size_t k = layers_; k > 0; --k) {
      std::vector<std::uint64_t> counts;
      levels::count_rows(to.pools[k], to.levels.num_rows(k), counts);
      to.counts[k].assign(counts.begin(), counts.end());
      if (k > 1)
        levels::pool_before(to.pools[k], to.levels.levels[k - 1].own, to.levels.num_rows(k - 1),
                            to.pools[k - 1]);
    }
  }

  const EncodedDataset& data_;
  const EncodedDataset::RowColors& colors_;
  std::size_t layers_;
  std::unique_ptr<BatchMaker<T>> rows_;
  levels::Cutter<levels::RowPair> cutter_;
  bool has_batch_norm_ = false;
  // Per row of level 0.
  std::vector<std::uint32_t> label_of_;
  // Per row of the last level: its number in the batch at hand; kNoRow in between.
  std::vector<Row> number_;

  KeptBatches<FrontBatch<T>> batches_{256, kMostKeptBytes};
  std::vector<std::size_t> numbers_;
  std::vector<std::unique_ptr<compute::NetBatch<T>>> made_;  // by slot
};

}  // namespace

template <typename T>
std::unique_ptr<BatchMaker<T>> make_mixed_batches(const EncodedDataset& data, const model::ModelOptions& model,
                                                  const compute::NetShape& shape, const FeatureScaling& scaling,
                                                  std::size_t front_layers) {
  return std::make_unique<MixedBatches<T>>(data, model, shape, scaling, front_layers);
}

template std::unique_ptr<BatchMaker<float>> make_mixed_batches(const EncodedDataset&,
                                                               const model::ModelOptions&,
                                                               const compute::NetShape&, const FeatureScaling&,
                                                               std::size_t);
template std::unique_ptr<BatchMaker<double>> make_mixed_batches(const EncodedDataset&,
                                                                const model::ModelOptions&,
                                                                const compute::NetShape&, const FeatureScaling&,
                                                                std::size_t);

}  // namespace twofold::train
