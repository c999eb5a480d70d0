#include "twofold/train/color_batch.h"

#include <torch/torch.h>

#include <cmath>
#include <limits>

#include "twofold/base/error.h"
#include "twofold/train/initial_features.h"

namespace twofold::train {
namespace {

using levels::Row;
using model::ModelKind;
using torch::Tensor;

// Rows a block of a plan, so that threads can share the work.
constexpr std::size_t kBlockRows = 512;

// A plan with the lists that it refers to.
struct OwnedPlan {
  std::vector<std::uint64_t> offsets = {0};
  std::vector<std::uint32_t> sources;
  std::vector<std::uint32_t> counts;
  std::vector<std::uint64_t> reverse_offsets;
  std::vector<std::uint32_t> reverse;
  std::vector<std::uint32_t> reverse_counts;
  std::vector<double> row_scale;
  std::vector<double> source_scale;
  compute::NeighborPlan plan;

  void turn_around(std::size_t num_sources) {
    reverse_offsets.assign(num_sources + 1, 0);
    for (const std::uint32_t source : sources) ++reverse_offsets[source + std::size_t{1}];
    for (std::size_t s = 0; s < num_sources; ++s) reverse_offsets[s + 1] += reverse_offsets[s];
    reverse.resize(sources.size());
    reverse_counts.resize(sources.size());
    std::vector<std::uint64_t> next(reverse_offsets.begin(), reverse_offsets.end() - 1);
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row)
      for (std::uint64_t k = offsets[row]; k < offsets[row + 1]; ++k) {
        const std::uint64_t to = next[sources[k]]++;
        reverse[to] = static_cast<std::uint32_t>(row);
        reverse_counts[to] = counts[k];
      }
  }
  static std::vector<compute::NeighborBlock> blocks(const std::vector<std::uint64_t>& offsets,
                                                    const std::vector<std::uint32_t>& sources,
                                                    const std::vector<std::uint32_t>& counts,
                                                    const std::vector<double>& row_scale,
                                                    const std::vector<double>& source_scale) {
    std::vector<compute::NeighborBlock> made;
    const std::size_t rows = offsets.size() - 1;
    for (std::size_t first = 0; first < rows; first += kBlockRows) {
      compute::NeighborBlock block;
      block.num_rows = std::min(kBlockRows, rows - first);
      block.offsets = offsets.data() + first;
      block.sources = sources.data();
      block.counts = counts.data();
      block.row_scale = row_scale.empty() ? nullptr : row_scale.data() + first;
      block.source_scale = source_scale.empty() ? nullptr : source_scale.data();
      block.first_row = first;
      made.push_back(block);
    }
    return made;
  }
  void finish(std::size_t num_sources) {
    turn_around(num_sources);
    plan.blocks = blocks(offsets, sources, counts, row_scale, source_scale);
    plan.reverse = blocks(reverse_offsets, reverse, reverse_counts, source_scale, row_scale);
    plan.num_rows = offsets.size() - 1;
    plan.num_sources = num_sources;
  }
};

Tensor index_of(const std::vector<Row>& rows) {
  Tensor index = torch::empty({static_cast<std::int64_t>(rows.size())}, torch::kLong);
  std::copy(rows.begin(), rows.end(), index.data_ptr<std::int64_t>());
  return index;
}

Tensor values_of(const std::vector<double>& from, torch::Dtype dtype) {
  Tensor values = torch::empty({static_cast<std::int64_t>(from.size())}, torch::kDouble);
  std::copy(from.begin(), from.end(), values.data_ptr<double>());
  return values.to(dtype);
}

std::uint32_t narrow_count(std::uint64_t count) {
  TWOFOLD_CHECK(count <= std::numeric_limits<std::uint32_t>::max(), "{} rows of one color", count);
  return static_cast<std::uint32_t>(count);
}

compute::Segments last_segments(const levels::BatchLevels<Row>& cut, bool loops_only) {
  compute::Segments segments;
  segments.num_rows = cut.rows.back().size();
  for (std::size_t g = 0; g < cut.num_graphs(); ++g) {
    segments.begin.push_back(segments.rows.size());
    for (std::uint64_t k = cut.pool_offsets[g]; k < cut.pool_offsets[g + 1]; ++k) {
      const std::uint64_t count = loops_only ? cut.pool_loops[k] : cut.pool_counts[k];
      if (count == 0) continue;
      segments.rows.push_back(cut.pool_rows[k]);
      segments.counts.push_back(narrow_count(count));
    }
    segments.end.push_back(segments.rows.size());
  }
  return segments;
}

// What each graph has on the level before: several colors go on from one.
compute::Segments segments_before(const compute::Segments& after, const std::vector<Row>& own,
                                  std::size_t num_rows) {
  constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  compute::Segments before;
  before.num_rows = num_rows;
  std::vector<std::uint64_t> entry(num_rows, kNone);
  for (std::size_t g = 0; g < after.num_graphs(); ++g) {
    const std::uint64_t begin = before.rows.size();
    for (std::uint64_t k = after.begin[g]; k < after.end[g]; ++k) {
      std::uint64_t& at = entry[own[after.rows[k]]];
      if (at == kNone || at < begin) {
        at = before.rows.size();
        before.rows.push_back(own[after.rows[k]]);
        before.counts.push_back(0);
      }
      before.counts[at] = narrow_count(std::uint64_t{before.counts[at]} + after.counts[k]);
    }
    before.begin.push_back(begin);
    before.end.push_back(before.rows.size());
  }
  return before;
}

Tensor counts_of(const compute::Segments& segments, torch::Dtype dtype) {
  std::vector<double> counts(segments.num_rows, 0);
  for (std::size_t k = 0; k < segments.rows.size(); ++k) counts[segments.rows[k]] += segments.counts[k];
  return values_of(counts, dtype);
}

}  // namespace

bool has_neighbor_colors(ModelKind model) {
  return model == ModelKind::kGin || model == ModelKind::kGcn || model == ModelKind::kSage ||
         model == ModelKind::k2Gnn;
}

ColorBatcher::ColorBatcher(const EncodedDataset& data, const model::ModelOptions& model,
                           const FeatureScaling& scaling, torch::Dtype dtype)
    : data_(data), model_(model), dtype_(dtype), levels_(data.neighbor_levels(model.layers)), cutter_(levels_) {
  const std::vector<float> features = initial_features(data, levels_.initial, scaling);
  features_ =
      torch::tensor(features, torch::kFloat)
          .view({static_cast<std::int64_t>(levels_.initial.size()), static_cast<std::int64_t>(data.columns())})
          .to(dtype);
}

ops::Neighborhood ColorBatcher::neighborhood(std::size_t k) const {
  const pairs::LevelOf<Row>& level = cut_.levels[k - 1];
  const bool with_own = model_.model == ModelKind::kGin || model_.model == ModelKind::kGcn;
  const auto made = std::make_shared<OwnedPlan>();
  if (with_own) {
    made->sources.reserve(level.items.size() + level.num_rows());
    made->counts.reserve(level.items.size() + level.num_rows());
    made->offsets.reserve(level.num_rows() + 1);
    for (std::size_t row = 0; row < level.num_rows(); ++row) {
      const auto begin = static_cast<std::ptrdiff_t>(level.offsets[row]);
      const auto end = static_cast<std::ptrdiff_t>(level.offsets[row + 1]);
      made->sources.insert(made->sources.end(), level.items.begin() + begin, level.items.begin() + end);
      made->counts.insert(made->counts.end(), level.multiplicity.begin() + begin,
                          level.multiplicity.begin() + end);
      made->sources.push_back(level.own[row]);
      made->counts.push_back(1);
      made->offsets.push_back(made->sources.size());
    }
  } else {
    made->offsets = level.offsets;
    made->sources = level.items;
    made->counts = level.multiplicity;
  }
  if (model_.model == ModelKind::kSage)
    for (std::size_t row = 0; row < level.num_rows(); ++row) {
      double size = 0;
      for (std::uint64_t at = level.offsets[row]; at < level.offsets[row + 1]; ++at)
        size += level.multiplicity[at];
      made->row_scale.push_back(size == 0 ? 0 : 1 / size);
    }
  if (model_.model == ModelKind::kGcn) {
    // Degrees are part of the initial colors.
    const auto scale = [&](Row origin) {
      const levels::InitialRow& first = levels_.initial[cut_.rows[0][origin]];
      return 1 / std::sqrt(static_cast<double>(data_.graphs()[first.graph].degree(first.u) + 1));
    };
    for (const Row origin : cut_.origins[k]) made->row_scale.push_back(scale(origin));
    for (const Row origin : cut_.origins[k - 1]) made->source_scale.push_back(scale(origin));
  }
  made->finish(level.num_sources);
  ops::Neighborhood result;
  result.plan = std::shared_ptr<const compute::NeighborPlan>(made, &made->plan);
  return result;
}

void ColorBatcher::add_pooling(std::vector<nn::ColorRows>& rounds) const {
  const bool is_gin = model_.model == ModelKind::kGin;
  auto segments = std::make_shared<compute::Segments>(last_segments(cut_, model_.loops_only));
  for (std::size_t t = rounds.size(); t-- > 0;) {
    rounds[t].groups.segments = segments;
    if (is_gin) rounds[t].counts = counts_of(*segments, dtype_);
    // Others pool once, at the end.
    if (!is_gin || t == 0) return;
    segments = std::make_shared<compute::Segments>(
        segments_before(*segments, cut_.levels[t - 1].own, cut_.num_rows(t - 1)));
  }
}

std::unique_ptr<TorchBatch> ColorBatcher::make(const Batch& batch) {
  cutter_.cut(std::vector<std::size_t>(batch.graphs.begin(), batch.graphs.end()), cut_);
  auto result = std::make_unique<TorchBatch>();
  nn::GraphBatch& graphs = result->graphs;
  graphs.seed = batch.seed;
  graphs.label_features = features_.index_select(0, index_of(cut_.rows[0]));
  const std::size_t step = levels_.levels_per_round;
  graphs.colors.resize(levels_.num_rounds() + 1);
  for (std::size_t t = 1; t < graphs.colors.size(); ++t) {
    const std::size_t k = t * step;
    const pairs::LevelOf<Row>& level = cut_.levels[k - 1];
    nn::ColorRows& to = graphs.colors[t];
    to.labels = index_of(cut_.origins[k]);
    to.own = index_of(level.own);
    to.neighborhood = neighborhood(k - step + 1);
    result->index_count += level.items.size() * 4 + level.num_rows() * 8;
    if (step == 1) continue;
    to.ends = neighborhood(k);
    result->index_count += cut_.levels[k - 2].items.size() * 4;
    std::vector<double> ends(level.num_rows(), 0);
    for (std::size_t row = 0; row < ends.size(); ++row)
      for (std::uint64_t at = level.offsets[row]; at < level.offsets[row + 1]; ++at)
        ends[row] += level.multiplicity[at];
    to.num_ends = values_of(ends, dtype_).unsqueeze(1);
  }
  add_pooling(graphs.colors);
  return result;
}

}  // namespace twofold::train
