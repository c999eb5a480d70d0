#pragma once

#include "twofold/levels/level_cutter.h"
#include "twofold/train/torch_batch.h"

namespace twofold::train {

/// Whether a model's rows can be computed by color in torch's modules: gin, gcn, sage and 2-gnn. (2-wl-gnn has
/// color_engine.h, and gin also the faster gin_engine.h.) Dropout is no obstacle, for it is applied to whole
/// graphs.
bool has_neighbor_colors(model::ModelKind model);

/// Makes batches of colors (nn::GraphBatch::colors) for these models, by integer work on the levels of the
/// dataset. Not for several threads at once.
class ColorBatcher {
 public:
  /// Finds the dataset's levels, unless it has them. The data must outlive the batcher.
  ColorBatcher(const EncodedDataset& data, const model::ModelOptions& model, const FeatureScaling& scaling,
               torch::Dtype dtype = torch::kFloat);

  /// Independent of the batcher from then on. O(colors and their sources).
  std::unique_ptr<TorchBatch> make(const Batch& batch);

 private:
  // All about the cut levels.
  ops::Neighborhood neighborhood(std::size_t level) const;
  void add_pooling(std::vector<nn::ColorRows>& rounds) const;

  const EncodedDataset& data_;
  model::ModelOptions model_;
  torch::Dtype dtype_;
  const levels::NeighborLevels& levels_;
  levels::Cutter<levels::Row> cutter_;
  // A row a row of level 0.
  torch::Tensor features_;
  levels::BatchLevels<levels::Row> cut_;
};

}  // namespace twofold::train
