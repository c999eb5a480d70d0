#include "twofold/train/color_engine.h"

#include "twofold/compute/pair_net.h"
#include "twofold/levels/level_cutter.h"
#include "twofold/train/initial_features.h"
#include "twofold/train/kept_batches.h"
#include "twofold/train/net_shape.h"

namespace twofold::train {
namespace {

// A batch as the network takes it, with all that it refers to.
struct CutBatch {
  std::vector<std::uint32_t> graphs;
  levels::BatchLevels<levels::RowPair> levels;
  SparseTable table;
  // Where only loops are pooled: their rows and counts.
  std::vector<std::uint32_t> loop_rows;
  std::vector<std::uint64_t> loop_counts;
  compute::PairNetBatch<float> net;
};

class ColorEngine : public Engine {
 public:
  ColorEngine(const EncodedDataset& data, const model::ModelOptions& model, const Objective& task,
              levels::ColorLevels levels, int threads)
      : data_(data),
        task_(task),
        threads_(threads),
        levels_(std::move(levels)),
        cutter_(levels_),
        net_(pair_net_shape(model, data.columns(), model::parameter_layout(model, data.columns()), task)) {
    const std::size_t columns = data.columns();
    const std::size_t count = levels_.initial.size();
    const std::vector<float> features = initial_features(data, levels_.initial, task.features);
    for (std::size_t i = 0; i < count; ++i) table_.add({features.data() + i * columns, columns});
  }

  double loss_and_gradient(const Batch& batch, Span<float> parameters, Span<float> gradient,
                           Span<float> outputs) override {
    targets_.fill(task_, data_.targets, batch.graphs);
    return net_.loss_and_gradient(cut(batch.graphs), targets_.view(), parameters.data(), gradient.data(),
                                  {outputs.data(), nullptr}, threads_);
  }
  void outputs(const Batch& batch, Span<const float> parameters, Span<float> outputs) override {
    net_.outputs(cut(batch.graphs), parameters.data(), {outputs.data(), nullptr}, threads_);
  }
  void graph_vectors(const Batch& batch, Span<const float> parameters, Span<float> vectors) override {
    net_.outputs(cut(batch.graphs), parameters.data(), {nullptr, vectors.data()}, threads_);
  }
  std::size_t vector_width() const override { return net_.shape().stack.layers.back().width; }
  model::EngineKind kind() const override { return model::EngineKind::kColors; }

 private:
  const compute::PairNetBatch<float>& cut(const std::vector<std::uint32_t>& graphs) {
    return batches_.get(graphs, [&](const auto& wanted, CutBatch& to) { fill(wanted, to); }).net;
  }

  void fill(const std::vector<std::uint32_t>& graphs, CutBatch& to) {
    to.graphs = graphs;
    numbers_.assign(graphs.begin(), graphs.end());
    cutter_.cut(numbers_, to.levels);
    to.table.clear();
    for (const levels::Row row : to.levels.rows[0]) to.table.add(table_, row);
    to.net.table = to.table.view();
    to.net.levels.clear();
    to.net.level_labels.clear();
    for (std::size_t k = 0; k < to.levels.levels.size(); ++k) {
      to.net.levels.push_back(&to.levels.levels[k]);
      to.net.level_labels.push_back(k == 0 ? nullptr : to.levels.origins[k].data());
    }
    to.net.segments.clear();
    const bool loops_only = net_.shape().loops_only;
    to.loop_rows.clear();
    to.loop_counts.clear();
    if (loops_only)
      for (std::size_t i = 0; i < to.levels.pool_rows.size(); ++i) {
        if (to.levels.pool_loops[i] == 0) continue;
        to.loop_rows.push_back(to.levels.pool_rows[i]);
        to.loop_counts.push_back(to.levels.pool_loops[i]);
      }
    std::size_t loop = 0;
    for (std::size_t g = 0; g < graphs.size(); ++g) {
      const std::uint64_t begin = to.levels.pool_offsets[g], end = to.levels.pool_offsets[g + 1];
      if (!loops_only) {
        to.net.segments.push_back({to.levels.pool_rows.data() + begin, to.levels.pool_counts.data() + begin, 0,
                                   static_cast<std::size_t>(end - begin)});
        continue;
      }
      const std::size_t first = loop;
      for (std::uint64_t i = begin; i < end; ++i) loop += to.levels.pool_loops[i] > 0;
      to.net.segments.push_back({to.loop_rows.data() + first, to.loop_counts.data() + first, 0, loop - first});
    }
  }

  const EncodedDataset& data_;
  Objective task_;
  int threads_;
  levels::ColorLevels levels_;
  levels::Cutter<levels::RowPair> cutter_;
  compute::PairNet<float> net_;
  // The features of level 0.
  SparseTable table_;

  KeptBatches<CutBatch> batches_;
  std::vector<std::size_t> numbers_;
  NetTargets targets_;
};

}  // namespace

std::unique_ptr<Engine> make_color_engine(const EncodedDataset& data, const model::ModelOptions& model,
                                          const Objective& task, levels::ColorLevels levels, int threads) {
  return std::make_unique<ColorEngine>(data, model, task, std::move(levels), threads);
}

}  // namespace twofold::train
