#include "twofold/base/error.h"
#include "twofold/graph/power.h"
#include "twofold/train/batch_maker.h"
#include "twofold/train/item_field.h"
#include "twofold/train/kept_batches.h"

namespace twofold::train {
namespace {

// What the items of a batch need of their graphs, as a dataset of its own.
template <typename T>
struct FieldBatch {
  std::vector<std::uint32_t> graphs;  // the items, as KeptBatches calls them
  std::vector<Graph> parts;
  std::unique_ptr<EncodedDataset> data;
  std::unique_ptr<BatchMaker<T>> batches;
  Batch batch;
};

// Batches of nodes or pairs: of small graphs with all of their rows, of large ones with what the items need.
template <typename T>
class FieldBatches : public BatchMaker<T> {
 public:
  FieldBatches(const EncodedDataset& data, const model::ModelOptions& model, const compute::NetShape& shape,
               const FeatureScaling& scaling)
      : data_(data), model_(model), shape_(shape), scaling_(scaling) {}

  const compute::NetBatch<T>& make(const Batch& batch, std::size_t slot) override {
    TWOFOLD_CHECK(slot == 0, "batches of nodes and pairs come one at a time");
    if (!batch.by_need) {
      if (!whole_) whole_ = make_row_batches<T>(data_, model_, shape_, scaling_);
      return whole_->make(batch);
    }
    FieldBatch<T>& made = kept_.get(batch.graphs, [&](const auto& items, FieldBatch<T>& to) {
      cut(items, to);
      return to.data->memory();
    });
    made.batch.seed = batch.seed;
    return made.batches->make(made.batch);
  }

  std::uint64_t cost(std::uint32_t item) const override { return data_.num_rows(data_.graph_of(item)); }

 private:
  void cut(const std::vector<std::uint32_t>& items, FieldBatch<T>& to) {
    to.batches.reset();
    to.data.reset();
    to.graphs = items;
    to.parts.clear();
    std::vector<Item> asked;
    for (std::size_t begin = 0; begin < items.size();) {
      const std::uint32_t graph = data_.items[items[begin]].graph;
      std::vector<Item> of_graph;
      std::size_t end = begin;
      for (; end < items.size() && data_.items[items[end]].graph == graph; ++end)
        of_graph.push_back(data_.items[items[end]]);
      Neighborhood field = field_of(data_.given_graphs()[graph], of_graph, model_);
      for (const Item item : of_graph)
        asked.push_back(
            {static_cast<std::uint32_t>(to.parts.size()), field.name_of(item.u), field.name_of(item.v)});
      to.parts.push_back(std::move(field.graph));
      begin = end;
    }
    to.data = std::make_unique<EncodedDataset>(to.parts, model_, data_.layout(), data_.limits());
    to.data->items = std::move(asked);
    to.batch.graphs.resize(items.size());
    for (std::uint32_t i = 0; i < items.size(); ++i) to.batch.graphs[i] = i;
    to.batches = make_row_batches<T>(*to.data, model_, shape_, scaling_);
  }

  const EncodedDataset& data_;
  model::ModelOptions model_;
  const compute::NetShape& shape_;
  FeatureScaling scaling_;
  std::unique_ptr<BatchMaker<T>> whole_;
  // Those of a graph that fits into few batches come again; more would take the memory that cutting saves.
  KeptBatches<FieldBatch<T>> kept_{4, kMostKeptBytes};
};

}  // namespace

std::uint64_t rows_needed(const EncodedDataset& data, std::uint32_t graph, Span<const std::uint32_t> items) {
  const model::ModelOptions& model = data.options();
  const Graph& whole = data.given_graphs()[graph];
  std::vector<Item> asked;
  for (const std::uint32_t i : items) asked.push_back(data.items[i]);
  if (!model::has_pair_rows(model.model)) return nodes_needed(whole, asked, model).size();
  return graph::count_power_pairs(field_of(whole, asked, model).graph, data.row_radius());
}

template <typename T>
std::unique_ptr<BatchMaker<T>> make_field_batches(const EncodedDataset& data, const model::ModelOptions& model,
                                                  const compute::NetShape& shape,
                                                  const FeatureScaling& scaling) {
  return std::make_unique<FieldBatches<T>>(data, model, shape, scaling);
}

template std::unique_ptr<BatchMaker<float>> make_field_batches(const EncodedDataset&,
                                                               const model::ModelOptions&,
                                                               const compute::NetShape&, const FeatureScaling&);
template std::unique_ptr<BatchMaker<double>> make_field_batches(const EncodedDataset&,
                                                                const model::ModelOptions&,
                                                                const compute::NetShape&,
                                                                const FeatureScaling&);

}  // namespace twofold::train
