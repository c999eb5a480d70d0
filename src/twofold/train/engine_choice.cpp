#include "twofold/train/engine_choice.h"

#include <algorithm>
#include <numeric>

#include "twofold/base/error.h"
#include "twofold/base/random.h"
#include "twofold/levels/color_levels.h"

namespace twofold::train {
namespace {

// Cycles a vector of eight channels, forward and back, measured on x86 with AVX2 (docs/measurements.md): of a
// triple row by row, of a weighted triple on levels, of cutting it out of the dataset's, of a source (products
// with its weights), and of a row (activations).
constexpr double kRowTriple = 9;
constexpr double kLevelTriple = 13;
constexpr double kCutTriple = 10;  // a triple, whatever its channels
constexpr double kSource = 150;
constexpr double kRow = 75;
constexpr double kCutRow = 20;
// Of a row that goes on from a color: its products are copied, and their gradients added up.
constexpr double kLookUp = 15;

// Colors are taken where they promise to be so many times as fast: predictions are off by as much, and two
// threads share rows better (NCI1 r=8: on one thread colors are 1.16 times as fast, on two rows 1.3 times).
// (Predicted and measured: NCI1 r=8 1.49 and 1.16, DD r=1 1.40 and 0.90, TRIANGLE r=2 1.01 and 0.88, r=1 1.79
// and 1.76.)
constexpr double kAdvantage = 1.5;
// Of mixed ones against rows. Their colors are reckoned kAdvantage times as dear. (Predicted and measured with
// AVX-512, on one thread and on two, one layer in front: TRIANGLE r=2 1.46 and 1.26, NCI1 r=8 1.48 and 1.29,
// 1.27, DD r=1 1.55 and 1.34, 1.21, r=2 1.16 and 0.97, 0.77. Two layers in front: TRIANGLE r=2 1.00 and 0.86,
// NCI1 r=8 1.28 and 1.20, DD r=1 1.23 and 0.95.)
constexpr double kMixedAdvantage = 1.3;

constexpr std::size_t kMostGraphs = 256;
constexpr std::size_t kSamples = 2;

// The same for gin, gcn, sage and 2-gnn, which add up neighbors: of a row in one layer, of an entry of its sum,
// and, whatever the channels, of cutting these out.
constexpr double kNodeRow = 250;
constexpr double kNodeSource = 5;
constexpr double kCutNode = 60;
constexpr double kCutSource = 25;
// gin normalizes twice per layer, over batches that rows come to in parts, one per graph.
constexpr double kGinRows = 1.4;
// Their predictions are off by less. (Rows by colors, predicted and measured: gin on TRIANGLE 1.6 and 1.2 to
// 1.8, DD 1.2 and 1.3; sage 1.2 and 1.3, 0.9 and 0.8; 2-gnn 1.2 and 1.7, 1.2 and 1.05; gcn 0.9 and 0.8 on
// both.)
constexpr double kNodeAdvantage = 1.1;

double vectors(std::size_t width) {
  const std::size_t whole = (width + 7) / 8;
  return static_cast<double>(whole);
}

// A level of a batch is computed from the one before; the first is given.
void add_neighbor_cost(const levels::NeighborLevels& levels, double per_layer, EngineCost& cost) {
  const auto rounds = static_cast<double>(levels.num_rounds());
  for (std::size_t g = 0; g < levels.num_graphs(); ++g)
    cost.rows += per_layer * rounds *
                 (kNodeRow * static_cast<double>(levels.graph_rows[g]) +
                  kNodeSource * static_cast<double>(levels.graph_items[g]));
  for (std::size_t k = 1; k < levels.levels.size(); ++k) {
    const auto rows = static_cast<double>(levels.levels[k].num_rows());
    const auto sources = static_cast<double>(levels.levels[k].items.size());
    const double row = levels.has_own(k) ? kNodeRow : 0;
    cost.colors += per_layer * (row * rows + kNodeSource * sources) + kCutNode * rows + kCutSource * sources;
  }
}

}  // namespace

EngineCost estimate_cost(const EncodedDataset& data, const model::ModelOptions& model,
                         std::size_t batch_graphs) {
  EngineCost cost;
  const std::size_t all = data.num_graphs();
  const std::size_t size = std::min({batch_graphs == 0 ? all : batch_graphs, all, kMostGraphs});
  std::vector<std::uint32_t> order(all);
  std::iota(order.begin(), order.end(), 0);
  Random(1).shuffle(order);
  levels::ColorLevelOptions how;
  how.rounds = model.layers;
  how.indicators = model.indicators;
  how.threads = 1;
  const double per_layer = vectors(static_cast<std::size_t>(model.width));
  const bool sums_neighbors = model.model != model::ModelKind::k2WlGnn;
  const bool can_mix = why_not_mixed(data, model).empty();
  for (std::size_t sample = 0; sample < kSamples && (sample + 1) * size <= all; ++sample) {
    std::vector<Graph> graphs;
    for (std::size_t i = 0; i < size; ++i) graphs.push_back(data.graphs()[order[sample * size + i]]);
    if (sums_neighbors) {
      levels::NeighborLevelOptions of_neighbors = neighbor_level_options(data, model, model.layers);
      of_neighbors.threads = 1;
      add_neighbor_cost(levels::build_neighbor_levels(graphs, of_neighbors), per_layer, cost);
      continue;
    }
    const levels::ColorLevels levels = levels::build_color_levels(graphs, model.radius, how);
    double rows = 0, triples = 0;
    for (std::size_t g = 0; g < size; ++g) {
      rows += static_cast<double>(levels.graph_rows[g]);
      triples += static_cast<double>(levels.graph_items[g]);
    }
    // The first layer needs no products.
    const auto layers = static_cast<double>(model.layers);
    cost.rows += per_layer * (layers * (kRowTriple * triples + kRow * rows) + (layers - 1) * kSource * rows);
    if (can_mix) cost.mixed.resize(levels.levels.size() - 2, 0);
    double colors = 0;
    for (std::size_t k = 1; k < levels.levels.size(); ++k) {
      const auto sources = static_cast<double>(levels.levels[k - 1].num_rows());
      const auto own = static_cast<double>(levels.levels[k].num_rows());
      const auto weighted = static_cast<double>(levels.levels[k].items.size());
      colors += per_layer * (kLevelTriple * weighted + kRow * own + (k > 1 ? kSource * sources : 0)) +
                kCutTriple * weighted + kCutRow * own;
      if (k > cost.mixed.size()) continue;
      // Behind these layers rows have products but in the first one, which has those of the colors.
      const double left = layers - static_cast<double>(k);
      cost.mixed[k - 1] +=
          kAdvantage * colors + per_layer * (kSource * own + kLookUp * rows + (left - 1) * kSource * rows +
                                             left * (kRowTriple * triples + kRow * rows));
    }
    cost.colors += colors;
  }
  if (model.model == model::ModelKind::kGin) cost.rows *= kGinRows;
  return cost;
}

std::string why_not_mixed(const EncodedDataset& data, const model::ModelOptions& model) {
  if (model.model != model::ModelKind::k2WlGnn) return "for a model other than 2-wl-gnn";
  if (model.about != TargetOf::kGraphs) return fmt::format("to learn {}", model::to_string(model.about));
  if (!model.layer_forms.empty()) return "for a simulated model";
  if (model.layers < 2) return "with one layer";
  if (model.marks > 0) return "with --marks";
  if (model.layer_dropout > 0) return "with --layer-dropout";
  if (model.residual) return "with --residual";
  if (model.readout == model::Readout::kAll) return "with --readout all";
  if (!data.has_labels_only()) return "for graphs with attributes";
  return "";
}

std::size_t choose_front(const EngineCost& cost) {
  TWOFOLD_CHECK(!cost.mixed.empty());
  return 1 +
         static_cast<std::size_t>(std::min_element(cost.mixed.begin(), cost.mixed.end()) - cost.mixed.begin());
}

NetEngineKind choose_engine(const EncodedDataset& data, const model::ModelOptions& model,
                            std::size_t batch_graphs) {
  using model::EngineKind;
  if (!model.layer_forms.empty() || model.layer_dropout > 0 || !data.has_labels_only() ||
      data.num_graphs() == 0)
    return {EngineKind::kFused};
  // Of a large graph nodes and pairs take what they need, which its colors cannot.
  for (std::uint32_t g = 0; !data.items.empty() && g < data.num_graphs(); ++g)
    if (data.num_rows(g) > kWholeRows) return {EngineKind::kFused};
  // Without convolutions a batch has as many rows as its nodes have labels.
  if (model.model == model::ModelKind::kMlp) return {EngineKind::kColors};
  const EngineCost cost = estimate_cost(data, model, batch_graphs);
  const double advantage = model.model == model::ModelKind::k2WlGnn ? kAdvantage : kNodeAdvantage;
  const std::size_t front = cost.mixed.empty() ? 0 : choose_front(cost);
  const double mixed = front == 0 ? cost.rows : cost.mixed[front - 1];
  if (advantage * cost.colors < cost.rows && cost.colors <= mixed) return {EngineKind::kColors};
  // The presets that normalize batches stay on rows for now, where the figures of docs/ were made: others would
  // differ in rounding, and trainings by more. (TRIANGLE r=1 by preset quick: mixed 1.27 times as fast.)
  const auto is_batch = [](model::Norm norm) { return norm == model::Norm::kBatch; };
  const bool normalizes = is_batch(model.norm) || is_batch(model.sum_norm) || is_batch(model.pool_norm);
  if (!normalizes && kMixedAdvantage * mixed < cost.rows && !data.is_streamed())
    return {EngineKind::kMixed, front};
  return {EngineKind::kFused};
}

}  // namespace twofold::train
